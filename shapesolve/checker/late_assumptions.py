"""Assumptions on the inputs, believed at a program point as far as they agree with the checks before it.

Where assumptions and checks contradict each other, everything follows and nothing is proved. Without the checks, or
without all assumptions, a claim may not follow although it follows from some of each. So the checks are believed first,
then one assumption after another that agrees with what is believed by then. Which ones these are depends on the order:
each assumption that is rejected is tried earlier, alone and with others that were. Every set of assumptions that agree
is part of one that is tried, unless there are too many: further assumptions prove no less.

Lower bounds of single variables (``--min-size 2``, ``n >= 5``) are weakened where they contradict the rest: they are
raised together, and each as far as it agrees.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Proved, Unreachable, Verdict
from shapesolve.symbolic.formula_kinds import TRUE, IsNonNegative
from shapesolve.symbolic.formulas import is_non_negative
from shapesolve.trace.events import Fact

MOST_ORDERS = 12
"""The number of orders that are tried for one claim."""


class LateAssumptions:
    """The assumptions on the inputs of one function, to be believed where they agree with the rest."""

    def __init__(self, assumptions: Sequence[Fact]) -> None:
        self._stated = [each for each in dict.fromkeys(assumptions) if each.formula is not TRUE]

    def verdict(self, prover: Prover, ask: Callable[[], Verdict]) -> Verdict:
        """Return the verdict under the assumptions that agree with the prover's facts: a proof if some order gives one.

        Args:
            ask: Asks the prover.
        """
        if isinstance(prover.reachable(), Unreachable):
            return ask()
        first: Verdict | None = None
        orders = deque[frozenset[Fact]]([frozenset()])
        tried = 0
        seen = set(orders)
        while orders and tried < MOST_ORDERS:
            preferred = orders.popleft()
            prover.enter(None)
            rejected = self._believe(prover, preferred)
            verdict = ask()
            prover.leave(None)
            if isinstance(verdict, Proved):
                return verdict
            first, tried = verdict if first is None else first, tried + 1
            more = dict.fromkeys(preferred | {each} for each in rejected if each not in preferred)
            orders.extend(each for each in more if each not in seen)
            seen.update(more)
        assert first is not None
        return first

    def _believe(self, prover: Prover, preferred: Collection[Fact]) -> list[Fact]:
        """Assume what agrees, preferred assumptions first; return those that do not, or not unweakened."""
        if _assume_if_agreeing(prover, self._stated):
            return []
        rejected: list[Fact] = []
        for chosen in ([each for each in self._stated if (each in preferred) is wanted] for wanted in (True, False)):
            bounds = [each for each in chosen if _bound(each) > 1]
            rejected += [each for each in chosen if each not in bounds and not _assume_if_agreeing(prover, [each])]
            rejected += _believe_bounds(prover, bounds)
        return rejected


def _believe_bounds(prover: Prover, bounds: Sequence[Fact]) -> list[Fact]:
    """Assume lower bounds, raised together, each as far as it agrees; return those that had to be weakened."""
    rising, rejected, level = list(bounds), list[Fact](), 0
    while rising and not _assume_if_agreeing(prover, rising):
        level = _assume_largest(prover, rising, level)
        stuck = [each for each in rising if not _assume_if_agreeing(prover, [_at_most(each, level + 1)])]
        rejected += stuck
        rising = [each for each in rising if each not in stuck and _bound(each) > level + 1]
        level += 1
    return rejected


def _assume_largest(prover: Prover, bounds: Sequence[Fact], low: int) -> int:
    """Assume the bounds cut at the largest number at which they agree; they do at ``low``, and not uncut."""
    agreeing, high = low, max(map(_bound, bounds))
    while high - agreeing > 1:
        middle = (agreeing + high) // 2
        if _agree(prover, [_at_most(each, middle) for each in bounds]):
            agreeing = middle
        else:
            high = middle
    if agreeing > low:
        _assume_if_agreeing(prover, [_at_most(each, agreeing) for each in bounds])
    return agreeing


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
