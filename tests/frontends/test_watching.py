"""Tests of reports on models whose exporter does not terminate or crashes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shapesolve.errors import InputError
from shapesolve.frontends import export_process
from shapesolve.frontends.export_process import Exported, ask, error_from

pytestmark = pytest.mark.process

FOUND = "from shapesolve.frontends.export_process import Exported, Watch; import os, time; "
BEGUN = f"{FOUND}Watch(1).begin([Exported('module {{}}', level='torch')], ['torch', 'linalg'], -145); "
"""A process that may take a second for the next level."""


def answered(code: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(export_process, "_COMMAND", code)
    return ask({"levels": ["torch", "linalg"]}, "model.py:f")["levels"]


def test_endless_exports_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = answered(f"{BEGUN}time.sleep(60)", monkeypatch)
    assert Exported.decoded(first).text == "module {}"
    message = "torch-mlir was lowering this model to linalg, and had not done so after 1 seconds"
    assert error_from(second, "").message == message


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_findings_before_a_crash_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = answered(f"{BEGUN}os.kill(os.getpid(), 11)", monkeypatch)
    assert Exported.decoded(first).level == "torch"
    assert error_from(second, "").message == "torch-mlir was lowering this model to linalg, and ended by signal 11"


def test_a_process_that_dies_before_its_first_message(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="ended with exit code 3"):
        answered("import os; os._exit(3)", monkeypatch)


def test_ending_exports_are_not_given_up() -> None:
    code = f"{BEGUN}import faulthandler; faulthandler.cancel_dump_traceback_later(); time.sleep(1.5)"
    assert subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.DEVNULL).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize("after", ["time.sleep(100)", "os.write(descriptor, b'{}\\n')"])
def test_forks_of_the_model_are_neither_awaited_nor_read(tmp_path: Path, after: str) -> None:
    (tmp_path / "model.py").write_text(f"""\
import os, time

child = os.fork()
if child == 0:
    for descriptor in range(3, 9):
        try:
            {after}
        except OSError:
            pass
    os._exit(0)
{"os.waitpid(child, 0)" if "write" in after else ""}
(getattr(os, "_exit") if {"write" in after} else list)(9)
""")
    begun = time.monotonic()
    request = {
        "do": "export",
        "kind": "python",
        "file": str(tmp_path / "model.py"),
        "name": "f",
        "inputs": [],
        "levels": ["torch"],
    }
    expected = "exit code 9" if "write" in after else "not iterable"
    with pytest.raises(InputError, match=expected):
        ask(request, "model.py:f")
    assert time.monotonic() - begun < 60


LEAVES_PROCESSES = """\
import os, subprocess, sys, time
from pathlib import Path

if os.fork() == 0:
    os.fork()
    time.sleep(300)
subprocess.Popen(["sleep", "300"])
Path(__file__).with_name("group").write_text(str(os.getpgrp()))
"""
"""A model that starts four processes when it is loaded, and in two ways."""


def _running(group: int) -> list[str]:
    """Return the names of the processes of a group, without those that have ended."""
    found: list[str] = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = each.read_text().rpartition(") ")
        except OSError:  # it has ended meanwhile
            continue
        state, _, its_group = rest.split()[:3]
        if int(its_group) == group and state not in "ZX":
            found.append(name)
    return found


def _awaited(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 60
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("after", "options", "ended_by", "exit_code"),
    [
        ("f = list", [], None, 2),
        ("raise ValueError", [], None, 2),
        ("os._exit(3)", [], None, 2),
        ("time.sleep(300)", ["--timeout", "4"], None, 2),
        ("time.sleep(300)", [], signal.SIGTERM, 143),
        ("time.sleep(300)", [], signal.SIGINT, 130),
        ("time.sleep(300)", [], signal.SIGKILL, -9),
    ],
)
def test_processes_of_the_model_end_with_the_command(
    tmp_path: Path, after: str, options: list[str], ended_by: signal.Signals | None, exit_code: int
) -> None:
    (tmp_path / "model.py").write_text(LEAVES_PROCESSES + after)
    noted = tmp_path / "group"
    command = [sys.executable, "-m", "shapesolve", "check", str(tmp_path / "model.py:f"), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert _awaited(lambda: noted.exists() and bool(noted.read_text()))
        group = int(noted.read_text())
        if ended_by is not None:
            assert _awaited(lambda: len(_running(group)) == 4), _running(group)  # forks go on beside the note
            process.send_signal(ended_by)
        assert process.wait(60) == exit_code
    assert _awaited(lambda: not _running(group)), _running(group)
    assert group not in (os.getpgrp(), process.pid)
