"""The most common outcomes of `check` in a pseudo-terminal of 80 columns and 50 lines."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .test_golden_reports import PROGRAMS

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import termios

pytestmark = pytest.mark.process

COLUMNS, LINES = 80, 50
FIVE = "five"
COLOR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ERASE_LINE = "\x1b[2K"
MARK = "----- end of "
RUN = f"""
import sys
from shapesolve.cli.main import main
for name in sys.argv[1:]:
    code = main(["check", "--no-execute", name + ".mlir"])
    print("{MARK}" + name, code, flush=True)
"""


def _environment(**more: str) -> dict[str, str]:
    unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "TERM": "xterm-256color", **more}


def _command(folder: Path) -> list[str]:
    for name, text in PROGRAMS.items():
        (folder / f"{name}.mlir").write_text(text, encoding="utf-8")
    return [sys.executable, "-c", RUN, *PROGRAMS]


def _in_terminal(folder: Path, **more: str) -> str:
    """Return what a terminal receives from checks of all programs, one after another."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    received = bytearray()
    try:
        process = subprocess.Popen(
            _command(folder), stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=_environment(**more)
        )
        os.close(theirs)
        while piece := _read(ours):
            received += piece
        assert process.wait() == 0
    finally:
        os.close(ours)
    return received.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so that nobody writes any more
        return b""


def _reports(text: str) -> dict[str, str]:
    """Return the reports of all programs by their names."""
    parts = re.split(rf"{MARK}(\w+) \d\n", text)
    return dict(zip(parts[1::2], parts[::2], strict=False))


@cache
def _shown(no_color: bool = False) -> dict[str, str]:
    with TemporaryDirectory() as folder:
        return _reports(_in_terminal(Path(folder), **({"NO_COLOR": "1"} if no_color else {})))


def _lines(text: str) -> list[str]:
    """Return the lines as they stand on the screen: what a progress bar erased before them is not there."""
    left = text.rpartition(ERASE_LINE)[2]
    return [CONTROL.sub("", line).rpartition("\r")[2] for line in left.removesuffix("\n").split("\n")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_line_is_wider_than_the_terminal(name: str) -> None:
    lines = _lines(_shown()[name])
    assert [line for line in lines if len(line) > COLUMNS and "--assume" not in line] == []
    assert lines[-1] and (name == "called" or lines[0].strip())


def test_five_findings_fit_the_screen() -> None:
    lines = _lines(_shown()[FIVE])
    assert sum(": error: " in line for line in lines) == 5
    assert len(lines) < LINES


@pytest.mark.parametrize("name", PROGRAMS)
def test_words_are_those_of_a_pipe(name: str, piped: dict[str, str]) -> None:
    shown = " ".join(" ".join(_lines(_shown()[name])).replace("\\ ", "").split())
    assert shown == " ".join(piped[name].replace("\\\n", "").split())


@pytest.fixture(scope="module")
def piped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("piped")
    done = subprocess.run(
        _command(folder), capture_output=True, text=True, cwd=folder, env=_environment(), check=True, encoding="utf-8"
    )
    assert not done.stderr
    return _reports(done.stdout)


def test_only_a_terminal_gets_colors(piped: dict[str, str]) -> None:
    assert all(COLOR.search(text) for text in _shown().values())
    assert not any("\x1b" in text for text in piped.values())


def test_no_color_is_respected() -> None:
    reports = _shown(no_color=True)
    assert reports.keys() == PROGRAMS.keys()
    assert not any(COLOR.search(text) for text in reports.values())
    assert {name: _lines(text) for name, text in reports.items()} == {
        name: _lines(text) for name, text in _shown().items()
    }
