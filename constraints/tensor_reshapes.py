"""The same elements under other extents."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import at_least, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Tensor

from .extent_tensors import spelled
from .reassociation import collapsed, expanded, product


@rule("tensor.collapse_shape", example="tests/cases/tensor/reassociation.mlir", effects=PURE)
def collapse_shape(op: Operation, see: RuleContext) -> Meaning:
    """Adjacent dimensions as one.

    (R1) Every extent is the product of the extents that it stands for.
    """
    extents = collapsed(op, see.dims(op.operands[0]))
    return Meaning((see.arranged(op.operands[0], RankedShape.of(extents)),))


@rule("tensor.expand_shape", example="tests/cases/tensor/reassociation.mlir", effects=PURE)
def expand_shape(op: Operation, see: RuleContext) -> Meaning:
    """One dimension as several.

    (C1) Every extent of the output shape is at least 0.
    (C2) The extents that a dimension is expanded to multiply to its size.
    (R1) The result has the extents of the output shape.
    """
    source = op.operands[0]
    extents, claims = expanded(op, see, source)
    return Meaning((see.arranged(source, RankedShape.of(extents)),), claims=claims, bears=())


@rule("tensor.reshape", example="tests/cases/tensor/reshape.mlir", effects=PURE)
def reshape(op: Operation, see: RuleContext) -> Meaning:
    """The elements in row-major order, under the shape that an integer tensor spells.

    (C1) Every extent of the new shape is at least 0: -1 has no meaning here.
    (C2) The old and the new shape have the same number of elements.
    (R1) The result has the new shape.
    """
    source, shape = op.operands
    new = spelled(see, shape)
    if not isinstance(new.only, RankedShape):
        # The number of elements of a shape of unknown rank is no expression of the size language.
        why = f"whether the new shape has as many elements as {source.name} is not checked"
        return replace(new.meaning(Tensor(new.only)), approximations=(why,))
    extents, claims = reshaped(op, see)
    return Meaning((see.arranged(source, RankedShape.of(extents)),), claims=claims, bears=(shape,))


def reshaped(op: Operation, see: RuleContext) -> tuple[tuple[Dim, ...], tuple[Claim, ...]]:
    """The new extents of a reshape, with clauses C1 and C2."""
    source, shape = op.operands
    extents = see.integers(shape)
    before, after = product(see.dims(source)), product(extents)
    claims = [
        Claim("C1", at_least(extent, 0), f"extent {number} of the new shape is negative", shown=(("extent", extent),))
        for number, extent in enumerate(extents)
    ]
    shown = ((f"elements of {source.name}", before), ("elements of the new shape", after))
    claims.append(Claim("C2", equal(before, after), "the new shape has another number of elements", shown=shown))
    return extents, tuple(claims)
