"""Inference of contracts: unproved preconditions as few and short conditions, checked until nothing fails.

Each condition comes with evidence: the obligations that need it, sizes that break it alone, and whether it is
necessary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from shapesolve.checker.check import check_function
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.obligation_checker import Progress
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.contract import Condition, ContractReport, FunctionContract, with_every_input
from shapesolve.contracts.export_conditions import with_export_conditions
from shapesolve.contracts.weakest_preconditions import Precondition, sufficient_preconditions, weakest_preconditions
from shapesolve.deadline import current
from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.program import Function, Program
from shapesolve.options import Options
from shapesolve.preconditions.functions import check_addressed, chosen
from shapesolve.shape_functions.registries import library_notes
from shapesolve.simplification.arithmetic import are_contradictory
from shapesolve.simplification.simplify import (
    LONGEST,
    bounded_by,
    condition_text,
    condition_texts,
    huge_for,
    shortest,
    sufficient_bound,
)
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails_by_cases, prove
from shapesolve.solver.overflow_proofs import find_overflow_proofs
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, UndecidedReason
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, Or
from shapesolve.symbolic.formulas import at_least, conjuncts, disjunction
from shapesolve.symbolic.scope import Scope
from shapesolve.trace.events import Trace

MOST_ROUNDS = 4
"""Largest number of checks: what fails under the conditions found so far adds to them."""

_HUGE = 2**24
_UNKNOWABLE = (UndecidedReason.FACTS, UndecidedReason.OVERFLOW, UndecidedReason.COMMAND)
"""Undecided reasons that no condition on the inputs removes."""


def contracts_of_program(program: Program, options: Options, progress: Progress | None = None) -> ContractReport:
    """Infer the contract of every entry point of a program. Nothing is executed.

    Raises:
        InputError: The assumptions cannot be read.
    """
    check_addressed(program, (*options.assumptions, *options.shapes))
    program = replace(program, notes=program.notes + library_notes(program, options))
    functions: list[FunctionContract] = []
    for each in chosen(program, options.functions):

        def infer(others: Options, function: Function = each) -> FunctionContract:
            return contract_of(program, function, others, progress)

        found = with_export_conditions(program, infer(options), options, infer)
        find_overflow_proofs(found.report.trace)
        functions.append(found)
    return ContractReport(program, tuple(functions), options.min_size, options.max_size)


@dataclass(slots=True)
class _Search:
    """State of the inference for one function.

    Attributes:
        needed: The preconditions that were not proved, by obligation.
    """

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
    """Infer the contract of one function.

    Raises:
        InputError: An assumption is not in the size language.
    """
    search = _Search(program, function, replace(options, execute=False, certify=False), progress, {})
    report = last = search.checked(())
    known = [fact.formula for fact in report.assumptions]
    scope = scope_of(report.trace)

    @cache
    def stated(all_iterations: bool) -> Mapping[str, Precondition]:
        return {
            each.identity: demand
            for each, demand in weakest_preconditions(report.trace, all_iterations=all_iterations).items()
        }

    conditions: list[Formula] = []
    for _ in range(MOST_ROUNDS):
        if not any(_add_unproved(search, last, stated(all_iterations)) for all_iterations in (False, True)):
            break
        exact = [each.formula for each in search.needed.values() if each.exact]
        if any(each is FALSE for each in exact) or (exact and are_contradictory(exact, known)):
            return FunctionContract(report, report, (), True, ())
        conditions = shortest([each.formula for each in search.needed.values()], known, scope)
        try:
            last = search.checked(condition_texts(conditions, scope))
        except InputError:  # the words are taken: a name of a size hides another
            return FunctionContract(report, report, (), False, _open(report))
        if last.contradiction:
            conditions, last = [], report
            break
    left = _open(last)
    if left and not last.unchecked:
        more = _sufficient_conditions(search, report.trace, left, scope)
        if more is not None:
            conditions, last, left = *more, ()
    needed = list(search.needed.values())
    found = with_evidence(conditions, needed, known, report.trace.input_variables, scope)
    return FunctionContract(report, last, found, False, left, tuple(needed))


def _sufficient_conditions(
    search: _Search, trace: Trace, open: Sequence[CheckedObligation], scope: Scope
) -> tuple[list[Formula], FunctionReport] | None:
    """Return conditions that are sufficient for every value of the unmodeled variables, and the check under them.

    None if there are none, or only for sizes that are huge, or less than 2: an empty range is no answer.
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
    if are_contradictory([*formulas, *ordinary_sizes(trace)], known):
        return None
    conditions = shortest(formulas, known, scope)
    if not all(each.exact for each in more.values()):
        conditions = shortest(
            [_for_ordinary_sizes(each, [*known, *ordinary_sizes(trace)]) for each in conditions], known, scope
        )
    try:
        last = search.checked(condition_texts(conditions, scope))
    except InputError:
        return None
    if last.contradiction or _open(last):
        return None
    search.needed = needed
    return conditions, last


