"""Shape: ranked, of unknown rank, or invalid.

A shape carries the formula under which it is valid: ``broadcast([N], [M])`` is a shape only where N and M are
compatible. A shape of unknown rank is a rank and an extent for every column, counted from the right, that is 1 beyond
the rank; formulas about such shapes hold for all ranks, and no bound on the rank is ever assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from shapesolve.language import formulas
from shapesolve.language.atoms import MAX_SIZE, Bound, Column, Rank, ShapeSymbol, Variable
from shapesolve.language.dims import ONE, Dim, DimLike, dim, of_atom
from shapesolve.language.extremes import broadcast_extent
from shapesolve.language.formulas import FALSE, TRUE, Formula, conjunction, equal, negation
from shapesolve.language.interning import Interned
from shapesolve.language.recording import recorded

_interned: Interned[tuple[object, ...], Shape] = Interned()


class Shape:
    """A shape. ``==`` makes a formula; an invalid shape equals only an invalid one."""

    __slots__ = ("__weakref__", "text", "valid", "variables")

    def __init__(self, text: str, valid: Formula, variables: frozenset[Variable]) -> None:
        self.text = text
        self.valid = valid
        self.variables = variables | valid.variables

    @property
    def height(self) -> int:
        """How deep the expressions in it are nested."""
        return self.valid.height

    @property
    def inner(self) -> tuple[Dim | Formula | Shape, ...]:
        """What it is made of."""
        return ()

    @property
    def rank(self) -> Dim:
        """The rank, meaningful where the shape is valid."""
        raise NotImplementedError

    def column(self, index: DimLike) -> Dim:
        """The extent in a column counted from the right; 1 beyond the rank."""
        raise NotImplementedError

    def extent(self, index: DimLike) -> Dim:
        """The extent in a dimension counted from the left, meaningful for ``0 <= index < rank``."""
        return self.column(self.rank - 1 - index)

    __hash__ = object.__hash__

    # Equality of shapes is a claim to be proved: it makes a Formula.
    def __eq__(self, other: object) -> Formula:  # pyright: ignore[reportIncompatibleMethodOverride]
        if not isinstance(other, Shape | list | tuple):
            return NotImplemented
        return same_shape(self, cast("ShapeLike", other))

    def __ne__(self, other: object) -> Formula:  # pyright: ignore[reportIncompatibleMethodOverride]
        if not isinstance(other, Shape | list | tuple):
            return NotImplemented
        return negation(same_shape(self, cast("ShapeLike", other)))

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        from shapesolve.sympy import latex

        return f"${latex(self)}$"


ShapeLike = Shape | Sequence[DimLike]


class RankedShape(Shape):
    """A shape of known rank."""

    __slots__ = ("dims",)
    dims: tuple[Dim, ...]

    @staticmethod
    def of(dims: Iterable[DimLike], valid: Formula = TRUE) -> Shape:
        """A ranked shape that is valid where a formula holds (`INVALID` where it never does)."""
        if valid is FALSE:
            return INVALID
        extents = tuple(map(dim, dims))
        key = (RankedShape, extents, valid)
        found = _interned.found(key)
        if found is None:
            text = f"[{', '.join(map(str, extents))}]"
            found = RankedShape(text, valid, frozenset[Variable]().union(*(extent.variables for extent in extents)))
            found.dims = extents
            _interned.keep(key, found)
        return found

    @property
    def inner(self) -> tuple[Dim | Formula | Shape, ...]:
        return (*self.dims, self.valid)

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
    from shapesolve.language.extremes import choose

    result = ONE
    for number, extent in enumerate(extents):
        result = choose(equal(position, len(extents) - 1 - number), extent, result)
    return result


class UnrankedShape(Shape):
    """A shape variable of unknown rank."""

    __slots__ = ("symbol",)
    symbol: Variable

    @staticmethod
    def of(name: str) -> UnrankedShape:
        key = (UnrankedShape, name)
        found = _interned.found(key)
        if found is None:
            symbol = ShapeSymbol.of(name, None, None)
            found = UnrankedShape(name, TRUE, frozenset((symbol,)))
            found.symbol = symbol
            _interned.keep(key, found)
        return cast("UnrankedShape", found)

    @property
    def rank(self) -> Dim:
        return of_atom(Rank.made((self,), 0, MAX_SIZE))

    def column(self, index: DimLike) -> Dim:
        return of_atom(Column.made((self, dim(index)), 0, MAX_SIZE))


class BroadcastShape(Shape):
    """What shapes broadcast to, at least one of them of unknown rank."""

    __slots__ = ("parts",)
    parts: tuple[Shape, ...]

    @staticmethod
    def of(parts: Sequence[Shape], valid: Formula | None = None) -> BroadcastShape:
        """The broadcast of parts in their printed order, valid where a formula holds or else where it can be."""
        valid = formulas.compatible_shapes(tuple(parts)) if valid is None else valid
        key = (BroadcastShape, tuple(parts), valid)
        found = _interned.found(key)
        if found is None:
            variables = frozenset[Variable]().union(*(part.variables for part in parts))
            found = BroadcastShape(f"broadcast({', '.join(map(str, parts))})", valid, variables)
            found.parts = tuple(parts)
            _interned.keep(key, found)
        return cast("BroadcastShape", found)

    @property
    def inner(self) -> tuple[Dim | Formula | Shape, ...]:
        return (*self.parts, self.valid)

    @property
    def height(self) -> int:
        return max((part.height for part in self.parts), default=self.valid.height)

    @property
    def rank(self) -> Dim:
        return of_atom(Rank.made((_unconditional(self),), 0, MAX_SIZE))

    def column(self, index: DimLike) -> Dim:
        # An extent of a ranked part is an expression like any other: nothing says that N - 1 is not negative.
        lower: Bound = 0
        upper: Bound = MAX_SIZE
        for part in self.parts:
            for extent in part.dims if isinstance(part, RankedShape) else ():
                low, high = extent.bounds()
                lower = None if lower is None or low is None else min(lower, low)
                upper = None if upper is None or high is None else max(upper, high)
        return of_atom(Column.made((_unconditional(self), dim(index)), lower, upper))


class InvalidShape(Shape):
    """The error shape."""

    __slots__ = ()

    @property
    def rank(self) -> Dim:
        return dim(0)

    def column(self, index: DimLike) -> Dim:
        return ONE


AnyShape = RankedShape | UnrankedShape | BroadcastShape | InvalidShape
"""Every kind of shape, for a `match` that leaves none out."""

INVALID = InvalidShape("invalid", FALSE, frozenset())


def shape(value: ShapeLike) -> Shape:
    """Return a Shape for a list of sizes, or the Shape itself. Raises TypeError for anything else."""
    if isinstance(value, Shape):
        return value
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a shape is a list of sizes or a Shape, not {type(value).__name__} {value!r}")
    return RankedShape.of(value)


def shapes(*values: ShapeLike) -> tuple[Shape, ...]:
    """Shapes from whatever describes them."""
    return tuple(map(shape, values))


def unranked(name: str) -> UnrankedShape:
    """Return a shape variable of unknown rank. Raises TypeError for a name that is no text."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the name of a shape is text, not {type(name).__name__}")
    return UnrankedShape.of(name)


