"""Assumptions on the inputs, believed at a program point as far as they agree with the checks before it.

Where assumptions and checks contradict each other, everything follows and nothing is proved. Without the checks, or
without all assumptions, a claim may not follow although it follows from some of each. So the checks are believed first,
then one assumption after another that agrees with what is believed by then, in several orders. Lower bounds of single
variables (``--min-size 2``, ``n >= 5``) are weakened together to the largest bound that agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved, Unreachable, Verdict
from shapesolve.symbolic.formula_kinds import TRUE, IsNonNegative
from shapesolve.symbolic.formulas import is_non_negative
from shapesolve.trace.events import Fact

MOST_ORDERS = 8
"""The number of orders that are tried for one claim."""


class LateAssumptions:
    """The assumptions on the inputs of one function, to be believed where they agree with the rest."""

    def __init__(self, assumptions: Sequence[Fact]) -> None:
        stated = [each for each in dict.fromkeys(assumptions) if each.formula is not TRUE]
        self._bounds = [each for each in stated if _bound(each) > 1]
        self._most = max(map(_bound, self._bounds), default=0)
        self._others = [each for each in stated if each not in self._bounds]

    def verdict(self, prover: Prover, ask: Callable[[], Verdict]) -> Verdict:
        """Return the verdict under the assumptions that agree with the prover's facts: a proof if some order gives one.

        Args:
            ask: Asks the prover.
        """
        if isinstance(prover.reachable(), Unreachable):
            return ask()
        first: Verdict | None = None
        for order in self._orders():
            prover.enter(None)
            all_agree = self._believe(prover, order)
            verdict = ask()
            prover.leave(None)
            if all_agree or isinstance(verdict, Proved):
                return verdict
            first = verdict if first is None else first
        return ask() if first is None else first

    def _orders(self) -> Sequence[Sequence[Fact | None]]:
        """Return orders of the assumptions; None stands for the weakened lower bounds."""
        others = self._others
        turned = [[*others[at:], *others[:at]] for at in range(min(len(others), MOST_ORDERS - 1) or 1)]
        if not self._bounds:
            return turned
        return [[*turned[0], None], *([None, *each] for each in turned)]

    def _believe(self, prover: Prover, order: Sequence[Fact | None]) -> bool:
        """Assume what agrees; return whether that is everything, unweakened."""
        all_agree = True
        for each in order:
            agrees = self._believe_bounds(prover) if each is None else _assume_if_agreeing(prover, [each])
            all_agree = all_agree and agrees
        if not all_agree:
            for each in self._bounds:
                _assume_if_agreeing(prover, [each])
        return all_agree

    def _believe_bounds(self, prover: Prover) -> bool:
        """Assume the lower bounds, cut at the largest number at which they agree; return whether none was cut."""
        low, high = 0, self._most  # those cut at 0 say nothing: sizes are not negative
        if _assume_if_agreeing(prover, self._bounds):
            return True
        while high - low > 1:
            middle = (low + high) // 2
            if _agree(prover, self._cut(middle)):
                low = middle
            else:
                high = middle
        if low:
            _assume_if_agreeing(prover, self._cut(low))
        return False

    def _cut(self, most: int) -> list[Fact]:
        return [_at_most(each, most) for each in self._bounds]


def _bound(fact: Fact) -> int:
    """Return k where a fact says that a variable is at least k; 0 for other facts."""
    formula = fact.formula
    if not isinstance(formula, IsNonNegative) or len(formula.size.terms) != 1:
        return 0
    ((monomial, factor),) = formula.size.terms
    is_plain = factor == 1 and monomial.single is not None and len(formula.variables) == 1
    return max(-formula.size.constant, 0) if is_plain else 0


def _at_most(fact: Fact, most: int) -> Fact:
    excess = max(_bound(fact) - most, 0)
    assert isinstance(fact.formula, IsNonNegative)
    return replace(fact, formula=is_non_negative(fact.formula.size + excess)) if excess else fact


def _agree(prover: Prover, facts: Sequence[Fact]) -> bool:
    """Return whether some sizes that reach this point satisfy the facts."""
    prover.enter(None)
    for each in facts:
        prover.assume(each)
    agree = not isinstance(prover.reachable(), Unreachable)
    prover.leave(None)
    return agree


def _assume_if_agreeing(prover: Prover, facts: Sequence[Fact]) -> bool:
    agree = _agree(prover, facts)
    if agree:
        for each in facts:
            prover.assume(each)
    return agree
