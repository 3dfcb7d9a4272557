"""Concatenation, padding and slices of tensors."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Element, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Claim, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import ZERO, Dim
from shapesolve.symbolic.formulas import at_least, equal

from ..transfer.elements import constants, gather_elements, index_tuples, row_major_position, small_extents
from ..transfer.strided_slices import Slice, integer_of, mixed_integers, read_slice, segment, slice_claims
from .shapes import over_positions


@rule("tensor.concat", example="tests/cases/tensor/concat.mlir", effects=PURE)
def concat(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors one after the other along one dimension.

    (C1) The operands have equal extents in every other dimension.
    (R1) The extent along that dimension is the sum, the others are those of the first operand. Where no operand's type
    states an extent that another leaves open, this holds whatever the extents are.
    """
    along = integer_of(op, "dim")
    first, *others = op.operands
    extents = [ctx.dims(operand) for operand in op.operands]
    claims = tuple(
        Claim(
            "C1",
            equal(extent, reference),
            f"extent {number} of {operand.name} is not that of {first.name}",
            shown=((f"extent {number} of {first.name}", reference), (f"extent {number} of {operand.name}", extent)),
        )
        for operand, sizes in zip(others, extents[1:], strict=True)
        for number, (extent, reference) in enumerate(zip(sizes, extents[0], strict=True))
        if number != along
    )
    total = ZERO
    for sizes in extents:
        total = total + sizes[along]
    joined = (*extents[0][:along], total, *extents[0][along + 1 :])
    elements = _joined([ctx.elements(operand) for operand in op.operands], extents, joined, along)
    return OpSemantics(
        Results((Tensor.of(joined, elements),), shape_operands=_shape_operands(op, ctx, along)), requires=claims
    )


def _shape_operands(op: Operation, ctx: RuleContext, along: int) -> tuple[Value, ...] | None:
    """Return the operands as shape operands if the first one gives all extents but the joined one, else None.

    If a type states another extent, that type gives it instead.
    """
    stated = [ctx.declared_dims(value) for value in (*op.operands, *op.results)]
    others = [tuple(extent for number, extent in enumerate(each) if number != along) for each in stated]
    return op.operands if all(each == others[0] for each in others) else None


def _joined(
    parts: Sequence[tuple[Element, ...] | None], extents: Sequence[Sequence[Dim]], joined: Sequence[Dim], along: int
) -> tuple[Element, ...] | None:
    whole, pieces = small_extents(joined), [small_extents(sizes) for sizes in extents]
    found: dict[int, Element] = {}
    start = 0
    for elements, sizes in zip(parts, pieces, strict=True):
        if elements is None or sizes is None or whole is None:
            return None
        if any(
            size != extent for number, (size, extent) in enumerate(zip(sizes, whole, strict=True)) if number != along
        ):
            return None
        for element, index in zip(elements, index_tuples(sizes), strict=True):
            there = [each + start if number == along else each for number, each in enumerate(index)]
            found[row_major_position(whole, there)] = element
        start += sizes[along]
    return tuple(found[place] for place in sorted(found))


