"""Formulas that hold at the sizes that were evaluated last.

The sizes against one claim and the next mostly differ in few variables: what does not mention these is not evaluated
again. Large and small sizes are tried by turns, so that several are remembered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from shapesolve.solver.models import CachingModel, Model
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula

MOST_REMEMBERED = 3
"""Sizes of a claim: those of its first counterexample, of the smallest one, and with a 1 in it."""

FEW = 4
"""So many changed variables make sizes alike enough to look at no others."""


class RememberedSizes:
    """Sizes, and formulas that hold at them.

    Attributes:
        unchecked: The variables that have changed since the sizes were last found to be within their bounds.
    """

    def __init__(self) -> None:
        self.sizes = CachingModel({})
        self.unchecked = set[Variable]()
        self._held = set[Formula]()
        self._about = defaultdict[Variable, set[Formula]](set)

    def changed(self, sizes: Model) -> set[Variable]:
        """Return the variables that have other values in some sizes."""
        if sizes == self.sizes:
            return set()
        last = self.sizes.get
        return {each for each, size in sizes.items() if last(each) != size} | (self.sizes.keys() - sizes.keys())

    def move_to(self, sizes: Model, changed: set[Variable]) -> None:
        """Forget what mentions a variable that has changed."""
        if changed:
            self.sizes = CachingModel(sizes)
            self.unchecked |= changed
            for each in self._about.keys() & changed:
                self._held -= self._about.pop(each)

    def first_broken(self, formulas: Iterable[Formula]) -> int | None:
        """Return the position of the first of some formulas that does not hold at the sizes, or None."""
        held, sizes, about = self._held, self.sizes, self._about
        for position, formula in enumerate(formulas):
            if formula in held:
                continue
            if not holds(formula, sizes):
                return position
            held.add(formula)
            for each in formula.variables:
                about[each].add(formula)
        return None


class LastSizes:
    """The sizes that were evaluated last, latest first."""

    def __init__(self) -> None:
        self._remembered: list[RememberedSizes] = []

    def of(self, sizes: Model) -> RememberedSizes:
        """Return what is known of some sizes, by those among the last ones that are most like them."""
        best, fewest = RememberedSizes(), set(sizes)
        for each in self._remembered:
            changed = each.changed(sizes)
            if len(changed) < len(fewest):
                best, fewest = each, changed
            if len(fewest) <= FEW:
                break
        best.move_to(sizes, fewest)
        others = [each for each in self._remembered if each is not best]
        self._remembered = [best, *others[: MOST_REMEMBERED - 1]]
        return best
