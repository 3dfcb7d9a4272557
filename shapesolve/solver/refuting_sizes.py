"""Sizes that refuted entailments, tried on later ones before a solver is asked.

What the taps of a filter or the layers of a model may overflow by fails for the same sizes, but for the variables of
each claim.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice

from shapesolve.solver.models import Model, in_bounds, sorting_key
from shapesolve.solver.witnesses import boundaries
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import negation

MOST_KEPT = 4
"""Assignments; of more the latest."""

MOST_CHANGED = 4
"""Variables that are tried where a formula is broken."""


class RefutingSizes:
    """Assignments that refuted an entailment, latest first."""

    def __init__(self) -> None:
        self._kept = deque[Model](maxlen=MOST_KEPT)

    def keep(self, sizes: Mapping[Variable, int | tuple[int, ...]]) -> None:
        """Keep sizes to be tried on what is asked later."""
        self._kept.appendleft(Model(sizes))

    def refute(self, claim: Formula, premises: Sequence[Formula]) -> bool:
        """Return whether kept sizes satisfy the premises and not the claim, once variables of the latter are changed.

        False is inconclusive.
        """
        formulas = (negation(claim), *premises)
        variables = variables_in(formulas)
        if any(isinstance(each, ShapeSymbol) for each in variables):
            return False
        for kept in self._kept:
            sizes = Model({each: kept[each] for each in variables})
            free = sorted((each for each in variables if each in claim.variables or each not in kept), key=sorting_key)
            if _satisfied(sizes, formulas, free) and _are_in_bounds(sizes):
                self.keep(sizes)
                return True
        return False


def _satisfied(sizes: Model, formulas: Sequence[Formula], free: Sequence[Variable]) -> bool:
    """Change some variables until all formulas hold, one after the other; return whether they do."""
    for position, formula in enumerate(formulas):
        if not holds(formula, sizes) and not _changed(sizes, formulas[: position + 1], free):
            return False
    return True


def _changed(sizes: Model, formulas: Sequence[Formula], free: Sequence[Variable]) -> bool:
    last = formulas[-1]
    for variable in islice((each for each in free if each in last.variables), MOST_CHANGED):
        old = sizes[variable]
        for value in dict.fromkeys(boundaries(last, variable, sizes)):
            sizes[variable] = value
            if all(holds(each, sizes) for each in formulas):
                return True
        sizes[variable] = old
    return False


def _are_in_bounds(sizes: Model) -> bool:
    return all(isinstance(size, int) and in_bounds(each, size) for each, size in sizes.items())
