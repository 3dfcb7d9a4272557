"""Operations on shapes: construction, broadcasting, concatenation and equality.

The classes of shapes are in `shape_kinds`, their normal forms as sequences of segments in `segments`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from shapesolve.symbolic import formulas
from shapesolve.symbolic.atoms import Product
from shapesolve.symbolic.derivations import recorded
from shapesolve.symbolic.dims import Dim, DimLike, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, equal, negation
from shapesolve.symbolic.natural_order import natural_order
from shapesolve.symbolic.normal_forms import broadcast_extent
from shapesolve.symbolic.segments import choose_shape, concatenated, folded, known_columns, peeled, sliced
from shapesolve.symbolic.shape_kinds import (
    INVALID,
    BroadcastShape,
    ConcatShape,
    RankedShape,
    Shape,
    ShapeLike,
    SliceShape,
    UnrankedShape,
    choice_of,
    restricted,
    unconditional,
    with_choices,
)


def shape(value: ShapeLike) -> Shape:
    """Return a Shape for a list of sizes, or the Shape itself.

    Raises:
        TypeError: The value is neither.
    """
    if isinstance(value, Shape):
        return value
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a shape is a list of sizes or a Shape, not {type(value).__name__} {value!r}")
    return RankedShape.of(value)


def shapes(*values: ShapeLike) -> tuple[Shape, ...]:
    """Convert each argument to a shape."""
    return tuple(map(shape, values))


def numel(value: ShapeLike) -> Dim:
    """Return the number of elements of a shape: the product of its extents, 1 for a scalar.

    Raises:
        TypeError: The value is no shape and no list of sizes.
    """
    return folded(Product, shape(value))


def product(sizes: Iterable[DimLike]) -> Dim:
    """Return the product of sizes, 1 for none.

    Raises:
        TypeError: The argument is no collection of sizes.
    """
    if isinstance(sizes, int | Dim | str):
        raise TypeError(f"product takes a list of sizes, not {type(sizes).__name__} {sizes!r}")
    return math.prod(map(dim, sizes), start=dim(1))


def unranked(name: str) -> UnrankedShape:
    """Return a shape variable of unknown rank.

    Raises:
        TypeError: The name is not a string.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the name of a shape is text, not {type(name).__name__}")
    return UnrankedShape.of(name)


def broadcast(*values: ShapeLike) -> Shape:
    """Return the broadcast of shapes, aligned from the right; invalid where they are incompatible.

    The broadcast of no shapes is the scalar shape.
    """
    parts = [shape(value) for value in values]
    if any(part is INVALID for part in parts):
        return INVALID
    valid = conjunction((*(part.valid for part in parts), broadcastable(*parts)))
    if all(isinstance(part, RankedShape) for part in parts):
        ranked = cast("list[RankedShape]", parts)
        rank = max((len(part.dims) for part in ranked), default=0)
        columns = [broadcast_extent(*(p.column(i) for p in ranked), compatible=True) for i in range(rank)]
        return RankedShape.of(reversed(columns), valid)
    if valid is FALSE:
        return INVALID
    columns, rests = known_columns(_joined(parts))
    if columns:
        last = RankedShape.of(broadcast_extent(*column, compatible=True) for column in columns)
        return concatenated((broadcast(*rests), last), valid)
    return broadcast_of_unranked(tuple(parts), valid)


def concat(*values: ShapeLike) -> Shape:
    """Return the concatenation of the extents of shapes; invalid where one of them is."""
    parts = [shape(value) for value in values]
    if any(part is INVALID for part in parts):
        return INVALID
    return concatenated(parts, conjunction(part.valid for part in parts))


@recorded()
def broadcast_of_unranked(parts: tuple[Shape, ...], valid: Formula) -> Shape:
    """Return the broadcast of shapes, one of them of unknown rank; valid where a formula holds."""
    kept = _joined(parts)
    if not kept:
        return RankedShape.of((), valid)
    if len(kept) == 1:
        return kept[0] if kept[0].valid is valid else restricted(kept[0], valid)
    columns, rests = known_columns(kept)
    if not columns:
        return BroadcastShape.of(kept, valid)
    last = RankedShape.of(broadcast_extent(*column) for column in columns)
    return concatenated((broadcast_of_unranked(tuple(rests), TRUE), last), valid)


