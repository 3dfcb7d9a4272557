"""Memory that two programs leave behind: what the buffers hold that they return, and those that they were given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.elements.buffers import all_written, may_be_written_behind, root_of
from shapesolve.elements.comparison import ElementComparison
from shapesolve.elements.context import ElementContext, NotFollowedError
from shapesolve.elements.sides import ElementSide
from shapesolve.ir.program import Operation, Program, Value, is_buffer
from shapesolve.symbolic.dims import Dim

Extents = Callable[[Value], Sequence[Dim] | None]
"""Returns the extents of a buffer or tensor of the source; None if they are not known."""

_READERS_OF_TENSORS = {"func.return", "tensor.dim", "tensor.extract"}


def memory_difference(
    sides: tuple[ElementSide, ElementSide],
    arguments: Sequence[tuple[Value, Value]],
    alike: set[int],
    comparison: ElementComparison,
    extents: Extents,
) -> str:
    """Return "" if both programs leave the same in all memory that a caller sees, else why that is not known.

    That is the memory of arguments that either program writes, and the buffers that they return. A returned buffer is
    the same part of an argument in both (``alike``), or an allocation of its own in both. Where the answer is another
    one, the comparison knows which buffers runs may show to differ.
    """
    returned = [place for place, value in enumerate(sides[0].returned) if is_buffer(value.type)]
    reason = _returned_otherwise(sides, returned, alike)
    pairs = [pair for pair in arguments if any(is_buffer(value.type) for value in pair)]
    try:
        written = [all_written(each.context) for each in sides]
    except NotFollowedError as found:
        reason = reason or str(found)
    else:
        if any(None in each for each in written):
            reason = reason or "which buffers are written is not known"
        else:
            pairs = [pair for pair in pairs if any(value in its for value, its in zip(pair, written, strict=True))]
    pairs += [
        (sides[0].returned[place], sides[1].returned[place])
        for place in returned
        if not reason and root_of(sides[0].returned[place], sides[0].context) not in sides[0].context.arguments
    ]
    for number, pair in enumerate(pairs):
        its = extents(pair[0])
        position = sides[0].context.arguments.get(pair[0]) if is_buffer(pair[0].type) else None
        why = "its rank is not known" if its is None else comparison.difference_left(number, pair, its, position)
        reason = reason or why
    return reason


def _returned_otherwise(sides: tuple[ElementSide, ElementSide], places: Sequence[int], alike: set[int]) -> str:
    """Return why the returned buffers may overlap other memory in one program than in the other, or ""."""
    for side in sides:
        roots = [root_of(each, side.context) for each in side.returned if is_buffer(each.type)]
        own = [each for each in roots if each not in side.context.arguments]
        if None in roots or len(set(own)) != len(own):
            return "which buffers are returned is not followed"
    for place in places:
        are_own = [_is_new(side.returned[place], side) for side in sides]
        if not all(are_own) and (any(are_own) or place not in alike):
            return "the returned buffers may be other memory"
    return ""


def _is_new(value: Value, side: ElementSide) -> bool:
    """Return whether a buffer is an allocation, or the out-parameter of a result."""
    root = root_of(value, side.context)
    if root is None:
        return False
    position = side.context.arguments.get(root)
    if position is not None:
        return position in side.context.results_at
    maker = side.context.definitions.get(root)
    return maker is not None and maker[0].name == "memref.alloc"


def keeps_tensors(ctx: ElementContext) -> bool:
    """Return whether a program writes no memory of a tensor, which may change what others hold."""
    makers = list(ctx.definitions.values())
    tensors = [op for op, _ in makers if op.name == "bufferization.to_tensor"]
    if any(_may_overwrite(op, ctx) for op in tensors):
        return False
    try:
        if any(may_be_written_behind(op, ctx) for op in tensors):
            return False
        if not any(op.name == "bufferization.to_buffer" for op, _ in makers):
            return True
        roots = all_written(ctx)
    except NotFollowedError:
        return False
    found = (None if each is None else ctx.definitions.get(each) for each in roots if each not in ctx.arguments)
    return all(each is not None and each[0].name != "bufferization.to_buffer" for each in found)


def keeps_tensors_of(program: Program, writes: Callable[[Operation], bool]) -> bool:
    """Return whether no function of a program writes memory of a tensor."""
    return all(
        keeps_tensors(ElementContext(each, {}, "", writes=writes))
        for each in program.functions.values()
        if each.body is not None
    )


def _may_overwrite(op: Operation, ctx: ElementContext) -> bool:
    """Return whether what uses a tensor of a buffer may write to the buffer in place."""
    if "writable" not in op.attributes:
        return False
    users = (each for each in ctx.places if op.results[0] in each.operands)
    return any(each.name not in _READERS_OF_TENSORS for each in users)
