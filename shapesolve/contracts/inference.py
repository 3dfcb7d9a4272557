"""Finds contracts: what is demanded and not proved, in few and short conditions, checked until nothing fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.contracts.demands import Demand, demands, demands_whatever
from shapesolve.contracts.evidence import with_evidence
from shapesolve.contracts.shortest import said, shortest
from shapesolve.contracts.simpler_conditions import excluded
from shapesolve.errors import InputError
from shapesolve.judging.checking import check_function
from shapesolve.judging.judgement import Judgement
from shapesolve.judging.loop import Progress
from shapesolve.judging.report import FunctionReport
from shapesolve.language.atoms import ShapeSymbol
from shapesolve.language.dims import of_atom
from shapesolve.language.formulas import FALSE, TRUE, Formula, Or, at_least, disjunction
from shapesolve.language.parsing import Scope
from shapesolve.libraries.layering import library_notes
from shapesolve.options import Options
from shapesolve.proving.verdicts import Obstacle, Refuted, Undecided
from shapesolve.reading.addressed import check_addressed
from shapesolve.reading.program import Function, Program
from shapesolve.walking.entry import chosen
from shapesolve.walking.inputs import scope_of
from shapesolve.walking.obligations import Trace

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
    needed: dict[str, Demand]

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
    def stated(of_all: bool) -> Mapping[str, Demand]:
        return {each.identity: demand for each, demand in demands(report.trace, of_all=of_all).items()}

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
    search: _Search, trace: Trace, open: Sequence[Judgement], scope: Scope
) -> tuple[list[Formula], FunctionReport] | None:
    """Conditions under which all is proved, whatever that is on which the rest depends, and the check under them.

    None where there are none, or only for sizes that are huge, or less than 2: that there is nothing is no answer.
    """
    known = [fact.formula for fact in trace.assumptions]
    identities = {each.obligation.identity for each in open}
    wanted = [each for each in trace.obligations if each.identity in identities]
    more = demands_whatever(trace, wanted)
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


def _learn(search: _Search, report: FunctionReport, stated: Mapping[str, Demand]) -> bool:
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


def _matters(judgement: Judgement) -> bool:
    verdict = judgement.verdict
    return isinstance(verdict, Refuted) or (isinstance(verdict, Undecided) and verdict.obstacle not in _UNKNOWABLE)


def _open(report: FunctionReport) -> tuple[Judgement, ...]:
    return tuple(each for each in report.judgements if isinstance(each.verdict, Refuted | Undecided))
