"""Formulas without division: every ``a // b`` becomes a fresh quotient, defined beside the formula.

The definitions are total: whatever the sizes are, there is exactly one quotient that satisfies them. So a query and
its pure form are satisfied by the same sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.language.atoms import MAX_SIZE, Column, Quotient, Rank, Remainder, ShapeFold, Variable
from shapesolve.language.dims import ZERO, Dim, dim, of_atom
from shapesolve.language.extremes import choose
from shapesolve.language.folding import Rebuilder, sizes_within
from shapesolve.language.formula_kinds import AnyFormula, Formula
from shapesolve.language.formulas import (
    conjunction,
    disjunction,
    equal,
    is_non_negative,
    less_than,
    negation,
)
from shapesolve.language.segments import FOLDS
from shapesolve.language.shape_kinds import ConcatShape, Shape, SliceShape, extent_bounds, unconditional
from shapesolve.language.substitution import ColumnClaim, Substitution
from shapesolve.proving.segment_axioms import COLUMN, Folds, Segments
from shapesolve.records import value_record


class EveryColumn(Formula):
    """A formula holds for every integer that a variable (a column counted from the right) may be."""

    __slots__ = ()
    parts: tuple[Variable, Formula]

    def rebuilt(self, by: Rebuilder) -> Formula:
        raise TypeError(f"`{self}` is pure already")


MOST_COLUMNS = 12
"""Of shapes of at most this rank, whatever it is, the columns are looked at one by one."""

PureFormula = AnyFormula | EveryColumn
"""Every kind of formula that a solver may be told; of a pure one, no division is among the atoms."""


@value_record
class Pure:
    """A formula without division. ``definitions`` fix the fresh variables in it and in each other."""

    formula: Formula
    definitions: tuple[Formula, ...]
    variables: tuple[Variable, ...]
    """The size variables in both, fresh ones too, in the order of their names."""
    shapes: tuple[Shape, ...]
    """Those of which ranks or columns are in both: of unknown rank, or computed and defined by their parts."""
    is_linear: bool

    @property
    def pieces(self) -> tuple[Formula, ...]:
        """The formula and its definitions."""
        return (self.formula, *self.definitions)


class Purifier(Substitution):
    """Purifies formulas; equal divisions in different formulas share one fresh variable."""

    def __init__(self) -> None:
        super().__init__()
        self._quotients: dict[tuple[Dim, Dim], Dim] = {}
        self._definitions: dict[Variable, tuple[Formula, ...]] = {}
        self._pure: dict[Formula, Pure] = {}
        self._columns: dict[tuple[Formula, Variable], EveryColumn] = {}
        self._column = COLUMN
        self._segments = Segments(self)
        self._folds = Folds(self)

    def purify(self, formula: Formula) -> Pure:
        """The pure form of a formula."""
        found = self._pure.get(formula)
        if found is None:
            found = self._pure[formula] = self._purified(self.formula(formula))
        return found

    def _purified(self, formula: Formula) -> Pure:
        definitions: dict[Formula, None] = {}
        seen: set[Variable] = set()
        shapes: set[Shape] = set()
        linear = True
        waiting = [formula]
        while waiting:
            piece = waiting.pop()
            for size in sizes_within(piece):
                linear = linear and size.is_linear
                for atom in size.atoms():
                    if isinstance(atom, Variable):
                        seen.add(atom)
                        found = (*self._definitions.get(atom, ()), *self._folds.definitions(atom))
                        new = [each for each in found if each not in definitions]
                        definitions.update(dict.fromkeys(new))
                        waiting += new
                    elif isinstance(atom, Rank | Column):
                        shapes.add(atom.parts[0])
                        new = [each for each in self._segments.definitions(atom.parts[0]) if each not in definitions]
                        definitions.update(dict.fromkeys(new))
                        waiting += new
        return Pure(
            formula,
            tuple(definitions),
            tuple(sorted(seen - {self._column}, key=sorting_key)),
            tuple(sorted(shapes, key=str)),
            linear,
        )

    def quotient(self, a: Dim, b: Dim) -> Dim:
        """A fresh variable; or what the normal form gives, where replaced parts let the division vanish."""
        if (a, b) in self._quotients:
            return self._quotients[a, b]
        normal = a // b
        atom = normal.atom
        if not (isinstance(atom, Quotient) and atom.parts[0] is a and atom.parts[1] is b):
            fresh = self._without_division(normal)
        else:
            variable = Variable.of(f"quotient!{len(self._definitions)}", atom.lower, atom.upper)
            fresh = of_atom(variable)
            self._definitions[variable] = tuple(_definition(fresh, a, b))
        self._quotients[a, b] = fresh
        return fresh

    def remainder(self, a: Dim, b: Dim) -> Dim:
        return a - b * self.quotient(a, b)

    def _without_division(self, size: Dim) -> Dim:
        # The normal form took something out of the division; what is left may be divided still.
        return self.size(size) if any(isinstance(atom, Quotient | Remainder) for atom in size.atoms()) else size

    def column(self, whole: Shape, index: Dim) -> Dim:
        """The column; at the column that stands for all, a shape made of segments has a function of its own."""
        if isinstance(whole, ConcatShape | SliceShape) and self._column in index.variables:
            return of_atom(Column.made((unconditional(whole), index), *extent_bounds(whole)))
        return super().column(whole, index)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        rank = self.rank(whole)
        most = rank.bounds()[1]
        if most is None or most > MOST_COLUMNS:
            return self._folds.variable(kind, whole)
        columns = (choose(less_than(i, rank), self.column(whole, dim(i)), FOLDS[kind]()) for i in range(most))
        return FOLDS[kind](*columns)

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        most = [self.rank(whole).bounds()[1] for whole in shapes]
        known = max(each for each in most if each is not None) if None not in most else MAX_SIZE
        if known <= MOST_COLUMNS:
            columns = (claim(*(self.column(whole, dim(i)) for whole in shapes)) for i in range(known))
            return conjunction(columns)
        index = of_atom(self._column)
        return self.every(claim(*(self.column(whole, index) for whole in shapes)))

    def every(self, body: Formula) -> Formula:
        """The claim for every column of what it says of one."""
        if self._column not in body.variables:
            return body
        key = (body, self._column)
        found = self._columns.get(key)
        if found is None:
            text = f"for every {self._column}: {body}"
            found = self._columns[key] = EveryColumn((self._column, body), text, body.variables - {self._column})
        return found


def sorting_key(variable: Variable) -> tuple[str, int, int]:
    """Orders variables the same way in every run, as their hashes do not."""
    return variable.name, variable.lower or 0, variable.upper or 0


def _definition(quotient: Dim, a: Dim, b: Dim) -> Iterator[Formula]:
    rest = a - b * quotient
    if b.is_constant:
        # The normal form leaves positive constants only.
        yield is_non_negative(rest)
        yield less_than(rest, b)
        return
    low, high = b.bounds()
    if (low is None or low <= 0) and (high is None or high >= 0):
        yield disjunction((negation(equal(b, ZERO)), equal(quotient, ZERO)))
    if high is None or high > 0:
        yield disjunction((is_non_negative(-b), conjunction((is_non_negative(rest), less_than(rest, b)))))
    if low is None or low < 0:
        yield disjunction((is_non_negative(b), conjunction((is_non_negative(-rest), less_than(b, rest)))))
