"""What is told of claims and queries: to the statistics of a command, and to whoever listens to the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import ParamSpec

from shapesolve.measuring import current, stage
from shapesolve.proving.solver import Answer, GaveUp, Unsatisfiable
from shapesolve.proving.verdicts import Proved, Refuted, Verdict

P = ParamSpec("P")

_log = logging.getLogger("shapesolve.proving")


def judging(function: Callable[P, Verdict]) -> Callable[P, Verdict]:
    """The decorated function judges a claim, which its argument ``name`` names."""
    measured = stage("prove")(function)

    @wraps(function)
    def told(*given: P.args, **named: P.kwargs) -> Verdict:
        statistics = current()
        if statistics is None and not _log.isEnabledFor(logging.DEBUG):
            return function(*given, **named)
        started = perf_counter()
        verdict = measured(*given, **named)
        found = verdict.rung if isinstance(verdict, Proved | Refuted) else verdict.word
        if statistics is not None:
            statistics.claims[found] += 1
        _log.debug("%s: %s (%s), %.4f s", named.get("name", "claim"), verdict.word, found, perf_counter() - started)
        return verdict

    return told


def asking(function: Callable[P, Answer]) -> Callable[P, Answer]:
    """The decorated function asks a solver, by a query that its argument ``name`` names."""

    @wraps(function)
    def told(*given: P.args, **named: P.kwargs) -> Answer:
        statistics = current()
        if statistics is None and not _log.isEnabledFor(logging.DEBUG):
            return function(*given, **named)
        started = perf_counter()
        answer = function(*given, **named)
        found = f"given up: {answer.obstacle.value}" if isinstance(answer, GaveUp) else answer.rung
        if statistics is not None:
            statistics.queries[found] += 1
        word = "" if isinstance(answer, GaveUp) else "unsat, " if isinstance(answer, Unsatisfiable) else "sat, "
        _log.debug("query %s: %s%s, %.4f s", named.get("name", ""), word, found, perf_counter() - started)
        return answer

    return told
