"""Contracts as an HTML page: complete, escaped, self-contained, and opened by a browser where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.page_reader import PageReader

from shapesolve.cli.main import main

ATTACK = '<script>alert("x")</script>'
PROGRAM = f"""\
// {ATTACK}
func.func @"f<b>"(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {{
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %r = arith.remui %n, %c4 : index
  %p = arith.cmpi eq, %r, %c0 : index
  cf.assert %p, "n is a multiple of 4"
  %0 = tosa.add %x, %w : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
func.func @open(%x: tensor<?xf32>, %i: index) -> f32 {{
  %k = "unknown.op"(%i) : (index) -> index
  %v = tensor.extract %x[%k] : tensor<?xf32>
  return %v : f32
}}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("contract")
    (folder / "f.mlir").write_text(PROGRAM, encoding="utf-8")
    assert main(["contract", str(folder / "f.mlir"), "--html", str(folder / "f.html")]) == 3
    return (folder / "f.html").read_text(encoding="utf-8")


def test_every_condition_stands_there_with_what_needs_it_and_what_breaks_it(page: str) -> None:
    read = PageReader(page)
    for part in ("n % 4 == 0", "compatible(w[0], x[0])", "needed by", "cf.assert (line 7)", "n = 1"):
        assert part in read.prose
    assert "safe exactly when all of these hold:" in read.prose
    assert "no condition was found under which everything is proved" in read.prose
    assert "--assume 'n % 4 == 0'" in read.prose
    assert "\ufffd" not in read.prose
    for line in PROGRAM.splitlines():
        assert line in read.prose


def test_links_lead_to_lines_and_nothing_becomes_markup_or_is_loaded(page: str) -> None:
    read = PageReader(page)
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    links = {(attributes.get("href") or "").removeprefix("#") for tag, attributes in read.tags if tag == "a"}
    assert len(ids) == len(set(ids))
    assert links and links <= set(ids)
    assert ATTACK in read.prose and ATTACK not in page
    assert "http" not in page and "url(" not in page and "src=" not in page


@pytest.mark.process
@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_a_browser_filters_the_conditions(page: str, tmp_path: Path) -> None:
    probe = """
    const box = document.querySelector("input[type=search]"); box.value = "n % 4";
    box.dispatchEvent(new Event("input"));
    document.title = document.querySelectorAll(".finding:not([hidden])").length;
    """
    path = tmp_path / "page.html"
    path.write_text(page.replace("</body>", f"<script>{probe}</script></body>"), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    done = subprocess.run([*command, "--dump-dom", str(path)], capture_output=True, text=True, timeout=120, check=False)
    assert "<title>1</title>" in done.stdout


def test_the_page_takes_standard_output_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(PROGRAM, encoding="utf-8")
    assert main(["contract", str(file), "--html", "-"]) == 3
    assert PageReader(capsys.readouterr().out).prose
    assert main(["contract", str(file), "--html", "-", "--json"]) == 2
    assert "standard output takes one of" in capsys.readouterr().err


CALLEE = """func.func private @callee(%a: tensor<?xf32>, %k: index) -> f32 {
  %v = tensor.extract %a[%k] : tensor<?xf32>
  return %v : f32
}
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %u = func.call @callee(%b, %n) : (tensor<?xf32>, index) -> f32
  return %u : f32
}"""


def test_a_failure_in_a_callee_names_that_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is ``%b`` that is too short; ``%a`` is its name in the callee."""
    path = tmp_path / "m.mlir"
    path.write_text(CALLEE)
    main(["contract", str(path)])
    output = " ".join(capsys.readouterr().out.split())
    assert "is out of the bounds of %a (line 2 in @callee, called in line 8)" in output
