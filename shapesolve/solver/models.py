"""Assignments of numbers to all variables, and their evaluation against a query.

Every model that a solver returns is evaluated before it becomes an answer. Shapes of unknown rank are made ranked:
small ranks first, every extent a fresh size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import cast

from shapesolve.solver.verdicts import Answer, GaveUp, Label, Satisfiable, UndecidedReason, Unsatisfiable
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import Assignment, CachedAssignment, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.visitors import Instantiation


def default_value(variable: Variable) -> int:
    """Return the value of a variable that no fact constrains: 1, or the nearest number within its bounds."""
    low = 1 if variable.lower is None else max(1, variable.lower)
    return low if variable.upper is None else min(low, variable.upper)


class Model(dict[Variable, "int | tuple[int, ...]"]):
    """An assignment that is defined for every variable."""

    def __missing__(self, variable: Variable) -> int | tuple[int, ...]:
        return () if isinstance(variable, ShapeSymbol) else default_value(variable)


class ReportedModel(NamedSizes):
    """The part of a model that is shown, by name too; defined for every variable like the whole."""

    def __missing__(self, key: object) -> int | tuple[int, ...]:
        if isinstance(key, Variable):
            return () if isinstance(key, ShapeSymbol) else default_value(key)
        return super().__missing__(key)


class CachingModel(Model, CachedAssignment):
    """A model that caches the values of atoms under it."""


Query = Sequence[tuple[Label, Formula]]


def answered(query: Query, found: Found, strategy: str) -> Answer:
    """Turn an unsatisfiable core or a model of a query into an answer; the model is evaluated."""
    if isinstance(found, GaveUp):
        return found
    return Unsatisfiable(found, strategy) if isinstance(found, frozenset) else checked(query, found, strategy)


def checked(query: Query, found: Mapping[Variable, int | tuple[int, ...]], strategy: str) -> Answer:
    """Return Satisfiable if the sizes satisfy the query; variables that are not in the model become small."""
    sizes: dict[Variable, int | tuple[int, ...]] = {}
    mentioned = variables_in(formula for _, formula in query)
    for variable in sorted(mentioned, key=sorting_key):
        unasked = () if isinstance(variable, ShapeSymbol) else default(variable)
        sizes[variable] = found.get(variable, unasked)
    for variable, size in sizes.items():
        if isinstance(size, int) and not in_bounds(variable, size):
            return GaveUp(
                UndecidedReason.NOTHING_FOUND, f"z3 found sizes, but {variable} = {size} is out of its bounds"
            )
    remembered = CachedAssignment(sizes)  # what is behind many branches holds the same deep atoms again and again
    for _, formula in query:
        if not holds(formula, remembered):
            return GaveUp(UndecidedReason.NOTHING_FOUND, f"z3 found sizes, but they do not satisfy `{formula}`")
    return Satisfiable(sizes, strategy)


def in_bounds(variable: Variable, size: int) -> bool:
    """Return whether a number lies within the bounds of a variable."""
    return (variable.lower is None or variable.lower <= size) and (variable.upper is None or size <= variable.upper)


def out_of_bounds(sizes: Assignment, inputs: Collection[Variable], extents: tuple[int, int]) -> str | None:
    """Return a description of a variable whose value is out of bounds, or None.

    Args:
        sizes: The values of the variables.
        inputs: The variables that inputs have.
        extents: The least and the largest extent of inputs of unknown rank.
    """
    least, most = extents
    for variable, value in sizes.items():
        if isinstance(value, tuple):
            if variable in inputs and not all(least <= extent <= most for extent in value):
                return f"the bounds of the extents of {variable}"
        elif not in_bounds(variable, value):
            return f"the bounds of {variable}"
    return None


MOST_CHOICES = 150
LARGEST_RANK = 12


def small_ranks(symbols: Sequence[Variable]) -> Iterator[dict[Variable, int]]:
    """Yield ranks for the symbols, by ascending sum, then ascending largest rank; not all of them."""
    count = 0
    for total in range(LARGEST_RANK * len(symbols) + 1):
        for ranks in sorted(_of_sum(total, len(symbols)), key=lambda ranks: (max(ranks), ranks)):
            if count == MOST_CHOICES:
                return
            count += 1
            yield dict(zip(symbols, ranks, strict=True))


def _of_sum(total: int, count: int) -> Iterator[tuple[int, ...]]:
    if count == 1:
        if total <= LARGEST_RANK:
            yield (total,)
        return
    for first in range(min(total, LARGEST_RANK) + 1):
        for others in _of_sum(total - first, count - 1):
            yield (first, *others)


class Ranking:
    """Ranks given to shapes of unknown rank, the variables of their extents, and the mapping back."""

    def __init__(self, ranks: Mapping[Variable, int]) -> None:
        self.extents = {
            symbol: tuple(Variable.of(f"{symbol.name}[{number}]") for number in range(rank))
            for symbol, rank in ranks.items()
        }
        shapes = {
            symbol: cast("RankedShape", RankedShape.of(map(of_atom, extents)))
            for symbol, extents in self.extents.items()
        }
        self.substitution = Instantiation({}, shapes)

    @property
    def variables(self) -> Iterable[Variable]:
        """Return the extents of all shapes, in order."""
        for extents in self.extents.values():
            yield from extents

    def shapes_of(self, model: Mapping[Variable, int | tuple[int, ...]]) -> dict[Variable, tuple[int, ...]]:
        """Return the shapes that a model for the extents describes; an extent that is not in it is 0."""
        return {
            symbol: tuple(cast("int", model.get(extent, 0)) for extent in extents)
            for symbol, extents in self.extents.items()
        }


def default(variable: Variable) -> int:
    """Return the smallest number within the bounds of a variable, preferring 0."""
    if variable.lower is not None and variable.lower > 0:
        return variable.lower
    return 0 if variable.upper is None else min(0, variable.upper)


def sorting_key(variable: Variable) -> tuple[str, int, int]:
    """Return a key that orders variables the same way in every run, as their hashes do not."""
    return variable.name, variable.lower or 0, variable.upper or 0


Found = frozenset[Label] | dict[Variable, int] | GaveUp
"""An unsatisfiable core, a model, or the reason for having neither."""