@rule("tensor.pad", example="tests/cases/tensor/pad.mlir", effects=PURE)
def pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with elements added before and after it in every dimension.

    (C1) No padding is negative: every lowering upstream inserts the source into a result of the padded sizes, which is
    out of bounds where a padding is negative.
    (R1) Every extent is the padding before, the extent of the source and the padding after.
    (R2) The region computes the added elements from positions in the result.
    """
    source = op.operands[0]
    low = mixed_integers(op, ctx, "static_low", segment(op, 1))
    high = mixed_integers(op, ctx, "static_high", segment(op, 2))
    claims = tuple(
        Claim(
            "C1", at_least(size, 0), f"the padding {where} dimension {number} is negative", shown=(("padding", size),)
        )
        for where, sizes in (("before", low), ("after", high))
        for number, size in enumerate(sizes)
    )
    extents = tuple(a + extent + b for a, extent, b in zip(low, ctx.dims(source), high, strict=True))
    run = over_positions(op, ctx, extents, always=False)
    return OpSemantics(Results((Tensor.of(extents),), shape_operands=(source,)), requires=claims, regions=(run,))


@rule("tensor.extract_slice", example="tests/cases/tensor/extract_slice.mlir", effects=PURE)
def extract_slice(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Part of a tensor, by offsets, sizes and strides.

    (C1) Every size is at least 0.
    (C2) Every offset is at least 0 and at most the extent.
    (C3) Along every dimension in which the slice has elements, all of them lie in the source.
    (R1) The result has the sizes of the slice, without the dimensions of size 1 that its type leaves out.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    slice = read_slice(op, ctx, 1)
    kept = slice.kept(_declared(ctx, op.results[0].name, ctx.declared(op.results[0])))
    sizes = tuple(slice.sizes[dimension] for dimension in kept)
    elements = _taken(ctx.elements(source), extents, slice, kept)
    between = ctx.tensor(source).between
    result = Tensor.of(sizes, elements, between=None if between is None else between.subset_bounds)
    return OpSemantics(Results((result,), shape_operands=()), requires=slice_claims(slice, extents, source.name))


@rule(
    "tensor.insert_slice", "tensor.parallel_insert_slice", example="tests/cases/tensor/insert_slice.mlir", effects=PURE
)
def insert_slice(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with part of it, by offsets, sizes and strides, replaced by another tensor.

    (C1) Every size is at least 0.
    (C2) Every offset is at least 0 and at most the extent.
    (C3) Along every dimension in which the slice has elements, all of them lie in the destination.
    (C4) The source has the sizes of the slice, without the dimensions of size 1 that its type leaves out.
    (R1) The result has the shape of the destination.
    """
    source, into = op.operands[:2]
    extents, given = ctx.dims(into), ctx.dims(source)
    slice = read_slice(op, ctx, 2)
    kept = slice.kept(_declared(ctx, source.name, ctx.declared(source)))
    fits = tuple(
        Claim(
            "C4",
            equal(extent, slice.sizes[dimension]),
            f"extent {number} of {source.name} is not the size of the slice",
            shown=((f"extent {number} of {source.name}", extent), (f"size {dimension}", slice.sizes[dimension])),
        )
        for number, (extent, dimension) in enumerate(zip(given, kept, strict=True))
    )
    claims = (*slice_claims(slice, extents, into.name), *fits)
    if not op.results:
        return OpSemantics(requires=claims)
    elements = _replaced(ctx.elements(into), extents, ctx.elements(source), slice)
    return OpSemantics(Results((Tensor.of(extents, elements),), shape_operands=(into,)), requires=claims)


def _declared(ctx: RuleContext, name: str, extents: tuple[int | None, ...] | None) -> tuple[int | None, ...]:
    if extents is None:
        raise UnknownValueError(f"the rank of {name} is not known")
    return extents


def _taken(
    elements: tuple[Element, ...] | None, extents: tuple[Dim, ...], slice: Slice, kept: tuple[int, ...]
) -> tuple[Element, ...] | None:
    offsets, strides = constants(slice.offsets), constants(slice.strides)
    if offsets is None or strides is None:
        return None

    def place(index: tuple[int, ...]) -> list[int]:
        there = list(offsets)
        for dimension, each in zip(kept, index, strict=True):
            there[dimension] += each * strides[dimension]
        return there

    return gather_elements(elements, extents, (slice.sizes[dimension] for dimension in kept), place)


def _replaced(
    elements: tuple[Element, ...] | None, extents: tuple[Dim, ...], source: tuple[Element, ...] | None, slice: Slice
) -> tuple[Element, ...] | None:
    whole, part = small_extents(extents), small_extents(slice.sizes)
    offsets, strides = constants(slice.offsets), constants(slice.strides)
    if elements is None or source is None or whole is None or part is None or offsets is None or strides is None:
        return None
    written = list(elements)
    for number, index in enumerate(index_tuples(part)):
        there = [o + i * s for o, i, s in zip(offsets, index, strides, strict=True)]
        if number >= len(source) or not all(0 <= each < extent for each, extent in zip(there, whole, strict=True)):
            return None
        written[row_major_position(whole, there)] = source[number]
    return tuple(written)
