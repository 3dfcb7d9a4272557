"""Subsets of the facts, as they were stated, from which a claim may be proved that a solver gave up on under all.

A fact that has nothing to do with a proof may still hide it: a size that it replaces turns a product into a sum, and
one more equation leads to cases elsewhere. More facts shall not lose a proof, so the likeliest subsets are tried again.

Facts that were proved themselves are left out: a check among them may go, and what was proved with it would be open in
the program without it. Whatever is proved from such a subset is proved wherever the other facts hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification
from shapesolve.solver.verdicts import Proved, Solver, Unsatisfiable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import negation
from shapesolve.trace.events import Fact

MOST_LEFT_OUT = 6
"""Connected facts up to which each is left out once, the latest first."""

SHARE = 20
"""Divisor of the budget for a question under some of the facts."""

_Subset = tuple[int, ...]


def proof_from_subset(
    claim: Formula,
    facts: Sequence[Fact],
    active: Sequence[int],
    is_implied: Callable[[int], bool],
    solver: Solver,
    *,
    name: str,
    budget: int,
) -> Proved | None:
    """Return a proof of a claim from some of the facts, or None if none is found.

    Args:
        claim: The claim, not simplified by the facts.
        facts: All facts, by number.
        active: The numbers of those that hold.
        is_implied: Whether a fact was proved.
        solver: What is asked where propagation does not suffice.
        name: The name of the queries.
        budget: The solver steps for a question under all facts.
    """
    connected = [each for each in _connected(claim, facts, active) if not is_implied(each)]
    subsets = list(_subsets(claim, facts, connected))
    for subset in subsets:
        why = _propagated(claim, facts, subset)
        if why is not None:
            return Proved("propagation", why, facts)
    for subset in subsets:
        query = [(-1, negation(claim)), *((number, facts[number].formula) for number in subset)]
        answer = solver.check(query, name=f"{name}-fewer-facts", budget=budget // SHARE)
        if isinstance(answer, Unsatisfiable):
            return Proved(answer.strategy, tuple(sorted(answer.core - {-1})), facts)
    return None


def _connected(claim: Formula, facts: Sequence[Fact], active: Sequence[int]) -> list[int]:
    """Return the facts that share variables with a claim, or with one that does, in their order.

    More than a few are those that mention only variables of the claim.
    """
    variables, found = claim.variables, list[int]()
    while True:
        more = [each for each in active if not variables.isdisjoint(facts[each].formula.variables)]
        if len(more) > MOST_LEFT_OUT:
            return [each for each in active if facts[each].formula.variables <= claim.variables]
        if more == found:
            return found
        found = more
        variables = variables.union(*(facts[each].formula.variables for each in found))


def _subsets(claim: Formula, facts: Sequence[Fact], connected: Sequence[int]) -> Iterator[_Subset]:
    own = tuple(each for each in connected if facts[each].formula.variables <= claim.variables)
    tried = [(), own]
    if len(connected) <= MOST_LEFT_OUT:
        tried += [tuple(each for each in connected if each != left_out) for left_out in reversed(connected)]
    yield from dict.fromkeys(tried)


def _propagated(claim: Formula, facts: Sequence[Fact], subset: _Subset) -> Justification | None:
    propagator = Propagator()
    for number in subset:
        propagator.assume(facts[number].formula, number)
    return None if propagator.contradiction is not None else propagator.prove(claim)
