"use strict";
for (const root of document.querySelectorAll("main.shapesolve")) {
  const findings = [...root.querySelectorAll(".finding")];
  const search = root.querySelector("input[type=search]");
  const boxes = [...root.querySelectorAll("input[type=checkbox]")];
  const filter = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const text = search.value.toLowerCase();
    for (const each of findings)
      each.hidden = (boxes.length > 0 && !wanted.has(each.dataset.verdict)) || !each.textContent.toLowerCase().includes(text);
  };
  const move = (step) => {
    const shown = findings.filter((each) => !each.hidden);
    const next = shown[Math.min(Math.max(shown.indexOf(document.activeElement) + step, 0), shown.length - 1)];
    if (next) next.focus();
  };
  for (const each of [search, ...boxes]) each.addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((document.activeElement?.closest("main.shapesolve") ?? document.querySelector("main.shapesolve")) !== root) return;
    if (document.activeElement === search) {
      if (event.key === "Escape") search.blur();
    } else if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
    else if (event.key === "/") {
      event.preventDefault();
      search.focus();
    }
  });
}
