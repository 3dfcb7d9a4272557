"""Diagnosis of a checked file: the finished data of every report, with everything that needs a solver."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport, PossibleError, Report
from shapesolve.checker.returned_errors import possible_errors
from shapesolve.diagnosis.assumptions import listed_assumptions, shortened_trust
from shapesolve.diagnosis.data_requirements import data_requirement
from shapesolve.diagnosis.findings import Finding, findings
from shapesolve.diagnosis.fixes import TextInsertion, precondition_insertions
from shapesolve.diagnosis.needs import MOST_COMPARED, Need, stated_together, text_without_implied
from shapesolve.diagnosis.requirements import CalleeRequirement, CalleeRequirements, Requirements
from shapesolve.diagnosis.suggestions import (
    NOTHING_SUGGESTED,
    Suggestions,
    suggestions,
    with_undeclared,
    without_returned_errors,
)
from shapesolve.ir.program import Operation, Program
from shapesolve.reasons import Limit
from shapesolve.records import record, value_record
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Undecided, Unreachable
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Fact, Obligation
from shapesolve.trace.trust import ModelingAssumption


@value_record
class Request:
    """Parts of a diagnosis that a report shows.

    Each of them may take solver time; unreachable findings take none.

    Attributes:
        findings: Most findings of a function that get requirements; None for all of them.
        members: Most further obligations of a finding that get requirements; None for all. Where it is limited, those
            of enormous findings get none.
        data: Whether findings that depend on data get their requirement on it.
        obligations: Whether each obligation by itself gets its requirement on data and that of its callee.
        suggestions: Whether functions get suggested assumptions.
        fixes: Whether functions get the change of their text that states the suggested assumptions.
        trust: Whether the listed assumptions are shortened.
    """

    findings: int | None = None
    members: int | None = None
    data: bool = True
    obligations: bool = True
    suggestions: bool = True
    fixes: bool = True
    trust: bool = True

    def __or__(self, other: Request) -> Request:
        """Return the request for everything that either asks for."""
        return Request(
            _larger(self.findings, other.findings),
            _larger(self.members, other.members),
            self.data or other.data,
            self.obligations or other.obligations,
            self.suggestions or other.suggestions,
            self.fixes or other.fixes,
            self.trust or other.trust,
        )


EVERYTHING = Request()
GROUPS = Request(0, 0, data=False, obligations=False, suggestions=False, fixes=False, trust=False)
"""A request for the findings alone, which need no solver."""

LINES = Request(None, 0, data=True, obligations=False, suggestions=False, fixes=False, trust=False)
"""A request for all findings in one line each."""


@record
class FunctionDiagnosis:
    """Diagnosis of one function. Parts that were not requested are empty.

    Attributes:
        report: The verdicts.
        findings: Everything that is not proved, grouped by cause and in the order of reports.
        requirements: The condition that an obligation requires, as text.
        needs: The same for people, with the case of empty tensors last.
        without_implied: The requirements that the line of a finding states together, by their obligations, where some
            of them imply others: those that remain, as text.
        callee_requirements: The requirement of the outermost callee, by refuted obligation in called functions.
        data_requirements: The requirements on data of obligations that nothing but data decides, each by itself.
        suggestions: Assumptions under which nothing is refuted.
        fix: The change of the function's text that states them.
        assumptions: Stated assumptions on the inputs that ``trust`` does not list.
        trust: All modeling assumptions of the verdicts.
        possible_errors: The results that are errors for some sizes, each with the condition in which it is none.
    """

    report: FunctionReport
    findings: tuple[Finding, ...] = ()
    requirements: Mapping[CheckedObligation, str] = field(default_factory=dict[CheckedObligation, str])
    needs: Mapping[CheckedObligation, Need] = field(default_factory=dict[CheckedObligation, Need])
    without_implied: Mapping[tuple[CheckedObligation, ...], str] = field(
        default_factory=dict[tuple[CheckedObligation, ...], str]
    )
    callee_requirements: Mapping[Obligation, CalleeRequirement] = field(
        default_factory=dict[Obligation, CalleeRequirement]
    )
    data_requirements: Mapping[CheckedObligation, str] = field(default_factory=dict[CheckedObligation, str])
    suggestions: Suggestions = NOTHING_SUGGESTED
    fix: TextInsertion | None = None
    assumptions: tuple[Fact, ...] = ()
    trust: tuple[ModelingAssumption, ...] = ()
    possible_errors: tuple[tuple[PossibleError, str], ...] = ()

    @property
    def name(self) -> str:
        return self.report.name

    @property
    def ran_out_of_time(self) -> bool:
        """Return whether the time limit was reached before any obligation was decided."""
        unseen = self.report.approximations
        nothing_decided = all(isinstance(each.verdict, Undecided) for each in self.report.checked_obligations)
        return bool(unseen) and nothing_decided and all(each.cause is Limit.TIME for each in unseen)

    @property
    def is_unreachable(self) -> bool:
        """Return whether no obligation can be reached, or the assumptions contradict each other."""
        judged = self.report.checked_obligations
        return bool(self.report.contradiction) or (
            bool(judged) and all(isinstance(each.verdict, Unreachable) for each in judged)
        )


@record
class Diagnosis:
    """Diagnosis of one checked file, with the functions in the order of the report."""

    report: Report
    functions: tuple[FunctionDiagnosis, ...]

    @property
    def program(self) -> Program:
        return self.report.program


@stage("diagnose")
def diagnose(report: Report, request: Request = EVERYTHING) -> Diagnosis:
    """Compute the data that reports on a checked file show."""
    callees = CalleeRequirements(report.program, report.options)
    functions = [_diagnose_function(report, each, request, callees) for each in report.functions]
    if request.fixes:
        stated = {each.report.trace.function.name: each.suggestions.assumptions for each in functions}
        fixes = precondition_insertions(report.program, stated)
        functions = [replace(each, fix=fixes.get(each.report.trace.function.name)) for each in functions]
    return Diagnosis(report, tuple(functions))


@stage("diagnose")
def diagnose_obligations(
    report: Report, function: FunctionReport, checked_obligations: Sequence[CheckedObligation]
) -> FunctionDiagnosis:
    """Compute the requirements of some obligations of a function, for an explanation of these alone."""
    obligations = {each.obligation for each in checked_obligations}
    callees = CalleeRequirements(report.program, report.options).of(function, obligations)
    requirements = Requirements(function)
    needs = {each: requirements.for_people(each) for each in checked_obligations}
    return FunctionDiagnosis(
        function, (), _texts(requirements, checked_obligations), needs, callee_requirements=callees
    )


def _diagnose_function(
    report: Report, function: FunctionReport, request: Request, callees: CalleeRequirements
) -> FunctionDiagnosis:
    requirements = Requirements(function)
    found = findings(function)
    # Unreachable findings take no solver, and a report may leave them out before it counts the others.
    reachable = [each for each in found if not isinstance(each.verdict, Unreachable)]
    left_out = frozenset[Finding]() if request.findings is None else frozenset(reachable[request.findings :])
    with_data = [each if each in left_out else _with_data(function, each, request) for each in found]
    found = _joined_by_data(function, with_data)
    chosen = [each for each in found if each not in left_out]
    shown = [checked_obligation for each in chosen for checked_obligation in _shown(each, request)]
    suggested = suggestions_of(report, function, requirements) if request.suggestions else NOTHING_SUGGESTED
    obligations = function.checked_obligations if request.obligations else [each.first for each in chosen]
    alone = [each for each in function.checked_obligations if each.is_about_data] if request.obligations else []
    needs = {each: requirements.for_people(each) for each in shown}
    for finding in chosen:
        of_op = [each for each in finding.checked_obligations if each.obligation.op is finding.first.obligation.op]
        implied = requirements.implied_by_others({each: needs[each] for each in of_op if each in needs})
        needs |= {each: replace(needs[each], is_implied=True) for each in implied}
    return FunctionDiagnosis(
        report=function,
        findings=found,
        requirements=_texts(requirements, shown),
        needs=needs,
        without_implied=dict(_without_implied(function, needs, chosen)),
        callee_requirements=callees.of(function, {each.obligation for each in obligations}),
        data_requirements={each: data_requirement(function, [each]).text for each in alone},
        suggestions=suggested,
        assumptions=tuple(listed_assumptions(function)),
        trust=tuple(shortened_trust(function)) if request.trust else (),
        possible_errors=tuple(_possible_errors(function)) if request.suggestions else (),
    )


def suggestions_of(report: Report, function: FunctionReport, requirements: Requirements) -> Suggestions:
    """Return what a function may assume, so that nothing is refuted."""
    found = without_returned_errors(suggestions(function, requirements), function)
    if not found.assumptions:
        return found
    others = [each.guard.shown for each in (*report.undeclared, *report.fails_outside)]
    return with_undeclared(found, others, function.trace)


def _without_implied(
    function: FunctionReport, needs: Mapping[CheckedObligation, Need], chosen: Sequence[Finding]
) -> Iterator[tuple[tuple[CheckedObligation, ...], str]]:
    known = [fact.formula for fact in function.assumptions]
    for finding in chosen:
        stated = stated_together(needs, finding.checked_obligations)
        text = text_without_implied(needs, stated, known) if len(stated) > 1 else ""
        if text:
            yield stated, text


def _possible_errors(function: FunctionReport) -> Iterator[tuple[PossibleError, str]]:
    if function.contradiction or function.deadline.passed:
        return
    demanded = [each.obligation.claim for each in function.checked_obligations]
    for error in possible_errors(function.trace, demanded):
        yield error, readable_claim(error.valid)


def _with_data(function: FunctionReport, finding: Finding, request: Request) -> Finding:
    """Return a finding with its requirement on data, if it has one and a report shows it."""
    if not request.data or not finding.first.is_about_data:
        return finding
    return replace(finding, data=data_requirement(function, finding.checked_obligations))


def _shown(finding: Finding, request: Request) -> Sequence[CheckedObligation]:
    """Return the obligations of a finding whose requirements a report shows."""
    if request.findings == 0:
        return ()
    if request.members is None:
        return finding.checked_obligations
    covered = 1 if finding.data is None else finding.data.covered
    shown, left = [finding.first], covered - 1 + request.members
    op, joined = finding.first.obligation.op, 0
    for each in finding.others:
        if finding.data is None and each.obligation.op is op and joined < MOST_COMPARED:
            joined += 1  # the line of the finding may state it with the first
            shown.append(each)
        elif left > 0:
            left -= 1
            shown.append(each)
    return shown


def _texts(
    requirements: Requirements, checked_obligations: Sequence[CheckedObligation]
) -> dict[CheckedObligation, str]:
    return {each: requirements.text(each) for each in checked_obligations}


def _larger(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else max(first, second)


def _joined_by_data(function: FunctionReport, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Join findings that require the same of data at one operation of the model.

    The values that they speak of count as the same where one operation of the model makes them.
    """
    makers = {result.name: op for op in function.trace.function.operation.walk() for result in op.results}
    joined: dict[Hashable, Finding] = {}
    for number, finding in enumerate(findings):
        key = _requirement(finding, makers) or number
        before = joined.get(key)
        joined[key] = finding if before is None else _union(before, finding)
    return tuple(joined.values())


