"""Results of regions of which one runs, or one runs again and again."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.formulas import Formula
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.joining import join
from shapesolve.walking.region_runs import Every, While
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, Yields
from shapesolve.walking.values import Abstract, Tensor, Unmodelled

from .integers import as_truth

NOT_KNOWN = "what the region yields is not known"


def merged(op: Operation, conditions: Sequence[Formula], yields: Yields) -> tuple[Abstract, ...]:
    """The results of regions of which one runs: the first whose condition holds, or else the last."""
    results: list[Abstract] = []
    for index in range(len(op.results)):
        columns = [None if yielded is None else yielded[index] for yielded in yields]
        value = columns[-1]
        for condition, other in zip(reversed(conditions), reversed(columns[:-1]), strict=True):
            value = None if value is None or other is None else join(condition, other, value)
        results.append(Unmodelled(NOT_KNOWN) if value is None else value)
    return tuple(results)


def repeated(op: Operation, see: RuleContext) -> Meaning:
    """The meaning of an operation whose second region runs again and again while the first yields true.

    Both are given what the operation carries, which is its operands at first.
    """
    before, after = op.regions
    next_one = after.blocks[-1].operations[-1].operands
    demand_types(op.operands, before.blocks[0].arguments, after.blocks[0].arguments, next_one)

    def follow(yielded: tuple[Abstract, ...], carried: tuple[Abstract, ...]) -> Every:
        found = yielded[0]
        if not isinstance(found, Tensor) or found.elements is None or len(found.elements) != 1:
            return Every(region=after, arguments=carried, approximate="the condition of the loop is not known")
        condition = as_truth(found.elements[0])
        return Every(region=after, arguments=carried, condition=condition, because="the loop goes on", runs=condition)

    carries = tuple(see.value(operand) for operand in op.operands)
    run = While(region=before, carries=carries, follow=follow, passes_on=True)
    return Meaning(regions=(run,), finish=lambda yields: after_loop(op, yields[0]))


def demand_types(given: Sequence[Value], *taken: Sequence[Value]) -> None:
    """Raise CannotSee where regions take values under other types: what these say of extents would not be asked."""
    types = [value.type for value in given]
    if any([value.type for value in values] != types for values in taken):
        raise CannotSee("its regions take values of other types than it does")


def after_loop(op: Operation, carried: tuple[Abstract, ...] | None) -> tuple[Abstract, ...]:
    """The results of a loop, from what it carries."""
    return tuple(Unmodelled(NOT_KNOWN) for _ in op.results) if carried is None else carried
