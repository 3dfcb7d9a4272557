"""Sizes that are a multiple of a number and a rest."""

from __future__ import annotations

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim, of_atom


def rest_and_pace(size: Dim, number: Variable) -> tuple[Dim, int] | None:
    """The rest, and by how much a size grows with a number; None where it is no such sum."""
    pace = sum(coefficient for monomial, coefficient in size.terms if monomial.single is number)
    rest = size - of_atom(number) * pace
    return (rest, pace) if pace and number not in rest.variables else None
