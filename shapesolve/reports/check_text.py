"""A diagnosis as text: the findings, the assumptions under which nothing is refuted, and a line that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shapesolve.checker.report import FunctionReport, Report
from shapesolve.checker.undecided_reasons import descriptions, remedies, remedies_of_withdrawn
from shapesolve.deadline import TIME_LIMIT
from shapesolve.diagnosis.assumptions import stated_assumptions
from shapesolve.diagnosis.diagnosis import GROUPS, Diagnosis, FunctionDiagnosis, Request
from shapesolve.diagnosis.findings import proved_by_op, proved_by_strategy
from shapesolve.diagnosis.requirements import names_library_values
from shapesolve.domain.fresh_variables import extent_of
from shapesolve.errors import plural
from shapesolve.ir.program import Program
from shapesolve.reasons import NO_INPUT, DataDependence, merged
from shapesolve.reports.exporter_text import exporter_summary, model_sentence, print_exporter, print_failures_outside
from shapesolve.reports.finding_line import returned_error_lines, unchecked_lines, wrapping_words
from shapesolve.reports.finding_text import MOST_OTHERS, FindingPrinter
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.page import STYLES, Page, SourceLines
from shapesolve.reports.phrases import (
    NO_BODIES,
    checked_domain,
    counts_text,
    data_remedy_texts,
    failing_claim_words,
    strategy_name,
)
from shapesolve.reports.suggestions_text import SuggestionPrinter
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.statistics import stage
from shapesolve.symbolic.formula_kinds import Compatible, Or
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.trace.assumed_overflow import full_texts, modeling_assumptions
from shapesolve.trace.concretization import with_source_names
from shapesolve.trace.events import Fact
from shapesolve.trace.trust import ModelingAssumption, merged_assumptions

ENORMOUS_WORDS = (
    "these were found to fail only at sizes, integers or elements of 2^30 and more, or with as many elements in one "
    "argument, where integers may wrap around:"
)
MOST_CAUSES = 40
MOST_WRAPPING = 8

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
        for note in report.program.notes:
            page.field("note", note)
        source = SourceLines(report.program)
        printers = [_FunctionPrinter(each, page, source, report, verbose) for each in diagnosis.functions]
        # A failure at small sizes stands before those that only enormous ones show.
        is_first = any(finding.is_enormous for each in diagnosis.functions for finding in each.findings)
        if is_first:
            print_failures_outside(report, page)
            page.gap()
        for printer in printers:
            printer.print(is_alone=len(printers) == 1)
        if not is_first:
            print_failures_outside(report, page)
        print_exporter(report, page, verbose=verbose)
        _print_assumptions(printers, page)
        page.print_note_on_cuts()
        page.gap()
    if not report.has_lowering:
        print_summary(diagnosis, page)


def print_summary(diagnosis: Diagnosis, page: Page) -> None:
    """Print the summary line."""
    page.line(summary(diagnosis), _summary_style(diagnosis))


def summary(diagnosis: Diagnosis) -> str:
    """Return the summary line: ``a.mlir: 12 checks of sizes: 10 proved, 2 refuted (1 finding)``."""
    report = diagnosis.report
    total = len(report.checked_obligations)
    count_of_findings = sum(len(each.findings) for each in diagnosis.functions)
    rest = "".join(
        (
            refused_words(report.program),
            _unchecked(report),
            _unreachable_functions(diagnosis),
            _failing_functions(report),
            exporter_summary(report),
        )
    )
    if not report.functions:
        return f"{report.program.title}: nothing was checked: {NO_BODIES}"
    if not total:
        return f"{report.program.title}: no checks of sizes found, so nothing was proved{rest}"
    is_grouped = count_of_findings != total - report.count(Proved)
    reported = f" ({plural(count_of_findings, 'finding')})" if is_grouped else ""
    return f"{report.program.title}: {model_sentence(report)}{verdict_counts(report)}{reported}{rest}"


def verdict_counts(report: Report) -> str:
    """Return the number of obligations, by verdict: ``12 checks of sizes: 10 proved, 2 refuted``."""
    on_data = sum(each.is_about_data for each in report.checked_obligations)
    numbers = (
        (report.count(Refuted), "refuted"),
        (report.count(Undecided) - on_data, "undecided"),
        (on_data, "depends on data" if on_data == 1 else "depend on data"),
        (report.count(Unreachable), "unreachable"),
    )
    counts = [f"{report.count(Proved)} proved", *(f"{count} {words}" for count, words in numbers if count)]
    return f"{checks_text(len(report.checked_obligations))}: {', '.join(counts)}"


def checks_text(count: int) -> str:
    """Return a number of obligations in the words of the summary line: ``12 checks of sizes``."""
    return f"{plural(count, 'check')} of sizes"


def refused_words(program: Program) -> str:
    """Return the words of a summary line on the functions that MLIR refuses; "" if there are none."""
    names = ", ".join(f"@{name}" for name in program.refused)
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


def _by_strategy(function: FunctionReport) -> Counter[str]:
    return Counter({strategy_name(name): count for name, count in proved_by_strategy(function).items()})


class _FunctionPrinter:
    def __init__(
        self, diagnosis: FunctionDiagnosis, page: Page, source: SourceLines, report: Report, verbose: bool
    ) -> None:
        self.diagnosis = diagnosis
        self.function = diagnosis.report
        self.page = page
        self.verbose = verbose
        self.program = report.program
        self.domain = checked_domain([self.function.trace], report.min_size, report.max_size)
        self.printer = FindingPrinter(diagnosis, source, page, verbose)

    @property
    def _is_late(self) -> bool:
        """Return whether nothing was decided in time, and nothing more is said of the function."""
        return self.diagnosis.ran_out_of_time and not self.diagnosis.is_unreachable and not self.verbose

    @property
    def _has_content(self) -> bool:
        function = self.function
        known = (
            function.unchecked or function.errors or self.diagnosis.possible_errors or self._facts or function.wrapping
        )
        return bool(self.verbose or self.diagnosis.findings or self.diagnosis.is_unreachable or known)

    @property
    def _facts(self) -> Sequence[Fact]:
        if self.function.contradiction:
            return ()
        return stated_assumptions(self.function) if self.verbose else self.diagnosis.assumptions

    @property
    def trust(self) -> Sequence[ModelingAssumption]:
        """The modeling assumptions to list."""
        if self._is_late:
            return ()
        return modeling_assumptions(self.function.trace) if self.verbose else self.diagnosis.trust

    def print(self, *, is_alone: bool) -> None:
        """Print the function, unless there is nothing to say of it."""
        function, page = self.function, self.page
        if not is_alone and not self._has_content:
            return
        if self.verbose:
            arguments = ", ".join(f"{each.name}: {each.type}" for each in function.trace.function.arguments)
            page.gap()
            page.paragraph(f"@{function.name}({arguments})", "bold", hanging=4)
        elif not is_alone:
            page.gap()
            page.line(f"@{function.name}", "bold")
        if self.diagnosis.is_unreachable:
            self._print_unreachable()
        elif self._is_late:
            left = checks_text(len(function.checked_obligations))
            page.field("open", f"{TIME_LIMIT} before this function was looked at: {left}; --verbose lists what is open")
            return
        else:
            self._print_certain_failure()
            if not function.checked_obligations:
                page.field("nothing", "no checks of sizes found: no rule demands anything of the sizes here")
            self._print_findings()
            if any(isinstance(each.verdict, Refuted) for each in self.diagnosis.findings):
                page.gap()
                SuggestionPrinter(self.diagnosis, self.program, page, verbose=self.verbose).print()
            self._print_proved()
        self._print_facts()

    def _print_findings(self) -> None:
        page, found = self.page, self.diagnosis.findings
        shown = found
        if self.function.fails_for_all is not None and not self.verbose:
            shown = tuple(each for each in found if not isinstance(each.verdict, Unreachable))
        for line in returned_error_lines(self.program, self.diagnosis):
            self.printer.print_line(line)
        for number, (error, condition) in enumerate(self.diagnosis.possible_errors):
            message = f': "{error.message}"' if error.message else ""
            text = f"result {error.position} is an error unless {condition}{message}"
            page.field("" if number else "returns", text)
        run = ""
        for number, finding in enumerate(shown, 1):
            if self.verbose and number > 1:
                page.gap()
            if number > MOST_CAUSES and not self.verbose:
                page.field("more", f"and {plural(len(shown) - MOST_CAUSES, 'finding')}; --verbose shows them")
                break
            if finding.is_enormous and not self.verbose and (number == 1 or not shown[number - 2].is_enormous):
                page.gap()
                page.field("large", ENORMOUS_WORDS)
            run = self.printer.print_finding(finding, run)
        for line in unchecked_lines(self.diagnosis):
            self.printer.print_line(line)
        self._print_wrapping()
        if not self.verbose:
            undecided = [each.first.verdict for each in shown[:MOST_CAUSES] if each.data is None]
            tried = [
                *remedies(self.function.approximations, undecided),
                *remedies_of_withdrawn(undecided),
                *descriptions(self.function.unchecked),
                *data_remedy_texts(shown[:MOST_CAUSES], self.function.trace.function, self.program),
            ]
            for number, remedy in enumerate(dict.fromkeys(tried)):
                page.field("" if number else "try", remedy)
        if len(shown) < len(found):
            never = [each for each in self.function.checked_obligations if isinstance(each.verdict, Unreachable)]
            page.field("behind it", f"{checks_text(len(never))} that no run gets to; --verbose lists them")

    def _print_wrapping(self) -> None:
        """Print the operations that are not proved not to wrap around, each with sizes for which it does."""
        found = self.function.wrapping
        for number, each in enumerate(found):
            if number == MOST_WRAPPING and not self.verbose:
                more = plural(len(found) - number, "operation")
                self.page.field("", f"and {more} more; --verbose shows them")
                break
            words = wrapping_words(self.function.trace, each)
            self.page.field("" if number else "can wrap", f"line {each.location.line}: {words}")

    def _print_unreachable(self) -> None:
        function, style = self.function, STYLES["unreachable"]
        if function.contradiction:
            self.page.paragraph(f"NOTHING WAS CHECKED: {NO_INPUT}.", style, indent=3)
            self.printer.print_facts("assumed", function.contradiction)
            return
        words = "NOTHING WAS PROVED: no check of sizes can be reached, because facts contradict each other."
        self.page.paragraph(words, style, indent=3)
        verdict = function.checked_obligations[0].verdict
        if isinstance(verdict, Unreachable):
            self.printer.print_facts("facts", verdict.facts)

    def _print_certain_failure(self) -> None:
        failing = self.function.fails_for_all
        if failing is not None:
            self.page.paragraph(failing_claim_words(failing), STYLES["refuted"], indent=3)

    def _print_proved(self) -> None:
        if not self.verbose:
            return
        self.page.gap()
        if proved := proved_by_op(self.function):
            self.page.field("proved", counts_text(proved))
            self.page.field("by", counts_text(_by_strategy(self.function)))
        for checked_obligation in self.function.checked_obligations:
            if isinstance(checked_obligation.verdict, Proved):
                obligation = checked_obligation.obligation
                place = f"line {obligation.location.line}: {obligation.label}"
                claim = readable_claim(with_source_names(obligation.claim, self.function.trace))
                self.page.field("proved", f"{place}: {claim} [by {strategy_name(checked_obligation.verdict.strategy)}]")
                self.printer.print_facts("", checked_obligation.verdict.facts)

    def _print_facts(self) -> None:
        function, page = self.function, self.page
        self.printer.print_facts("assumed", self._facts)
        if function.timed_out:
            asked = plural(function.timed_out, "question")
            page.field("clock", f"a limit of time, not of steps, ended {asked} to the solver; another run may differ")
        words = ModelText(self.program, function.trace.function)
        lines: dict[tuple[str, str], dict[str, None]] = {}
        listed = () if self.verbose else {(each.op, each.cause) for each in function.unchecked}  # each has a line
        for each in sorted(function.approximations, key=lambda each: each.location.line):
            if (each.op, each.cause) in listed:
                continue
            reason = str(merged([each.cause]) if isinstance(each.cause, DataDependence) else each.cause)
            lines.setdefault((each.op, reason), {})[words.line(each.location)] = None
        for number, ((op, reason), places) in enumerate(lines.items()):
            if number >= MOST_OTHERS and not self.verbose:
                page.field("", f"and {len(lines) - number} more; --verbose shows them")
                break
            first, *rest = list(places)[:8]
            several = first.replace("line ", "lines ", 1) if rest else first
            shown = ", ".join((several, *(each.removeprefix("line ") for each in rest)))
            more = ", ..." if len(places) > 8 else ""
            page.field("unmodeled" if number == 0 else "", f"{op}: {reason} ({shown}{more})")


def _print_assumptions(printers: Sequence[_FunctionPrinter], page: Page) -> None:
    """Print the domain and the modeling assumptions of all functions, each once."""
    domains: dict[str, list[str]] = {}
    for each in printers:
        domains.setdefault(each.domain, []).append(each.function.name)
    page.gap()
    legend = "".join(f"; {text}" for text in notation([each.diagnosis for each in printers]))
    for number, (domain, names) in enumerate(domains.items()):
        domain, legend = f"{domain}{legend}", ""
        of = f"@{', @'.join(names[:MOST_OTHERS])}{', ...' if len(names) > MOST_OTHERS else ''}: "
        page.field("" if number else "domain", f"{of}{domain}" if len(domains) > 1 else domain)
    assumed = merged_assumptions(assumption for each in printers for assumption in each.trust)
    for text in full_texts(assumed) if any(each.verbose for each in printers) else map(str, assumed):
        page.field("assumes", text)


def notation(diagnoses: Sequence[FunctionDiagnosis]) -> list[str]:
    """Return what the notation that findings use means: ``x[0] is extent 0 of x``."""
    examples = [text for each in diagnoses if (text := _example_of_notation(each))][:1]
    is_named = any(map(_names_compatible_sizes, diagnoses))
    return [*examples, *(["compatible(a, b): a == b, or one of them is 1"] if is_named else [])]


def _example_of_notation(diagnosis: FunctionDiagnosis) -> str:
    """Return what a size like ``x[0]`` is, of the first one that the findings name; "" if they name none."""
    trace = diagnosis.report.trace
    named = [each.obligation for finding in diagnosis.findings for each in finding.checked_obligations]
    for obligation in named:
        if names_library_values(obligation, trace):
            continue
        variables = sorted(with_source_names(obligation.claim, trace).variables, key=lambda each: each.text)
        extents = [(each.text, *found) for each in variables if (found := extent_of(each)) is not None]
        if extents:
            text, name, dimension = min(extents, key=lambda each: each[2])
            return f"{text} is extent {dimension} of {name}"
    return ""


def _names_compatible_sizes(diagnosis: FunctionDiagnosis) -> bool:
    """Return whether the requirement of a finding says of sizes that they are compatible."""
    required = (diagnosis.needs[each.first].formula for each in diagnosis.findings if each.first in diagnosis.needs)
    parts = (part for each in required if each is not None for part in conjuncts(each))
    return any(
        isinstance(each, Compatible) for part in parts for each in (part.parts if isinstance(part, Or) else (part,))
    )
