"""Axioms of shapes made of segments, and of folds over shapes of unknown rank.

A concatenation or a slice gets a function from columns to extents of its own, defined from both sides: its columns are
those of its segments, and the columns of each segment are among its columns. A fold gets an integer of its own; its
axioms hold for all ranks and are incomplete.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import Largest, Product, ShapeFold, Smallest, Total, Variable
from shapesolve.symbolic.dims import ZERO, Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, less_than, unequal
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.segments import FOLDS, concatenated, folded, sliced
from shapesolve.symbolic.shape_kinds import ConcatShape, Shape, SliceShape, slice_ends, unconditional
from shapesolve.symbolic.shapes import same_extents

COLUMN = Variable.of("column!", None, None)
"""Variable of an arbitrary column."""

MOST_FACTORS = 6
"""Largest number of known factors into which a product is split."""


class DivisionFree(Protocol):
    """Interface that yields the division-free forms of shapes and sizes."""

    def size(self, size: Dim) -> Dim: ...

    def formula(self, formula: Formula) -> Formula: ...

    def rank(self, whole: Shape) -> Dim: ...

    def column(self, whole: Shape, index: Dim) -> Dim: ...

    def every(self, body: Formula) -> Formula: ...


class Segments:
    """Defines the columns of concatenations and slices."""

    def __init__(self, pure: DivisionFree) -> None:
        self._pure = pure
        self._index = of_atom(COLUMN)
        self._found: dict[Shape, tuple[Formula, ...]] = {}

    def definitions(self, whole: Shape) -> tuple[Formula, ...]:
        """Return the definitions of a shape's columns; none where it is not made of segments."""
        found = self._found.get(whole)
        if found is None:
            self._found[whole] = found = tuple(self._defined(whole))
        return found

    def _defined(self, whole: Shape) -> Iterator[Formula]:
        column, index = self._pure.column, self._index
        match whole:
            case ConcatShape(parts=parts):
                *before, last = parts
                rest, length = concatenated(before), self._pure.rank(last)
                within = less_than(index, length)
                both = choose(within, column(last, index), column(rest, index - length))
                yield self._pure.every(equal(column(whole, index), both))
                of_last = conjunction((at_least(index, 0), within))
                yield self._pure.every(implies(of_last, equal(column(last, index), column(whole, index))))
                of_rest = conjunction((at_least(index, 0), less_than(index, self._pure.rank(rest))))
                yield self._pure.every(implies(of_rest, equal(column(rest, index), column(whole, index + length))))
            case SliceShape(whole=inner, start=start, stop=stop):
                rank = self._pure.rank(inner)
                first, last = slice_ends(rank, self._pure.size(start), self._pure.size(stop))
                inside = conjunction((at_least(index, 0), less_than(index, last - first)))
                own = choose(inside, column(inner, rank - last + index), 1)
                yield self._pure.every(equal(column(whole, index), own))
                within = conjunction((at_least(index, rank - last), less_than(index, rank - first)))
                shifted = column(whole, index - rank + last)
                yield self._pure.every(implies(within, equal(column(inner, index), shifted)))
            case _:
                return