def _requirement(finding: Finding, makers: Mapping[str, Operation]) -> Hashable | None:
    """Return the operation of the model and what it requires of data; None for another finding."""
    origin, data = finding.first.obligation.op.origin, finding.data
    if data is None or origin is None or not origin.file or data.covered != len(finding.checked_obligations):
        return None

    def place(name: str) -> str:
        op = makers.get(name)
        return name if op is None or op.origin is None else f"{op.origin} {op.origin.operation}"

    whose = replace(data.data, arguments=tuple(map(place, data.data.arguments)), value=place(data.data.value))
    condition = None if data.condition is None else _with_places(data.condition, place)
    return origin, replace(data, data=whose, condition=condition, tensor=place(data.tensor), covered=0)


def _with_places(condition: Formula, place: Callable[[str], str]) -> Formula:
    """Return a condition with values named by their places; different values of one place stay apart."""
    named: dict[Variable, Dim] = {}
    for number, each in enumerate(sorted(condition.variables, key=lambda each: each.text)):
        if (name := place(each.name)) != each.name:
            named[each] = of_atom(each.renamed(f"{name} {number}"))
    return Instantiation(named).formula(condition)


def _union(finding: Finding, other: Finding) -> Finding:
    assert finding.data is not None and other.data is not None
    together = (*finding.checked_obligations, *other.checked_obligations)
    return replace(finding, checked_obligations=together, data=replace(finding.data, covered=len(together)))
