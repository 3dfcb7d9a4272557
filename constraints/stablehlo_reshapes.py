"""StableHLO: the same elements under another shape, repeated, or in another order."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import conjunction, disjunction, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Element, Tensor

from .agreement import contents, equal_counts, not_negative
from .row_major import gathered
from .stablehlo_attributes import integers

BROADCASTS = "tests/cases/stablehlo/broadcasts.mlir"
RESHAPES = "tests/cases/stablehlo/reshapes.mlir"


def broadcast_claim(
    clause: str, operand: str, extents: Sequence[Dim], result: Sequence[Dim], places: Sequence[int]
) -> Claim:
    """Every extent is 1 or the result's extent in its place."""
    fits: list[tuple[int, Dim, int, Dim]] = [
        (index, extent, place, result[place]) for index, (extent, place) in enumerate(zip(extents, places, strict=True))
    ]
    formula = conjunction(disjunction((equal(extent, 1), equal(extent, wanted))) for _, extent, _, wanted in fits)
    shown = tuple(
        pair
        for index, extent, place, wanted in fits
        for pair in ((f"extent {index} of {operand}", extent), (f"extent {place} of the result", wanted))
    )
    return Claim(clause, formula, "an extent is neither 1 nor the result's", shown=shown)


def _repeated(
    elements: tuple[Element, ...] | None, extents: Sequence[Dim], result: Sequence[Dim], places: Sequence[int]
) -> tuple[Element, ...] | None:
    if not all(extent.is_constant for extent in extents):
        return None
    return gathered(
        elements,
        extents,
        result,
        lambda index: [0 if e.constant == 1 else index[place] for e, place in zip(extents, places, strict=True)],
    )


@rule("stablehlo.broadcast_in_dim", example=BROADCASTS, effects=PURE)
def broadcast_in_dim(op: Operation, see: RuleContext) -> Meaning:
    """A tensor repeated along new dimensions and along those where it has extent 1.

    (C1) Every extent of the operand is 1 or the result's extent in the dimension it is mapped to.
    (R1) The result has the declared shape.
    """
    operand, extents = op.operands[0], see.dims(op.operands[0])
    places = integers(op, "broadcast_dimensions", len(extents), 0)
    result = [extent for extent in see.declared_dims(op.results[0]) if extent is not None]
    if len(result) != len(see.declared_dims(op.results[0])):
        raise CannotSee("the shape of the result is not known")
    claim = broadcast_claim("C1", operand.name, extents, result, places)
    elements = _repeated(see.elements(operand), extents, result, places)
    return Meaning((Tensor(RankedShape.of(result), elements),), claims=(claim,))


@rule("stablehlo.dynamic_broadcast_in_dim", example=BROADCASTS, effects=PURE)
def dynamic_broadcast_in_dim(op: Operation, see: RuleContext) -> Meaning:
    """A tensor repeated along new dimensions and along those where it has extent 1, to a shape that is computed.

    (C1) No size of the result is negative.
    (C2) Every extent of the operand is 1 or the result's extent in the dimension it is mapped to.
    (C3) Dimensions that are said to expand have extent 1, and those said not to expand keep their extent.
    (R1) The result has the sizes that the second operand holds.
    """
    operand, extents = op.operands[0], see.dims(op.operands[0])
    places = integers(op, "broadcast_dimensions", len(extents), 0)
    held = contents(see, op.operands[1], len(see.declared_dims(op.results[0])))
    claims = [
        *not_negative("C1", held.values, "a size of the result is negative"),
        broadcast_claim("C2", operand.name, extents, held.values, places),
    ]
    for attribute, message in (
        ("known_expanding_dimensions", "a dimension that is said to expand is not 1"),
        ("known_nonexpanding_dimensions", "a dimension that is said not to expand does"),
    ):
        for index in integers(op, attribute, 0, 0):
            extent, wanted = extents[index], held.values[places[index]]
            formula = equal(extent, 1 if "nonexpanding" not in attribute else wanted)
            shown = ((f"extent {index} of {operand.name}", extent), (f"extent {places[index]} of the result", wanted))
            claims.append(Claim("C3", formula, message, shown=shown))
    elements = _repeated(see.elements(operand), extents, held.values, places)
    result = Tensor(RankedShape.of(held.values), elements)
    return Meaning(
        (result,), claims=tuple(claims), approximations=held.reasons, free=held.free, bears=(op.operands[1],)
    )


@rule("stablehlo.broadcast", example=BROADCASTS, effects=PURE)
def broadcast_leading(op: Operation, see: RuleContext) -> Meaning:
    """A tensor repeated along new leading dimensions.

    (R1) The result has the given sizes, then the operand's extents.
    """
    sizes = integers(op, "broadcast_sizes", 0, 0)
    return Meaning((Tensor(RankedShape.of([*map(dim, sizes), *see.dims(op.operands[0])])),))


@rule("stablehlo.reshape", example=RESHAPES, effects=PURE)
def reshape(op: Operation, see: RuleContext) -> Meaning:
    """The same elements in the same order, under a shape that is declared.

    (C1) The number of elements stays the same.
    (R1) The result has the declared shape.
    """
    operand, extents = op.operands[0], see.dims(op.operands[0])
    result = [extent for extent in see.declared_dims(op.results[0]) if extent is not None]
    if len(result) != len(see.declared_dims(op.results[0])):
        raise CannotSee("the shape of the result is not known")
    claim = equal_counts("C1", operand, extents, result)
    return Meaning((Tensor(RankedShape.of(result), see.elements(operand)),), claims=(claim,))


@rule("stablehlo.dynamic_reshape", example=RESHAPES, effects=PURE)
def dynamic_reshape(op: Operation, see: RuleContext) -> Meaning:
    """The same elements in the same order, under a shape that is computed.

    (C1) No size of the result is negative.
    (C2) The number of elements stays the same.
    (R1) The result has the sizes that the second operand holds.
    """
    operand, extents = op.operands[0], see.dims(op.operands[0])
    held = contents(see, op.operands[1], len(see.declared_dims(op.results[0])))
    claims = (
        *not_negative("C1", held.values, "a size of the result is negative"),
        equal_counts("C2", operand, extents, held.values),
    )
    result = Tensor(RankedShape.of(held.values), see.elements(operand))
    return Meaning((result,), claims=claims, approximations=held.reasons, free=held.free, bears=(op.operands[1],))


@rule("stablehlo.transpose", example=RESHAPES, effects=PURE)
def transpose(op: Operation, see: RuleContext) -> Meaning:
    """A permutation of the dimensions.

    (R1) Extent i of the result is the operand's extent permutation[i].
    """
    extents = see.dims(op.operands[0])
    order = integers(op, "permutation", len(extents), 0)
    result = [extents[source] for source in order]
    back = [order.index(source) for source in range(len(order))]
    elements = gathered(see.elements(op.operands[0]), extents, result, lambda index: [index[i] for i in back])
    return Meaning((Tensor(RankedShape.of(result), elements),))


@rule("stablehlo.reverse", example=RESHAPES, effects=PURE)
def reverse(op: Operation, see: RuleContext) -> Meaning:
    """The elements in reverse order along some dimensions.

    (R1) The result has the operand's shape.
    """
    extents = see.dims(op.operands[0])
    backwards = integers(op, "dimensions", 0, 0)

    def place(index: tuple[int, ...]) -> list[int]:
        return [extents[d].constant - 1 - i if d in backwards else i for d, i in enumerate(index)]

    return Meaning((Tensor(RankedShape.of(extents), gathered(see.elements(op.operands[0]), extents, extents, place)),))
