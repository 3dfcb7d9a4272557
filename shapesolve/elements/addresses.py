"""Addresses of elements of buffers: the buffer of which a view is a part, and a distance from its beginning."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.elements.context import VIEWS, ElementContext, NotFollowedError
from shapesolve.elements.terms import Indices
from shapesolve.elements.views import row_major, viewed
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.symbolic.dims import ZERO, Dim, dim, variable

ALLOCATIONS = {"memref.alloc", "memref.alloca"}
_PARTS = {*VIEWS, "memref.reinterpret_cast", "memref.extract_strided_metadata"}


def address(value: Value, indices: Indices, ctx: ElementContext) -> tuple[Value, Dim]:
    """Return the argument or allocation in which an element lies, and how many elements from its beginning.

    Two elements of one type with equal addresses are the same memory. Other addresses may be the same memory, too.

    Raises:
        NotFollowedError: It is not known.
    """
    value, op = _definition(value, ctx)
    while op is not None:
        if op.name == "memref.reinterpret_cast":
            return base(value, ctx), _distance(indices, *_stated_layout(op, ctx))
        if op.name == "memref.extract_strided_metadata":
            return base(value, ctx), ZERO
        indices = viewed(op, indices, ctx)
        value, op = _definition(op.operands[0], ctx)
    return value, _distance(indices, *_own_layout(value, ctx))


def base(value: Value, ctx: ElementContext) -> Value:
    """Return the argument or allocation of which a buffer is a part.

    Raises:
        NotFollowedError: It is not known.
    """
    value, op = _definition(value, ctx)
    while op is not None:
        value, op = _definition(op.operands[0], ctx)
    return value


def _definition(value: Value, ctx: ElementContext) -> tuple[Value, Operation | None]:
    """Return a buffer as loops are given it, and the operation that makes it of another one if there is one."""
    value = ctx.handed_on.get(value, value)
    maker = ctx.definitions.get(value)
    if value in ctx.arguments or (maker is not None and maker[0].name in ALLOCATIONS):
        return value, None
    if maker is None or maker[0].name not in _PARTS:
        raise NotFollowedError("which buffer it is is not followed")
    return value, maker[0]


def _own_layout(value: Value, ctx: ElementContext) -> tuple[Sequence[Dim], Dim]:
    """Return the strides and the offset of an argument or an allocation."""
    type = value.type
    assert isinstance(type, ShapedType)
    if type.layout is None:
        if type.is_injective is not True or type.places:
            raise NotFollowedError("its layout is not known")
        *strides, offset = row_major(ctx.extents(value))
        return strides, offset
    position = ctx.arguments.get(value)
    if position is None and None in type.layout:
        raise NotFollowedError("its strides are known at run time only")
    # A caller gives both programs the same buffer, so what its type leaves open is the same in both.
    *strides, offset = (
        variable(f"stride {place} of argument {position}", None, None) if each is None else dim(each)
        for place, each in enumerate(type.layout)
    )
    return strides, offset


def _stated_layout(cast: Operation, ctx: ElementContext) -> tuple[Sequence[Dim], Dim]:
    """Return the strides and the offset that a cast gives its result."""
    counts, given = cast.segments[-3:], cast.operands[1:]
    offsets = ctx.mixed(cast.attributes["static_offsets"], given[: counts[0]])
    strides = ctx.mixed(cast.attributes["static_strides"], given[counts[0] + counts[1] :])
    return strides, offsets[0]


def _distance(indices: Indices, strides: Sequence[Dim], offset: Dim) -> Dim:
    return sum((index * stride for index, stride in zip(indices, strides, strict=True)), offset)
