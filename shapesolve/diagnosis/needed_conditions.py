"""Conditions on the inputs that the refuted claims of a function need."""

from __future__ import annotations

from typing import NamedTuple

from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.simplification.simplify import parse_in
from shapesolve.solver.verdicts import Refuted, Undecided
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts, implies
from shapesolve.symbolic.scope import Scope
from shapesolve.trace.events import Obligation, Trace
from shapesolve.trace.visitor import enclosing_regions


class NeededConditions(NamedTuple):
    """Conditions under which the refuted claims of a function hold.

    Attributes:
        conditions: The conditions in the size language.
        necessary: Those that are violated only by sizes that fail.
        unsayable: The claims that no condition stands for.
        exact: Whether no smaller set of conditions would do, as far as is known.
    """

    conditions: dict[Formula, None]
    necessary: list[Formula]
    unsayable: list[Formula]
    exact: bool


def needed_conditions(function: FunctionReport, requirements: Requirements, scope: Scope) -> NeededConditions:
    """Return the conditions of the refuted claims, each where control reaches it, without those that others imply."""
    trace = function.trace
    paths = path_conditions(trace)
    needed: dict[Formula, None] = {}
    necessary: list[Formula] = []
    unsayable: list[Formula] = []
    in_loops: list[Obligation] = []
    conditional: list[Obligation] = []
    exact = all(each.requirements_known for each in function.approximations) and not any(
        isinstance(checked_obligation.verdict, Undecided) for checked_obligation in function.checked_obligations
    )
    for checked_obligation in function.checked_obligations:
        if not isinstance(checked_obligation.verdict, Refuted):
            continue
        claim = checked_obligation.obligation.claim
        path = paths[checked_obligation.obligation]
        whole = None if path is None else implies(path, claim)
        if whole is not None and is_printable(whole, trace, scope):
            needed.update(dict.fromkeys(conjuncts(whole)))
            necessary.append(whole)
        elif is_printable(claim, trace, scope):
            conditional.append(checked_obligation.obligation)
        elif (demand := requirements.on_inputs(checked_obligation.obligation)) is not None:
            needed.update(dict.fromkeys(conjuncts(demand)))
            necessary.append(demand)
            in_loops.append(checked_obligation.obligation)
        elif (demand := requirements.sufficient(checked_obligation)) is not None:
            needed.update(dict.fromkeys(conjuncts(demand)))
            exact = False
        else:
            unsayable.append(claim)
    known = list(necessary)
    if conditional:
        claims = {each.claim for each in conditional}
        known += (each for obligation in in_loops for each in requirements.equivalents_on_inputs(obligation, claims))
    for obligation in conditional:
        if function.deadline.passed or not requirements.holds_under(obligation, known):
            needed.update(dict.fromkeys(conjuncts(obligation.claim)))
            exact = False
    return NeededConditions(needed, necessary, unsayable, exact)


def path_conditions(trace: Trace) -> dict[Obligation, Formula | None]:
    """Return the condition under which each obligation is reached, None where that is not known exactly."""
    return {
        obligation: None if any(each.enter.approximate for each in around) else conjunction(e.condition for e in around)
        for obligation, around in enclosing_regions(trace).items()
    }


def is_printable(condition: Formula, trace: Trace, scope: Scope) -> bool:
    """Return whether a condition is one on the inputs that the size language can say."""
    inputs: set[Variable] = set(trace.input_variables)
    return condition.variables <= inputs and parse_in(str(condition), scope) is condition
