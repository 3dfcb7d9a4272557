"""Views of buffers: where their elements lie in the buffers that they are parts of."""

from __future__ import annotations

from shapesolve.elements.context import ElementContext, NotFollowedError
from shapesolve.elements.moves import kept_dimensions, regrouped
from shapesolve.elements.terms import Indices
from shapesolve.ir.program import Operation, ShapedType, Type
from shapesolve.symbolic.dims import ZERO

REGROUPED = {"memref.expand_shape", "memref.collapse_shape"}
"""Views of all elements in the same order, under another shape."""


def viewed(op: Operation, indices: Indices, ctx: ElementContext) -> Indices:
    """Return the place in the operand of an element of a view."""
    if op.name == "memref.cast":
        require_layout(op)
        return indices
    if op.name in REGROUPED:
        return regrouped(op, indices, ctx)
    offsets, sizes, strides = part(op, ctx)
    given = iter(indices)
    wide = [next(given) if kept else ZERO for kept in kept_dimensions(op.results[0], sizes)]
    return tuple(offset + stride * index for offset, stride, index in zip(offsets, strides, wide, strict=True))


def require_layout(cast: Operation) -> None:
    """Require that a cast states no stride and no offset that its operand's type leaves to run time.

    Raises:
        NotFollowedError: It does, and the operand may have others.
    """
    if not _keeps_layout(cast.operands[0].type, cast.results[0].type):
        raise NotFollowedError("whether its operand has these strides is not known")


def _keeps_layout(before: Type, after: Type) -> bool:
    if not isinstance(before, ShapedType) or not isinstance(after, ShapedType) or before.extents is None:
        return False
    if after.extents is None or (before.layout is None and after.layout is None):
        return True
    return all(
        stated == known if stated is not None else after.layout is not None
        for stated, known in zip(_layout(after), _layout(before), strict=True)
    )


def _layout(type: ShapedType) -> tuple[int | None, ...]:
    """Return the strides and the offset of a buffer, None where the type leaves one to run time."""
    if type.layout is not None:
        return type.layout
    found: list[int | None] = [0]
    stride: int | None = 1
    for extent in reversed(type.extents or ()):
        found.insert(0, stride)
        stride = None if stride is None or extent is None else stride * extent
    return tuple(found)


def part(op: Operation, ctx: ElementContext) -> tuple[Indices, Indices, Indices]:
    """Return the offsets, sizes and strides of a slice of a buffer."""
    counts, given = op.segments[-3:], op.operands[1:]
    first, second = counts[0], counts[0] + counts[1]
    return (
        ctx.mixed(op.attributes["static_offsets"], given[:first]),
        ctx.mixed(op.attributes["static_sizes"], given[first:second]),
        ctx.mixed(op.attributes["static_strides"], given[second:]),
    )
