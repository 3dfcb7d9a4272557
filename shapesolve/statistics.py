"""Statistics of a command: time by stage, and counts of claims, queries and executions; collected on request only.

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
    """Seconds by stage, and counts: claims by source of their verdict, queries by strategy, executions."""

    def __init__(self) -> None:
        self.claims: Counter[str] = Counter()
        self.queries: Counter[str] = Counter()
        self.executions: Counter[str] = Counter()
        self._seconds: dict[Stage, float] = {}
        self._open: list[Stage] = ["other"]
        self._since = perf_counter()

    @property
    def seconds(self) -> dict[Stage, float]:
        """The seconds of each stage so far, in the order in which the stages began."""
        self._book()
        return dict(self._seconds)

    def enter(self, stage: Stage) -> None:
        """Begin a stage."""
        self._book()
        self._open.append(stage)

    def leave(self) -> None:
        """End the innermost stage and resume the enclosing one."""
        self._book()
        self._open.pop()

    def _book(self) -> None:
        now = perf_counter()
        self._seconds[self._open[-1]] = self._seconds.get(self._open[-1], 0.0) + now - self._since
        self._since = now


_current: Statistics | None = None


def current() -> Statistics | None:
    """Return the statistics that are being collected, or None."""
    return _current


@contextmanager
def measuring() -> Generator[Statistics]:
    """Collect statistics inside the block."""
    global _current
    before, _current = _current, Statistics()
    try:
        yield _current
    finally:
        _current = before


def stage(name: Stage) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Attribute the time of the decorated function to a stage."""

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
