"""What a definition says that a variable is."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim, of_atom
from shapesolve.language.formulas import Formula, IsZero, conjuncts


def equations(definition: Formula) -> Iterator[tuple[Variable, Dim]]:
    """The variables of which a definition says what they are, each by the others."""
    for part in conjuncts(definition):
        if not isinstance(part, IsZero):
            continue
        for monomial, coefficient in part.size.terms:
            variable = monomial.single
            if isinstance(variable, Variable) and abs(coefficient) == 1:
                size = of_atom(variable) - part.size * coefficient
                if variable not in size.variables:
                    yield variable, size
