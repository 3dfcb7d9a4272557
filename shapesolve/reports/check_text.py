"""A diagnosis as text: a paragraph for each finding, then suggested assumptions, then the assumptions of it all."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation, Shown
from shapesolve.checker.report import FunctionReport, Report
from shapesolve.deadline import TIME_LIMIT
from shapesolve.diagnosis.assumptions import stated_assumptions
from shapesolve.diagnosis.diagnosis import GROUPS, Diagnosis, FunctionDiagnosis, Request
from shapesolve.diagnosis.findings import Finding, proved_by_op, proved_by_strategy
from shapesolve.diagnosis.suggestions import Suggestions
from shapesolve.errors import plural
from shapesolve.ir.program import Program
from shapesolve.reasons import DataDependence, merged
from shapesolve.records import value_record
from shapesolve.reports.exporter_text import exporter_summary, print_exporter
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.page import STYLES, Page, SourceLines
from shapesolve.reports.phrases import (
    KINDS,
    NO_BODIES,
    argument_texts,
    because,
    call_path,
    callee_requirement_text,
    check_with,
    claim_values,
    clause_words,
    counts_text,
    domain_words,
    largest_size,
    minimality_notes,
    shortened,
    unchecked_text,
)
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.statistics import stage
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.concretization import with_source_names
from shapesolve.trace.events import Fact, Obligation

LONGEST_CLAIM = 300
LONGEST_EXPRESSION = 80
MOST_OTHERS = 6
MOST_SHOWN = 6
MOST_FACTS = 12
MOST_CALLERS = 6
EXCERPT_INDENT = 5


@value_record
class FindingPrinter:
    """Printer of the findings of one function.

    Attributes:
        diagnosis: The diagnosis of the function.
        source: The source of the program.
        page: The page to print on.
        verbose: Whether nothing is left out or shortened.
    """

    diagnosis: FunctionDiagnosis
    source: SourceLines
    page: Page
    verbose: bool = False

    @property
    def _model(self) -> ModelText:
        return self.source.model_text(self.diagnosis.report.trace.function)

    def print_finding(self, finding: Finding, number: int) -> None:
        """Print one numbered finding."""
        self.print_heading(finding.first, f"{number}. ")
        if finding.data is not None and not self.verbose:
            self.print_problem(finding.first)
            self.page.field("data", self._cut(finding.data.text))
            self._others(finding.judgements[finding.data.covered :])
            return
        self.print_claim(finding.first)
        if finding.proved_where is not None:
            self._proved_where(finding.proved_where, len(finding.judgements))
        self.print_evidence(finding.first)
        self._others(finding.others)

    def print_brief(self, finding: Finding, number: int) -> None:
        """Print one numbered finding in one paragraph: location, problem, requirement."""
        judgement = finding.first
        obligation = judgement.obligation
        where = f"{self._model.place(obligation)}: {self._model.operation(obligation.op)}"
        place = f"{number}. {judgement.verdict.word.upper()} {where}"
        needed = self.requirement(judgement)
        model = self.source.model(obligation.op)
        words = f"{place} ({obligation.clause}): {self._model.words(obligation.message)}"
        if len(needed) <= LONGEST_CLAIM // 2:  # what is longer comes below, as a bound that is enough
            words += f"; requires {needed}"
        others = f"; {len(finding.others)} more of the same cause" if finding.others else ""
        if isinstance(judgement.verdict, Refuted):
            fails = f"; fails at {', '.join(argument_texts(self.diagnosis.report.trace, judgement.verdict.sizes))}"
        else:
            fails = f"; {judgement.verdict.reason}" if isinstance(judgement.verdict, Undecided) else ""
        self.page.paragraph(f"{words}{self._cut(fails)}{others}", STYLES[judgement.verdict.word], hanging=3)
        if model:
            self.page.field("model", self._cut(model))

    def print_heading(self, judgement: CheckedObligation, lead: str = "") -> None:
        """Print the verdict, the location and the source line with a caret."""
        obligation, verdict = judgement.obligation, judgement.verdict
        word = "DEPENDS ON DATA" if judgement.is_about_data else verdict.word.upper()
        where = f"{self._model.place(obligation)}: {self._model.operation(obligation.op)}"
        title = f"{lead}{word} {where} ({obligation.clause})"
        self.page.paragraph(f"{title}{_kind_text(obligation, judgement)}", STYLES[verdict.word], hanging=3)
        if self._model.is_placed(obligation.op):
            self.page.line(self.source.model_line(obligation.op), indent=EXCERPT_INDENT)
            return
        excerpt = self.source.excerpt(obligation.location, self.page.width - EXCERPT_INDENT)
        if excerpt is not None:
            self.page.line(excerpt[0], indent=EXCERPT_INDENT)
            self.page.line(excerpt[1], "bold", indent=EXCERPT_INDENT)

    def print_claim(self, judgement: CheckedObligation) -> None:
        """Print the violated requirement: the message, the rule's clause and the condition on the sizes."""
        self.print_problem(judgement)
        self.page.field("requires", self._cut(self.requirement(judgement)))

    def requirement(self, judgement: CheckedObligation) -> str:
        """Return the condition on the sizes that an obligation requires, in the model's words."""
        return self._model.words(self.diagnosis.requirements[judgement])

    def print_problem(self, judgement: CheckedObligation) -> None:
        """Print the message, the call path, the line of the model and the words of the rule's clause."""
        obligation, proved = judgement.obligation, isinstance(judgement.verdict, Proved)
        self.page.field("if false" if proved else "what", self._model.words(obligation.message))
        self._calls(obligation)
        self._print_model(obligation)
        words = clause_words(obligation)
        if words:
            self.page.field("rule", f"({obligation.clause}) {words}")

    def _print_model(self, obligation: Obligation) -> None:
        """Print the lines of the model that lead to an operation, or for the model's own program that operation."""
        model, callers = self.source.model(obligation.op), self.source.callers(obligation.op)
        if not model:
            return
        shown = [f"called at {each}" for each in (callers if self.verbose else callers[:MOST_CALLERS])]
        if not self._model.is_placed(obligation.op):
            shown.insert(0, model)
        for number, each in enumerate(shown):
            self.page.field("model" if number == 0 else "", self._cut(each))
        if self._model.is_placed(obligation.op):
            self.page.field("exported", f"{obligation.op.name}, {obligation.location}")

    def _calls(self, obligation: Obligation) -> None:
        """Print the call path to the operation and the requirement of the function that is called."""
        if not obligation.calls:
            return
        self.page.field("called", call_path(obligation))
        need = self.diagnosis.callee_requirements.get(obligation)
        if need is not None:
            self.page.field("", self._cut(callee_requirement_text(need)))

    def print_evidence(self, judgement: CheckedObligation) -> None:
        """Print the sizes of a refutation, the reason of an open claim or the facts behind another verdict."""
        verdict = judgement.verdict
        match verdict:
            case Refuted():
                self._sizes(judgement, verdict, "fails at")
            case Undecided():
                self.page.field("open", verdict.reason_kind.value)
                self.page.field("because", self._cut(self._model.words(verdict.reason)))
                if verdict.candidate is not None:
                    self._sizes(judgement, verdict.candidate, "may fail")
            case Unreachable():
                self.page.field("because", "the facts contradict each other here, so this never runs")
                self.print_facts("facts", verdict.facts)
            case Proved():
                self.page.field("by", verdict.rung)
                self.print_facts("facts", verdict.facts)

    def _proved_where(self, condition: Formula, count: int) -> None:
        """Print the condition under which all obligations of a finding are proved."""
        these = f", as are the {count - 1} others" if count > 2 else ", as is the other one" if count == 2 else ""
        self.page.field("proved", f"where {readable_claim(condition)}{these}; larger sizes leave it open")

    def print_facts(self, label: str, facts: Sequence[Fact]) -> None:
        """Print facts with their sources."""
        for number, fact in enumerate(facts):
            if number >= MOST_FACTS and not self.verbose:
                self.page.field("", f"and {len(facts) - number} more; --verbose shows them")
                return
            claim, said = self._cut(str(fact.formula)), because(fact)
            self.page.field(label if number == 0 else "", said if said.endswith(f": {claim}") else f"{said}: {claim}")

    def _sizes(self, judgement: CheckedObligation, refuted: Refuted, label: str) -> None:
        page, trace = self.page, self.diagnosis.report.trace
        for number, text in enumerate(argument_texts(trace, refuted.sizes)):
            page.field(label if number == 0 else "", text, "bold")
        notes = minimality_notes(trace, refuted, label.removesuffix(" at"))
        if notes:
            page.field("", "; ".join(notes))
        values = claim_values(judgement.obligation, refuted, judgement.verdict)
        for number, (name, value, expression) in enumerate(values):
            if number >= MOST_SHOWN and not self.verbose:
                page.field("", f"and {len(values) - number} more; --verbose shows them")
                break
            is_short = self.verbose or len(expression or "") <= LONGEST_EXPRESSION
            tail = f"   ({expression})" if expression and is_short else ""
            page.field("where" if number == 0 else "", f"{self._model.words(name)} = {value}{self._model.words(tail)}")
        self.print_runs(judgement)

    def print_runs(self, judgement: CheckedObligation) -> None:
        """Print the results of running the program, and of running the model itself, at a counterexample."""
        if self.verbose or not _is_superseded_by_original(judgement):
            self._execution(judgement)
        if judgement.original:
            self.page.field("original", f"the model itself, run by its framework, {judgement.original}")
            if judgement.original_returns:
                words = "so what fails may come from its export, import or lowering, not from the model"
                self.page.field("", words)
        if judgement.reproducer:
            self.page.field("reproduce", judgement.reproducer)

    def _execution(self, judgement: CheckedObligation) -> None:
        confirmation = judgement.confirmation
        if confirmation is None:
            return
        if confirmation.shown is Shown.NOT_EXECUTED:
            self.page.field("not run", confirmation.text or confirmation.shown.value)
        else:
            said = ": ".join(part for part in (confirmation.shown.value, confirmation.text) if part)
            self.page.field("executed", said)

    def _others(self, judgements: Sequence[CheckedObligation]) -> None:
        for number, judgement in enumerate(judgements):
            if number >= MOST_OTHERS and not self.verbose:
                self.page.field("", f"and {len(judgements) - number} more; --verbose shows them")
                return
            obligation = judgement.obligation
            claim = self._cut(self.requirement(judgement), LONGEST_CLAIM // 2)
            where = f"{self._model.short_place(obligation)}: {self._model.operation(obligation.op)}"
            place = f"{where} ({obligation.clause})"
            if obligation.calls:
                place = f"{place}, where {call_path(obligation)}"
            message = self._model.words(obligation.message)
            self.page.field("also" if number == 0 else "", f"{place}: {message}; requires {claim}")

    def _cut(self, text: str, limit: int = LONGEST_CLAIM) -> str:
        return text if self.verbose else shortened(text, limit)


def _is_superseded_by_original(judgement: CheckedObligation) -> bool:
    """Return whether the model itself was run, and its lowered program failed elsewhere or was not run."""
    confirmation = judgement.confirmation
    shows_nothing = (Shown.LOWERING_FAILED, Shown.NOT_EXECUTED)
    return bool(judgement.original) and confirmation is not None and confirmation.shown in shows_nothing


def _kind_text(obligation: Obligation, judgement: CheckedObligation) -> str:
    if not isinstance(judgement.verdict, Refuted):
        return ""
    return f", {KINDS[obligation.kind]}{' for all sizes that get here' if judgement.verdict.always else ''}"


ENORMOUS_WORDS = (
    "what takes sizes of 2^30 and more, or as many elements in one argument, where integers may wrap around:"
)
MOST_CAUSES = 40

BRIEF = Request(MOST_CAUSES, MOST_OTHERS, data=True, obligations=False, suggestions=True, fixes=False, trust=True)
VERBOSE = Request(None, None, data=False, obligations=False, suggestions=True, fixes=False, trust=False)


def text_request(*, verbose: bool = False, quiet: bool = False) -> Request:
    """Return the parts of a diagnosis that its text shows."""
    return GROUPS if quiet else VERBOSE if verbose else BRIEF


@stage("report")
def print_report(diagnosis: Diagnosis, page: Page, *, verbose: bool = False, quiet: bool = False) -> None:
    """Print one checked file.

    The summary of a model whose lowering follows is left to the printer of that lowering.

    Args:
        diagnosis: The checked file.
        page: The page to print on.
        verbose: Whether to print proved obligations and all facts too.
        quiet: Whether to print the summary alone.
    """
    report = diagnosis.report
    if not quiet:
        page.line(report.program.title, "bold")
        for note in report.program.notes:
            page.field("note", note)
        source = SourceLines(report.program)
        for function in diagnosis.functions:
            page.line()
            domain = domain_words(report.min_size, largest_size(function.report.trace, report.max_size))
            _FunctionPrinter(function, page, source, verbose).print(domain, report.program)
        print_exporter(report, page)
        page.line()
    if not report.has_lowering:
        print_summary(diagnosis, page)


def print_summary(diagnosis: Diagnosis, page: Page, more: str = "") -> None:
    """Print the summary line with ``more`` behind it."""
    page.line(f"{summary(diagnosis)}{more}", _summary_style(diagnosis))


def summary(diagnosis: Diagnosis) -> str:
    """Return the summary line: ``a.mlir: 12 obligations: 10 proved, 2 refuted (1 cause)``."""
    report = diagnosis.report
    total = len(report.judgements)
    count_of_causes = sum(len(each.findings) for each in diagnosis.functions)
    rest = "".join(
        (
            _refused(report),
            _unchecked(report),
            _unreachable_functions(diagnosis),
            _failing_functions(report),
            exporter_summary(report),
        )
    )
    if not report.functions:
        return f"{report.program.title}: nothing was checked: {NO_BODIES}"
    if not total:
        return f"{report.program.title}: no obligations found, so nothing was proved{rest}"
    on_data = sum(each.is_about_data for each in report.judgements)
    numbers = (
        (report.count(Refuted), "refuted"),
        (report.count(Undecided) - on_data, "undecided"),
        (on_data, "depends on data" if on_data == 1 else "depend on data"),
        (report.count(Unreachable), "unreachable"),
    )
    counts = [f"{report.count(Proved)} proved", *(f"{count} {words}" for count, words in numbers if count)]
    reported = f" ({plural(count_of_causes, 'cause')})" if count_of_causes else ""
    return f"{report.program.title}: {plural(total, 'obligation')}: {', '.join(counts)}{reported}{rest}"


def _refused(report: Report) -> str:
    names = ", ".join(f"@{name}" for name in report.program.refused)
    return f"; REFUSED BY MLIR, so not checked: {names}" if names else ""


def _unchecked(report: Report) -> str:
    places = {(each.op, each.location) for function in report.functions for each in function.unchecked}
    return f"; {plural(len(places), 'operation')} not checked, which may fail" if places else ""


def _unreachable_functions(diagnosis: Diagnosis) -> str:
    names = [f"@{function.name}" for function in diagnosis.functions if function.is_unreachable]
    return f"; UNREACHABLE, so nothing is proved of: {', '.join(names)}" if names else ""


def _failing_functions(report: Report) -> str:
    names = [f"@{function.name}" for function in report.functions if function.fails_for_all is not None]
    errors = [f"@{function.name}" for function in report.functions if function.errors]
    failing = f"; EVERY CALL FAILS of: {', '.join(names)}" if names else ""
    return f"{failing}; ALWAYS AN ERROR is a result of: {', '.join(errors)}" if errors else failing


def _summary_style(diagnosis: Diagnosis) -> str:
    if any(function.is_unreachable for function in diagnosis.functions) or diagnosis.report.program.refused:
        return STYLES["unreachable"]
    return STYLES[{0: "proved", 1: "refuted", 3: "undecided"}[diagnosis.report.exit_code]]


class _FunctionPrinter:
    def __init__(self, diagnosis: FunctionDiagnosis, page: Page, source: SourceLines, verbose: bool) -> None:
        self.diagnosis = diagnosis
        self.function = diagnosis.report
        self.page = page
        self.verbose = verbose
        self.printer = FindingPrinter(diagnosis, source, page, verbose)

    def print(self, domain: str, program: Program) -> None:
        function, page = self.function, self.page
        arguments = ", ".join(f"{each.name}: {each.type}" for each in function.trace.function.arguments)
        page.paragraph(f"@{function.name}({arguments})", "bold", hanging=4)
        if self.diagnosis.is_unreachable:
            self._print_unreachable()
        elif self.diagnosis.ran_out_of_time and not self.verbose:
            left = plural(len(function.judgements), "obligation")
            page.field("open", f"{TIME_LIMIT} before this function was looked at: {left}; --verbose lists what is open")
            return
        else:
            self._print_certain_failure()
            self._print_returned_errors()
            if not function.judgements:
                page.field("nothing", "no obligations found: no rule demands anything of the sizes here")
            if function.unchecked:
                words = "what some operations demand is not known, so this function is not shown to be safe"
                page.field("open", f"{words}: {unchecked_text(function)}")
            self._print_findings()
            page.line()
            if any(isinstance(each.verdict, Refuted) for each in self.diagnosis.findings):
                print_suggestions(self.diagnosis.suggestions, function, program, page)
                page.line()
            self._print_proved()
        self._print_assumptions(domain)

    def _print_findings(self) -> None:
        page, found = self.page, self.diagnosis.findings
        shown = found
        if self.function.fails_for_all is not None and not self.verbose:
            shown = tuple(each for each in found if not isinstance(each.verdict, Unreachable))
        for number, finding in enumerate(shown, 1):
            page.line()
            if number > MOST_CAUSES and not self.verbose:
                page.field("more", f"and {plural(len(shown) - MOST_CAUSES, 'cause')}; --verbose shows them")
                break
            if finding.is_enormous and not self.verbose:
                if number == 1 or not shown[number - 2].is_enormous:
                    page.field("enormous", ENORMOUS_WORDS)
                self.printer.print_brief(finding, number)
                continue
            self.printer.print_finding(finding, number)
        if len(shown) < len(found):
            page.line()
            never = [each for each in self.function.judgements if isinstance(each.verdict, Unreachable)]
            page.field("behind it", f"{plural(len(never), 'obligation')} that no run gets to; --verbose lists them")

    def _print_unreachable(self) -> None:
        function, style = self.function, STYLES["unreachable"]
        if function.contradiction:
            self.page.paragraph(
                "NOTHING WAS CHECKED: no call satisfies what is assumed of the inputs.", style, indent=3
            )
            self.printer.print_facts("assumed", function.contradiction)
            return
        words = "NOTHING WAS PROVED: no obligation can be reached, because facts contradict each other."
        self.page.paragraph(words, style, indent=3)
        verdict = function.judgements[0].verdict
        if isinstance(verdict, Unreachable):
            self.printer.print_facts("facts", verdict.facts)

    def _print_certain_failure(self) -> None:
        failing = self.function.fails_for_all
        if failing is not None:
            obligation = failing.obligation
            place = f"line {obligation.location.line}: {obligation.op.name} ({obligation.clause})"
            words = f"EVERY CALL FAILS: none of the sizes that are allowed gets past {place}: {obligation.message}."
            self.page.paragraph(words, STYLES["refuted"], indent=3)

    def _print_returned_errors(self) -> None:
        for error in self.function.errors:
            place = (
                "" if error.producer is None else f", from line {error.producer.location.line}: {error.producer.name}"
            )
            said = f': "{error.message}"' if error.message else ""
            words = f"ALWAYS AN ERROR{said}: result {error.position} is an error in every call{place}."
            self.page.paragraph(words, STYLES["refuted"], indent=3)

    def _print_proved(self) -> None:
        if not self.verbose:
            if proved := proved_by_op(self.function):
                self.page.field("proved", counts_text(proved))
                self.page.field("by", counts_text(proved_by_strategy(self.function)))
            return
        for judgement in self.function.judgements:
            if isinstance(judgement.verdict, Proved):
                obligation = judgement.obligation
                place = f"line {obligation.location.line}: {obligation.op.name} ({obligation.clause})"
                claim = readable_claim(with_source_names(obligation.claim, self.function.trace))
                self.page.field("proved", f"{place}: {claim} [{judgement.verdict.rung}]")
                self.printer.print_facts("", judgement.verdict.facts)

    def _print_assumptions(self, domain: str) -> None:
        function, page = self.function, self.page
        page.field("domain", domain)
        if not function.contradiction:
            self.printer.print_facts(
                "assumed", stated_assumptions(function) if self.verbose else self.diagnosis.assumptions
            )
        for each in function.trace.leans_on if self.verbose else self.diagnosis.trust:
            page.field("assumes", each)
        if function.timed_out:
            asked = plural(function.timed_out, "question")
            page.field("clock", f"a limit of time, not of steps, ended {asked} to the solver; another run may differ")
        lines: dict[tuple[str, str], set[int]] = {}
        for each in function.approximations:
            reason = str(merged([each.cause]) if isinstance(each.cause, DataDependence) else each.cause)
            lines.setdefault((each.op, reason), set()).add(each.location.line)
        for number, ((op, reason), places) in enumerate(lines.items()):
            if number >= MOST_FACTS and not self.verbose:
                page.field("", f"and {len(lines) - number} more; --verbose shows them")
                break
            shown = ", ".join(map(str, sorted(places)[:8])) + (", ..." if len(places) > 8 else "")
            page.field("unmodelled" if number == 0 else "", f"{op}: {reason} (line {shown})")


def print_suggestions(suggested: Suggestions, function: FunctionReport, program: Program, page: Page) -> None:
    """The conditions under which nothing is refuted."""
    if suggested.assumptions:
        page.paragraph(
            "safe exactly when all of these hold:"
            if suggested.exact
            else "what is refuted above holds where all of these do:",
            "bold",
            indent=3,
        )
        for text in suggested.assumptions:
            page.paragraph(shortened(text, LONGEST_CLAIM), "bold", indent=6, hanging=2)
        if all(len(text) <= LONGEST_CLAIM for text in suggested.assumptions):
            page.line(check_with(function.trace.function, program, suggested.assumptions), indent=3)
    if suggested.hopeless:
        page.paragraph("safe for no sizes at all: what is refuted above cannot hold together here", "bold", indent=3)
    if suggested.unsaid:
        claims = plural(suggested.unsaid, "refuted claim")
        page.field("besides", f"{claims} cannot be said as a condition on the sizes of the inputs")
