"""torch-mlir's own structured operations, which some of PyTorch's operators are lowered to."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, at_least, conjunction, equal, implies
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
    source, out, accumulator = op.operands
    extents, folded = see.dims(source), integer_of(op, "dimension")
    runs = conjunction(at_least(extent, 1) for extent in extents)
    left = tuple(extent for number, extent in enumerate(extents) if number != folded)
    return Meaning(
        tuple(Tensor(see.tensor(each).shape) for each in (out, accumulator)) if op.results else (),
        claims=(
            *_same(see, runs, "C1", out, extents, source.name),
            *_same(see, runs, "C2", accumulator, left, source.name),
        ),
        regions=(_body(op, see, runs),),
        bears=(out, accumulator) if op.results else None,
    )


@rule("tm_tensor.sort", example="tests/cases/tm_tensor/sort.mlir", effects=on_values)
def sort(op: Operation, see: RuleContext) -> Meaning:
    """Sorts along one dimension, by what the body says; what else is given is moved in the same way.

    Elements are compared where that dimension has two or more, and no other is empty.

    (C1) All operands have the extents of the first.
    (R1) The results have the shapes of the operands.
    (R2) All elements of a result lie between the bounds of the operand's.
    """
    first, *others = op.operands
    extents, sorted_by = see.dims(first), integer_of(op, "dimension")
    runs = conjunction(at_least(extent, 2 if number == sorted_by else 1) for number, extent in enumerate(extents))
    given = [see.tensor(each) for each in op.operands]
    return Meaning(
        tuple(Tensor(each.shape, between=each.between and each.between.loosely) for each in given)
        if op.results
        else (),
        claims=tuple(claim for each in others for claim in _same(see, runs, "C1", each, extents, first.name)),
        regions=(_body(op, see, runs),),
        bears=op.operands if op.results else None,
    )


@rule("tm_tensor.yield", example="tests/cases/tm_tensor/scan.mlir", effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends the body of a structured operation."""
    return Meaning()


def _same(
    see: RuleContext, runs: Formula, clause: str, value: Value, wanted: Sequence[Dim], model: str
) -> tuple[Claim, ...]:
    """That a value has the extents that are wanted, which are those of ``model``, where anything runs."""
    given = see.dims(value)
    if len(given) != len(wanted):
        raise CannotSee(f"the rank of {value.name} does not fit that of {model}")
    return tuple(
        Claim(
            clause,
            implies(runs, equal(extent, other)),
            f"extent {number} of {value.name} is not that of {model}",
            shown=((f"extent {number} of {value.name}", extent), (f"extent of {model}", other)),
        )
        for number, (extent, other) in enumerate(zip(given, wanted, strict=True))
    )


def _body(op: Operation, see: RuleContext, runs: Formula) -> Every:
    """The body on elements of which nothing is known: how often it runs is not said."""
    region = op.regions[0]
    arguments = tuple(map(see.unknown, region.blocks[0].arguments))
    return Every(region=region, arguments=arguments, condition=runs, because=f"inside the loops of {op.name}")
