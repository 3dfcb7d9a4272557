"""Constraints of one step of a search for small sizes."""

from __future__ import annotations

from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.formula_kinds import Formula


@value_record
class SearchBounds:
    """Constraints of a search: ranges of variables, where None is no bound, and formulas."""

    ranges: tuple[tuple[Variable, int | None, int | None], ...] = ()
    formulas: tuple[Formula, ...] = ()

    def plus(self, *formulas: Formula) -> SearchBounds:
        return SearchBounds(self.ranges, (*self.formulas, *formulas))

    def within(self, variable: Variable, least: int | None, most: int | None) -> SearchBounds:
        return SearchBounds((*self.ranges, (variable, least, most)), self.formulas)
