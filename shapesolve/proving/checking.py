"""What a solver found, checked before anybody hears of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.evaluation import Assignment, holds
from shapesolve.language.formulas import Formula
from shapesolve.proving.elimination import default
from shapesolve.proving.obstacles import Obstacle
from shapesolve.proving.purification import sorting_key
from shapesolve.proving.solver import Answer, GaveUp, Label, Satisfiable, Unsatisfiable
from shapesolve.proving.z3_session import Found

Query = Sequence[tuple[Label, Formula]]


def answered(query: Query, found: Found, rung: str) -> Answer:
    """A core or a model of a query as an answer to it; the model is evaluated."""
    if isinstance(found, GaveUp):
        return found
    return Unsatisfiable(found, rung) if isinstance(found, frozenset) else checked(query, found, rung)


def checked(query: Query, found: Mapping[Variable, int | tuple[int, ...]], rung: str) -> Answer:
    """Satisfiable, if the sizes found do satisfy the query; variables that were not looked for become small."""
    sizes: dict[Variable, int | tuple[int, ...]] = {}
    mentioned = frozenset[Variable]().union(*(formula.variables for _, formula in query))
    for variable in sorted(mentioned, key=sorting_key):
        unasked = () if isinstance(variable, ShapeSymbol) else default(variable)
        sizes[variable] = found.get(variable, unasked)
    for variable, size in sizes.items():
        if isinstance(size, int) and not in_bounds(variable, size):
            return GaveUp(Obstacle.NOTHING_FOUND, f"z3 found sizes, but {variable} = {size} is out of its bounds")
    for _, formula in query:
        if not holds(formula, sizes):
            return GaveUp(Obstacle.NOTHING_FOUND, f"z3 found sizes, but they do not satisfy `{formula}`")
    return Satisfiable(sizes, rung)


def in_bounds(variable: Variable, size: int) -> bool:
    """Whether a variable may be this number."""
    return (variable.lower is None or variable.lower <= size) and (variable.upper is None or size <= variable.upper)


def out_of_bounds(sizes: Assignment, inputs: Collection[Variable], extents: tuple[int, int]) -> str | None:
    """Which variable is none of the numbers that it may be; ``extents`` bound those of inputs of unknown rank."""
    least, most = extents
    for variable, value in sizes.items():
        if isinstance(value, tuple):
            if variable in inputs and not all(least <= extent <= most for extent in value):
                return f"the bounds of the extents of {variable}"
        elif not in_bounds(variable, value):
            return f"the bounds of {variable}"
    return None
