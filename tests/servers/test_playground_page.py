"""The page of the playground in a headless browser, served by the command."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
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
