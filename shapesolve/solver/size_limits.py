"""Proofs of a claim for all sizes up to a limit, where larger sizes leave it open.

Floats hold integers exactly only up to a limit, and narrow integers hold none beyond one; a program that computes with
its sizes in them is therefore known for sizes below it. The claims of one function mostly have one limit in common, so
the limit of an earlier claim is tried first. A proof uses the facts about what the claim mentions, and no others:
claims that differ in names alone are then one query, and facts about other values do not slow it down.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.verdicts import SizeLimit, Solver, Unsatisfiable
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, negation

SEEN = 15
"""Binary logarithm of the largest believable size; a limit below it matters in practice."""

LEAST, GREATEST = 11, 31
"""The binary logarithms of the least and the greatest limit that are tried."""

MOST_FRUITLESS = 3
"""Number of consecutive claims without a limit after which none is searched for."""

MOST_FACTS = 200
"""Largest number of facts about one variable that are examined."""

SHARE = 20
"""Divisor of the budget of a claim for one query."""


class SizeLimits:
    """Search for limits at the current program point of a prover.

    Args:
        inputs: The variables that are limited.
        budget: The budget of a claim.
    """

    def __init__(self, propagator: Propagator, solver: Solver, inputs: Sequence[Variable], budget: int) -> None:
        self._propagator = propagator
        self._solver = solver
        self._inputs = inputs
        self._budget = budget
        self._known: int | None = None
        self._left = MOST_FRUITLESS

    @property
    def is_expected(self) -> bool:
        """Return whether an earlier claim had a limit, and the last ones as well."""
        return self._known is not None and self._left > 0

    def limit(self, claim: Formula, unknown: Collection[Variable], name: str) -> SizeLimit | None:
        """Return a limit up to which a claim is proved, or None.

        Args:
            claim: The claim, simplified under the facts.
            unknown: The variables that stand for values which are only partly known.
        """
        if self._left <= 0:
            return None
        search = _Search(self, claim, unknown, name)
        exponents = (SEEN, LEAST) if self._known is None else (self._known, SEEN, LEAST)
        for exponent in dict.fromkeys(exponents):
            found = search.proved(exponent)
            if found is None:
                continue
            if exponent == SEEN != self._known:
                exponent, found = search.raised(exponent, found, below=self._known or GREATEST + 1)
            self._left, self._known = MOST_FRUITLESS, exponent
            return SizeLimit(2**exponent, found)
        self._left -= 1
        return None

    def about(self, claim: Formula, unknown: Collection[Variable]) -> list[Formula]:
        """Return the facts on the variables of a claim and on those that bound its unknown values."""
        own = sorted(claim.variables, key=lambda each: each.text)
        defining = {fact: None for each in own if each in unknown for fact in self._facts_on(each)}
        variables = claim.variables.union(*(fact.variables for fact in defining))
        ordered = sorted(variables, key=lambda each: each.text)
        facts = dict.fromkeys(fact for each in ordered for fact in self._facts_on(each))
        return [fact for fact in facts if fact.variables <= variables]

    def _facts_on(self, variable: Variable) -> list[Formula]:
        return list(islice(self._propagator.constraints_on(variable), MOST_FACTS))

    def limited(self, variables: frozenset[Variable]) -> list[tuple[Variable, Dim]]:
        """Return the inputs that are among some variables or defined by them, with their sizes in these."""
        found: list[tuple[Variable, Dim]] = []
        for each in self._inputs:
            definition = self._propagator.definition(each)
            size = of_atom(each) if definition is None else definition[0]
            if not isinstance(each, ShapeSymbol) and size.variables & variables:
                found.append((each, size))
        return found

    def refuted(self, query: Sequence[tuple[int, Formula]], name: str) -> frozenset[int] | None:
        """Return the labels of formulas of a query that contradict each other, or None if that is not proved."""
        answer = self._solver.check(query, name=f"{name}-limited", budget=self._budget // SHARE)
        return answer.core if isinstance(answer, Unsatisfiable) else None


class _Search:
    """The search for the limit of one claim."""

    def __init__(self, limits: SizeLimits, claim: Formula, unknown: Collection[Variable], name: str) -> None:
        self._limits = limits
        self._name = name
        facts = limits.about(claim, unknown)
        self._query = list(enumerate([negation(claim), *facts]))
        self._sizes = limits.limited(claim.variables.union(*(fact.variables for fact in facts)))

    def proved(self, exponent: int) -> Formula | None:
        """Return the condition under which the claim is proved with this limit, or None."""
        first = len(self._query)
        limits = [(first + number, at_least(2**exponent, size)) for number, (_, size) in enumerate(self._sizes)]
        core = self._limits.refuted([*self._query, *limits], self._name)
        if core is None:
            return None
        needed = [each for number, (each, _) in enumerate(self._sizes, first) if number in core]
        return conjunction(at_least(2**exponent, of_atom(each)) for each in needed) if needed else None

    def raised(self, exponent: int, found: Formula, below: int) -> tuple[int, Formula]:
        """Return the greatest limit that bisection finds below one, starting from one that is proved."""
        while exponent + 1 < below:
            middle = (exponent + below) // 2
            more = self.proved(middle)
            if more is None:
                below = middle
            else:
                exponent, found = middle, more
        return exponent, found
