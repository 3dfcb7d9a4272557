"""Seconds on standard error while another process works."""

from __future__ import annotations

import time

import pytest

from shapesolve.cli.progress import WaitingLine


@pytest.fixture(autouse=True)
def short_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapesolve.cli.progress.LOGGED_SECONDS", 0.05)


def test_off_a_terminal_the_lines_get_rarer(capsys: pytest.CaptureFixture[str]) -> None:
    with WaitingLine("exporting m.py", logged=True):
        time.sleep(0.5)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 4 and set(lines) <= {"exporting m.py ... 0 s", "exporting m.py ... 1 s"}


@pytest.mark.parametrize("options", [{}, {"wanted": False, "logged": True}])
def test_nothing_is_written_where_progress_is_off(options: dict[str, bool], capsys: pytest.CaptureFixture[str]) -> None:
    with WaitingLine("exporting m.py", **options):
        time.sleep(0.2)
    assert not capsys.readouterr().err


@pytest.mark.slow
def test_on_a_terminal_the_line_is_erased(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with WaitingLine("exporting m.py"):
        time.sleep(1.3)
    output = capsys.readouterr().err
    assert output.startswith("exporting m.py ...\rexporting m.py ... 1 s") and output.endswith("\r\x1b[K")
