"""Grids of small sizes, and what holds at which of their points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod

from shapesolve.language.atoms import Variable
from shapesolve.language.evaluation import Remembering, holds
from shapesolve.language.formulas import Formula


class Grid:
    """All combinations of some sizes; what holds where is a number with one bit for every point.

    A formula is looked at once for all points that agree in its own variables, an atom in all formulas of these once.
    """

    def __init__(self, variables: Sequence[Variable], sizes: Sequence[Sequence[int]]) -> None:
        count = prod(map(len, sizes))
        self.all = (1 << count) - 1
        self._columns: dict[Variable, list[tuple[int, int]]] = {}  # each size, and the points that have it
        period = count
        for variable, own in zip(variables, sizes, strict=True):
            stride = period // max(len(own), 1)
            again = self.all // ((1 << period) - 1) if period else 0
            block = ((1 << stride) - 1) * again
            self._columns[variable] = [(size, block << stride * place) for place, size in enumerate(own)]
            period = stride
        self._alike: dict[tuple[Variable, ...], list[tuple[Remembering, int]]] = {}
        self._found: dict[Formula, int] = {}

    def where(self, formula: Formula) -> int:
        """The points at which a formula of the grid's variables, or of some of them, holds."""
        found = self._found.get(formula)
        if found is None:
            variables = tuple(each for each in self._columns if each in formula.variables)
            found = 0
            for sizes, mask in self._sizes_of(variables):
                if holds(formula, sizes):
                    found |= mask
            self._found[formula] = found
        return found

    def _sizes_of(self, variables: tuple[Variable, ...]) -> list[tuple[Remembering, int]]:
        """The sizes that some variables have together, and the points that have them."""
        found = self._alike.get(variables)
        if found is None:
            found = self._alike[variables] = []
            for chosen in product(*(self._columns[each] for each in variables)):
                mask = self.all
                for _, there in chosen:
                    mask &= there
                own = (size for size, _ in chosen)
                found.append((Remembering(dict(zip(variables, own, strict=True))), mask))
        return found


@lru_cache(maxsize=4)
def grid(variables: tuple[Variable, ...], sizes: tuple[tuple[int, ...], ...]) -> Grid:
    """The grid of all combinations of some sizes; the last few are kept, with what was looked up in them."""
    return Grid(variables, sizes)
