"""Assignments of numbers to all variables."""

from __future__ import annotations

from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.evaluation import Remembering


def default_value(variable: Variable) -> int:
    """The number of a variable that no fact has an opinion on: 1, or the nearest that its bounds allow."""
    low = 1 if variable.lower is None else max(1, variable.lower)
    return low if variable.upper is None else min(low, variable.upper)


class Model(dict[Variable, "int | tuple[int, ...]"]):
    """An assignment that has an answer for every variable."""

    def __missing__(self, variable: Variable) -> int | tuple[int, ...]:
        return () if isinstance(variable, ShapeSymbol) else default_value(variable)


class RememberingModel(Model, Remembering):
    """One that keeps what atoms are under it."""
