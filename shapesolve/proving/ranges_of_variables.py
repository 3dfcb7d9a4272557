"""What formulas say of one variable alone: the least and the most that it can be, and which formulas say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shapesolve.language.atoms import Variable
from shapesolve.language.formula_kinds import Formula, IsNonNegative
from shapesolve.proving.solver import Label
from shapesolve.records import value_record

Origin = frozenset[Label]


@value_record
class Range:
    """From ``low`` to ``high``, both included; None where nothing is said. The origins are those of what says so."""

    low: int | None = None
    high: int | None = None
    low_origin: Origin = frozenset()
    high_origin: Origin = frozenset()

    @property
    def origin(self) -> Origin:
        return self.low_origin | self.high_origin

    def holds(self, value: int) -> bool:
        """Whether the value lies in the range."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def _from(self, low: int, origin: Origin) -> Range:
        return self if self.low is not None and self.low >= low else replace(self, low=low, low_origin=origin)

    def _to(self, high: int, origin: Origin) -> Range:
        return self if self.high is not None and self.high <= high else replace(self, high=high, high_origin=origin)

    def said(self, slope: int, constant: int, origin: Origin) -> Range:
        """The range of ``x`` where ``slope*x + constant >= 0`` as well."""
        return self._from(-(constant // slope), origin) if slope > 0 else self._to(constant // -slope, origin)


def ranges(formulas: Iterable[tuple[Formula, Origin]]) -> dict[Variable, Range]:
    """The ranges of all variables of which a formula says one."""
    found: dict[Variable, Range] = {}
    for formula, origin in formulas:
        if isinstance(formula, IsNonNegative) and len(formula.size.terms) == 1:
            ((monomial, slope),) = formula.size.terms
            variable = monomial.single
            if isinstance(variable, Variable):
                found[variable] = found.get(variable, Range()).said(slope, formula.size.constant, origin)
    return found
