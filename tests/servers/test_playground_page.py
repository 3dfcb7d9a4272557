"""The page of the playground in a headless browser, served by the command."""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.browser import BROWSER, Browser

pytestmark = pytest.mark.exhaustive

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
if BROWSER is None:
    pytest.skip("no headless browser", allow_module_level=True)

SERVER = "import sys; from shapesolve.cli.main import main; sys.exit(main())"
PROGRAM = """func.func @g(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %holds = arith.cmpi sge, %d, %c0 : index
  cf.assert %holds, "<b>negative</b>"
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", SERVER, "serve", "--port", str(port)], stdout=subprocess.PIPE)
    try:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                urlopen(f"http://127.0.0.1:{port}/examples").close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.communicate(timeout=10)


def link(**held: str) -> str:
    """The part of a link that holds texts, as the page writes it."""
    packing = zlib.compressobj(wbits=-15)
    packed = packing.compress(json.dumps(held).encode()) + packing.flush()
    return "#" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def page(address: str, folder: Path) -> str:
    """The page after its scripts have run, as text."""
    assert BROWSER is not None
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}"]
    command += ["--virtual-time-budget=8000", "--window-size=1200,800", "--dump-dom", address]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout


def test_first_page_shows_the_finding_marks_and_shapes(address: str, tmp_path: Path) -> None:
    found = page(address, tmp_path)
    assert "tosa.add needs compatible(a[0], b[0])" in found
    assert 'class="mark refuted"' in found and 'class="mark proved"' in found
    assert "%n: a[0]" in found
    assert '<option value="linear.mlir">' in found


def test_link_restores_the_text_and_its_counterexample(address: str, tmp_path: Path) -> None:
    found = page(address + link(mode="check", text=PROGRAM), tmp_path)
    assert "@g is safe if callers ensure" in found
    assert "tensor&lt;2xf32&gt;" in found
    assert "<b>negative" not in found


def test_link_to_prune_shows_the_removed_check(address: str, tmp_path: Path) -> None:
    found = page(address + link(mode="prune", text=PROGRAM), tmp_path)
    removed = [
        each for each in found.split('<span class="removed">')[1:] if "cf.assert" in each.partition("</span>")[0]
    ]
    assert removed
    assert "<b>negative" not in found


def test_link_that_cannot_be_read_is_named(address: str, tmp_path: Path) -> None:
    assert "the link cannot be read" in page(address + "#!!!", tmp_path)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


DONE = "document.body?.dataset.state === 'done'"
EDITOR = "#source .cm-content"
TEXT = "document.querySelector('#source .cm-content').innerText"


def test_typing_clicking_pruning_and_sharing(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.wait(DONE)
    browser.replace_text(EDITOR, PROGRAM)
    browser.wait("document.querySelector('#answer').textContent.includes('@g is safe if callers ensure')")
    assert "tosa.add needs compatible(a[0], b[0])" in browser.text()
    assert "fails at a: 2, b: 3" in browser.text() and "tensor<2xf32>" not in browser.text()
    browser.click("#answer summary", "All arguments there")
    assert "tensor<2xf32>" in browser.text()
    browser.click("#answer .place button", "line 6")
    assert "tosa.add" in browser.value("document.querySelector('#source .cm-activeLine').textContent")

    browser.click("#prune")
    browser.wait("document.querySelector('#answer .removed') !== null")
    assert "cf.assert" in browser.value(
        "[...document.querySelectorAll('.removed')].map(each => each.textContent).join()"
    )
    browser.click("#answer button", "Take over")
    browser.wait(f"!{TEXT}.includes('cf.assert') && {DONE}")
    assert browser.value("document.querySelector('#check').getAttribute('aria-selected')") == "true"

    browser.click("#share")
    browser.wait("location.hash.length > 1")
    link = browser.value("location.href")
    browser.open(link)
    browser.wait(f"document.querySelector('.finding') !== null && {DONE}")
    assert "tosa.add" in browser.value(TEXT)
    assert "cf.assert" not in browser.value(TEXT)


@pytest.mark.exhaustive
def test_last_edit_is_answered(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.wait(DONE)
    browser.replace_text(EDITOR, PROGRAM.replace("@g", "@h"))
    browser.replace_text(EDITOR, "func.func @broken(")
    browser.wait("document.querySelector('#answer .finding.error')?.textContent.includes('input')")
    assert "@h" not in browser.text()
    browser.replace_text(EDITOR, PROGRAM)
    browser.wait("document.querySelector('#answer').textContent.includes('@g is safe if callers ensure')")
    browser.type("// and a remark\n")
    browser.wait(DONE)
    assert browser.value("document.querySelectorAll('#answer .finding').length") == 1


@pytest.mark.exhaustive
def test_two_editors_are_compared(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.wait(DONE)
    browser.click("#refine")
    browser.wait(f"document.querySelector('#target .cm-content').innerText.includes('tosa.add') && {DONE}")
    browser.wait("document.querySelector('#answer').textContent.includes('proved')")
    browser.replace_text("#target .cm-content", PROGRAM.replace("tosa.add", "tosa.sub"))
    browser.wait("!document.querySelector('#answer').textContent.includes('proved')")


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1200])
def test_no_part_is_wider_than_the_window(browser: Browser, address: str, width: int) -> None:
    browser.resize(width, 780)
    try:
        browser.open(address)
        browser.wait(DONE)
        assert browser.value("document.documentElement.scrollWidth") <= width
        assert browser.value("document.querySelector('#answer').getBoundingClientRect().width") > width * 0.3
    finally:
        browser.resize(1200, 800)
