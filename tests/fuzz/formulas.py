"""Random claims under random assumptions, decided by the solver and by trying all small sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from support import strategies

from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula

MOST_TRIED = 1500
"""Largest number of assignments that are tried for one claim."""
CLAIMS = 100
"""Number of claims of one seed."""
SHAPES = [extents for rank in range(3) for extents in product(range(3), repeat=rank)]


class Wrong(AssertionError):
    """A verdict that some sizes contradict."""


def questions(number: int, counts: Counter[str]) -> None:
    """Decide the claims of one seed. Raises Wrong, with the smallest question that hypothesis finds."""

    @seed(number)
    @settings(
        max_examples=CLAIMS,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(claim=strategies.formulas, facts=st.lists(strategies.formulas, max_size=2))
    def ask(claim: Formula, facts: list[Formula]) -> None:
        _judge(claim, facts, counts)

    ask()


def _judge(claim: Formula, facts: Sequence[Formula], counts: Counter[str]) -> None:
    verdict = prove(claim, facts, budget=200_000)
    counts["claims"] += 1
    counts[f"claims {verdict.word}"] += 1
    if isinstance(verdict, Refuted):
        if holds(claim, verdict.sizes) or not all(holds(fact, verdict.sizes) for fact in facts):
            raise Wrong(f"{claim} under {facts} is refuted with {verdict.sizes}")
        return
    if not isinstance(verdict, Proved | Unreachable):
        return
    for sizes in _assignments(claim.variables.union(*(fact.variables for fact in facts))):
        counts["assignments"] += 1
        if all(holds(fact, sizes) for fact in facts) and (isinstance(verdict, Unreachable) or not holds(claim, sizes)):
            raise Wrong(f"{claim} under {facts} is {verdict.word}, but {sizes}")


def _assignments(variables: frozenset[Variable]) -> list[dict[Variable, int | tuple[int, ...]]]:
    """Yield all small assignments of few variables; for many variables, an affordable number of them."""
    ordered = sorted(variables, key=lambda variable: variable.text)
    ranges: list[Sequence[int | tuple[int, ...]]] = []
    for variable in ordered:
        if variable in strategies.SHAPE_VARIABLES.values():
            ranges.append(SHAPES)
        else:
            low = -3 if variable.lower is None else max(variable.lower, -3)
            high = 7 if variable.upper is None else min(variable.upper, 7)
            ranges.append(range(low, high + 1))
    while ranges and _product(ranges) > MOST_TRIED:
        longest = max(range(len(ranges)), key=lambda index: len(ranges[index]))
        ranges[longest] = ranges[longest][::2] if len(ranges[longest]) > 3 else ranges[longest][:1]
    return [dict(zip(ordered, chosen, strict=True)) for chosen in product(*ranges)]


def _product(ranges: Sequence[Sequence[object]]) -> int:
    whole = 1
    for each in ranges:
        whole *= len(each)
    return whole