def ordinary_sizes(trace: Trace) -> list[Formula]:
    """Return that sizes are such as programs are run with."""
    sizes = [each for each in trace.input_variables if not isinstance(each, ShapeSymbol)]
    several = [at_least(of_atom(each), 2) for each in sizes if each.lower == 0 and not each.is_bit]
    return several + [at_least(_HUGE, of_atom(each)) for each in sizes]


def _for_ordinary_sizes(condition: Formula, usual: Sequence[Formula]) -> Formula:
    """Return the condition without the alternatives for unusual sizes only: they are not missed if it suffices."""
    if not isinstance(condition, Or):
        return condition
    return disjunction([each for each in condition.parts if not are_contradictory([each], usual)] or condition.parts)


def _add_unproved(search: _Search, report: FunctionReport, stated: Mapping[str, Precondition]) -> bool:
    """Add unproved obligations whose precondition is stated to the needed ones; return whether there were any."""
    is_new = False
    for checked_obligation in report.checked_obligations:
        demand = stated.get(checked_obligation.obligation.identity)
        if demand is None or demand.formula is TRUE or not _matters(checked_obligation):
            continue
        before = search.needed.get(demand.obligation.identity)
        whole = demand if before is None else before.and_also(demand)
        if before is None or whole.formula is not before.formula:
            search.needed[demand.obligation.identity] = whole
            is_new = True
    return is_new


def _matters(checked_obligation: CheckedObligation) -> bool:
    verdict = checked_obligation.verdict
    return isinstance(verdict, Refuted) or (isinstance(verdict, Undecided) and verdict.reason_kind not in _UNKNOWABLE)


def _open(report: FunctionReport) -> tuple[CheckedObligation, ...]:
    return tuple(each for each in report.checked_obligations if isinstance(each.verdict, Refuted | Undecided))


def with_evidence(
    conditions: Sequence[Formula],
    needed: Sequence[Precondition],
    known: Sequence[Formula],
    inputs: Sequence[Variable],
    scope: Scope,
) -> tuple[Condition, ...]:
    """Return the conditions with their evidence, without those that follow from the others.

    What is not decided before the deadline is claimed by none: a condition is kept, and named as needed by those
    obligations only that are shown to fail without it.
    """
    kept = list(conditions)
    found: list[Condition] = []
    for formula in conditions:
        others = [*known, *(each for each in kept if each is not formula)]
        verdict = _verdict(formula, others)
        if isinstance(verdict, Proved):
            kept = [each for each in kept if each is not formula]
            continue
        witness = with_every_input(verdict.sizes, inputs) if isinstance(verdict, Refuted) else None
        failing = [] if witness is None else [each for each in needed if not holds(each.formula, witness)]
        needers = [each for each in needed if each in failing or _needs(each, formula, others)]
        is_necessary = _is_necessary(formula, needed, known)
        text, below = condition_text(formula, scope), _holds_below(formula, known)
        found.append(
            Condition(
                formula,
                text,
                tuple(each.obligation for each in needers),
                witness if any(each.exact for each in failing) else None,
                tuple(each.obligation for each in failing if each.exact),
                is_necessary,
                below,
                () if below is None or len(text) <= LONGEST else _sufficient_texts(formula, known, scope),
                is_in_time=not current().passed,
            )
        )
    texts = condition_texts([each.formula for each in found], scope)
    with_texts = (replace(each, text=text) for each, text in zip(found, texts, strict=True))
    return tuple(sorted(with_texts, key=_place))


def _place(condition: Condition) -> tuple[int, int, int]:
    """Return a sort key: by the location of what needs the condition, shorter conditions first."""
    line, column = min(((each.location.line, each.location.column) for each in condition.needed_by), default=(0, 0))
    return line, column, len(condition.text)


def _needs(demand: Precondition, condition: Formula, others: Sequence[Formula]) -> bool:
    """Return whether a precondition shares variables with the condition and does not hold by the others alone."""
    if current().passed or not demand.formula.variables & condition.variables:
        return False
    return not isinstance(_verdict(demand.formula, others), Proved) and not current().passed


def _is_necessary(condition: Formula, needed: Sequence[Precondition], known: Sequence[Formula]) -> bool:
    exact = [each.formula for each in needed if each.exact]
    near = [each for each in exact if each.variables & condition.variables]
    return any(entails_by_cases(condition, [*known, *some], budgets.LARGE) for some in (near, exact))


def _holds_below(condition: Formula, known: Sequence[Formula]) -> int | None:
    bound = huge_for(condition)
    if bound is None:
        return None
    small = bounded_by(condition, bound)
    return bound if isinstance(_verdict(condition, [*known, *small]), Proved) else None


def _sufficient_texts(condition: Formula, known: Sequence[Formula], scope: Scope) -> tuple[str, ...]:
    found = sufficient_bound(condition, known)
    return () if found is None else tuple(condition_text(each, scope) for each in conjuncts(found))


def _verdict(claim: Formula, premises: Sequence[Formula]) -> object:
    return prove(claim, premises, budget=budgets.LARGE)