def broadcast(*values: ShapeLike) -> Shape:
    """What shapes broadcast to, aligned from the right; invalid where they do not. Of nothing: the scalar shape."""
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
    return broadcast_of_unranked(tuple(parts), valid)


@recorded()
def broadcast_of_unranked(parts: tuple[Shape, ...], valid: Formula) -> Shape:
    """What shapes, one of them of unknown rank, broadcast to; valid where a formula holds."""
    kept = _joined(parts)
    return kept[0] if len(kept) == 1 and kept[0].valid is valid else BroadcastShape.of(kept, valid)


def _joined(parts: Iterable[Shape]) -> tuple[Shape, ...]:
    """The different shapes that a broadcast joins, without conditions and without scalars, in their printed order."""
    flat: dict[Shape, None] = {}
    for part in parts:
        flat.update(dict.fromkeys(part.parts if isinstance(part, BroadcastShape) else (_unconditional(part),)))
    return tuple(sorted((p for p in flat if not (isinstance(p, RankedShape) and not p.dims)), key=str))


def _unconditional(whole: Shape) -> Shape:
    """The shape with the same extents that is valid wherever a shape of these extents can be."""
    match whole:
        case RankedShape(dims=extents):
            return RankedShape.of(extents)
        case BroadcastShape(parts=(only,)):
            return only
        case BroadcastShape(parts=parts):
            return BroadcastShape.of(parts)
        case _:
            return whole


@recorded(shapes)
def broadcastable(*values: ShapeLike) -> Formula:
    """Whether shapes broadcast together, aligned from the right; an invalid shape does not."""
    parts = [shape(value) for value in values]
    valid = conjunction(part.valid for part in parts)
    if valid is FALSE:
        return FALSE
    if all(isinstance(part, RankedShape) for part in parts):
        ranked = cast("list[RankedShape]", parts)
        rank = max((len(part.dims) for part in ranked), default=0)
        columns = (formulas.compatible(p.column(i) for p in ranked) for i in reversed(range(rank)))
        return conjunction((valid, *columns))
    kept = _joined(parts)
    return valid if len(kept) <= 1 else conjunction((valid, formulas.compatible_shapes(kept)))


@recorded(shapes)
def same_extents(a: ShapeLike, b: ShapeLike) -> Formula:
    """Equal ranks and extents, whether the shapes are valid or not; the columns of an invalid broadcast count, too."""
    first, second = _unconditional(shape(a)), _unconditional(shape(b))
    if first is second:
        return TRUE
    if isinstance(first, RankedShape) and isinstance(second, RankedShape):
        if len(first.dims) != len(second.dims):
            return FALSE
        return conjunction(equal(x, y) for x, y in zip(first.dims, second.dims, strict=True))
    return formulas.same_unranked_shape(first, second)


@recorded(shapes)
def same_shape(a: ShapeLike, b: ShapeLike) -> Formula:
    """Equal ranks and extents; two invalid shapes are equal."""
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