class Folds:
    """Introduces an integer for each fold over a shape of unknown rank, with its axioms."""

    def __init__(self, pure: DivisionFree) -> None:
        self._pure = pure
        self._made: dict[tuple[type[ShapeFold], Shape], Variable] = {}
        self._kinds: dict[Variable, tuple[type[ShapeFold], Shape]] = {}
        self._found: dict[Variable, tuple[Formula, ...]] = {}

    def variable(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        """Return the integer that stands for a fold, which is in normal form."""
        inner = unconditional(whole)
        made = self._made.get((kind, inner))
        if made is None:
            atom = folded(kind, inner).atom
            assert atom is not None
            made = Variable.of(f"{kind.word}!{len(self._made)}", atom.lower, atom.upper)
            self._made[kind, inner] = made
            self._kinds[made] = (kind, inner)
        return of_atom(made)

    def definitions(self, variable: Variable) -> tuple[Formula, ...]:
        """Return the axioms of a fold, in division-free form; none for any other variable."""
        fold = self._kinds.get(variable)
        if fold is None:
            return ()
        found = self._found.get(variable)
        if found is None:
            self._found[variable] = ()  # what is said of it may mention it
            found = self._found[variable] = tuple(self._known(variable, *fold))
        return found

    def _known(self, variable: Variable, kind: type[ShapeFold], whole: Shape) -> Iterator[Formula]:
        value, rank = of_atom(variable), self._pure.rank(whole)
        own = FOLDS[kind]
        first = self._pure.column(whole, ZERO)
        yield implies(equal(rank, 0), equal(value, own()))
        yield implies(equal(rank, 1), equal(value, own(first)))
        yield from self._compared(variable, kind, whole)
        yield from self._of_segments(value, kind, whole)
        for (other_kind, other), made in list(self._made.items()):
            if other_kind is kind and other is not whole:
                alike = self._pure.formula(same_extents(whole, other))
                yield implies(alike, equal(value, of_atom(made)))

    def _compared(self, variable: Variable, kind: type[ShapeFold], whole: Shape) -> Iterator[Formula]:
        """Say how a fold compares with each column, and which column makes it what it is."""
        pure, value = self._pure, of_atom(variable)
        index = of_atom(COLUMN)
        column = pure.column(whole, index)
        inside = conjunction((at_least(index, 0), less_than(index, pure.rank(whole))))
        chosen = of_atom(Variable.of(f"{variable.name}.at", None, None))
        is_column = conjunction((at_least(chosen, 0), less_than(chosen, pure.rank(whole))))
        extent = pure.column(whole, chosen)
        natural = variable.lower is not None and variable.lower >= 0
        if kind is Largest:
            yield pure.every(implies(inside, at_least(value, column)))
            yield disjunction((equal(value, 0), conjunction((is_column, equal(value, extent)))))
        elif kind is Smallest:
            yield pure.every(implies(inside, at_least(column, value)))
            yield disjunction((equal(value, MAX_SIZE), conjunction((is_column, equal(value, extent)))))
        elif natural and kind is Total:
            yield pure.every(implies(inside, at_least(value, column)))
            yield disjunction((equal(value, 0), conjunction((is_column, at_least(extent, 1)))))
        elif natural and kind is Product:
            yield pure.every(implies(unequal(value, 0), conjunction((at_least(column, 1), at_least(value, column)))))
            is_zero = conjunction((is_column, equal(extent, 0)))
            is_more = conjunction((is_column, unequal(extent, 1)))
            yield disjunction((equal(value, 1), is_more))
            yield disjunction((unequal(value, 0), is_zero))

    def _of_segments(self, value: Dim, kind: type[ShapeFold], whole: Shape) -> Iterator[Formula]:
        """Say that a fold over a whole is that of its two ends."""
        if not isinstance(whole, SliceShape):
            return
        inner, rank = whole.whole, whole.whole.rank
        behind = rank - whole.stop
        if whole.start is ZERO and behind.is_constant and kind is Product:  # beyond the rank all columns are 1
            last = [self._pure.column(inner, ZERO + i) for i in range(min(behind.constant, MOST_FACTORS + 1))]
            if behind.constant <= MOST_FACTORS:
                yield equal(self._pure.size(folded(kind, inner)), FOLDS[kind](value, *last))
                return
        if whole.start is ZERO:
            rest = sliced(inner, whole.stop, rank)
            yield equal(self._pure.size(folded(kind, inner)), FOLDS[kind](value, self._pure.size(folded(kind, rest))))
        elif whole.stop is rank:
            rest = sliced(inner, 0, whole.start)
            yield equal(self._pure.size(folded(kind, inner)), FOLDS[kind](self._pure.size(folded(kind, rest)), value))
