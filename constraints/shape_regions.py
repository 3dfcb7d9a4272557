"""The shape dialect's folds and functions."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import dim
from shapesolve.language.formulas import TRUE, Formula, conjunction, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.region_runs import Every, RegionRun, Unrolled, loop
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, Yields, rule
from shapesolve.walking.values import Abstract, Size, Unmodelled

from .extent_tensors import is_error_free, number, spelled
from .integers import NO_WRAP
from .shape_folds import Folding

REDUCE = "tests/cases/shape/reduce.mlir"


@rule("shape.reduce", example=REDUCE, effects=PURE)
def reduce(op: Operation, see: RuleContext) -> Meaning:
    """Folds the extents of a shape, from the left.

    (R1) The results are what the region yields for the last extent; the initial values for a scalar's shape.
    (R2) A result that is a size is an error where the shape is.
    (R3) Of a shape of unknown rank a product, sum, greatest or least of the extents, the rank times a number, and
    whether all or any extents compare so with a number are known for all ranks; other results may be anything.
    """
    read = spelled(see, op.operands[0])
    shape, region = read.only, op.regions[0]
    initial = tuple(see.value(operand) for operand in op.operands[1:])
    _, extent_argument, *accumulators = region.blocks[0].arguments
    folding = None if isinstance(shape, RankedShape) else Folding(op, see, shape)
    known: list[Abstract | None] = [None for _ in initial] if folding is None else folding.results()
    if isinstance(shape, RankedShape):
        trips = tuple(
            (dim(index), number(extent_argument, extent, shape.valid)) for index, extent in enumerate(shape.dims)
        )
        run: RegionRun = Unrolled(region=region, trips=trips, carries=initial, runs=shape.valid)
    else:
        # Of an unknown number of extents the body sees any one.
        index = see.fresh(region.blocks[0].arguments[0].name)
        extent = number(extent_argument, see.fresh(extent_argument.name), shape.valid)
        why = "a shape of unknown rank is folded"
        if known and None not in known:
            carried = (_any_like(value, argument, see) for value, argument in zip(known, accumulators, strict=True))
            run = Every(region=region, arguments=(index, extent, *carried), approximate=why, in_order=True)
        else:
            run = loop(region=region, arguments=(index, extent), carries=initial, approximate=why)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        steps: Sequence[Abstract] = yields[0] or [Unmodelled("what the region yields is not known") for _ in known]
        found = (step if value is None else value for value, step in zip(known, steps, strict=True))
        return tuple(
            Size(value.value, conjunction((value.valid, shape.valid)))
            if isinstance(value, Size) and not is_error_free(result)
            else value
            for result, value in zip(op.results, found, strict=True)
        )

    fits = conjunction(folding.fits) if folding is not None else TRUE
    leans_on = read.leans_on if fits is TRUE else (*read.leans_on, NO_WRAP)
    return Meaning(regions=(run,), finish=finish, known=read.known, leans_on=leans_on, presumes=fits)


def _any_like(value: Abstract | None, argument: Value, see: RuleContext) -> Abstract:
    """Return an accumulator before any extent: any value of its kind."""
    if isinstance(value, Formula):
        return equal(see.fresh(argument.name, 0, 1), 1)
    number = see.fresh(argument.name, None, None)
    return Size(number, equal(see.fresh(f"{argument.name}.valid", 0, 1), 1)) if isinstance(value, Size) else number


@rule("shape.yield", example=REDUCE, effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends the region of shape.reduce with the values for the next extent."""
    return Meaning()


@rule("shape.return", example="tests/cases/shape/function.mlir", effects=PURE)
def returns(op: Operation, see: RuleContext) -> Meaning:
    """Ends a shape.func with its results."""
    return Meaning()
