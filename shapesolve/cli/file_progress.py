"""Progress of a command over several files: a line that is rewritten on a terminal, one line a minute elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from shutil import get_terminal_size
from time import monotonic

from shapesolve.cli.progress import PATIENCE_SECONDS, write_progress
from shapesolve.cli.summary_table import Summary
from shapesolve.cli.supervisor import report_progress

LOGGED_SECONDS = 60.0
"""Seconds between two lines off a terminal."""

_REDRAW_SECONDS = 0.1
_BAR = 24


class FileProgress:
    """Progress over files, counted by a summary. Nothing is shown in the first second, or if it is not ``wanted``."""

    def __init__(self, summary: Summary, total: int, *, wanted: bool) -> None:
        self._summary = summary
        self._total = total
        self._on_terminal = wanted and sys.stderr.isatty()
        self._wanted = wanted
        self._started = self._logged = self._reported_at = monotonic()
        self._drawn = 0.0
        self._is_shown = False

    @property
    def seconds(self) -> float:
        """The seconds since the beginning."""
        return monotonic() - self._started

    def update(self) -> None:
        """Show the progress, if it is time to. The supervisor hears of it in any case."""
        now = monotonic()
        if now - self._reported_at >= PATIENCE_SECONDS:
            self._reported_at = now
            report_progress()
        if self._on_terminal and self.seconds >= PATIENCE_SECONDS and now - self._drawn >= _REDRAW_SECONDS:
            self._drawn, self._is_shown = now, True
            line = f"{self._bar()} {self._text()}"[: get_terminal_size().columns - 1]
            write_progress(f"\r\x1b[K{line}")
        elif self._wanted and not self._on_terminal and now - self._logged >= LOGGED_SECONDS:
            self._logged = now
            write_progress(f"{self._text()}\n")

    @contextmanager
    def cleared(self) -> Generator[None]:
        """Keep the line off the terminal while something else is printed."""
        if self._is_shown:
            write_progress("\r\x1b[K")
            self._is_shown = False
            self._drawn = 0.0
        yield

    def _bar(self) -> str:
        full = _BAR * self._summary.files // max(self._total, 1)
        return f"[{'#' * full}{'.' * (_BAR - full)}]"

    def _text(self) -> str:
        done = f"{self._summary.files:,} of {self._total:,} files"
        return f"{done}, {self.seconds:.0f} s: {self._summary.counts_text()}"
