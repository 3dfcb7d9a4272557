"""Views of buffers: where their elements lie in the buffers that they are parts of."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from shapesolve.elements.context import ElementContext, NotFollowedError
from shapesolve.elements.moves import kept_dimensions, regrouped
from shapesolve.elements.terms import Indices
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim
from shapesolve.symbolic.formulas import equal

REGROUPED = {"memref.expand_shape", "memref.collapse_shape"}
"""Views of all elements in the same order, under another shape."""


def viewed(op: Operation, indices: Indices, ctx: ElementContext) -> Indices:
    """Return the place in the operand of an element of a view."""
    if op.name == "memref.cast":
        require_layout(op, ctx)
        return indices
    if op.name in REGROUPED:
        return regrouped(op, indices, ctx)
    offsets, sizes, strides = part(op, ctx)
    given = iter(indices)
    wide = [next(given) if kept else ZERO for kept in kept_dimensions(op.results[0], sizes)]
    return tuple(offset + stride * index for offset, stride, index in zip(offsets, strides, wide, strict=True))


def require_layout(cast: Operation, ctx: ElementContext) -> None:
    """Require that the operand of a cast has the strides and the offset that the type after it states.

    A type without a layout states that elements are stored in row-major order.

    Raises:
        NotFollowedError: It may have others.
    """
    before, after = cast.operands[0].type, cast.results[0].type
    if not isinstance(before, ShapedType) or not isinstance(after, ShapedType) or before.extents is None:
        raise NotFollowedError("whether its operand has these strides is not known")
    if after.extents is None or (before.layout is None and after.layout is None):
        return
    known, extents = _layout(cast.operands[0], ctx), ctx.extents(cast.results[0])
    asked = row_major(extents) if after.layout is None else after.layout
    for stated, its, extent in zip(asked, known, (*extents, None), strict=True):
        if stated is None or extent is ONE:
            continue
        if its is None or not (ctx.proves(equal(its, stated))):
            raise NotFollowedError("whether its operand has these strides is not known")


def _layout(value: Value, ctx: ElementContext) -> tuple[Dim | None, ...]:
    """Return the strides and the offset of a buffer, None where one is not known."""
    assert isinstance(value.type, ShapedType)
    maker = ctx.definitions.get(value)
    if value.type.layout is None and value.type.is_injective is not False:
        return row_major(ctx.extents(value))
    if maker is not None and maker[0].name == "memref.cast":
        return _layout(maker[0].operands[0], ctx)
    if maker is not None and maker[0].name == "memref.subview":
        *strides, start = _layout(maker[0].operands[0], ctx)
        offsets, sizes, steps = part(maker[0], ctx)
        kept = kept_dimensions(maker[0].results[0], sizes)
        wide = [None if each is None else each * step for each, step in zip(strides, steps, strict=True)]
        for each, offset in zip(strides, offsets, strict=True):
            start = None if start is None or each is None else start + each * offset
        return (*(each for each, is_kept in zip(wide, kept, strict=True) if is_kept), start)
    given = value.type.layout or (None,) * (len(ctx.extents(value)) + 1)
    return tuple(None if each is None else dim(each) for each in given)


def row_major(extents: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the strides and the offset of elements that are stored one after the other."""
    return (*(prod(extents[place + 1 :], start=ONE) for place in range(len(extents))), ZERO)


def part(op: Operation, ctx: ElementContext) -> tuple[Indices, Indices, Indices]:
    """Return the offsets, sizes and strides of a slice of a buffer."""
    counts, given = op.segments[-3:], op.operands[1:]
    first, second = counts[0], counts[0] + counts[1]
    return (
        ctx.mixed(op.attributes["static_offsets"], given[:first]),
        ctx.mixed(op.attributes["static_sizes"], given[first:second]),
        ctx.mixed(op.attributes["static_strides"], given[second:]),
    )
