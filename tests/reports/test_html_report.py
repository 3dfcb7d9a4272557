"""Reports as HTML pages: well formed, complete, escaped, self-contained, and opened by a browser where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.page_reader import PageReader

import shapesolve
from shapesolve.cli.main import main
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.reports.finding_line import report_lines

ATTACK = '<script>alert("x")</script>'
PROGRAM = f"""\
// {ATTACK} & '>
func.func @"f<b>"(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = tosa.abs %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.add %0, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = "unknown.op"(%1) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tosa.add %2, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = tosa.add %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> shapesolve.Report:
    path = tmp_path_factory.mktemp("html") / "a&b<i>.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    return shapesolve.check(path, execute=False)


@pytest.mark.slow
def test_the_page_is_well_formed_and_has_every_finding(report: shapesolve.Report) -> None:
    page = PageReader(report.to_html())
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [(attributes.get("href") or "").removeprefix("#") for tag, attributes in page.tags if tag == "a"]
    assert links
    assert set(links) <= set(ids)
    lines = report_lines(diagnose(report))
    assert {each.level for each in lines} == {"error", "warning"}
    for each in lines:
        assert str(each) in page.prose
    articles = [attributes for tag, attributes in page.tags if tag == "article"]
    assert len(articles) == len(lines)


def test_a_finding_says_which_call_leads_to_it_and_what_to_try(report: shapesolve.Report) -> None:
    text = PageReader(report.to_html()).prose
    assert "may fail" in text
    assert "describe unknown.op: --library FILE.mlir or --rules FILE.py" in text
    called = shapesolve.check(
        """func.func private @sum(%p: tensor<?xf32>, %q: tensor<?xf32>) {
  %0 = tosa.add %p, %q : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  func.call @sum(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}
""",
        execute=False,
    )
    text = PageReader(called.to_html()).prose
    assert "line 6 calls @sum" in text
    assert "@sum needs compatible(p[0], q[0]); this call gives p[0] = %x[0], q[0] = %y[0]" in text


def test_a_page_says_what_was_assumed_and_what_fails_in_every_call() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    proved = shapesolve.check(text, assume="a[0] == b[0]", execute=False)
    assert proved.exit_code == 0
    assert "--assume: a[0] == b[0]" in PageReader(proved.to_html()).prose
    third = "  %c = arith.constant 3 : index\n  %d = tensor.dim %0, %c : tensor<?xf32>\n  return"
    failing = shapesolve.check(text.replace("  return", third), assume="a[0] == b[0]", execute=False)
    for shown in (PageReader(failing.to_html()).prose, failing.text()):
        assert "any sizes" in shown
        assert "n = 1" not in shown


def test_every_line_of_the_source_stands_there_with_its_verdict_and_shapes(report: shapesolve.Report) -> None:
    text = report.to_html()
    page = PageReader(text)
    for line in PROGRAM.splitlines():
        assert line in page.prose
    marks = {
        attributes["id"]: attributes.get("class") for tag, attributes in page.tags if "id" in attributes and tag == "tr"
    }
    assert (marks["line-3"], marks["line-4"], marks["line-6"], marks["line-7"]) == (
        None,
        "refuted",
        "undecided",
        "proved",
    )
    assert "%0: [a[0], a[1]]" in page.prose


def test_a_counterexample_is_shown_step_by_step(report: shapesolve.Report) -> None:
    text = re.sub(r"<[^>]*>", "|", report.to_html())
    assert re.search(
        r"Step by step\|+%0\|+tensor<\dx\dxf32>\|+tosa.abs \(line 3\)\|+%b\|+tensor<\dx\dxf32>\|+argument\|",
        text.replace("&lt;", "<").replace("&gt;", ">"),
    )


def test_nothing_of_the_file_becomes_markup_and_nothing_is_loaded(report: shapesolve.Report) -> None:
    text = report.to_html()
    page = PageReader(text)
    assert ATTACK in page.prose
    assert ATTACK not in text
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not {"b<b>", "i", "img", "link", "iframe"} & {tag for tag, _ in page.tags}
    attributes = {name for _, each in page.tags for name in each}
    assert "src" not in attributes
    assert not [name for name in attributes if name.startswith("on")]
    assert "http" not in text
    assert "url(" not in text


@pytest.mark.process
@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_a_browser_runs_the_page_without_errors(report: shapesolve.Report, tmp_path: Path) -> None:
    probe = """
    const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", {key: name, cancelable: true}));
    key("j"); const first = document.activeElement.id;
    key("j"); const second = document.activeElement.id;
    key("k"); const third = document.activeElement.id;
    key("/"); const box = document.activeElement; box.value = "no such text"; box.dispatchEvent(new Event("input"));
    const left = document.querySelectorAll(".finding:not([hidden])").length;
    document.title = [first, second, third, box.type, left].join(" ");
    """
    path = tmp_path / "page.html"
    path.write_text(report.to_html().replace("</body>", f"<script>{probe}</script></body>"), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    done = subprocess.run([*command, "--dump-dom", str(path)], capture_output=True, text=True, timeout=120, check=False)
    assert "<title>finding-1 finding-2 finding-1 search 0</title>" in done.stdout


@pytest.mark.process
@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_a_narrow_page_does_not_scroll_sideways(tmp_path: Path) -> None:
    name = "a_long_name_" * 9
    text = f"""func.func @{name}(%{name}: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = tosa.add %{name}, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}"""
    page = shapesolve.check(text, execute=False).to_html()
    probe = """const frame = document.createElement("iframe");
    frame.style = "width: 360px; height: 640px; border: 0"; frame.srcdoc = document.getElementById("page").innerHTML;
    frame.onload = () => { const root = frame.contentDocument.documentElement;
      for (const each of root.querySelectorAll("details")) each.open = true;
      document.title = root.querySelectorAll(".finding").length + " " + (root.scrollWidth - root.clientWidth); };
    document.body.append(frame);"""
    path = tmp_path / "frame.html"
    path.write_text(f'<body><template id="page">{page}</template><script>{probe}</script></body>', encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--virtual-time-budget=3000", "--dump-dom", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "<title>1 0</title>" in done.stdout


def test_the_command_writes_one_page_of_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.mlir").write_text(
            "func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
            "  %0 = tosa.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
            "  return %0 : tensor<?xf32>\n}\n"
        )
    (tmp_path / "c.mlir").write_text("func.func @f( {\n")
    target = tmp_path / "report.html"
    files = [str(tmp_path / f"{name}.mlir") for name in ("a", "b", "c")]
    line = ["check", *files, "--no-execute", "--html", str(target)]
    assert main(line) == 2
    page = target.read_text(encoding="utf-8")
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and page.count('class="finding refuted"') == 2
    assert {f"report-{at}" for at in range(3)} <= set(ids) and set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert main(line) == 2, "its own page is replaced"
    target.write_text("<!DOCTYPE html>\n<p>mine", encoding="utf-8")
    capsys.readouterr()
    assert main(line) == 2
    assert "exists already; --force replaces it" in capsys.readouterr().err
    assert target.read_text(encoding="utf-8").endswith("mine")


def test_the_conditions_stand_as_options_to_paste_with_what_their_notation_means() -> None:
    text = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    page = shapesolve.check(text, execute=False).to_html()
    assert "<dt>check with</dt><dd>--assume &#x27;x[0] == y[0]&#x27;</dd>" in page
    assert "; x[0] is extent 0 of x</dd>" in page
