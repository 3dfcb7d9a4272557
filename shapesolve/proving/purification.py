"""Formulas without division: every ``a // b`` becomes a fresh quotient, defined beside the formula.

The definitions are total: whatever the sizes are, there is exactly one quotient that satisfies them. So a query and
its pure form are satisfied by the same sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from shapesolve.language.atoms import Column, Quotient, Rank, Remainder, Variable
from shapesolve.language.dims import ZERO, Dim, of_atom
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
from shapesolve.language.shapes import Shape, UnrankedShape
from shapesolve.language.substitution import ColumnClaim, Substitution
from shapesolve.records import value_record


class EveryColumn(Formula):
    """A formula holds for every integer that a variable (a column counted from the right) may be."""

    __slots__ = ()
    parts: tuple[Variable, Formula]

    def rebuilt(self, by: Rebuilder) -> Formula:
        raise TypeError(f"`{self}` is pure already")


PureFormula = AnyFormula | EveryColumn
"""Every kind of formula that a solver may be told; of a pure one, no division is among the atoms."""


@value_record
class Pure:
    """A formula without division. ``definitions`` fix the fresh variables in it and in each other."""

    formula: Formula
    definitions: tuple[Formula, ...]
    variables: tuple[Variable, ...]
    """The size variables in both, fresh ones too, in the order of their names."""
    shapes: tuple[UnrankedShape, ...]
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
        self._column = Variable.of("column!", None, None)

    def purify(self, formula: Formula) -> Pure:
        """The pure form of a formula."""
        found = self._pure.get(formula)
        if found is None:
            found = self._pure[formula] = self._purified(self.formula(formula))
        return found

    def _purified(self, formula: Formula) -> Pure:
        definitions: dict[Formula, None] = {}
        seen: set[Variable] = set()
        shapes: set[UnrankedShape] = set()
        linear = True
        waiting = [formula]
        while waiting:
            piece = waiting.pop()
            for size in sizes_within(piece):
                linear = linear and size.is_linear
                for atom in size.atoms():
                    if isinstance(atom, Variable):
                        seen.add(atom)
                        for definition in self._definitions.get(atom, ()):
                            if definition not in definitions:
                                definitions[definition] = None
                                waiting.append(definition)
                    elif isinstance(atom, Rank | Column):
                        shapes.add(cast("UnrankedShape", atom.parts[0]))
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

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        index = of_atom(self._column)
        body = claim(*(self.column(whole, index) for whole in shapes))
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
