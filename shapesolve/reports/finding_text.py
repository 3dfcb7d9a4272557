"""Findings as text: one line that tools parse, and below it what helps, most useful first."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation, Shown
from shapesolve.checker.undecided_reasons import data_remedies, reason_text, remedies
from shapesolve.diagnosis.diagnosis import FunctionDiagnosis
from shapesolve.diagnosis.findings import Finding
from shapesolve.diagnosis.needs import are_exact, counterexamples, stated_together
from shapesolve.reasons import NO_INPUT
from shapesolve.records import value_record
from shapesolve.reports.evidence_text import run_text, sizes_notes, sizes_text
from shapesolve.reports.finding_line import (
    LONGEST_REASON,
    FindingLine,
    finding_line,
    joined_messages,
    needed_of,
    obligation_line,
)
from shapesolve.reports.long_conditions import print_condition
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.page import STYLES, Page, SourceLines
from shapesolve.reports.phrases import (
    KINDS,
    call_path,
    callee_requirement_text,
    claim_values,
    clause_words,
    fact_text,
    minimality_notes,
    shortened,
    strategy_words,
)
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.trace.concretization import arguments_in_short
from shapesolve.trace.events import Fact, Obligation

LONGEST_CLAIM = 300
LONGEST_EXPRESSION = 80
LONGEST_OTHER = 120
MOST_OTHERS = 3
MOST_SHOWN = 6
MOST_FURTHER = 3
"""Counterexamples of one finding behind the first: one for each condition of its line."""
MOST_FACTS = 12
MOST_CALLERS = 6
AS_ABOVE = "as above"
EXCERPT_INDENT = 5

_LEVEL_STYLES = {"error": STYLES["refuted"], "warning": STYLES["undecided"], "note": STYLES["unreachable"]}


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

    def print_finding(self, finding: Finding, known_run: str = "") -> str:
        """Print one finding; return the result of its execution, which the next one need not repeat.

        Args:
            known_run: The result that stands above.
        """
        first = finding.first
        if self.verbose:
            self.print_obligation(first)
            self.print_claim(first)
            if finding.proved_where is not None:
                self._proved_where(finding.proved_where, len(finding.checked_obligations))
            self.print_evidence(first)
            self._others(finding.others)
            self._further_sizes(stated_together(self.diagnosis.needs, finding.checked_obligations))
            return ""
        line = finding_line(self.source.program, self.diagnosis, finding)
        self.print_line(line)
        together = stated_together(self.diagnosis.needs, finding.checked_obligations)
        is_elsewhere = line.is_cut or (not line.is_complete and len(together) > 1)
        stated = needed_of(self.diagnosis, finding) if is_elsewhere else ""
        whose = together if stated else (first,)
        is_message_cut = not (stated and line.is_complete) or first.obligation.authors_messages
        if line.is_cut and finding.data is None and is_message_cut:
            self.page.field("what", self._model.words(first.obligation.message))
        if stated == FALSE.text:
            self.page.field("what", joined_messages(self._model, together))
        elif stated or not line.is_complete:
            condition = self._model.words(stated) or self.requirement(first)
            self._print_condition("needs" if are_exact(self.diagnosis.needs, whose) else "safe if", condition)
        self._calls(first.obligation)
        self._print_model_in_short(first.obligation)
        if finding.data is not None:
            self._others(finding.checked_obligations[finding.data.covered :])
            return ""
        if finding.proved_where is not None:
            self._proved_where(finding.proved_where, len(finding.checked_obligations))
        run = self._print_evidence_in_short(first, known_run, line.message)
        run = self._further_sizes(together) or run
        self._others([each for each in finding.others if each not in together], first)
        return run

    def print_line(self, line: FindingLine) -> None:
        """Print the first line of a finding."""
        style = _LEVEL_STYLES[line.level]
        self.page.pieces(
            (line.place, "bold"),
            (": ", ""),
            (line.level, style),
            (f": {line.message}", ""),
            (f"  [{line.code}]", "dim"),
        )

    def print_obligation(self, checked_obligation: CheckedObligation) -> None:
        """Print the line of one obligation and its source line."""
        self.print_line(obligation_line(self.source.program, self.diagnosis, checked_obligation))
        self.print_excerpt(checked_obligation)

    def print_excerpt(self, checked_obligation: CheckedObligation) -> None:
        """Print the source line of an obligation with a caret."""
        obligation = checked_obligation.obligation
        if self._model.is_placed(obligation.op):
            self.page.line(self.source.model_line(obligation.op), indent=EXCERPT_INDENT)
            return
        line = self.source.line_at(obligation.location)
        if line is not None:
            self.page.source_line(line, obligation.location.column, indent=EXCERPT_INDENT)

    def print_claim(self, checked_obligation: CheckedObligation) -> None:
        """Print the requirement in full: the message, the rule's clause and the condition on the sizes."""
        obligation, verdict = checked_obligation.obligation, checked_obligation.verdict
        kind = KINDS[obligation.kind]
        always = isinstance(verdict, Refuted) and verdict.always
        self.page.field("if false" if isinstance(verdict, Proved) else "what", self._model.words(obligation.message))
        if isinstance(verdict, Refuted):
            self.page.field("kind", f"{kind} whenever a run gets here" if always else kind)
        self._calls(obligation)
        self._print_model(obligation)
        words = clause_words(obligation)
        if words:
            self.page.field("rule", f"({obligation.clause}) {words}")
        requirement = self.requirement(checked_obligation)
        if not (isinstance(verdict, Proved) and requirement == "true"):
            is_exact = are_exact(self.diagnosis.needs, (checked_obligation,))
            if self._admits_no_sizes(checked_obligation) and not is_exact:
                self.page.field("safe for", "no sizes")
            else:
                self._print_condition("requires" if is_exact else "safe if", requirement)

    def requirement(self, checked_obligation: CheckedObligation) -> str:
        """Return the condition on the sizes that an obligation requires, in the model's words."""
        diagnosis = self.diagnosis
        return self._model.words(
            diagnosis.requirements[checked_obligation] if self.verbose else diagnosis.needs[checked_obligation].text
        )

    def _admits_no_sizes(self, checked_obligation: CheckedObligation) -> bool:
        """Return whether the condition that an obligation requires, as far as it is known, holds for no sizes."""
        return self.requirement(checked_obligation) == FALSE.text

    def _print_model_in_short(self, obligation: Obligation) -> None:
        """Print the line of the model that an operation comes from."""
        if self._model.is_placed(obligation.op):
            module = "" if obligation.op.origin is None else obligation.op.origin.module
            shown = ": ".join(filter(None, (f"in {module}" if module else "", self.source.model_line(obligation.op))))
            if shown:
                self.page.shortened_line(shown, indent=EXCERPT_INDENT)
            return
        model = self.source.model(obligation.op)
        if model:
            self.page.field("model", self._cut(model, LONGEST_OTHER))

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
        if not obligation.calls or (self._model.is_placed(obligation.op) and not self.verbose):
            return
        self.page.field("called", call_path(obligation))
        need = self.diagnosis.callee_requirements.get(obligation)
        if need is not None:
            self.page.field("", self._cut(callee_requirement_text(need)))

    def print_evidence(self, checked_obligation: CheckedObligation) -> None:
        """Print the sizes of a refutation, the reason of an open claim or the facts behind another verdict."""
        verdict = checked_obligation.verdict
        match verdict:
            case Refuted():
                self._sizes(checked_obligation, verdict, "fails at")
            case Undecided():
                self.page.field("open", verdict.reason_kind.value)
                reason = reason_text(self.diagnosis.report.approximations, verdict)
                self.page.field("because", self._cut(self._model.words(reason)))
                ways_out = remedies(self.diagnosis.report.approximations, [verdict])
                for remedy in (*ways_out, *data_remedies([checked_obligation])):
                    self.page.field("try", remedy)
                if verdict.candidate is not None:
                    self._sizes(checked_obligation, verdict.candidate, "may fail")
            case Unreachable():
                why = NO_INPUT if self.diagnosis.report.contradiction else "the facts contradict each other here"
                self.page.field("because", f"{why}, so this never runs")
                self.print_facts("facts", verdict.facts)
            case Proved():
                self.page.field("by", strategy_words(verdict))
                self.print_facts("facts", verdict.facts)

    def _print_evidence_in_short(self, checked_obligation: CheckedObligation, known_run: str, stated: str) -> str:
        """Print the evidence of a verdict that is not stated above; return the result of its execution."""
        verdict, run = checked_obligation.verdict, ""
        match verdict:
            case Refuted():
                run = self._sizes_in_short(checked_obligation, verdict, "fails at", known_run, AS_ABOVE)
                self._print_wraps(checked_obligation)
            case Undecided():
                reason = self._model.words(reason_text(self.diagnosis.report.approximations, verdict, LONGEST_REASON))
                if reason not in stated:
                    self.page.field("because", self._cut(reason))
                if verdict.candidate is not None:
                    run = self._sizes_in_short(checked_obligation, verdict.candidate, "may fail", known_run, AS_ABOVE)
            case Unreachable():
                self.print_facts("facts", verdict.facts, MOST_OTHERS)
            case Proved():
                pass
        return run

    def _print_wraps(self, checked_obligation: CheckedObligation) -> None:
        if checked_obligation.wraps:
            self.page.field("wraps", f"only because {checked_obligation.wraps} wraps around")

    def _proved_where(self, condition: Formula, count: int) -> None:
        """Print the condition under which all obligations of a finding are proved."""
        these = f", as are the {count - 1} others" if count > 2 else ", as is the other one" if count == 2 else ""
        self.page.field("proved", f"where {readable_claim(condition)}{these}; larger sizes leave it open")

    def print_facts(self, label: str, facts: Sequence[Fact], most: int = MOST_FACTS) -> None:
        """Print facts with their sources."""
        texts = list(dict.fromkeys(self._fact_text(fact) for fact in facts))
        for number, text in enumerate(texts):
            if number >= most and not self.verbose:
                self.page.field("", f"and {len(texts) - number} more; --verbose shows them")
                return
            self.page.field(label if number == 0 else "", text)

    def _fact_text(self, fact: Fact) -> str:
        return fact_text(fact, self._cut(str(fact.formula)))

    def _sizes_in_short(
        self, checked_obligation: CheckedObligation, refuted: Refuted, label: str, known_run: str, instead: str
    ) -> str:
        """Print a counterexample, what else is known of it, and its execution, in one line if there is room.

        Of an execution that ended as ``known_run``, which stands above, ``instead`` is printed.

        Returns:
            The result of the execution.
        """
        trace = self.diagnosis.report.trace
        may_not_arrive = self.diagnosis.needs[checked_obligation].may_not_arrive
        fails_in_every_call = checked_obligation is self.diagnosis.report.fails_for_all
        sizes = "any sizes" if fails_in_every_call else self._cut(sizes_text(trace, refuted))
        notes = "" if fails_in_every_call else sizes_notes(trace, refuted, may_not_arrive=may_not_arrive)
        is_superseded = checked_obligation.original_raises or _is_superseded_by_original(checked_obligation)
        run = "" if is_superseded else run_text(checked_obligation)
        run_shown = instead if run and run == known_run else run
        shown = f"{sizes}   ({notes})" if notes else sizes
        if run_shown:
            self.page.joined_fields(label, shown, "bold", "run", run_shown)
        else:
            self.page.field(label, shown, "bold")
        self._original(checked_obligation)
        return run

    def _further_sizes(self, stated: Sequence[CheckedObligation]) -> str:
        """Print sizes for the conditions of a line that those printed before do not violate.

        Returns:
            The result of the last execution; "" if there are no further sizes.
        """
        if len(stated) < 2:
            return ""
        first, *others = counterexamples(self.diagnosis.needs, stated)
        run = run_text(first[0])
        for each, refuted in others[:MOST_FURTHER]:
            run = self._sizes_in_short(each, refuted, "and at", run, "")
        if len(others) > MOST_FURTHER:
            self.page.field("and at", "other sizes for other conditions; --json shows them")
        return run

    def _sizes(self, checked_obligation: CheckedObligation, refuted: Refuted, label: str) -> None:
        page, trace = self.page, self.diagnosis.report.trace
        page.field(label, arguments_in_short(trace, refuted.sizes, "any") or "any sizes", "bold")
        notes = minimality_notes(trace, refuted, label.removesuffix(" at"))
        if notes:
            page.field("", "; ".join(notes))
        values = claim_values(checked_obligation.obligation, refuted, checked_obligation.verdict)
        for number, (name, value, expression) in enumerate(values):
            if number >= MOST_SHOWN and not self.verbose:
                page.field("", f"and {len(values) - number} more; --verbose shows them")
                break
            is_short = self.verbose or len(expression or "") <= LONGEST_EXPRESSION
            tail = f"   ({expression})" if expression and is_short else ""
            page.field("where" if number == 0 else "", f"{self._model.words(name)} = {value}{self._model.words(tail)}")
        if self.verbose or not _is_superseded_by_original(checked_obligation):
            self._execution(checked_obligation)
        self._original(checked_obligation)

    def _original(self, checked_obligation: CheckedObligation) -> None:
        """Print the result of running the model itself."""
        if checked_obligation.original:
            claim = "not confirmed for this claim: " if checked_obligation.raises_elsewhere else ""
            words = f"{claim}the model itself, run by its framework, {checked_obligation.original}"
            self.page.field("original", words)
            if checked_obligation.original_returns:
                words = "so what fails may come from its export, import or lowering, not from the model"
                self.page.field("", words)
        if checked_obligation.reproducer:
            self.page.field("reproduce", checked_obligation.reproducer)

    def _execution(self, checked_obligation: CheckedObligation) -> None:
        confirmation = checked_obligation.confirmation
        if confirmation is None:
            return
        if confirmation.shown is Shown.NOT_EXECUTED:
            self.page.field("not run", confirmation.text or confirmation.shown.value)
        else:
            outcome = ": ".join(part for part in (confirmation.shown.value, confirmation.text) if part)
            self.page.field("run", outcome)

    def _others(self, checked_obligations: Sequence[CheckedObligation], first: CheckedObligation | None = None) -> None:
        """Print the further obligations of a finding, without what stands above of the ``first``: name, exception."""
        op = None if first is None else first.obligation.op
        exception = "" if first is None or self.verbose else self.diagnosis.needs[first].exception
        for number, checked_obligation in enumerate(checked_obligations):
            if number >= MOST_OTHERS and not self.verbose:
                self.page.field("", f"and {len(checked_obligations) - number} more; --verbose shows them")
                return
            obligation = checked_obligation.obligation
            is_same = not self.verbose and op is not None and obligation.op is op and not obligation.calls
            where = "" if is_same else f"{self._model.short_place(obligation)}: {self._model.operation(obligation.op)}"
            if obligation.calls:
                where = f"{where}, where {call_path(obligation)},"
            message = self._model.words(obligation.message)
            need = self.diagnosis.needs[checked_obligation]
            is_internal = need.is_internal
            requirement = self.requirement(checked_obligation)
            if exception and need.exception == exception:
                requirement = f"{self._model.words(need.condition)} (unless as above)"
            requirement = self._cut(requirement, LONGEST_OTHER)
            is_exact = are_exact(self.diagnosis.needs, (checked_obligation,))
            admits_none = self._admits_no_sizes(checked_obligation)
            if admits_none and is_exact and isinstance(checked_obligation.verdict, Refuted):
                explanation = f"{where}: {message}, whenever a run gets here".removeprefix(": ")
            elif is_internal and not self.verbose:
                explanation = f"{where}: {message}".removeprefix(": ")
            else:
                needed = f"{'needs' if is_exact else 'is safe if'} {requirement}"
                needs = f"{where} {'is not known to be safe' if admits_none and not is_exact else needed}".lstrip()
                explanation = f"{needs}: {message}" if self.verbose else needs
            self.page.field("also" if number == 0 else "", explanation)

    def _print_condition(self, label: str, text: str) -> None:
        print_condition(self.page, label, text, verbose=self.verbose)

    def _cut(self, text: str, limit: int = LONGEST_CLAIM) -> str:
        if self.verbose or len(text) <= limit:
            return text
        self.page.is_cut = True
        return shortened(text, limit)


def _is_superseded_by_original(checked_obligation: CheckedObligation) -> bool:
    """Return whether the model itself was run, and its lowered program failed elsewhere or was not run."""
    confirmation = checked_obligation.confirmation
    inconclusive = (Shown.LOWERING_FAILED, Shown.NOT_EXECUTED)
    return bool(checked_obligation.original) and confirmation is not None and confirmation.shown in inconclusive
