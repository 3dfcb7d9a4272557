"""StableHLO: parts of tensors, tensors end to end, and tensors with room around them."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, ceildiv, dim
from shapesolve.language.extremes import maximum
from shapesolve.language.formulas import TRUE, at_least, conjunction
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Element, Tensor

from .agreement import Contents, contents, having_read, joined, not_negative
from .operand_lists import integer_of
from .row_major import constants, gathered, places, position, small_extents
from .stablehlo_attributes import integers

SLICES = "tests/cases/stablehlo/slices.mlir"
JOINS = "tests/cases/stablehlo/joins.mlir"


def _sliced(
    op: Operation, see: RuleContext, starts: Sequence[Dim], limits: Sequence[Dim], strides: Sequence[Dim]
) -> tuple[Tensor, tuple[Claim, ...]]:
    """A slice by start, limit and stride, with clauses C1 (bounds) and C2 (strides)."""
    operand, extents = op.operands[0], see.dims(op.operands[0])
    claims: list[Claim] = []
    for index, (start, limit, stride, extent) in enumerate(zip(starts, limits, strides, extents, strict=True)):
        inside = conjunction((at_least(start, 0), at_least(limit, start), at_least(extent, limit)))
        shown = ((f"start {index}", start), (f"limit {index}", limit), (f"extent {index} of {operand.name}", extent))
        if inside is not TRUE:
            claims.append(Claim("C1", inside, f"the slice leaves dimension {index}", shown=shown))
        positive = at_least(stride, 1)
        if positive is not TRUE:
            message = f"the stride in dimension {index} is not positive"
            claims.append(Claim("C2", positive, message, shown=((f"stride in dimension {index}", stride),)))
    result = [ceildiv(b - a, c) for a, b, c in zip(starts, limits, strides, strict=True)]
    first, step = constants(starts), constants(strides)
    elements = None
    if first is not None and step is not None:
        elements = gathered(
            see.elements(operand),
            extents,
            result,
            lambda index: [a + i * s for a, i, s in zip(first, index, step, strict=True)],
        )
    return Tensor(RankedShape.of(result), elements), tuple(claims)


@rule("stablehlo.slice", example=SLICES, effects=PURE)
def slice_(op: Operation, see: RuleContext) -> Meaning:
    """Every so many elements between two bounds that are constant.

    (C1) In every dimension 0 <= start <= limit <= extent.
    (R1) Extent i of the result is (limit - start) / stride, rounded up.
    """
    rank = len(see.dims(op.operands[0]))
    starts, limits, strides = (
        tuple(map(dim, integers(op, name, rank, 1))) for name in ("start_indices", "limit_indices", "strides")
    )
    result, claims = _sliced(op, see, starts, limits, strides)
    return Meaning((result,), claims=claims)


@rule("stablehlo.real_dynamic_slice", example=SLICES, effects=PURE)
def real_dynamic_slice(op: Operation, see: RuleContext) -> Meaning:
    """Every so many elements between two bounds that are computed.

    (C1) In every dimension 0 <= start <= limit <= extent.
    (C2) Every stride is positive.
    (R1) Extent i of the result is (limit - start) / stride, rounded up.
    """
    rank = len(see.dims(op.operands[0]))
    held = [contents(see, operand, rank) for operand in op.operands[1:]]
    result, claims = _sliced(op, see, held[0].values, held[1].values, held[2].values)
    return having_read(held, (result,), claims)


@rule("stablehlo.dynamic_slice", example=SLICES, effects=PURE)
def dynamic_slice(op: Operation, see: RuleContext) -> Meaning:
    """A part of constant size; the place where it begins is moved so that it fits.

    (C1) No size is greater than the operand's extent.
    (R1) The result has the given sizes.
    """
    operand, extents = op.operands[0], see.dims(op.operands[0])
    sizes = [dim(size) for size in integers(op, "slice_sizes", len(extents), 0)]
    claims = _fitting("C1", operand, extents, sizes, "the slice is larger than the tensor")
    starts = [see.elements(start) for start in op.operands[1:]]
    known = constants(s for start in starts for s in start or () if isinstance(s, Dim))
    whole = constants(extents)
    elements = None
    if known is not None and whole is not None and len(known) == len(extents):
        first = [max(0, min(s, e - z.constant)) for s, e, z in zip(known, whole, sizes, strict=True)]
        elements = gathered(
            see.elements(operand), extents, sizes, lambda index: [a + i for a, i in zip(first, index, strict=True)]
        )
    return Meaning((Tensor(RankedShape.of(sizes), elements),), claims=claims)


@rule("stablehlo.dynamic_update_slice", example=SLICES, effects=PURE)
def dynamic_update_slice(op: Operation, see: RuleContext) -> Meaning:
    """A tensor of which a part is replaced; the place where the part begins is moved so that it fits.

    (C1) No extent of the part is greater than the tensor's.
    (R1) The result has the tensor's shape.
    """
    operand, extents = op.operands[0], see.dims(op.operands[0])
    update = see.dims(op.operands[1])
    claims = _fitting("C1", operand, extents, update, "the update is larger than the tensor")
    return Meaning((Tensor(RankedShape.of(extents)),), claims=claims)


def _fitting(
    clause: str, whole: Value, extents: Sequence[Dim], sizes: Sequence[Dim], message: str
) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for index, (extent, size) in enumerate(zip(extents, sizes, strict=True)):
        formula = at_least(extent, size)
        if formula is not TRUE:
            shown = ((f"size {index}", size), (f"extent {index} of {whole.name}", extent))
            claims.append(Claim(clause, formula, message, shown=shown))
    return tuple(claims)


@rule("stablehlo.concatenate", example=JOINS, effects=PURE)
def concatenate(op: Operation, see: RuleContext) -> Meaning:
    """Tensors one behind the other along a dimension.

    (C1) All other extents are equal.
    (R1) The extent along the dimension is the sum; the others are the operands'.
    """
    along = integer_of(op, "dimension")
    result, claims = joined(op.operands, see, along)
    elements = None
    parts = [see.elements(operand) for operand in op.operands]
    if along == 0 and all(part is not None for part in parts):
        elements = tuple(element for part in parts for element in part or ())
    return Meaning((Tensor(RankedShape.of(result), elements),), claims=tuple(claims))


@rule("stablehlo.pad", example=JOINS, effects=PURE)
def pad(op: Operation, see: RuleContext) -> Meaning:
    """Room before, behind and between the elements; negative room takes elements away.

    (C1) No extent of the result is negative.
    (R1) Extent i of the result is low + extent + interior * max(extent - 1, 0) + high.
    """
    rank = len(see.dims(op.operands[0]))
    low, high, interior = (
        tuple(map(dim, integers(op, name, rank, 0)))
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    return _padded(op, see, [Contents(low), Contents(high), Contents(interior)])


@rule("stablehlo.dynamic_pad", example=JOINS, effects=PURE)
def dynamic_pad(op: Operation, see: RuleContext) -> Meaning:
    """Computed room before, behind and between the elements; negative room before or behind takes elements away.

    (C1) No extent of the result is negative.
    (C2) The room between elements is not negative.
    (R1) Extent i of the result is low + extent + interior * max(extent - 1, 0) + high.
    """
    rank = len(see.dims(op.operands[0]))
    return _padded(op, see, [contents(see, operand, rank) for operand in op.operands[2:5]])


def _padded(op: Operation, see: RuleContext, held: list[Contents]) -> Meaning:
    extents = see.dims(op.operands[0])
    low, high, interior = (each.values for each in held)
    result = [
        a + extent + between * maximum(extent - 1, 0) + b
        for extent, a, b, between in zip(extents, low, high, interior, strict=True)
    ]
    claims = (
        *not_negative("C2", interior, "the room between elements is negative"),
        *not_negative("C1", result, "more is taken away than there is"),
    )
    elements = None
    if all(amount.is_constant and amount.constant == 0 for amount in (*interior,)) and constants((*low, *high)):
        elements = _padded_elements(op, see, extents, result, [a.constant for a in low])
    return having_read(held, (Tensor(RankedShape.of(result), elements),), claims)


def _padded_elements(
    op: Operation, see: RuleContext, extents: Sequence[Dim], result: Sequence[Dim], low: Sequence[int]
) -> tuple[Element, ...] | None:
    elements, filler = see.elements(op.operands[0]), see.elements(op.operands[1])
    source, target = small_extents(extents), small_extents(result)
    if elements is None or filler is None or source is None or target is None:
        return None
    padded: list[Element] = []
    for index in places(target):
        there = [i - a for i, a in zip(index, low, strict=True)]
        inside = all(0 <= i < extent for i, extent in zip(there, source, strict=True))
        padded.append(elements[position(source, there)] if inside else filler[0])
    return tuple(padded)
