"""Rebuilding sizes and formulas with some atoms replaced. The result is in normal form again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from shapesolve.language.atoms import Atom, ShapeFold, Variable
from shapesolve.language.dims import Dim, dim, of_atom
from shapesolve.language.extremes import broadcast_extent, choose, maximum
from shapesolve.language.folding import Fold, Rebuilder, rebuilt_sum
from shapesolve.language.formula_kinds import FALSE, TRUE, CompatibleShapes, Formula, SameShape
from shapesolve.language.formulas import compatible, conjunction, equal, less_than
from shapesolve.language.segments import concatenated, folded, sliced
from shapesolve.language.shape_kinds import slice_column, slice_ends
from shapesolve.language.shapes import (
    BroadcastShape,
    ConcatShape,
    RankedShape,
    Shape,
    SliceShape,
    UnrankedShape,
    broadcast_of_unranked,
    compatible_extents,
    same_extents,
    shape,
)


class Substitution(Fold[Dim, Formula], Rebuilder):
    """Replaces atoms from the inside out, each once. Subclasses say what an atom becomes.

    Shapes of unknown rank are taken apart: ranks and columns of a broadcast become those of its parts.
    """

    def read_size(self, size: Dim) -> Dim:
        return rebuilt_sum(size, self.atom)

    def read_atom(self, atom: Atom) -> Dim:
        return atom.rebuilt(self)

    def read_formula(self, formula: Formula) -> Formula:
        return formula.rebuilt(self)

    def same_shape(self, formula: SameShape) -> Formula:
        a, b = formula.parts
        columns = self.every_column((a, b), lambda *columns: equal(*columns))
        return conjunction((equal(self.rank(a), self.rank(b)), columns))

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        return self.every_column(formula.parts, lambda *columns: compatible(columns))

    # What subclasses may change, beside what a `Rebuilder` may ---------------------------------------------------

    def unranked(self, symbol: UnrankedShape) -> Shape:
        """What a shape of unknown rank becomes."""
        return symbol

    @abstractmethod
    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        """The claim about every column of some shapes."""

    # Shapes ------------------------------------------------------------------------------------------------------

    def rank(self, whole: Shape) -> Dim:
        match whole:
            case BroadcastShape(parts=parts):
                return maximum(*map(self.rank, parts))
            case ConcatShape(parts=parts):
                return sum(map(self.rank, parts), dim(0))
            case SliceShape(whole=inner, start=start, stop=stop):
                first, last = slice_ends(self.rank(inner), self.size(start), self.size(stop))
                return last - first
            case UnrankedShape():
                return self.unranked(whole).rank
            case _:
                return whole.rank

    def column(self, whole: Shape, index: Dim) -> Dim:
        match whole:
            case BroadcastShape(parts=parts):
                return broadcast_extent(*(self.column(part, index) for part in parts))
            case ConcatShape(parts=parts):
                *before, last = parts
                rank, rest = self.rank(last), concatenated(before)
                return choose(less_than(index, rank), self.column(last, index), self.column(rest, index - rank))
            case SliceShape(whole=inner, start=start, stop=stop):
                rank = self.rank(inner)
                column = partial(self.column, inner)
                return slice_column(rank, self.size(start), self.size(stop), index, column)
            case UnrankedShape():
                return self.unranked(whole).column(index)
            case RankedShape(dims=extents):
                return shape([self.size(extent) for extent in extents]).column(index)
            case _:
                return whole.column(index)


def with_sizes(
    whole: Shape, size: Callable[[Dim], Dim], symbol: Callable[[UnrankedShape], Shape] = lambda symbol: symbol
) -> Shape:
    """Return the shape, valid or not, made again of what its sizes and shapes of unknown rank become."""

    def again(part: Shape) -> Shape:
        return with_sizes(part, size, symbol)

    match whole:
        case BroadcastShape(parts=parts):
            return broadcast_of_unranked(tuple(map(again, parts)), TRUE)
        case UnrankedShape():
            return symbol(whole)
        case RankedShape(dims=extents):
            return RankedShape.of(map(size, extents))
        case ConcatShape(parts=parts):
            return concatenated(map(again, parts))
        case SliceShape(whole=inner, start=start, stop=stop):
            return sliced(again(inner), size(start), size(stop))
        case _:
            return whole


class ColumnClaim(Protocol):
    """A claim about one column of several shapes."""

    def __call__(self, *columns: Dim) -> Formula: ...


class Instantiation(Substitution):
    """Replaces variables by expressions and shapes of unknown rank by ranked ones.

    What is said of shapes is said column by column where they all get a rank, and of the shapes as they are otherwise.
    """

    def __init__(self, variables: Mapping[Variable, Dim], shapes: Mapping[Variable, RankedShape] | None = None) -> None:
        super().__init__()
        self._variables = variables
        self._shapes = shapes or {}

    def variable(self, variable: Variable) -> Dim:
        found = self._variables.get(variable)
        return of_atom(variable) if found is None else found

    def unranked(self, symbol: UnrankedShape) -> Shape:
        return self._shapes.get(symbol.symbol, symbol)

    def same_shape(self, formula: SameShape) -> Formula:
        if self._are_ranked(formula.parts):
            return super().same_shape(formula)
        return same_extents(*map(self._whole, formula.parts))

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        if self._are_ranked(formula.parts):
            return super().compatible_shapes(formula)
        return compatible_extents(map(self._whole, formula.parts))

    def _are_ranked(self, shapes: Sequence[Shape]) -> bool:
        return all(self.rank(whole).is_constant for whole in shapes)

    def _whole(self, whole: Shape) -> Shape:
        """The shape with what is replaced in it, whether it is valid or not."""
        return with_sizes(whole, self.size, self.unranked)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        return folded(kind, self._whole(whole))

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        ranks = [self.rank(whole) for whole in shapes]
        count = max((rank.constant for rank in ranks), default=0)
        claims = [claim(*(self.column(whole, dim(i)) for whole in shapes)) for i in range(count)]
        return FALSE if FALSE in claims else conjunction(claims)


class With(Instantiation):
    """Puts a value into the place of an atom."""

    def __init__(self, atom: Atom, value: Dim) -> None:
        super().__init__({})
        self._atom = atom
        self._value = value

    def read_atom(self, atom: Atom) -> Dim:
        return self._value if atom is self._atom else super().read_atom(atom)
