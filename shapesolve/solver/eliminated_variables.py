"""Eliminated variables, and the inputs that a query is about through them.

Hundreds of inputs may have one size, as after a chain of equalities. A search for small sizes sees such a group as one
size that counts as often as it has members: it finds the same sizes, and takes no longer than for one.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from itertools import islice

from shapesolve.records import value_record
from shapesolve.solver.alternatives import MOST_ASKED
from shapesolve.solver.models import Model
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.size_order import Counts
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import equal


@value_record
class QueryInputs:
    """The inputs that a query is about, in their order.

    Attributes:
        every: All of them.
        searched: Those of which the search gives each a size: one of each group, which is more than `MOST_ASKED` equal
            inputs, so that the influence of each is not examined.
        counts: How many inputs each of a group stands for.
        definitions: The definitions of those in ``searched`` that are eliminated.
        variables: The variables of the query.
    """

    every: tuple[Variable, ...]
    searched: tuple[Variable, ...]
    counts: Counts
    definitions: tuple[Formula, ...]
    variables: frozenset[Variable]


class EliminatedVariables:
    """The eliminated variables of a propagator, as it is now: equal to another variable, or to an expression."""

    def __init__(self, propagator: Propagator, inputs: Sequence[Variable]) -> None:
        self._simplifier = propagator.simplifier
        self._place = {each: number for number, each in enumerate(inputs)}
        self._state = (-1, -1)
        self._copies: list[Variable] = []
        self._originals: list[Variable] = []
        self._expressions: list[tuple[Variable, Dim]] = []
        self._mentioned = set[Variable]()  # in ``originals``
        self._alike: dict[Variable, list[Variable]] = {}
        """By variable, the inputs that are equal to it and have its bounds, in their order."""
        self._unlike: dict[Variable, list[Variable]] = {}
        """By variable, the inputs that are equal to it and have other bounds."""

    def complete(self, sizes: Model) -> None:
        """Give every eliminated variable the value of its definition."""
        self._update()
        sizes.update(zip(self._copies, map(sizes.__getitem__, self._originals), strict=True))
        for variable, size in self._expressions:
            sizes[variable] = evaluate(size, sizes)

    def inputs_of(self, variables: frozenset[Variable]) -> QueryInputs:
        """Return the inputs that a query with some variables is about."""
        self._update()
        place, solved = self._place, self._simplifier.solved
        searched = [each for each in variables if each in place and each not in solved]
        every = list(searched)
        defined: dict[Variable, Dim] = {}
        counts: dict[Variable, int] = {}
        first = dict[Variable, int]()
        for each in variables & (self._alike.keys() | self._unlike.keys()):
            alike, unlike = self._alike.get(each, []), self._unlike.get(each, [])
            every += alike + unlike
            if each in place and len(alike) >= MOST_ASKED:
                counts[each] = len(alike) + 1
                first[each] = min(place[each], place[alike[0]])
            else:
                defined.update(dict.fromkeys(alike, of_atom(each)))
            defined.update(dict.fromkeys(unlike, of_atom(each)))
        for each, size in self._expressions:
            if each in place and each.lower is not None and not variables.isdisjoint(size.variables):
                every.append(each)
                defined[each] = size
        searched += defined
        searched.sort(key=lambda each: first.get(each, place[each]))
        every.sort(key=place.__getitem__)
        definitions = tuple(equal(of_atom(each), defined[each]) for each in searched if each in defined)
        return QueryInputs(tuple(every), tuple(searched), counts, definitions, variables)

    def _update(self) -> None:
        """Look at the equalities if there are others now; where some were only added, at these."""
        simplifier = self._simplifier
        state = simplifier.version, simplifier.undone
        if state == self._state:
            return
        added = len(simplifier.solved) - len(self._copies)
        new = list(islice(reversed(simplifier.solved), added)) if added > 0 else []
        is_longer = state[1] == self._state[1] and not self._expressions
        if not is_longer or not self._mentioned.isdisjoint(new):
            self._copies, self._originals, self._expressions = [], [], []
            self._alike, self._unlike, self._mentioned = {}, {}, set[Variable]()
            new = list(reversed(simplifier.solved))
        for variable in reversed(new):
            self._add(variable, simplifier.atom(variable)[0])
        self._state = state

    def _add(self, variable: Variable, size: Dim) -> None:
        original = size.atom
        if not isinstance(original, Variable):
            self._expressions.append((variable, size))
            return
        self._copies.append(variable)
        self._originals.append(original)
        self._mentioned.add(original)
        if variable in self._place and variable.lower is not None:
            is_alike = (variable.lower, variable.upper) == (original.lower, original.upper)
            group = (self._alike if is_alike else self._unlike).setdefault(original, [])
            insort(group, variable, key=self._place.__getitem__)
