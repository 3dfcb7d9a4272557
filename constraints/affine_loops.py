"""Affine loops."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import TRUE, conjunction
from shapesolve.reading.program import AffineMap, DenseIntegers, Operation, ScalarType, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.region_runs import loop
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Abstract, Opaque, Unmodelled

from .affine import results_of
from .integers import NO_WRAP, fit
from .iteration import counter, ends_in_range, nested, positive_step
from .operand_lists import segment
from .scf_loops import UNORDERED, carried_out


@rule("affine.for", example="tests/cases/affine/for.mlir", effects=PURE)
def for_loop(op: Operation, see: RuleContext) -> Meaning:
    """A loop from the greatest result of one affine map up to, not including, the least result of another.

    (C1) Every divisor in the maps is positive.
    (R1) The results are what the last iteration yields, or the initial values: followed as what `scf.for`
    carries is.
    """
    lowers, first = results_of(op, "lowerBoundMap", segment(op, 0), see)
    uppers, second = results_of(op, "upperBoundMap", segment(op, 1), see)
    step = op.attributes.get("step", 1)
    if not isinstance(step, int):
        raise CannotSee("the step cannot be read")
    count = counter(op.regions[0].blocks[0].arguments[0], maximum(*lowers), minimum(*uppers), dim(step), see)
    run = loop(
        region=op.regions[0],
        arguments=(count.value,),
        carries=tuple(see.value(operand) for operand in segment(op, 2)),
        condition=count.condition,
        because="inside the loop",
        runs=count.runs,
        course=count.course,
    )
    return Meaning(
        claims=tuple(claim for claim in (first, second) if claim.formula is not TRUE),
        regions=(run,),
        finish=lambda yields: carried_out(op, yields),
        leans_on=(NO_WRAP,),
        presumes=conjunction((fit((*lowers, *uppers)), ends_in_range([count]))),
    )


@rule("affine.parallel", example="tests/cases/affine/parallel.mlir", effects=PURE)
def parallel(op: Operation, see: RuleContext) -> Meaning:
    """Nested loops between affine bounds whose iterations run in any order.

    (C1) Every divisor in the maps is positive.
    (C2) Every step is positive.
    (R1) The results are reductions in no particular order, which are not followed.
    """
    lower_map, upper_map = (op.attributes.get(name) for name in ("lowerBoundsMap", "upperBoundsMap"))
    if not isinstance(lower_map, AffineMap) or not isinstance(upper_map, AffineMap):
        raise CannotSee("the bounds cannot be read")
    split = lower_map.dims + lower_map.symbols
    lowers, first = results_of(op, "lowerBoundsMap", op.operands[:split], see)
    uppers, second = results_of(op, "upperBoundsMap", op.operands[split:], see)
    steps = op.attributes.get("steps")
    arguments = op.regions[0].blocks[0].arguments
    if not isinstance(steps, tuple) or len(steps) != len(arguments):
        raise CannotSee("the steps cannot be read")
    lengths = [dim(int(str(step))) for step in steps]
    counters = [
        counter(argument, maximum(*low), minimum(*high), step, see)
        for argument, low, high, step in zip(
            arguments, _grouped(op, "lower", lowers), _grouped(op, "upper", uppers), lengths, strict=True
        )
    ]
    results = tuple(_reduced(result) for result in op.results)
    return Meaning(
        claims=tuple(
            claim
            for claim in (first, second, *(positive_step(step, "C2") for step in lengths))
            if claim.formula is not TRUE
        ),
        regions=(nested(op.regions[0], counters),),
        finish=lambda _: results,
        leans_on=(NO_WRAP,),
        presumes=conjunction((fit((*lowers, *uppers)), ends_in_range(counters))),
    )


def _grouped(op: Operation, which: str, bounds: Sequence[Dim]) -> list[Sequence[Dim]]:
    """The bounds of each loop: the greatest lower one counts, and the least upper one."""
    sizes = op.attributes.get(f"{which}BoundsGroups")
    if not isinstance(sizes, DenseIntegers) or sizes.values is None:
        raise CannotSee("the groups of bounds cannot be read")
    left = iter(bounds)
    return [[next(left) for _ in range(size)] for size in sizes.values]


def _reduced(result: Value) -> Abstract:
    type = result.type
    return Opaque() if isinstance(type, ScalarType) and type.kind == "float" else Unmodelled(UNORDERED)
