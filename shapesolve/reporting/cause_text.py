"""One finding as text: the failed or open obligation, its place, sizes, and what running it showed."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.diagnosis.diagnosis import FunctionDiagnosis
from shapesolve.diagnosis.findings import Finding
from shapesolve.judging.judgement import Judgement, Shown
from shapesolve.proving.verdicts import Proved, Refuted, Undecided, Unreachable
from shapesolve.records import value_record
from shapesolve.reporting.call_text import calls_on_the_way, need_of_callee
from shapesolve.walking.obligations import Fact, Obligation
from shapesolve.wording.page import STYLES, Page
from shapesolve.wording.source_lines import SourceLines
from shapesolve.wording.words import (
    KINDS,
    because,
    clashing,
    clause_words,
    said_arguments,
    shortened,
    smallness,
)

LONGEST_CLAIM = 300
LONGEST_EXPRESSION = 80
MOST_OTHERS = 6
MOST_SHOWN = 6
MOST_FACTS = 12
MOST_CALLERS = 6
EXCERPT_INDENT = 5


@value_record
class CauseText:
    """Prints the findings of one function. ``verbose``: nothing is left out."""

    diagnosis: FunctionDiagnosis
    source: SourceLines
    page: Page
    verbose: bool = False

    def finding(self, finding: Finding, number: int) -> None:
        """Print one numbered finding."""
        self.heading(finding.first, f"{number}. ")
        if finding.data is not None and not self.verbose:
            self.what(finding.first)
            self.page.field("data", self._cut(finding.data.text))
            self._others(finding.judgements[finding.data.covered :])
            return
        self.claim(finding.first)
        self.evidence(finding.first)
        self._others(finding.others)

    def in_short(self, finding: Finding, number: int) -> None:
        """Print one numbered finding in one paragraph: location, problem, requirement."""
        judgement = finding.first
        obligation = judgement.obligation
        place = f"{number}. {judgement.verdict.word.upper()} {obligation.location}: {obligation.op.name}"
        needed = self.diagnosis.requirements[judgement]
        model = self.source.model(obligation.op)
        words = f"{place} ({obligation.clause}): {obligation.message}"
        if len(needed) <= LONGEST_CLAIM // 2:  # what is longer comes below, as a bound that is enough
            words += f"; requires {needed}"
        others = f"; {len(finding.others)} more of the same cause" if finding.others else ""
        if isinstance(judgement.verdict, Refuted):
            fails = f"; fails at {', '.join(said_arguments(self.diagnosis.report.trace, judgement.verdict.sizes))}"
        else:
            fails = f"; {judgement.verdict.reason}" if isinstance(judgement.verdict, Undecided) else ""
        self.page.paragraph(f"{words}{self._cut(fails)}{others}", STYLES[judgement.verdict.word], hanging=3)
        if model:
            self.page.field("model", self._cut(model))

    def heading(self, judgement: Judgement, lead: str = "") -> None:
        """The verdict, the place and the source line with a caret."""
        obligation, verdict = judgement.obligation, judgement.verdict
        word = "DEPENDS ON DATA" if judgement.is_about_data else verdict.word.upper()
        title = f"{lead}{word} {obligation.location}: {obligation.op.name} ({obligation.clause})"
        self.page.paragraph(f"{title}{_meaning(obligation, judgement)}", STYLES[verdict.word], hanging=3)
        excerpt = self.source.excerpt(obligation.location, self.page.width - EXCERPT_INDENT)
        if excerpt is not None:
            self.page.line(excerpt[0], indent=EXCERPT_INDENT)
            self.page.line(excerpt[1], "bold", indent=EXCERPT_INDENT)

    def claim(self, judgement: Judgement) -> None:
        """What is wrong, the clause's own words, and the claim on the sizes."""
        self.what(judgement)
        self.page.field("requires", self._cut(self.diagnosis.requirements[judgement]))

    def what(self, judgement: Judgement) -> None:
        """What is wrong, and the clause's own words."""
        obligation, proved = judgement.obligation, isinstance(judgement.verdict, Proved)
        self.page.field("if false" if proved else "what", obligation.message)
        self._calls(obligation)
        model = self.source.model(obligation.op)
        if model:
            self.page.field("model", self._cut(model))
            callers = self.source.callers(obligation.op)
            for each in callers if self.verbose else callers[:MOST_CALLERS]:
                self.page.field("", self._cut(f"called at {each}"))
        words = clause_words(obligation)
        if words:
            self.page.field("rule", f"({obligation.clause}) {words}")

    def _calls(self, obligation: Obligation) -> None:
        """The way from the function that is reported to the operation, and what the function it calls needs."""
        if not obligation.calls:
            return
        self.page.field("called", calls_on_the_way(obligation))
        need = self.diagnosis.callee_requirements.get(obligation)
        if need is not None:
            self.page.field("", self._cut(need_of_callee(need)))

    def evidence(self, judgement: Judgement) -> None:
        """Sizes for a refutation, the reason for an open claim, the facts for what cannot be reached."""
        verdict = judgement.verdict
        match verdict:
            case Refuted():
                self._sizes(judgement, verdict, "fails at")
            case Undecided():
                self.page.field("open", verdict.obstacle.value)
                self.page.field("because", self._cut(verdict.reason))
                if verdict.candidate is not None:
                    self._sizes(judgement, verdict.candidate, "may fail")
            case Unreachable():
                self.page.field("because", "the facts contradict each other here, so this never runs")
                self.facts("facts", verdict.facts)
            case Proved():
                self.page.field("by", verdict.rung)
                self.facts("facts", verdict.facts)

    def facts(self, label: str, facts: Sequence[Fact]) -> None:
        """Facts with the places that they come from."""
        for number, fact in enumerate(facts):
            if number >= MOST_FACTS and not self.verbose:
                self.page.field("", f"and {len(facts) - number} more; --verbose shows them")
                return
            claim, said = self._cut(str(fact.formula)), because(fact)
            self.page.field(label if number == 0 else "", said if said.endswith(f": {claim}") else f"{said}: {claim}")

    def _sizes(self, judgement: Judgement, refuted: Refuted, label: str) -> None:
        page, trace = self.page, self.diagnosis.report.trace
        for number, text in enumerate(said_arguments(trace, refuted.sizes)):
            page.field(label if number == 0 else "", text, "bold")
        notes = smallness(trace, refuted, label.removesuffix(" at"))
        if notes:
            page.field("", "; ".join(notes))
        values = clashing(judgement.obligation, refuted, judgement.verdict)
        for number, (name, value, expression) in enumerate(values):
            if number >= MOST_SHOWN and not self.verbose:
                page.field("", f"and {len(values) - number} more; --verbose shows them")
                break
            is_short = self.verbose or len(expression or "") <= LONGEST_EXPRESSION
            tail = f"   ({expression})" if expression and is_short else ""
            page.field("where" if number == 0 else "", f"{name} = {value}{tail}")
        self.runs(judgement)

    def runs(self, judgement: Judgement) -> None:
        """Print what running the program, and the model itself, showed of a counterexample."""
        if self.verbose or not _is_beside_the_point(judgement):
            self._execution(judgement)
        if judgement.original:
            self.page.field("original", f"the model itself, run by its framework, {judgement.original}")
            if judgement.original_returns:
                words = "so what fails may come from its export, import or lowering, not from the model"
                self.page.field("", words)
        if judgement.reproducer:
            self.page.field("reproduce", judgement.reproducer)

    def _execution(self, judgement: Judgement) -> None:
        confirmation = judgement.confirmation
        if confirmation is None:
            return
        if confirmation.shown is Shown.NOT_EXECUTED:
            self.page.field("not run", confirmation.text or confirmation.shown.value)
        else:
            said = ": ".join(part for part in (confirmation.shown.value, confirmation.text) if part)
            self.page.field("executed", said)

    def _others(self, judgements: Sequence[Judgement]) -> None:
        for number, judgement in enumerate(judgements):
            if number >= MOST_OTHERS and not self.verbose:
                self.page.field("", f"and {len(judgements) - number} more; --verbose shows them")
                return
            obligation = judgement.obligation
            claim = self._cut(self.diagnosis.requirements[judgement], LONGEST_CLAIM // 2)
            place = f"line {obligation.location.line}: {obligation.op.name} ({obligation.clause})"
            if obligation.calls:
                place = f"{place}, where {calls_on_the_way(obligation)}"
            self.page.field("also" if number == 0 else "", f"{place}: {obligation.message}; requires {claim}")

    def _cut(self, text: str, limit: int = LONGEST_CLAIM) -> str:
        return text if self.verbose else shortened(text, limit)


def _is_beside_the_point(judgement: Judgement) -> bool:
    """Return whether the model itself was run, and its lowered program failed elsewhere."""
    confirmation = judgement.confirmation
    return bool(judgement.original) and confirmation is not None and confirmation.shown is Shown.LOWERING_FAILED


def _meaning(obligation: Obligation, judgement: Judgement) -> str:
    if not isinstance(judgement.verdict, Refuted):
        return ""
    return f", {KINDS[obligation.kind]}{' for all sizes that get here' if judgement.verdict.always else ''}"
