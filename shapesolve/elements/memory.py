"""Memory that two programs leave behind: what the buffers hold that they return, and those that they were given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.elements.buffers import all_written, root_of
from shapesolve.elements.comparison import ElementComparison
from shapesolve.elements.context import NotFollowedError
from shapesolve.elements.sides import ElementSide
from shapesolve.ir.program import Value, is_buffer
from shapesolve.symbolic.dims import Dim

Extents = Callable[[Value], Sequence[Dim] | None]
"""Returns the extents of a buffer or tensor of the source; None if they are not known."""


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