def _joined(parts: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return the different shapes that a broadcast joins, without conditions and scalars, in their printed order."""
    flat: dict[Shape, None] = {}
    for part in parts:
        flat.update(dict.fromkeys(part.parts if isinstance(part, BroadcastShape) else (unconditional(part),)))
    return tuple(sorted((p for p in flat if not (isinstance(p, RankedShape) and not p.dims)), key=natural_order))


MOST_CHOICES = 3
"""A claim about shapes with more choices of shapes than this is not split into a claim for each way to choose."""


def _choices(parts: Iterable[Shape]) -> dict[Formula, None]:
    """Return the conditions of the choices of shapes in some shapes, in order."""
    found: dict[Formula, None] = {}
    for part in parts:
        inner = with_choices(part.parts) if isinstance(part, ConcatShape) else (part,)
        if (choice := choice_of(inner)) is not None:
            found |= {choice[0]: None} | _choices(choice[1:])
        elif isinstance(part, SliceShape):
            found |= _choices((part.whole,))
        elif isinstance(part, BroadcastShape | ConcatShape):
            found |= _choices(inner if isinstance(part, ConcatShape) else part.parts)
    return found


def _chosen(part: Shape, condition: Formula, holds: bool) -> Shape:
    """Return the extents of a shape where the condition of a choice holds, or does not."""

    def again(inner: Shape) -> Shape:
        return _chosen(inner, condition, holds)

    inner = with_choices(part.parts) if isinstance(part, ConcatShape) else (part,)
    if (choice := choice_of(inner)) is not None:
        found, a, b = choice
        if found is condition:
            return again(a if holds else b)
        return choose_shape(found, again(a), again(b))
    match part:
        case ConcatShape():
            return concatenated(map(again, inner))
        case BroadcastShape(parts=parts):
            return broadcast_of_unranked(tuple(map(again, parts)), TRUE)
        case SliceShape(whole=whole, start=start, stop=stop):
            return sliced(again(whole), start, stop)
        case _:
            return part


def _for_each_choice(claim: Callable[..., Formula], parts: Sequence[Shape]) -> Formula | None:
    """Return a claim about the extents of shapes as one for each way to choose; None where there are no or many ways.

    What decides claims about shapes knows nothing of conditions: split, each part is a claim about plain shapes.
    """
    conditions = _choices(parts)
    if not 0 < len(conditions) <= MOST_CHOICES:
        return None
    condition = next(iter(conditions))
    there, here = ([_chosen(part, condition, holds) for part in parts] for holds in (True, False))
    return formulas.either(condition, claim(*there), claim(*here))


@recorded(shapes)
def broadcastable(*values: ShapeLike) -> Formula:
    """Return the claim that shapes broadcast together, aligned from the right; an invalid shape does not."""
    parts = [shape(value) for value in values]
    valid = conjunction(part.valid for part in parts)
    if valid is FALSE:
        return FALSE
    if all(isinstance(part, RankedShape) for part in parts):
        ranked = cast("list[RankedShape]", parts)
        rank = max((len(part.dims) for part in ranked), default=0)
        columns = (formulas.compatible(p.column(i) for p in ranked) for i in reversed(range(rank)))
        return conjunction((valid, *columns))
    split = _for_each_choice(broadcastable, parts)
    if split is not None:
        return conjunction((valid, split))
    columns, kept = known_columns(_joined(parts))
    if columns:
        return conjunction((valid, broadcastable(*kept), *map(formulas.compatible, columns)))
    return valid if len(kept) <= 1 else conjunction((valid, formulas.compatible_shapes(tuple(kept))))


def compatible_extents(parts: Iterable[Shape]) -> Formula:
    """Return the claim that the extents of shapes broadcast together.

    The validity of the shapes and of those inside is disregarded.
    """
    bare = dict.fromkeys(unconditional(part) for part in parts)
    split = _for_each_choice(lambda *chosen: compatible_extents(chosen), tuple(bare))
    if split is not None:
        return split
    kept = sorted((p for p in bare if not (isinstance(p, RankedShape) and not p.dims)), key=natural_order)
    columns, rests = known_columns(kept)
    if columns:
        return conjunction((compatible_extents(rests), *map(formulas.compatible, columns)))
    return TRUE if len(kept) <= 1 else formulas.compatible_shapes(tuple(kept))


@recorded(shapes)
def same_extents(a: ShapeLike, b: ShapeLike) -> Formula:
    """Return the claim of equal ranks and extents, disregarding validity.

    The columns of an invalid broadcast count, too.
    """
    first, second = unconditional(shape(a)), unconditional(shape(b))
    if first is second:
        return TRUE
    if isinstance(first, RankedShape) and isinstance(second, RankedShape):
        if len(first.dims) != len(second.dims):
            return FALSE
        return conjunction(equal(x, y) for x, y in zip(first.dims, second.dims, strict=True))
    split = _for_each_choice(same_extents, (first, second))
    if split is not None:
        return split
    pairs, a, b = peeled(first, second)
    known = [equal(x, y) for x, y in pairs]
    if equal(a.rank, b.rank) is FALSE:
        return FALSE
    if isinstance(a, RankedShape) and isinstance(b, RankedShape):
        return conjunction(known)
    return conjunction((*known, formulas.same_unranked_shape(a, b)))


@recorded(shapes)
def same_shape(a: ShapeLike, b: ShapeLike) -> Formula:
    """Return the claim that shapes are equal in rank and extents; two invalid shapes are equal."""
    first, second = shape(a), shape(b)
    if first is second:
        return TRUE
    if first is INVALID or second is INVALID:
        return conjunction((negation(first.valid), negation(second.valid)))
    equal_extents = same_extents(first, second)
    if first.valid is TRUE and second.valid is TRUE:
        return equal_extents
    both = conjunction((first.valid, second.valid, equal_extents))
    neither = conjunction((negation(first.valid), negation(second.valid)))
    return formulas.disjunction((both, neither))
