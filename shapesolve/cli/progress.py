"""Progress on a terminal, and statistics of a command (``--stats``, ``SHAPESOLVE_LOG``).

The bar appears once the work takes longer than a second. The supervising process hears of progress in any case, so that
it can tell a busy command from a stuck one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from shapesolve.cli.supervisor import report_progress
from shapesolve.errors import InputError
from shapesolve.reports.json_versions import as_version
from shapesolve.statistics import Statistics, current, measuring

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


PATIENCE_SECONDS = 1.0
LOGGED_SECONDS = 5.0
"""Seconds of silence before a line says off a terminal what is being done."""


class ProgressBar:
    """Progress bar, called with a function's name, the number of its checked obligations, and their total."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._is_visible = wanted and sys.stderr.isatty()
        self._started = monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._printed = self._started

    def __enter__(self) -> ProgressBar:
        return self

    def __call__(self, function: str, done: int, total: int) -> None:
        now = monotonic()
        if now - self._printed >= PATIENCE_SECONDS:
            self._printed = now
            report_progress()
        if not self._is_visible or (self._bar is None and now - self._started < PATIENCE_SECONDS):
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
        report_progress()
        if self._bar is not None:
            self._bar.stop()


class WaitingLine:
    """Line on standard error that counts the seconds while another process works.

    On a terminal it is rewritten every second and erased at the end. Elsewhere, if ``logged``, a line is written after
    5 seconds, after 10, after 20, and so on.
    """

    def __init__(self, words: str, *, wanted: bool = True, logged: bool = False) -> None:
        self._words = words
        self._on_terminal = wanted and sys.stderr.isatty()
        self._is_shown = self._on_terminal or (wanted and logged)
        self._ended = Event()
        self._thread = Thread(target=self._count, daemon=True)

    def __enter__(self) -> WaitingLine:
        if self._on_terminal:
            write_progress(f"{self._words} ...")
        if self._is_shown:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._is_shown:
            self._thread.join()
        if self._on_terminal:
            write_progress("\r\x1b[K")

    def _count(self) -> None:
        started, pause = monotonic(), 1.0 if self._on_terminal else LOGGED_SECONDS
        while not self._ended.wait(pause):
            seconds = monotonic() - started
            if self._on_terminal:
                write_progress(f"\r{self._words} ... {seconds:.0f} s")
            else:
                write_progress(f"{self._words} ... {seconds:.0f} s\n")
                pause = seconds


def write_progress(text: str) -> None:
    """Write text to standard error; a reader who is gone is no error."""
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


LEVELS = ("debug", "info", "warning")
VARIABLE = "SHAPESOLVE_LOG"


def json_text(document: Mapping[str, object], version: int) -> str:
    """Return a document as it is printed in this version, with the statistics so far if they were requested."""
    return json.dumps(as_version(with_stats(document), version), indent=2)


def with_stats(document: Mapping[str, object]) -> Mapping[str, object]:
    """Return a document with the statistics so far if they were requested."""
    statistics = current()
    return document if statistics is None else {**document, "stats": statistics_object(statistics)}


def statistics_object(statistics: Statistics) -> dict[str, object]:
    """Return statistics as JSON values; seconds to the microsecond."""
    seconds = statistics.seconds
    return {
        "seconds": {"total": round(sum(seconds.values()), 6)} | {each: round(seconds[each], 6) for each in seconds},
        "claims": dict(statistics.claims.most_common()),
        "queries": dict(statistics.queries.most_common()),
        "executions": dict(statistics.executions.most_common()),
    }


def with_statistics(command: Callable[[], int]) -> int:
    """Run a command and print its statistics on standard error, however it ends."""
    with measuring() as statistics:
        try:
            return command()
        finally:
            sys.stdout.flush()
            print("\n".join(_lines(statistics)), file=sys.stderr)


def _lines(statistics: Statistics) -> list[str]:
    seconds = statistics.seconds
    lines = [f"seconds      {sum(seconds.values()):8.3f}"]
    lines += [f"  {name:<10} {spent:8.3f}" for name, spent in seconds.items()]
    for what, counts in (
        ("claims", statistics.claims),
        ("queries", statistics.queries),
        ("executions", statistics.executions),
    ):
        lines.append(f"{what:<12} {counts.total():8}")
        lines += [f"  {name:<21} {number:>8}" for name, number in counts.most_common()]
    return lines


def log_to_stderr(level: str) -> None:
    """Print log records of the stages on standard error, from a level on.

    Raises:
        InputError: There is no such level.
    """
    import logging

    if level.lower() not in LEVELS:
        raise InputError(f"`{level[:40]}` is none of {', '.join(LEVELS)}", where=VARIABLE)
    logger = logging.getLogger("shapesolve")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(relativeCreated)7.0f ms  %(name)s: %(message)s"))
        logger.addHandler(handler)
    logger.setLevel(level.upper())
