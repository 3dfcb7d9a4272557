import {
  Decoration, EditorState, EditorView, GutterMarker, HighlightStyle, RangeSetBuilder, StateEffect, StateField,
  StreamLanguage, WidgetType, bracketMatching, defaultKeymap, drawSelection, gutter, highlightActiveLine,
  highlightActiveLineGutter, history, historyKeymap, indentWithTab, keymap, lineNumbers, searchKeymap, setDiagnostics,
  syntaxHighlighting, tags,
} from "./editor.js";

const DELAY = 250;
const SIGNS = { refuted: "✗", undecided: "?", unreachable: "–", proved: "✓" };
const FIRST = `// Type here: findings and shapes follow.
func.func @add(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %holds = arith.cmpi sge, %n, %c0 : index
  cf.assert %holds, "no size is negative"
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
`;

const byId = (id) => document.getElementById(id);

// Texts go into the page as text nodes only.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const mlir = StreamLanguage.define({
  token(stream) {
    if (stream.match(/\/\/.*/)) return "comment";
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/[%^@#][\w$.\-]+(?:#\d+)?/)) return "variableName";
    if (stream.match(/!?(?:tensor|memref|vector|index|[iuf]\d+|bf16|si\d+|ui\d+|!\w+[\w.]*)\b/)) return "typeName";
    if (stream.match(/-?\d[\w.+]*/)) return "number";
    if (stream.match(/[a-z_]\w*(?:\.\w+)+/)) return "keyword";
    if (stream.match(/(?:module|return|attributes|loc|func|private)\b/)) return "keyword";
    if (stream.match(/\w+/)) return null;
    stream.next();
    return null;
  },
});
const colors = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)" }, { tag: tags.string, color: "var(--string)" },
  { tag: tags.typeName, color: "var(--type)" }, { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.number, color: "var(--string)" },
]);

class Sign extends GutterMarker {
  constructor(verdict, title) { super(); this.verdict = verdict; this.title = title; }
  eq(other) { return this.verdict === other.verdict && this.title === other.title; }
  toDOM() { return element("span", { class: `mark ${this.verdict}`, title: this.title }, SIGNS[this.verdict]); }
}
class Shape extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return this.text === other.text; }
  toDOM() { return element("span", { class: "shape" }, this.text); }
}

function field(effect, build, empty, extension) {
  return StateField.define({
    create: () => empty,
    update(value, transaction) {
      let found = value.map(transaction.changes);
      for (const each of transaction.effects) if (each.is(effect)) found = build(transaction.state, each.value);
      return found;
    },
    provide: extension,
  });
}

const setMarks = StateEffect.define();
const setShapes = StateEffect.define();

function signsOf(state, marks) {
  const lines = new Map();
  for (const { line, verdict, claim } of marks) {
    if (line < 1 || line > state.doc.lines) continue;
    const at = lines.get(line) ?? { verdict, titles: [] };
    const order = Object.keys(SIGNS);
    if (order.indexOf(verdict) < order.indexOf(at.verdict)) at.verdict = verdict;
    at.titles.push(`${verdict}: ${claim}`);
    lines.set(line, at);
  }
  const built = new RangeSetBuilder();
  for (const line of [...lines.keys()].sort((a, b) => a - b)) {
    const { verdict, titles } = lines.get(line);
    const from = state.doc.line(line).from;
    built.add(from, from, new Sign(verdict, titles.join("\n")));
  }
  return built.finish();
}

function hintsOf(state, shapes) {
  const lines = new Map();
  for (const { line, name, shape } of shapes) {
    if (line < 1 || line > state.doc.lines) continue;
    lines.set(line, [...(lines.get(line) ?? []), `${name}: ${shape}`]);
  }
  const built = new RangeSetBuilder();
  for (const line of [...lines.keys()].sort((a, b) => a - b)) {
    const to = state.doc.line(line).to;
    const text = lines.get(line).join("   ");
    built.add(to, to, Decoration.widget({ widget: new Shape(text.length > 160 ? `${text.slice(0, 159)}…` : text), side: 1 }));
  }
  return built.finish();
}

