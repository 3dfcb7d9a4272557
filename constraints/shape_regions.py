"""The shape dialect's folds and functions."""

from __future__ import annotations

from shapesolve.language.dims import dim
from shapesolve.language.formulas import conjunction
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.region_runs import Unrolled, loop
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, Yields, rule
from shapesolve.walking.values import Abstract, Size, Unmodelled

from .extent_tensors import is_error_free, number, spelled

REDUCE = "tests/cases/shape/reduce.mlir"


@rule("shape.reduce", example=REDUCE, effects=PURE)
def reduce(op: Operation, see: RuleContext) -> Meaning:
    """Folds the extents of a shape, from the left.

    (R1) The results are what the region yields for the last extent; the initial values for a scalar's shape.
    (R2) A result that is a size is an error where the shape is.
    """
    read = spelled(see, op.operands[0])
    shape, region = read.only, op.regions[0]
    initial = tuple(see.value(operand) for operand in op.operands[1:])
    extent_argument = region.blocks[0].arguments[1]
    if isinstance(shape, RankedShape):
        trips = tuple(
            (dim(index), number(extent_argument, extent, shape.valid)) for index, extent in enumerate(shape.dims)
        )
        run = Unrolled(region=region, trips=trips, carries=initial, runs=shape.valid)
    else:
        # Of an unknown number of extents the body sees any one.
        index = see.fresh(region.blocks[0].arguments[0].name)
        extent = number(extent_argument, see.fresh(extent_argument.name), shape.valid)
        why = "a shape of unknown rank is folded"
        run = loop(region=region, arguments=(index, extent), carries=initial, approximate=why)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        folded = yields[0]
        if folded is None:
            return tuple(Unmodelled("what the region yields is not known") for _ in op.results)
        return tuple(
            Size(value.value, conjunction((value.valid, shape.valid)))
            if isinstance(value, Size) and not is_error_free(result)
            else value
            for result, value in zip(op.results, folded, strict=True)
        )

    return Meaning(regions=(run,), finish=finish, known=read.known, leans_on=read.leans_on)


@rule("shape.yield", example=REDUCE, effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends the region of shape.reduce with the values for the next extent."""
    return Meaning()


@rule("shape.return", example="tests/cases/shape/function.mlir", effects=PURE)
def returns(op: Operation, see: RuleContext) -> Meaning:
    """Ends a shape.func with its results."""
    return Meaning()
