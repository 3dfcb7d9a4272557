"""The classes of shapes: ranked, of unknown rank, computed from such, or invalid.

A shape carries the formula under which it is valid: ``broadcast([N], [M])`` is a shape only where N and M are
compatible. A shape of unknown rank is a rank and an extent for every column, counted from the right, that is 1 beyond
the rank; formulas about such shapes hold for all ranks, and no bound on the rank is ever assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic import formulas
from shapesolve.symbolic.atoms import Bound, Choice, Column, Rank, ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import ONE, ZERO, Dim, DimLike, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies, less_than, negation
from shapesolve.symbolic.interning import Interned
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.symbolic.terms import Term

_interned: Interned[tuple[object, ...], Shape] = Interned()


class Shape(Term):
    """Shape of a tensor. ``==`` builds a formula; an invalid shape equals only an invalid one."""

    __slots__ = ("__weakref__", "text", "valid", "variables")

    text: str
    valid: Formula
    variables: frozenset[Variable]
    maker_words = 'shapes come from shape([M, 3]), unranked("s"), and functions such as broadcast'

    @classmethod
    def new(cls, text: str, valid: Formula, variables: frozenset[Variable]) -> Self:
        made = cls.__new__(cls)
        made.text = text
        made.valid = valid
        made.variables = variables | valid.variables
        return made

    @property
    def height(self) -> int:
        """Nesting depth of the expressions in it."""
        return self.valid.height

    @property
    def inner(self) -> tuple[Dim | Formula | Shape, ...]:
        """The sizes, formulas and shapes that it is built from."""
        return ()

    @property
    def rank(self) -> Dim:
        """The rank, meaningful where the shape is valid."""
        raise NotImplementedError

    def column(self, index: DimLike) -> Dim:
        """Return the extent in a column counted from the right; 1 beyond the rank."""
        raise NotImplementedError

    def extent(self, index: DimLike) -> Dim:
        """Return the extent in a dimension counted from the left, meaningful for ``0 <= index < rank``."""
        return self.column(self.rank - 1 - index)

    __hash__ = object.__hash__

    # Equality of shapes is a claim to be proved: it makes a Formula.
    def __eq__(self, other: object) -> Formula:  # pyright: ignore[reportIncompatibleMethodOverride]
        from shapesolve.symbolic.shapes import same_shape

        is_shape = isinstance(other, Shape | list | tuple)
        return same_shape(self, cast("ShapeLike", other)) if is_shape else NotImplemented

    def __ne__(self, other: object) -> Formula:  # pyright: ignore[reportIncompatibleMethodOverride]
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else negation(equal)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    if TYPE_CHECKING:

        def evaluate(self, sizes: Mapping[Any, int | tuple[int, ...]]) -> tuple[int, ...] | None: ...


ShapeLike = Shape | Sequence[DimLike]


class RankedShape(Shape):
    """Shape of known rank."""

    __slots__ = ("dims",)
    dims: tuple[Dim, ...]

    @staticmethod
    def of(dims: Iterable[DimLike], valid: Formula = TRUE) -> Shape:
        """Return a ranked shape that is valid where a formula holds (`INVALID` where it never does)."""
        if valid is FALSE:
            return INVALID
        extents = tuple(map(dim, dims))
        key = (RankedShape, extents, valid)
        found = _interned.found(key)
        if found is None:
            text = f"[{', '.join(map(str, extents))}]"
            found = RankedShape.new(text, valid, variables_in(extents))
            found.dims = extents
            _interned.keep(key, found)
        return found

    @property
    def pieces(self) -> tuple[Dim | Formula, ...]:
        return (*self.dims, self.valid)

    @property
    def inner(self) -> tuple[Dim | Formula, ...]:
        return self.pieces

    @property
    def height(self) -> int:
        return max((extent.height for extent in self.dims), default=self.valid.height)

    @property
    def rank(self) -> Dim:
        return dim(len(self.dims))

    def column(self, index: DimLike) -> Dim:
        position = dim(index)
        if position.is_constant:
            return self.dims[-1 - position.constant] if 0 <= position.constant < len(self.dims) else ONE
        return _select_column(position, self.dims)


def _select_column(position: Dim, extents: tuple[Dim, ...]) -> Dim:
    result = ONE
    for number, extent in enumerate(extents):
        result = choose(equal(position, len(extents) - 1 - number), extent, result)
    return result


class UnrankedShape(Shape):
    """Shape variable of unknown rank."""

    __slots__ = ("symbol",)
    symbol: Variable

    @staticmethod
    def of(name: str) -> UnrankedShape:
        key = (UnrankedShape, name)
        found = _interned.found(key)
        if found is None:
            symbol = ShapeSymbol.of(name, None, None)
            found = UnrankedShape.new(name, TRUE, frozenset((symbol,)))
            found.symbol = symbol
            _interned.keep(key, found)
        return cast("UnrankedShape", found)

    @property
    def rank(self) -> Dim:
        return of_atom(Rank.of_parts((self,), 0, MAX_SIZE))

    def column(self, index: DimLike) -> Dim:
        return of_atom(Column.of_parts((self, dim(index)), 0, MAX_SIZE))


class ShapeOfShapes(Shape):
    """Shape computed from other shapes, its parts."""

    __slots__ = ("parts",)
    word: ClassVar[str]
    parts: tuple[Shape, ...]

    @classmethod
    def of_parts(cls, parts: Sequence[Shape], valid: Formula) -> Self:
        """Return the shape of parts in normal form, valid where a formula holds."""
        key = (cls, tuple(parts), valid)
        found = _interned.found(key)
        if found is None:
            variables = variables_in(parts)
            # A single part is that shape under another condition.
            spelled = cls.spelled_parts(parts)
            text = spelled[0] if len(spelled) == 1 else f"{cls.word}({', '.join(spelled)})"
            found = cls.new(text, valid, variables)
            found.parts = tuple(parts)
            _interned.keep(key, found)
        return cast("Self", found)

    @classmethod
    def spelled_parts(cls, parts: Sequence[Shape]) -> list[str]:
        """Return the texts of the parts."""
        return list(map(str, parts))

    @property
    def inner(self) -> tuple[Dim | Formula | Shape, ...]:
        return (*self.parts, self.valid)

    @property
    def height(self) -> int:
        return max((part.height for part in self.parts), default=self.valid.height)


class BroadcastShape(ShapeOfShapes):
    """Broadcast of shapes, at least one of them of unknown rank."""

    __slots__ = ()
    word = "broadcast"

    @staticmethod
    def of(parts: Sequence[Shape], valid: Formula | None = None) -> BroadcastShape:
        """Return the broadcast of parts in printed order, valid where a formula holds, by default where it can be."""
        return BroadcastShape.of_parts(parts, formulas.compatible_shapes(tuple(parts)) if valid is None else valid)

    @property
    def rank(self) -> Dim:
        return of_atom(Rank.of_parts((unconditional(self),), 0, MAX_SIZE))

    def column(self, index: DimLike) -> Dim:
        return of_atom(Column.of_parts((unconditional(self), dim(index)), *extent_bounds(self)))


class ConcatShape(ShapeOfShapes):
    """Concatenation of the extents of shapes, at least one of them of unknown rank.

    None of the parts has conditions of its own, none is a concatenation or a scalar, and no two neighbors are ranked.
    """

    __slots__ = ()
    word = "concat"

    @staticmethod
    def of(parts: Sequence[Shape]) -> ConcatShape:
        """Return the concatenation of parts in normal form, valid where they are."""
        return ConcatShape.of_parts(parts, conjunction(part.valid for part in parts))

    @classmethod
    def spelled_parts(cls, parts: Sequence[Shape]) -> list[str]:
        """Return the texts of the parts, those of a choice as one."""
        choice = choice_of(parts)
        if choice is not None:
            return [f"select({', '.join(map(str, choice))})"]
        return list(map(str, with_choices(parts)))

    @property
    def rank(self) -> Dim:
        if (choice := choice_of(self.parts)) is not None:
            condition, a, b = choice
            return choose(condition, a.rank, b.rank)
        return sum((part.rank for part in with_choices(self.parts)), ZERO)

    def column(self, index: DimLike) -> Dim:
        position = dim(index)
        if less_than(position, 0) is TRUE:
            return ONE
        if (choice := choice_of(self.parts)) is not None:
            condition, a, b = choice
            return choose(condition, a.column(position), b.column(position))
        parts = with_choices(self.parts)
        found = _column_of_parts(reversed(parts), position, from_left=False)
        if found is None:
            found = _column_of_parts(parts, self.rank - 1 - position, from_left=True)
        return (
            of_atom(Column.of_parts((unconditional(self), position), *extent_bounds(self))) if found is None else found
        )

    def extent(self, index: DimLike) -> Dim:
        if (choice := choice_of(self.parts)) is not None:
            condition, a, b = choice
            return choose(condition, a.extent(index), b.extent(index))
        return super().extent(index)


def choice_of(parts: Sequence[Shape]) -> tuple[Formula, Shape, Shape] | None:
    """Return condition, ``a`` and ``b`` if the parts are all of ``a`` or none, and then none of ``b`` or all of it."""
    if len(parts) == 1:
        return _choice_of_all_or_none(parts[0])
    if len(parts) != 2:
        return None
    first, second = parts
    if not (isinstance(first, SliceShape) and isinstance(second, SliceShape)):
        return None
    if first.start is not ZERO or second.start is not ZERO:
        return None
    match first.stop.atom, second.stop.atom:
        case Choice(parts=(condition, there, none)), Choice(parts=(other, nothing, here)):
            if condition is other and none is ZERO and nothing is ZERO:
                return condition, _prefix(first.whole, there), _prefix(second.whole, here)
        case _:
            pass
    return None


def _choice_of_all_or_none(whole: Shape) -> tuple[Formula, Shape, Shape] | None:
    """Return condition and shapes if a slice takes all up to some dimension, or nothing."""
    if not isinstance(whole, SliceShape) or whole.start is not ZERO:
        return None
    match whole.stop.atom:
        case Choice(parts=(condition, there, none)) if none is ZERO:
            return condition, _prefix(whole.whole, there), RankedShape.of(())
        case Choice(parts=(condition, nothing, here)) if nothing is ZERO:
            return condition, RankedShape.of(()), _prefix(whole.whole, here)
        case _:
            return None


def _prefix(whole: Shape, stop: Dim) -> Shape:
    ranks = [part.rank for part in whole.parts] if isinstance(whole, BroadcastShape) else []
    all_of_it = stop is whole.rank or (bool(ranks) and stop is maximum(*ranks))
    return whole if all_of_it else SliceShape.of(whole, ZERO, stop)


def with_choices(parts: Sequence[Shape]) -> Sequence[Shape]:
    """Return the parts of a concatenation of more than two, where the two of a choice are one."""
    if len(parts) < 3:
        return parts
    found: list[Shape] = []
    place = 0
    while place < len(parts):
        pair = parts[place : place + 2]
        length = 1 if choice_of(pair) is None else 2
        found.append(ConcatShape.of(pair) if length == 2 else parts[place])
        place += length
    return found


def _column_of_parts(parts: Iterable[Shape], position: Dim, *, from_left: bool) -> Dim | None:
    """Return the extent in a column near one end that lies in the same part for all ranks; None for any other."""
    *others, last = parts
    for part in others:
        if at_least(position, 0) is not TRUE:
            return None
        if less_than(position, part.rank) is TRUE:
            return part.extent(position) if from_left else part.column(position)
        if at_least(position, part.rank) is not TRUE:
            return None
        position = position - part.rank
    if at_least(position, 0) is not TRUE:
        return None
    return last.extent(position) if from_left else last.column(position)  # all columns outside of it are 1


class SliceShape(Shape):
    """Extents of a shape from one dimension up to another, counted from the left and clamped to its ends."""

    __slots__ = ("start", "stop", "whole")
    whole: Shape
    start: Dim
    stop: Dim

    @staticmethod
    def of(whole: Shape, start: Dim, stop: Dim, valid: Formula | None = None) -> SliceShape:
        """Return the slice in normal form, valid where a formula holds, by default where the whole is or none is taken.

        So a choice of two shapes asks nothing of the one that is not chosen.
        """
        if valid is None:
            valid = implies(_taken(stop), whole.valid) if start is ZERO else whole.valid
        key = (SliceShape, whole, start, stop, valid)
        found = _interned.found(key)
        if found is None:
            first = "" if start is ZERO else _end(start, whole.rank)
            last = "" if stop is whole.rank else _end(stop, whole.rank)
            variables = whole.variables | start.variables | stop.variables
            found = SliceShape.new(f"{whole}[{first}:{last}]", valid, variables)
            found.whole, found.start, found.stop = whole, start, stop
            if (choice := choice_of((found,))) is not None:
                found.text = f"select({', '.join(map(str, choice))})"
            _interned.keep(key, found)
        return cast("SliceShape", found)

    @property
    def inner(self) -> tuple[Dim | Formula | Shape, ...]:
        return (self.whole, self.start, self.stop, self.valid)

    @property
    def height(self) -> int:
        return max(each.height for each in self.inner)

    @property
    def rank(self) -> Dim:
        first, last = slice_ends(self.whole.rank, self.start, self.stop)
        return last - first

    def column(self, index: DimLike) -> Dim:
        position = dim(index)
        if position.is_constant:
            return slice_column(self.whole.rank, self.start, self.stop, position, self.whole.column)
        return of_atom(Column.of_parts((unconditional(self), position), *extent_bounds(self)))


def _taken(stop: Dim) -> Formula:
    """Return the condition under which a slice up to a dimension takes anything, as far as a choice of 0 says it."""
    match stop.atom:
        case Choice(parts=(condition, there, here)) if here is ZERO and there is not ZERO:
            return condition
        case Choice(parts=(condition, there, here)) if there is ZERO:
            return negation(condition)
        case _:
            return TRUE


def _end(place: Dim, rank: Dim) -> str:
    """Return the text of a slice end as Python writes it: a negative number counts from the right."""
    behind = place - rank
    return str(behind if behind.is_constant and behind.constant < 0 else place)


def slice_ends(rank: Dim, start: Dim, stop: Dim) -> tuple[Dim, Dim]:
    """Return the first dimension of a slice and the one behind its last, clamped for a shape of this rank."""
    first = maximum(0, minimum(start, rank))
    return first, maximum(first, minimum(stop, rank))


def slice_column(rank: Dim, start: Dim, stop: Dim, index: Dim, column: Callable[[Dim], Dim]) -> Dim:
    """Return a column of a slice in terms of the columns of the whole; 1 beyond the slice."""
    behind = rank - stop
    if at_least(behind, 0) is TRUE and start is ZERO:  # beyond the rank of the whole all columns are 1
        return choose(at_least(index, 0), column(index + behind), ONE)
    first, last = slice_ends(rank, start, stop)
    inside = conjunction((at_least(index, 0), less_than(index, last - first)))
    return choose(inside, column(rank - last + index), ONE)


def extent_bounds(whole: Shape) -> tuple[Bound, Bound]:
    """Return bounds of every column: an extent of a ranked part may be an expression that is negative, as N - 1."""
    match whole:
        case RankedShape(dims=extents):
            bounds = [extent.bounds() for extent in extents]
        case BroadcastShape(parts=parts) | ConcatShape(parts=parts):
            bounds = list(map(extent_bounds, parts))
        case SliceShape(whole=inner):
            bounds = [extent_bounds(inner)]
        case _:
            bounds = []
    lower: Bound = 0
    upper: Bound = MAX_SIZE
    for low, high in bounds:
        lower = None if lower is None or low is None else min(lower, low)
        upper = None if upper is None or high is None else max(upper, high)
    return lower, upper


class InvalidShape(Shape):
    """The error shape."""

    __slots__ = ()

    @property
    def rank(self) -> Dim:
        return dim(0)

    def column(self, index: DimLike) -> Dim:
        return ONE


AnyShape = RankedShape | UnrankedShape | BroadcastShape | ConcatShape | SliceShape | InvalidShape
"""Every kind of shape, for a `match` that leaves none out."""

INVALID = InvalidShape.new("invalid", FALSE, frozenset())


def unconditional(whole: Shape) -> Shape:
    """Return the shape with the same extents that is valid wherever a shape of these extents can be."""
    match whole:
        case RankedShape(dims=extents):
            return RankedShape.of(extents)
        case BroadcastShape(parts=(only,)):
            return only
        case BroadcastShape(parts=parts):
            return BroadcastShape.of(parts)
        case ConcatShape(parts=parts):
            return ConcatShape.of(parts)
        case SliceShape(whole=inner, start=start, stop=stop):
            return SliceShape.of(inner, start, stop)
        case _:
            return whole


def restricted(whole: Shape, condition: Formula) -> Shape:
    """Return the shape with the same extents whose validity is further restricted by a formula."""
    valid = conjunction((whole.valid, condition))
    if valid is whole.valid:
        return whole
    match whole:
        case RankedShape(dims=extents):
            return RankedShape.of(extents, valid)
        case BroadcastShape(parts=parts):
            return BroadcastShape.of(parts, valid)
        case UnrankedShape():
            return BroadcastShape.of((whole,), valid)
        case ConcatShape(parts=parts):
            return ConcatShape.of_parts(parts, valid)
        case SliceShape(whole=inner, start=start, stop=stop):
            return SliceShape.of(inner, start, stop, valid)
        case _:
            return whole
