"""What a claim on elements or iterations asks of the inputs, where that is all that it takes."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from shapesolve.contracts.demands import Demand, demands
from shapesolve.judging.report import FunctionReport
from shapesolve.language.formulas import FALSE, TRUE, Formula, conjuncts
from shapesolve.walking.interpreting import Around, surroundings
from shapesolve.walking.obligations import Obligation

_BUDGET = 300_000

_demands: WeakKeyDictionary[FunctionReport, dict[bool, Mapping[Obligation, Demand]]] = WeakKeyDictionary()
"""What is demanded of the ends of loops (False), and of all of their iterations (True), where somebody asked."""
_around: WeakKeyDictionary[FunctionReport, Mapping[Obligation, Around]] = WeakKeyDictionary()


def demanded_of_inputs(function: FunctionReport, obligation: Obligation) -> Formula | None:
    """What a claim that is about more than the inputs asks of them, where exactly that makes it hold; else None."""
    if function not in _around:
        _around[function] = surroundings(function.trace)
    there = [each.enter.condition.formula for each in _around[function][obligation] if each.enter.condition is not None]
    known = [*there, *(fact.formula for fact in function.assumptions)]
    for of_all in (False, True):
        demand = _stated(function, of_all).get(obligation)
        if demand is None or not demand.exact or demand.formula in (TRUE, FALSE):
            continue
        if all(_follows(part, [demand.formula, *known]) for part in conjuncts(obligation.claim)):
            return demand.formula
    return None


def _stated(function: FunctionReport, of_all: bool) -> Mapping[Obligation, Demand]:
    found = _demands.setdefault(function, {})
    if of_all not in found:
        found[of_all] = demands(function.trace, of_all=of_all)
    return found[of_all]


def _follows(claim: Formula, premises: list[Formula]) -> bool:
    from shapesolve.solving import follows

    return follows(claim, premises, budget=_BUDGET)
