"""A progress bar on standard error, once the work takes longer than a second and somebody is there to see it.

Whoever watches over the command is told in any case, that it may tell one that has much to do from one that is stuck.
"""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from shapesolve.commands.guarding import gets_on

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE_SECONDS = 1.0


class ProgressBar:
    """Called with a function's name, how many of its obligations are judged, and how many there are."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._wanted = wanted and sys.stderr.isatty()
        self._started = monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._told = self._started

    def __enter__(self) -> ProgressBar:
        return self

    def __call__(self, function: str, done: int, total: int) -> None:
        now = monotonic()
        if now - self._told >= PATIENCE_SECONDS:
            self._told = now
            gets_on()
        if not self._wanted or (self._bar is None and now - self._started < PATIENCE_SECONDS):
            return
        if self._bar is None:
            self._bar = self._shown()
        if self._task is None:
            self._task = self._bar.add_task("")
        words = f"@{function}" if done < total else f"@{function}: running the counterexamples"
        self._bar.update(self._task, description=words, completed=done, total=total)

    def _shown(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        bar.start()
        return bar

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        gets_on()
        if self._bar is not None:
            self._bar.stop()


class WaitingLine:
    """A line on standard error while another process works, if somebody is there to see it."""

    def __init__(self, words: str, *, wanted: bool = True) -> None:
        self._words = words
        self._wanted = wanted and sys.stderr.isatty()

    def __enter__(self) -> WaitingLine:
        if self._wanted:
            sys.stderr.write(f"{self._words} ...")
            sys.stderr.flush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._wanted:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
