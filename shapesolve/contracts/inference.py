"""Finds contracts: what is demanded and not proved, in few and short conditions, checked until nothing fails.

Evidence for each condition of a contract: who needs it, sizes that break it alone, and that it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from shapesolve.checker.check import check_function
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.judge import Progress
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.contract import Condition, ContractReport, FunctionContract
from shapesolve.contracts.weakest_preconditions import Precondition, sufficient_preconditions, weakest_preconditions
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.program import Function, Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import check_addressed, chosen
from shapesolve.shape_functions.rulebooks import library_notes
from shapesolve.simplification.arithmetic import excluded
from shapesolve.simplification.simplify import LONGEST, bounded_by, huge_for, said, shortest, sufficient_bound
from shapesolve.solver.entailment import follows_by_cases
from shapesolve.solver.verdicts import Obstacle, Proved, Refuted, Undecided
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import Sizes, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, Or
from shapesolve.symbolic.formulas import at_least, conjuncts, disjunction
from shapesolve.symbolic.scope import Scope
from shapesolve.trace.events import Trace

MOST_ROUNDS = 4
"""What fails under the conditions found so far adds to them, as often as this."""

_HUGE = 2**24
_UNKNOWABLE = (Obstacle.FACTS, Obstacle.PRESUMPTION)
"""Obstacles that no condition on the inputs takes away."""


def contracts_of_program(program: Program, options: Options, progress: Progress | None = None) -> ContractReport:
    """The contract of every entry point of a program. Nothing is executed. Raises InputError."""
    check_addressed(program, (*options.assumptions, *options.shapes))
    program = replace(program, notes=program.notes + library_notes(program, options))
    found = tuple(contract_of(program, each, options, progress) for each in chosen(program, options.functions))
    return ContractReport(program, found, options.min_size, options.max_size)


@dataclass(slots=True)
class _Search:
    """What is known of a function so far. ``needed`` are the demands that were not proved."""

    program: Program
    function: Function
    options: Options
    progress: Progress | None
    needed: dict[str, Precondition]

    def checked(self, texts: Sequence[str]) -> FunctionReport:
        assumed = (*self.options.assumptions, *texts)
        return check_function(self.program, self.function, replace(self.options, assumptions=assumed), self.progress)


def contract_of(
    program: Program, function: Function, options: Options, progress: Progress | None = None
) -> FunctionContract:
    """The contract of one function. Raises InputError for assumptions that are not of the size language."""
    search = _Search(program, function, replace(options, execute=False, certify=False), progress, {})
    report = last = search.checked(())
    known = [fact.formula for fact in report.assumptions]
    scope = scope_of(report.trace)

    @cache
    def stated(of_all: bool) -> Mapping[str, Precondition]:
        return {each.identity: demand for each, demand in weakest_preconditions(report.trace, of_all=of_all).items()}

    conditions: list[Formula] = []
    for _ in range(MOST_ROUNDS):
        if not any(_learn(search, last, stated(of_all)) for of_all in (False, True)):
            break
        exact = [each.formula for each in search.needed.values() if each.exact]
        if any(each is FALSE for each in exact) or (exact and excluded(exact, known)):
            return FunctionContract(report, report, (), True, ())
        conditions = shortest([each.formula for each in search.needed.values()], known, scope)
        try:
            last = search.checked([said(each, scope) for each in conditions])
        except InputError:  # the words are taken: a name of a size hides another
            return FunctionContract(report, report, (), False, _open(report))
        if last.contradiction:
            conditions, last = [], report
            break
    left = _open(last)
    if left and not last.unchecked:
        more = _whatever(search, report.trace, left, scope)
        if more is not None:
            conditions, last, left = *more, ()
    needed = list(search.needed.values())
    found = with_evidence(conditions, needed, known, report.trace.input_variables, scope)
    return FunctionContract(report, last, found, False, left, tuple(needed))


def _whatever(
    search: _Search, trace: Trace, open: Sequence[CheckedObligation], scope: Scope
) -> tuple[list[Formula], FunctionReport] | None:
    """Conditions under which all is proved, whatever that is on which the rest depends, and the check under them.

    None where there are none, or only for sizes that are huge, or less than 2: that there is nothing is no answer.
    """
    known = [fact.formula for fact in trace.assumptions]
    identities = {each.obligation.identity for each in open}
    wanted = [each for each in trace.obligations if each.identity in identities]
    more = sufficient_preconditions(trace, wanted)
    if len(more) < len(wanted):
        return None
    needed = dict(search.needed)
    for each in more.values():
        before = needed.get(each.obligation.identity)
        needed[each.obligation.identity] = each if before is None else before.and_also(each)
    formulas = [each.formula for each in needed.values()]
    if excluded([*formulas, *_usual(trace)], known):
        return None
    conditions = shortest(formulas, known, scope)
    if not all(each.exact for each in more.values()):
        conditions = shortest([_for_usual(each, [*known, *_usual(trace)]) for each in conditions], known, scope)
    try:
        last = search.checked([said(each, scope) for each in conditions])
    except InputError:
        return None
    if last.contradiction or _open(last):
        return None
    search.needed = needed
    return conditions, last


def _usual(trace: Trace) -> list[Formula]:
    """That sizes are such as programs are run with."""
    sizes = [each for each in trace.input_variables if not isinstance(each, ShapeSymbol)]
    several = [at_least(of_atom(each), 2) for each in sizes if each.lower == 0]
    return several + [at_least(_HUGE, of_atom(each)) for each in sizes]


def _for_usual(condition: Formula, usual: Sequence[Formula]) -> Formula:
    """The condition without the alternatives that are for no usual sizes: nobody misses them where it is enough."""
    if not isinstance(condition, Or):
        return condition
    return disjunction([each for each in condition.parts if not excluded([each], usual)] or condition.parts)


def _learn(search: _Search, report: FunctionReport, stated: Mapping[str, Precondition]) -> bool:
    """Add what is not proved to what is needed, where that is stated; whether there was anything."""
    is_new = False
    for judgement in report.judgements:
        demand = stated.get(judgement.obligation.identity)
        if demand is None or demand.formula is TRUE or not _matters(judgement):
            continue
        before = search.needed.get(demand.obligation.identity)
        whole = demand if before is None else before.and_also(demand)
        if before is None or whole.formula is not before.formula:
            search.needed[demand.obligation.identity] = whole
            is_new = True
    return is_new


def _matters(judgement: CheckedObligation) -> bool:
    verdict = judgement.verdict
    return isinstance(verdict, Refuted) or (isinstance(verdict, Undecided) and verdict.obstacle not in _UNKNOWABLE)


def _open(report: FunctionReport) -> tuple[CheckedObligation, ...]:
    return tuple(each for each in report.judgements if isinstance(each.verdict, Refuted | Undecided))


_BUDGET = 300_000


def with_evidence(
    conditions: Sequence[Formula],
    needed: Sequence[Precondition],
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


def _needs(demand: Precondition, condition: Formula, others: Sequence[Formula]) -> bool:
    """Whether an obligation does not hold by the others alone, but does with the condition."""
    if not demand.formula.variables & condition.variables:
        return False
    return not isinstance(_verdict(demand.formula, others), Proved)


def _is_necessary(condition: Formula, needed: Sequence[Precondition], known: Sequence[Formula]) -> bool:
    exact = [each.formula for each in needed if each.exact]
    near = [each for each in exact if each.variables & condition.variables]
    return any(follows_by_cases(condition, [*known, *some], _BUDGET) for some in (near, exact))


def _holds_below(condition: Formula, known: Sequence[Formula]) -> int | None:
    bound = huge_for(condition)
    if bound is None:
        return None
    small = bounded_by(condition, bound)
    return bound if isinstance(_verdict(condition, [*known, *small]), Proved) else None


def _enough(condition: Formula, known: Sequence[Formula], scope: Scope) -> tuple[str, ...]:
    found = sufficient_bound(condition, known)
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
    from shapesolve.solver.entailment import prove

    return prove(claim, premises, budget=_BUDGET)
