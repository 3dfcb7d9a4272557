"""torch-mlir's own structured operations, which some of PyTorch's operators are lowered to."""

from __future__ import annotations

from shapesolve.language.formulas import at_least, conjunction, equal, implies
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import PURE, on_values
from shapesolve.walking.region_runs import Every
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Tensor

from .operand_lists import integer_of


@rule("tm_tensor.scan", example="tests/cases/tm_tensor/scan.mlir", effects=on_values)
def scan(op: Operation, see: RuleContext) -> Meaning:
    """Folds one dimension step by step and keeps every step. Loops over the input; without elements it does nothing.

    (C1) The output has the extents of the input.
    (C2) The accumulator has all of these but that of the folded dimension.
    (R1) The results have the shapes of the output and of the accumulator.
    """
    if len(op.operands) != 3:
        raise CannotSee("it has not one input, one output and one accumulator")
    source, *outs = op.operands
    extents, folded = see.dims(source), integer_of(op, "dimension")
    runs = conjunction(at_least(extent, 1) for extent in extents)
    left = tuple(extent for number, extent in enumerate(extents) if number != folded)
    claims: list[Claim] = []
    for clause, out, wanted in zip(("C1", "C2"), outs, (extents, left), strict=True):
        given = see.dims(out)
        if len(given) != len(wanted):
            raise CannotSee(f"the rank of {out.name} is not what it should be")
        for number, (extent, other) in enumerate(zip(given, wanted, strict=True)):
            shown = ((f"extent {number} of {out.name}", extent), ("extent to be folded", other))
            message = f"extent {number} of {out.name} is not that of {source.name}"
            claims.append(Claim(clause, implies(runs, equal(extent, other)), message, shown=shown))
    region = op.regions[0]
    body = Every(
        region=region,
        arguments=tuple(map(see.unknown, region.blocks[0].arguments)),
        condition=runs,
        because="inside the loops of tm_tensor.scan",
        runs=None,
    )
    return Meaning(
        _shapes_of(op, see),
        claims=tuple(claims),
        regions=(body,),
        bears=tuple(outs) if op.results else None,
    )


def _shapes_of(op: Operation, see: RuleContext) -> tuple[Tensor, ...]:
    outs: tuple[Value, ...] = op.operands[1:]
    return tuple(Tensor(see.tensor(each).shape) for each in outs) if op.results else ()


@rule("tm_tensor.yield", example="tests/cases/tm_tensor/scan.mlir", effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends the body of a structured operation."""
    return Meaning()
