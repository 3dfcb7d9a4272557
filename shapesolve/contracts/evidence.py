"""Evidence for each condition of a contract: who needs it, sizes that break it alone, and that it is needed."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.cases import follows_by_cases
from shapesolve.contracts.contract import Condition
from shapesolve.contracts.demands import Demand
from shapesolve.contracts.enough import LONGEST, enough, huge_for, none_exceeds
from shapesolve.contracts.shortest import said
from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import Formula, conjuncts
from shapesolve.language.parsing import Scope
from shapesolve.proving.verdicts import Proved, Refuted, Sizes

_BUDGET = 300_000


def with_evidence(
    conditions: Sequence[Formula],
    needed: Sequence[Demand],
    known: Sequence[Formula],
    inputs: Sequence[Variable],
    scope: Scope,
) -> tuple[Condition, ...]:
    """The conditions with what speaks for each. What follows from the others is left out."""
    kept = list(conditions)
    found: list[Condition] = []
    for formula in conditions:
        others = [*known, *(each for each in kept if each is not formula)]
        verdict = _verdict(formula, others)
        if isinstance(verdict, Proved):
            kept = [each for each in kept if each is not formula]
            continue
        witness = _completed(verdict.sizes, inputs) if isinstance(verdict, Refuted) else None
        failing = [] if witness is None else [each for each in needed if not holds(each.formula, witness)]
        needers = [each for each in needed if each in failing or _needs(each, formula, others)]
        text, below = said(formula, scope), _holds_below(formula, known)
        found.append(
            Condition(
                formula,
                text,
                tuple(each.obligation for each in needers),
                witness if any(each.exact for each in failing) else None,
                tuple(each.obligation for each in failing if each.exact),
                _is_necessary(formula, needed, known),
                below,
                () if below is None or len(text) <= LONGEST else _enough(formula, known, scope),
            )
        )
    return tuple(sorted(found, key=_place))


def _place(condition: Condition) -> tuple[int, int, int]:
    """Conditions stand in the order of what needs them, and plain ones before longer ones."""
    line, column = min(((each.location.line, each.location.column) for each in condition.needed_by), default=(0, 0))
    return line, column, len(condition.text)


def _needs(demand: Demand, condition: Formula, others: Sequence[Formula]) -> bool:
    """Whether an obligation does not hold by the others alone, but does with the condition."""
    if not demand.formula.variables & condition.variables:
        return False
    return not isinstance(_verdict(demand.formula, others), Proved)


def _is_necessary(condition: Formula, needed: Sequence[Demand], known: Sequence[Formula]) -> bool:
    exact = [each.formula for each in needed if each.exact]
    near = [each for each in exact if each.variables & condition.variables]
    return any(follows_by_cases(condition, [*known, *some], _BUDGET) for some in (near, exact))


def _holds_below(condition: Formula, known: Sequence[Formula]) -> int | None:
    bound = huge_for(condition)
    if bound is None:
        return None
    small = none_exceeds(condition, bound)
    return bound if isinstance(_verdict(condition, [*known, *small]), Proved) else None


def _enough(condition: Formula, known: Sequence[Formula], scope: Scope) -> tuple[str, ...]:
    found = enough(condition, known)
    return () if found is None else tuple(said(each, scope) for each in conjuncts(found))


def _completed(sizes: Sizes, inputs: Sequence[Variable]) -> Sizes:
    """The sizes, with any for what they leave open."""
    whole: dict[Variable, int | tuple[int, ...]] = dict(sizes)
    for variable in inputs:
        if variable not in whole:
            whole[variable] = (2,) if isinstance(variable, ShapeSymbol) else _any(variable)
    return whole


def _any(variable: Variable) -> int:
    least = 2 if variable.lower is None else max(2, variable.lower)
    return least if variable.upper is None else min(least, variable.upper)


def _verdict(claim: Formula, premises: Sequence[Formula]) -> object:
    from shapesolve.solving import prove

    return prove(claim, premises, budget=_BUDGET)