const noSigns = new RangeSetBuilder().finish();
const signs = field(setMarks, signsOf, noSigns);
const hints = field(setShapes, hintsOf, Decoration.none, (own) => EditorView.decorations.from(own));

function editor(parent, label, changed) {
  return new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(), signs, hints,
        gutter({ class: "verdicts", markers: (view) => view.state.field(signs), initialSpacer: () => new Sign("proved", "") }),
        history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        mlir, syntaxHighlighting(colors),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ],
    }),
  });
}

let mode = "check";
let timer = 0;
let running = null;
const source = editor(byId("source"), "MLIR program", typed);
const target = editor(byId("target"), "MLIR program that replaces the first", typed);
const textOf = (view) => view.state.doc.toString();
const setText = (view, text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });

function typed() {
  clearTimeout(timer);
  running?.abort();  // the server ends the process of a request that nobody waits for
  timer = setTimeout(run, DELAY);
}

async function ask(action, texts, signal) {
  const answer = await fetch(`do/${action}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(texts), signal,
  });
  return answer.json();
}

async function run() {
  clearTimeout(timer);
  running?.abort();
  const own = (running = new AbortController());
  const texts = mode === "refine" ? { text: textOf(source), target: textOf(target) } : { text: textOf(source) };
  const started = performance.now();
  byId("status").textContent = "checking …";
  document.body.dataset.state = "busy";
  try {
    const wanted = mode === "check" && byId("shapes").checked;
    const shapes = wanted ? ask("shapes", texts, own.signal) : null;
    shapes?.catch(() => {});
    const found = await ask(mode, texts, own.signal);
    show(found);
    byId("status").textContent = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    source.dispatch({ effects: setShapes.of((shapes && (await shapes).shapes) || []) });
    document.body.dataset.state = "done";
  } catch (error) {
    if (error.name === "AbortError") return;
    byId("status").textContent = "the server does not answer";
    document.body.dataset.state = "failed";
  }
}

function place(where) {
  const found = /:(\d+)(?::(\d+))?$/.exec(where ?? "");
  return found ? { line: Number(found[1]), column: Number(found[2] ?? 0) } : { line: 0, column: 0 };
}

function goTo(line, column, view = source) {
  if (line < 1 || line > view.state.doc.lines) return;
  const at = view.state.doc.line(line);
  const anchor = Math.min(at.from + Math.max(column - 1, 0), at.to);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}

function underline(findings, view = source) {
  const shown = findings.filter(({ line }) => line >= 1 && line <= view.state.doc.lines);
  view.dispatch(setDiagnostics(view.state, shown.map(({ line, column, level, message }) => {
    const at = view.state.doc.line(line);
    return { from: Math.min(at.from + Math.max(column - 1, 0), at.to), to: at.to, message,
      severity: level === "note" ? "info" : level };
  })));
}

function findingBox(each) {
  const box = element("div", { class: `finding ${each.level}` }, element("p", {}, each.message));
  const where = element("div", { class: "place" });
  if (each.line) {
    const words = each.view === target ? `line ${each.line} of the second program` : `line ${each.line}`;
    where.append(element("button", { onclick: () => goTo(each.line, each.column, each.view) }, words), " · ");
  }
  where.append(each.code);
  box.append(where);
  if (each.fails_at) box.append(element("p", {}, `fails at ${each.fails_at}`));
  if (each.counterexample?.length) {
    const rows = each.counterexample.map(({ name, value }) => element("tr", {}, element("td", {}, name), element("td", {}, value)));
    box.append(element("details", {}, element("summary", {}, "All arguments there"), element("table", {}, element("tbody", {}, ...rows))));
  }
  return box;
}

function show(found) {
  const answer = byId("answer");
  answer.replaceChildren();
  source.dispatch({ effects: setMarks.of([]) });
  underline([]);
  underline([], target);
  if (found.error !== undefined) {
    const { line, column } = place(found.where);
    const view = found.of === "target" ? target : source;
    const finding = { level: "error", line, column, message: found.error, code: "input", view };
    underline([finding], view);
    answer.append(findingBox(finding));
    return;
  }
  if (found.findings) showFindings(answer, found);
  else if (found.diff) showDiff(answer, found);
  else answer.append(element("pre", {}, found.report.trim()));
}

function showFindings(answer, { findings, marks, suggestions, report }) {
  underline(findings);
  source.dispatch({ effects: setMarks.of(marks) });
  const summary = element("div", { class: "summary" });
  for (const verdict of Object.keys(SIGNS)) {
    const count = marks.filter((each) => each.verdict === verdict).length;
    if (count) summary.append(element("span", { class: `count ${verdict}` }, `${SIGNS[verdict]} ${count} ${verdict}`));
  }
  answer.append(summary, ...findings.map(findingBox));
  if (!findings.length) answer.append(element("p", { class: "proved" }, marks.length ? "Safe for all sizes." : "Nothing to check."));
  for (const { function: name, assumptions } of suggestions) {
    answer.append(element("p", { class: "hint" }, `@${name} is safe if callers ensure`), ...assumptions.map((each) => element("pre", {}, each)));
  }
  answer.append(element("details", {}, element("summary", {}, "Report as text"), element("pre", {}, report.trim())));
}

function showDiff(answer, { diff, text }) {
  if (!diff.some((each) => /^[-+](?!--|\+\+)/.test(each))) {
    answer.append(element("p", { class: "hint" }, "No check can be removed."));
    return;
  }
  const kinds = { "+": "added", "-": "removed", "@": "hunk" };
  const lines = diff.slice(2).map((each) => element("span", { class: kinds[each[0]] ?? "" }, each));
  answer.append(
    element("button", { onclick: () => { setText(source, text); choose("check"); } }, "Take over"),
    element("pre", { class: "diff" }, ...lines),
  );
}

function choose(next) {
  mode = next;
  for (const each of ["check", "contract", "prune", "refine"]) byId(each).setAttribute("aria-selected", String(each === mode));
  byId("target").hidden = mode !== "refine";
  if (mode === "refine" && !textOf(target)) setText(target, textOf(source));
  return run();
}

// The link: the texts as base64url of compressed JSON in the hash, which browsers send to no server.
async function streamed(bytes, through) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}
async function hashOf() {
  const held = { mode, text: textOf(source), ...(mode === "refine" ? { target: textOf(target) } : {}) };
  const bytes = await streamed(new TextEncoder().encode(JSON.stringify(held)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const each of bytes) text += String.fromCharCode(each);
  return `#${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
async function restored(hash) {
  try {
    const packed = Uint8Array.from(atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await streamed(packed, new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}

async function begin() {
  const held = location.hash.length > 1 ? await restored(location.hash) : null;
  const usable = typeof held?.text === "string";
  setText(source, usable ? held.text : FIRST);
  if (usable && typeof held.target === "string") setText(target, held.target);
  await choose(usable && ["check", "contract", "prune", "refine"].includes(held.mode) ? held.mode : "check");
  if (location.hash.length > 1 && !usable) byId("status").textContent = "the link cannot be read";
}

for (const each of ["check", "contract", "prune", "refine"]) byId(each).addEventListener("click", () => choose(each));
byId("shapes").addEventListener("change", run);
byId("share").addEventListener("click", async () => {
  window.history.replaceState(null, "", await hashOf());
  try {
    await navigator.clipboard.writeText(location.href);
    byId("status").textContent = "link copied";
  } catch {
    byId("status").textContent = "the address holds the text";
  }
});
addEventListener("hashchange", begin);
fetch("examples").then((answer) => answer.json()).then(({ examples }) => {
  const menu = byId("examples");
  for (const { name } of examples) menu.append(element("option", { value: name }, name));
  menu.addEventListener("change", () => {
    const found = examples.find((each) => each.name === menu.value);
    if (found) setText(source, found.text);
  });
});
begin();
