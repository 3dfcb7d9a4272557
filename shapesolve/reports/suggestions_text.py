"""Suggested assumptions as text: conditions on the inputs, and options to paste, each condition once."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.diagnosis.diagnosis import FunctionDiagnosis
from shapesolve.diagnosis.needs import stated_texts
from shapesolve.diagnosis.suggestions import Suggestions
from shapesolve.ir.program import Function, Program
from shapesolve.records import value_record
from shapesolve.reports.finding_text import LONGEST_CLAIM, MOST_OTHERS
from shapesolve.reports.long_conditions import LONGEST_UNNAMED, print_conditions, with_shared_alternatives
from shapesolve.reports.page import LONGEST_LINE, Page
from shapesolve.reports.phrases import (
    check_with,
    condition_rows,
    inexact_words,
    missing_words,
    only_empty_words,
    only_errors_words,
)
from shapesolve.solver.verdicts import Refuted

TO_PASTE = "to paste, shorter and enough, without the cases where a size is 0:"


@value_record
class SuggestionPrinter:
    """Printer of the conditions under which nothing in a function is refuted.

    Attributes:
        diagnosis: The diagnosis of the function.
        program: Its program.
        page: The page to print on.
        verbose: Whether nothing is left out or shortened.
    """

    diagnosis: FunctionDiagnosis
    program: Program
    page: Page
    verbose: bool = False

    def print(self) -> None:
        """Print the conditions, or why there are none."""
        suggested, page = self.diagnosis.suggestions, self.page
        if suggested.inexpressible:
            page.field("missing", missing_words(suggested))
        if suggested.assumptions:
            self._print_conditions(suggested)
        if suggested.errors:
            page.paragraph(only_errors_words(suggested), "bold", indent=3)
        if suggested.hopeless:
            is_certain = self.diagnosis.report.fails_for_all is not None
            why = "what is refuted above cannot hold together here"
            page.paragraph(f"safe for no sizes at all{'' if is_certain else f': {why}'}", "bold", indent=3)

    def _print_conditions(self, suggested: Suggestions) -> None:
        """Print conditions; only as options to paste where these say all of it, and not those that stand above."""
        page, function = self.page, self.diagnosis.report
        words = options_to_paste(suggested, function.trace.function, self.program)
        is_once = bool(words) and _are_options(suggested)
        is_above = bool(words) and self._is_above(suggested)
        if is_once:
            print_command(words, page, "safe with" if suggested.exact else "holds with")
        elif is_above and suggested.signature:
            print_conditions(page, condition_rows(suggested)[:1], verbose=self.verbose)
            page.field("", "or, where a size is 0, as needed above")
        elif is_above:
            page.field("safe when", f"what is needed above holds; {TO_PASTE}")
        else:
            print_conditions(page, condition_rows(suggested), verbose=self.verbose)
        if not suggested.exact:
            page.field("", inexact_words(suggested, function.checked_obligations))
        if suggested.empty:
            page.field("", only_empty_words(suggested))
        if suggested.sufficient and not is_above:
            page.field("", TO_PASTE)
        if not is_once:
            print_command(words, page)

    def _is_above(self, suggested: Suggestions) -> bool:
        """Return whether conditions with a case of empty tensors, all that are needed, stand in the findings above."""
        if self.verbose or not suggested.exact or not suggested.sufficient or suggested.undeclared:
            return False
        said = set[str]()
        for finding in self.diagnosis.findings:
            if isinstance(finding.verdict, Refuted) and finding.data is None:
                said |= stated_texts(self.diagnosis.needs, finding.checked_obligations, MOST_OTHERS)
        return said.issuperset(suggested.texts)


def _are_options(suggested: Suggestions) -> bool:
    """Return whether conditions read the same as options and as a list: no signature, no names for long parts."""
    listed = (*suggested.texts, *suggested.undeclared)
    is_named = bool(with_shared_alternatives(listed)[1]) or any(len(text) > LONGEST_UNNAMED for text in listed)
    return not suggested.signature and listed == suggested.shortest and not is_named


def options_to_paste(suggested: Suggestions, function: Function, program: Program) -> list[str]:
    """Return the options that assume suggested conditions; none if one does not fit a line."""
    if not suggested.shortest or any(len(text) > LONGEST_CLAIM for text in suggested.shortest):
        return []
    words = check_with(function, program, suggested.shortest)
    return words if _fit(words) else []


def _fit(words: Sequence[str]) -> bool:
    """Return whether there are options, and each fits a line."""
    return bool(words) and all(len(each) <= LONGEST_LINE - 16 for each in words)


def print_command(words: Sequence[str], page: Page, label: str = "check with") -> None:
    """Print options so that they can be copied, if each fits a line."""
    if _fit(words):
        page.command(label, words)
