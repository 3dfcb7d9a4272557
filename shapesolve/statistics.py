"""What a command spends its time on, and what answered its questions: collected only where somebody asked for it.

A stage is measured without the stages inside it, so that the seconds of all stages add up to those of the command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from time import perf_counter
from typing import Literal, ParamSpec, TypeVar

Stage = Literal["read", "walk", "prove", "shrink", "execute", "certify", "rewrite", "diagnose", "report", "other"]
"""``shrink``: making a counterexample small; ``diagnose``: requirements and suggestions; ``other``: imports, arguments,
and what stands between the stages."""

P = ParamSpec("P")
R = TypeVar("R")


class Statistics:
    """Seconds by stage, and counts: claims by what gave their verdicts, queries by the solver's rung, executions."""

    def __init__(self) -> None:
        self.claims: Counter[str] = Counter()
        self.queries: Counter[str] = Counter()
        self.executions: Counter[str] = Counter()
        self._seconds: dict[Stage, float] = {}
        self._open: list[Stage] = ["other"]
        self._since = perf_counter()

    @property
    def seconds(self) -> dict[Stage, float]:
        """Until now, in the order in which the stages began."""
        self._book()
        return dict(self._seconds)

    def enter(self, stage: Stage) -> None:
        """What follows belongs to this stage."""
        self._book()
        self._open.append(stage)

    def leave(self) -> None:
        """What follows belongs to the stage around again."""
        self._book()
        self._open.pop()

    def _book(self) -> None:
        now = perf_counter()
        self._seconds[self._open[-1]] = self._seconds.get(self._open[-1], 0.0) + now - self._since
        self._since = now


_current: Statistics | None = None


def current() -> Statistics | None:
    """What collects at the moment; None where nobody asked."""
    return _current


@contextmanager
def measuring() -> Generator[Statistics]:
    """Collect what happens inside."""
    global _current
    before, _current = _current, Statistics()
    try:
        yield _current
    finally:
        _current = before


def stage(name: Stage) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The time of the decorated function belongs to this stage."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def measured(*given: P.args, **named: P.kwargs) -> R:
            statistics = _current
            if statistics is None:
                return function(*given, **named)
            statistics.enter(name)
            try:
                return function(*given, **named)
            finally:
                statistics.leave()

        return measured

    return decorate
