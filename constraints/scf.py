"""Structured control flow: branches and the ends of regions. Loops are in `scf_loops`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.formulas import TRUE, Formula, conjunction, equal, negation
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.joining import join
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, Simpler, Yields, rule
from shapesolve.walking.values import Abstract, Unmodelled

NOT_REACHED = "a region's end is not reached"


@rule(
    "scf.yield",
    "scf.condition",
    "scf.reduce.return",
    "affine.yield",
    example="tests/cases/scf/if.mlir",
    effects=PURE,
)
def ends(op: Operation, see: RuleContext) -> Meaning:
    """Ends a region with the values that it yields."""
    return Meaning()


@rule("scf.if", example="tests/cases/scf/if.mlir", effects=PURE)
def branch(op: Operation, see: RuleContext) -> Meaning:
    """One of two regions, by a condition.

    (R1) The results are what the first region yields where the condition holds, else what the second yields.
    """
    condition = see.truth(op.operands[0])
    return replace(branches(op, condition), simpler=Simpler(branches=(condition, negation(condition))))


def branches(op: Operation, condition: Formula) -> Meaning:
    """The meaning of an operation that runs its first region where a condition holds, else its second, if any."""
    arms = [(op.regions[0], condition, "the branch is taken")]
    if len(op.regions) > 1 and op.regions[1].blocks:
        arms.append((op.regions[1], negation(condition), "the branch is not taken"))
    runs = tuple(Once.where(each, because, region=region) for region, each, because in arms)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        return merged(op, [(condition, yields[0]), (TRUE, yields[-1])]) if op.results else ()

    return Meaning(asks=(condition,), regions=runs, finish=finish)


def merged(op: Operation, arms: Sequence[tuple[Formula, tuple[Abstract, ...] | None]]) -> tuple[Abstract, ...]:
    """What the first arm yields whose condition holds; the last arm's condition is not asked."""
    *earlier, (_, last) = arms
    if last is None:
        return tuple(Unmodelled(NOT_REACHED) for _ in op.results)
    results = last
    for condition, yielded in reversed(earlier):
        if yielded is None:
            return tuple(Unmodelled(NOT_REACHED) for _ in op.results)
        results = tuple(
            b if isinstance(b, Unmodelled) else join(condition, a, b) for a, b in zip(yielded, results, strict=True)
        )
    return results


@rule("scf.index_switch", example="tests/cases/scf/index_switch.mlir", effects=PURE)
def index_switch(op: Operation, see: RuleContext) -> Meaning:
    """One of several regions, by a number.

    (R1) The results are what the region of the number's case yields, else what the default region yields.
    """
    number = see.integer(op.operands[0])
    cases = op.attributes.get("cases")
    if not isinstance(cases, tuple) or len(cases) + 1 != len(op.regions):
        raise CannotSee("the cases cannot be read")
    chosen = [equal(number, case) for case in cases if isinstance(case, int)]
    default = conjunction(negation(each) for each in chosen)
    conditions = (default, *chosen)
    runs = tuple(
        Once.where(condition, "this case is chosen", region=region)
        for region, condition in zip(op.regions, conditions, strict=True)
    )

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        return merged(op, [*zip(chosen, yields[1:], strict=True), (TRUE, yields[0])])

    return Meaning(regions=runs, finish=finish)


@rule("scf.execute_region", example="tests/cases/scf/execute_region.mlir", effects=PURE)
def execute_region(op: Operation, see: RuleContext) -> Meaning:
    """A region that runs once.

    (R1) The results are what the region yields.
    """

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        return merged(op, [(TRUE, yields[0])])

    return Meaning(regions=(Once(region=op.regions[0]),), finish=finish)
