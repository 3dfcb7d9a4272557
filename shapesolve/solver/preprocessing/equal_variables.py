"""Substitution of one variable for all that a query makes equal.

Sizes of 2 and more that are compatible are equal. So the many operands of a chain of broadcasts become one variable
where a counterexample with such sizes is sought, and sums and broadcasts of them collapse.
"""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.solver.models import Query, sorting_key
from shapesolve.solver.preprocessing.variable_bounds import ranges
from shapesolve.symbolic.atoms import BroadcastExtent, Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Compatible, Formula, IsZero
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.visitors import Instantiation


def substitute_equal_variables(query: Query) -> tuple[Query, dict[Variable, Variable]]:
    """Substitute one variable for all that are equal; return the query and each variable's substitute.

    The bounds of a variable that is gone are stated by formulas. These have the label of the query's first formula, so
    an unsatisfiable core of the result says nothing of the query.
    """
    chosen = _chosen(query)
    if not chosen:
        return query, chosen
    instantiation = Instantiation({each: of_atom(by) for each, by in chosen.items()})
    merged = [(label, instantiation.formula(formula)) for label, formula in query]
    label = query[0][0]
    return [*merged, *((label, bound) for bound in dict.fromkeys(_lost_bounds(chosen)))], chosen


def _chosen(query: Query) -> dict[Variable, Variable]:
    """Return the variables that are equal to another one, each with the first of its class."""
    classes = _Classes(query)
    for _, formula in query:
        if isinstance(formula, IsZero):
            classes.join(_of_difference(formula))
    claims = (formula for _, formula in query if isinstance(formula, Compatible))
    waiting = sorted(claims, key=lambda each: len(each.variables))  # so that few claims wait for later ones
    found = True
    while found:
        found = False
        for claim in tuple(waiting):
            variables = [each for each in map(classes.variable, claim.parts) if each is not None]
            found |= classes.join(variables)
            if len(variables) == len(claim.parts):
                waiting.remove(claim)
    return classes.substitutes


class _Classes:
    """Classes of equal variables."""

    def __init__(self, query: Query) -> None:
        self._ranges = ranges((formula, frozenset()) for _, formula in query)
        self._above: dict[Variable, Variable] = {}
        self._of_broadcast: dict[Dim, Variable] = {}

    @property
    def substitutes(self) -> dict[Variable, Variable]:
        return {each: self._first(each) for each in self._above}

    def join(self, variables: Iterable[Variable]) -> bool:
        """Make variables equal; return whether they were not."""
        firsts = sorted({self._first(each) for each in variables}, key=sorting_key)
        self._above.update((each, firsts[0]) for each in firsts[1:])
        return len(firsts) > 1

    def variable(self, size: Dim) -> Variable | None:
        """Return the variable of at least 2 that a size or a broadcast of equal sizes is, or None."""
        known = self._of_broadcast.get(size)
        if known is not None:
            return self._first(known)
        atom = size.atom
        if isinstance(atom, BroadcastExtent):
            return self._of_parts(size, atom.parts)
        return self._first(atom) if isinstance(atom, Variable) and self._is_two_or_more(atom) else None

    def _of_parts(self, size: Dim, parts: tuple[Dim, ...]) -> Variable | None:
        first = self.variable(parts[0])
        if first is None or any(self.variable(part) is not first for part in parts[1:]):
            return None
        self._of_broadcast[size] = first
        return first

    def _first(self, variable: Variable) -> Variable:
        while (above := self._above.get(variable, variable)) is not variable:
            variable = above
        return variable

    def _is_two_or_more(self, variable: Variable) -> bool:
        stated = self._ranges[variable].low if variable in self._ranges else None
        return max(stated or 0, variable.lower or 0) >= 2


def _of_difference(formula: IsZero) -> list[Variable]:
    """Return the two variables of ``a - b == 0``, or none."""
    if formula.size.constant or len(formula.size.terms) != 2:
        return []
    (first, one), (second, other) = formula.size.terms
    variables = [each for each in (first.single, second.single) if isinstance(each, Variable)]
    return variables if one + other == 0 and len(variables) == 2 else []


def _lost_bounds(chosen: dict[Variable, Variable]) -> Iterable[Formula]:
    for gone, kept in chosen.items():
        here = of_atom(kept)
        if gone.lower is not None and (kept.lower is None or kept.lower < gone.lower):
            yield at_least(here, gone.lower)
        if gone.upper is not None and (kept.upper is None or kept.upper > gone.upper):
            yield at_least(gone.upper, here)
