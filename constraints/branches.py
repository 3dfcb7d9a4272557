"""Results of regions of which one runs, or one runs again and again."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.formulas import Formula
from shapesolve.reading.program import Operation
from shapesolve.walking.merging import merge
from shapesolve.walking.rulebook import Yields
from shapesolve.walking.values import Abstract, Unmodelled

NOT_KNOWN = "what the region yields is not known"


def merged(op: Operation, conditions: Sequence[Formula], yields: Yields) -> tuple[Abstract, ...]:
    """The results of regions of which one runs: the first whose condition holds, or else the last."""
    results: list[Abstract] = []
    for index in range(len(op.results)):
        columns = [None if yielded is None else yielded[index] for yielded in yields]
        value = columns[-1]
        for condition, other in zip(reversed(conditions), reversed(columns[:-1]), strict=True):
            value = None if value is None or other is None else merge(condition, other, value)
        results.append(Unmodelled(NOT_KNOWN) if value is None else value)
    return tuple(results)


def after_loop(op: Operation, carried: tuple[Abstract, ...] | None) -> tuple[Abstract, ...]:
    """The results of a loop, from what it carries."""
    return tuple(Unmodelled(NOT_KNOWN) for _ in op.results) if carried is None else carried
