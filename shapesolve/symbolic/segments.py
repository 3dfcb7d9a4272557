"""Shapes as sequences of segments: concatenations, slices, and folds over all extents, in normal form.

A concatenation has no parts that are concatenations, no scalars and no ranked neighbors; slices of one shape that meet
are one slice. So ``concat`` is associative with the scalar as unit, and what is cut is put together again, without any
question to a solver. A fold over a concatenation is made of the folds over its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import cast

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import Largest, Product, ShapeFold, Smallest, Total
from shapesolve.symbolic.dims import ONE, ZERO, Dim, DimLike, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, either
from shapesolve.symbolic.normal_forms import choose, joined_size, maximum, minimum
from shapesolve.symbolic.shape_kinds import (
    INVALID,
    ConcatShape,
    RankedShape,
    Shape,
    SliceShape,
    choice_of,
    extent_bounds,
    restricted,
    unconditional,
    with_choices,
)

MOST_LISTED = 16
"""A piece of a shape of unknown rank that has so many extents at most is a shape of known rank."""


def concatenated(parts: Iterable[Shape], valid: Formula = TRUE) -> Shape:
    """Return the extents of the parts, one part after the other; valid where a formula holds."""
    flat: list[Shape] = []
    for part in parts:
        for piece in part.parts if isinstance(part, ConcatShape) else (unconditional(part),):
            _append(flat, piece)
    if not flat:
        return RankedShape.of((), valid)
    return restricted(flat[0] if len(flat) == 1 else ConcatShape.of(flat), valid)


def _append(flat: list[Shape], piece: Shape) -> None:
    if piece is INVALID or (isinstance(piece, RankedShape) and not piece.dims):
        return
    last = flat[-1] if flat else None
    if isinstance(last, RankedShape) and isinstance(piece, RankedShape):
        flat[-1] = RankedShape.of((*last.dims, *piece.dims))
    elif isinstance(last, SliceShape) and isinstance(piece, SliceShape) and _meet(last, piece):
        flat.pop()
        for each in _pieces(sliced(last.whole, last.start, piece.stop)):
            _append(flat, each)
    else:
        flat.append(piece)


def _pieces(whole: Shape) -> Sequence[Shape]:
    return whole.parts if isinstance(whole, ConcatShape) else (whole,)


def _meet(a: SliceShape, b: SliceShape) -> bool:
    """Return whether one slice begins where the other ends, wherever both are cut off."""
    if a.whole is not b.whole or a.stop is not b.start:
        return False
    begins = a.start is ZERO or at_least(a.stop, a.start) is TRUE
    return begins and (b.stop is b.whole.rank or at_least(b.stop, b.start) is TRUE)


def sliced(whole: Shape, start: DimLike, stop: DimLike, valid: Formula = TRUE) -> Shape:
    """Return the extents from dimension ``start`` up to ``stop``, both clamped to the ends of the shape."""
    inner, rank = unconditional(whole), whole.rank
    first, last = dim(start), dim(stop)
    if at_least(0, first) is TRUE:
        first = ZERO
    if at_least(last, rank) is TRUE:
        last = rank
    if first is ZERO and last is rank:
        return restricted(inner, valid)
    if at_least(first, last) is TRUE or at_least(0, last) is TRUE or at_least(first, rank) is TRUE:
        return RankedShape.of((), valid)
    if isinstance(inner, RankedShape) and first.is_constant and last.is_constant:
        return RankedShape.of(inner.dims[first.constant : last.constant], valid)
    if isinstance(inner, ConcatShape):
        found = _slice_of_parts(inner, first, last, valid)
        if found is not None:
            return found
    if isinstance(inner, SliceShape) and inner.start is ZERO and at_least(inner.stop, last) is TRUE:
        return sliced(inner.whole, first, last, valid)  # a prefix of a prefix
    return restricted(SliceShape.of(inner, first, last), valid)


def choose_shape(condition: Formula, a: Shape, b: Shape) -> Shape:
    """Return ``a`` where the condition holds, else ``b``.

    For different or unknown ranks: all extents of ``a`` or none, and then none of ``b`` or all.
    """
    if a is b or condition is TRUE:
        return a
    if condition is FALSE:
        return b
    valid = either(condition, a.valid, b.valid)
    if a is INVALID or b is INVALID:
        return restricted(b if a is INVALID else a, valid)
    if isinstance(a, RankedShape) and isinstance(b, RankedShape) and len(a.dims) == len(b.dims):
        return RankedShape.of((joined_size(condition, x, y) for x, y in zip(a.dims, b.dims, strict=True)), valid)
    first, second = choose(condition, a.rank, ZERO), choose(condition, ZERO, b.rank)
    return concatenated((sliced(a, 0, first), sliced(b, 0, second)), valid)


def cut_at(whole: Shape, index: Dim, valid: Formula) -> tuple[Shape, Shape]:
    """Split a shape at a dimension into the extents before it and those from it on, valid where a formula holds.

    A negative index counts from the right. A half of known rank lists its extents, which are right where the shape has
    so many: ``valid`` must say that the index is within the rank.
    """
    rank = whole.rank
    if not index.is_constant:
        place = choose(at_least(index, 0), index, rank + index)
        return sliced(whole, 0, place, valid), sliced(whole, place, rank, valid)
    place = rank + index if index.constant < 0 else index
    head, tail = sliced(whole, 0, place, valid), sliced(whole, place, rank, valid)
    if 0 <= index.constant <= MOST_LISTED and not isinstance(head, RankedShape):
        head = RankedShape.of((whole.extent(i) for i in range(index.constant)), valid)
    if -MOST_LISTED <= index.constant < 0 and not isinstance(tail, RankedShape):
        tail = RankedShape.of((whole.column(i) for i in reversed(range(-index.constant))), valid)
    return head, tail


def _slice_of_parts(whole: ConcatShape, first: Dim, last: Dim, valid: Formula) -> Shape | None:
    """Return the slice of a concatenation if it is clear for all ranks which parts it cuts, else None."""
    found: list[Shape] = []
    before = ZERO
    for part in whole.parts:
        after = before + part.rank
        if at_least(first, after) is TRUE or at_least(before, last) is TRUE:
            pass
        elif at_least(before, first) is TRUE and at_least(last, after) is TRUE:
            found.append(part)
        elif isinstance(part, RankedShape):
            if not (at_least(before, first) is TRUE or (first - before).is_constant):
                return None
            if not (at_least(last, after) is TRUE or (last - before).is_constant):
                return None
            begin = 0 if at_least(before, first) is TRUE else (first - before).constant
            end = len(part.dims) if at_least(last, after) is TRUE else (last - before).constant
            found.append(RankedShape.of(part.dims[max(begin, 0) : max(end, 0)]))
        else:
            return None
        before = after
    return concatenated(found, valid)


def _trailing(whole: Shape) -> tuple[Dim, ...]:
    last = _pieces(whole)[-1]
    return last.dims if isinstance(last, RankedShape) else ()


def known_columns(parts: Sequence[Shape]) -> tuple[list[tuple[Dim, ...]], list[Shape]]:
    """Return the last columns that all of the shapes know, from the left, and the remaining prefix of each shape."""
    count = min((len(_trailing(part)) for part in parts), default=0)
    if not count:
        return [], list(parts)
    columns = list(zip(*(_trailing(part)[-count:] for part in parts), strict=True))
    rests: list[Shape] = []
    for part in parts:
        *before, last = _pieces(unconditional(part))
        rests.append(concatenated((*before, RankedShape.of(cast("RankedShape", last).dims[:-count]))))
    return columns, rests


def peeled(a: Shape, b: Shape) -> tuple[list[tuple[Dim, Dim]], Shape, Shape]:
    """Remove the extents that both ends of two shapes know, and the segments that they have in common.

    The shapes are equal if and only if the pairs of extents and the remaining shapes are.
    """
    pairs: list[tuple[Dim, Dim]] = []
    first, second = list(_pieces(unconditional(a))), list(_pieces(unconditional(b)))
    for from_left in (False, True):
        place = 0 if from_left else -1
        while first and second:
            x, y = first[place], second[place]
            if x is y:
                del first[place], second[place]
                continue
            if not (isinstance(x, RankedShape) and isinstance(y, RankedShape) and x.dims and y.dims):
                break
            count = min(len(x.dims), len(y.dims))
            for parts, part in ((first, x), (second, y)):
                kept = part.dims[count:] if from_left else part.dims[: len(part.dims) - count]
                parts[place : place + 1 or None] = [RankedShape.of(kept)] if kept else []
            taken = (x.dims[:count], y.dims[:count]) if from_left else (x.dims[-count:], y.dims[-count:])
            pairs.extend(zip(*taken, strict=True))
    return pairs, concatenated(first), concatenated(second)


# Folds -----------------------------------------------------------------------------------------------------------


def _product(*sizes: Dim) -> Dim:
    return prod(sizes, start=ONE)


def _sum(*sizes: Dim) -> Dim:
    return sum(sizes, ZERO)


FOLDS: dict[type[ShapeFold], Callable[..., Dim]] = {
    Product: _product,
    Total: _sum,
    Largest: lambda *sizes: maximum(0, *sizes),
    Smallest: lambda *sizes: minimum(MAX_SIZE, *sizes),
}
"""The fold of each kind over known extents, which also joins the folds over the parts of a concatenation."""


def folded(kind: type[ShapeFold], whole: Shape) -> Dim:
    """Return the fold over all extents of a shape, whether it is valid or not."""
    inner = unconditional(whole)
    if isinstance(inner, RankedShape):
        return FOLDS[kind](*inner.dims)
    if isinstance(inner, ConcatShape):
        if (choice := choice_of(inner.parts)) is not None:
            condition, a, b = choice
            return choose(condition, folded(kind, a), folded(kind, b))
        return FOLDS[kind](*(folded(kind, part) for part in with_choices(inner.parts)))
    if inner is INVALID:
        return FOLDS[kind]()
    if (choice := choice_of((inner,))) is not None:
        condition, a, b = choice
        return choose(condition, folded(kind, a), folded(kind, b))
    low, high = extent_bounds(inner)
    if kind is Largest:
        return of_atom(kind.of_parts((inner,), 0, None if high is None else max(high, 0)))
    if kind is Smallest:
        return of_atom(kind.of_parts((inner,), low, MAX_SIZE))
    return of_atom(kind.of_parts((inner,), 0 if low is not None and low >= 0 else None, None))


def number_of_elements(whole: Shape) -> Dim:
    """Return the product of all extents; 1 for a scalar."""
    return folded(Product, whole)
