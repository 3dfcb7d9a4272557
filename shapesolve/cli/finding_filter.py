"""Findings that count: those that ``--select``, ``--ignore``, comments and the baseline leave.

What is left out is counted and named. Nothing is left out of a verdict: the numbers of obligations stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.exporter_findings import ExporterFinding
from shapesolve.checker.report import Report
from shapesolve.cli.fail_on import HUGE_SIZES
from shapesolve.cli.ignore_comments import IgnoredLines, covers, ignore_comments
from shapesolve.diagnosis.diagnosis import Diagnosis, FunctionDiagnosis
from shapesolve.diagnosis.findings import Finding
from shapesolve.errors import InputError
from shapesolve.records import record, value_record
from shapesolve.reports.evidence_text import sizes_text
from shapesolve.reports.exporter_text import exporter_identity, exporter_lines
from shapesolve.reports.finding_formats import IdentifiedFinding
from shapesolve.reports.finding_line import (
    FindingLine,
    finding_line,
    fitting,
    returned_error_lines,
    unchecked_lines,
    wrapping_lines,
)
from shapesolve.reports.sarif import digest, fingerprint
from shapesolve.semantics.codes import RETURNED, UNCHECKED, WRAPS
from shapesolve.solver.verdicts import Refuted, Undecided

UNUSED_IGNORE = "unused-ignore"
_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@value_record
class Selection:
    """Findings that the user wants: codes or beginnings of codes, and findings that are known already.

    Attributes:
        select: Codes to report; all if it is empty.
        ignore: Codes to leave out.
        known: How many findings of each identity a baseline has, by file.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    known: Mapping[str, Mapping[str, int]] | None = None

    def includes(self, code: str, *, huge: bool = False, wraps: bool = False) -> bool:
        """Return whether findings of a code are wanted."""
        names = (code, *(HUGE_SIZES,) * huge, *(WRAPS,) * wraps)
        is_selected = not self.select or any(covers(each, name) for each in self.select for name in names)
        return is_selected and not any(covers(each, name) for each in self.ignore for name in names)


def check_codes(patterns: Sequence[str], option: str, *, has_own_rules: bool) -> None:
    """Refuse a code that no rule has, since what it should select would go unnoticed.

    Raises:
        InputError: There is no such code.
    """
    from shapesolve.semantics.codes import codes_of
    from shapesolve.semantics.registry import RULEBOOK, load_rules

    if not patterns:
        return
    load_rules()
    codes = {HUGE_SIZES, UNUSED_IGNORE, *codes_of(RULEBOOK.rules())}
    for each in patterns:
        if not _PATTERN.fullmatch(each):
            raise InputError(f"`{each[:60]}` is no code such as tosa-matmul-inner", where=option)
        if not has_own_rules and not any(covers(each, code) for code in codes):
            from difflib import get_close_matches

            alike = get_close_matches(each, codes, n=1)
            hint = f"; did you mean `{alike[0]}`?" if alike else ""
            raise InputError(f"no finding can have the code `{each}`{hint}", where=option)


@record
class Filtered:
    """Findings of a checked file that count.

    Attributes:
        diagnosis: The diagnosis without the findings that are left out.
        findings: The findings that count, notes on comments that ignore nothing included.
        left_out: The number of findings that are left out, by reason and code.
        exit_code: The exit code of the findings that count.
        fails_for_all: Whether one of them fails in every call.
        selection: The selection that was applied.
    """

    diagnosis: Diagnosis
    findings: tuple[IdentifiedFinding, ...]
    left_out: Mapping[tuple[str, str], int]
    exit_code: int
    fails_for_all: bool
    selection: Selection

    @property
    def shown(self) -> frozenset[Finding]:
        """The findings of obligations that are reported."""
        return frozenset(finding for each in self.diagnosis.functions for finding in each.findings)

    @property
    def words(self) -> str:
        """Sentence about the excluded findings; empty if there are none."""
        shown = [f"{count} {code} ({reason})" for (reason, code), count in sorted(self.left_out.items())]
        return f"left out: {', '.join(shown)}" if shown else ""


def filtered(
    diagnosis: Diagnosis,
    file: str,
    selection: Selection,
    *,
    with_unused: bool,
    outside: Collection[Finding] = (),
) -> Filtered:
    """Return the findings of a checked file that are reported.

    Args:
        diagnosis: The diagnosis, with requirements if the lines of the findings are wanted.
        file: The name of the file in a baseline.
        selection: The findings to count.
        with_unused: Whether to report comments that ignore nothing.
        outside: Findings that are reported, but as notes, and do not count for the exit code.
    """
    work = _Filter(diagnosis, selection, (selection.known or {}).get(file, {}), outside)
    functions = tuple(work.function(each) for each in diagnosis.functions)
    if with_unused and selection.includes(UNUSED_IGNORE):
        work.report_unused()
    report = diagnosis.report
    exit_code, for_all = report.exit_code, report.fails_for_all
    kept = replace(report, exporter=work.exporter(report)) if report.exporter else report
    if work.left_out or outside:
        exit_code = 1 if work.has_refuted else 3 if work.has_undecided or report.admits_no_input else 0
        for_all = work.fails_for_all
    found = replace(diagnosis, report=kept, functions=functions)
    return Filtered(found, tuple(work.found), work.left_out, exit_code, for_all, selection)


def without_findings(report: Report, findings: Collection[Finding]) -> Report:
    """Return a report without the obligations of some findings."""
    gone = {obligation for each in findings for obligation in each.checked_obligations}
    if not gone:
        return report
    functions = (
        replace(each, checked_obligations=tuple(c for c in each.checked_obligations if c not in gone))
        for each in report.functions
    )
    return replace(report, functions=tuple(functions))


class _Filter:
    """Pass over the functions of a file."""

    def __init__(
        self, diagnosis: Diagnosis, selection: Selection, known: Mapping[str, int], outside: Collection[Finding]
    ) -> None:
        self._diagnosis = diagnosis
        self._selection = selection
        self._known = Counter(known)
        self._outside = outside
        self._comments = IgnoredLines(ignore_comments(diagnosis.program.text or ""))
        self.found: list[IdentifiedFinding] = []
        self.left_out: Counter[tuple[str, str]] = Counter()
        self.has_refuted = self.has_undecided = self.fails_for_all = False

    def function(self, function: FunctionDiagnosis) -> FunctionDiagnosis:
        """Return the diagnosis of a function without the findings that are left out."""
        kept = [each for each in function.findings if self._keeps(function, each)]
        self._errors(function)
        self._unchecked(function)
        self._wrapping(function)
        never = function.report.fails_for_all
        self.fails_for_all |= never is not None and any(
            never in each.checked_obligations for each in kept if each not in self._outside
        )
        return replace(function, findings=tuple(kept))

    def _keeps(self, function: FunctionDiagnosis, finding: Finding) -> bool:
        codes = {each.obligation.code for each in finding.checked_obligations}
        lines = [(self._line(each.obligation.location), each.obligation.code) for each in finding.checked_obligations]
        ignored = [self._comments.ignores(*each) for each in lines]  # all of them, so that each comment counts
        identity = fingerprint(function, finding)
        code = finding.first.obligation.code
        classes = {"huge": finding.is_enormous, "wraps": bool(finding.first.wraps)}
        reason = self._reason(codes, identity, by_comment=all(ignored), **classes)
        if reason:
            self.left_out[reason, code] += 1
            return False
        counts = finding not in self._outside
        self.has_refuted |= counts and isinstance(finding.verdict, Refuted)
        self.has_undecided |= counts and isinstance(finding.verdict, Undecided)
        line = finding_line(self._diagnosis.program, function, finding)
        if not counts or self._diagnosis.report.lowering_of is not None:
            line = replace(line, level="note")
        verdict, trace = finding.verdict, function.report.trace
        sizes = sizes_text(trace, verdict) if isinstance(verdict, Refuted) else ""
        self.found.append(IdentifiedFinding(line, function.name, identity, sizes))
        return True

    def _reason(
        self, codes: set[str], identity: str, *, by_comment: bool, huge: bool = False, wraps: bool = False
    ) -> str:
        """Return why a finding is left out; empty if it counts."""
        if not any(self._selection.includes(each, huge=huge, wraps=wraps) for each in codes):
            return "not selected"
        if by_comment:
            return "by a comment"
        if self._known[identity] > 0:
            self._known[identity] -= 1
            return "known"
        return ""

    def _line(self, location: object) -> int:
        """Return the line of a location in the program's own file, or 0."""
        from shapesolve.ir.program import Location

        is_own = isinstance(location, Location) and location.file == self._diagnosis.program.file
        return location.line if is_own and isinstance(location, Location) else 0

    def _errors(self, function: FunctionDiagnosis) -> None:
        lines = returned_error_lines(self._diagnosis.program, function)
        for error, line in zip(function.report.errors, lines, strict=True):
            identity = digest((function.name, RETURNED, str(error.position)))
            if self._counts(function, line, identity, by_comment=self._comments.ignores(line.line, RETURNED)):
                self.has_refuted = self.fails_for_all = True

    def _unchecked(self, function: FunctionDiagnosis) -> None:
        kinds: dict[tuple[str, str], list[bool]] = {}
        for each in function.report.unchecked:
            ignored = self._comments.ignores(self._line(each.location), UNCHECKED)
            kinds.setdefault((each.op, str(each.reason)), []).append(ignored)
        lines = unchecked_lines(function)
        for (kind, ignored), line in zip(kinds.items(), lines, strict=True):
            identity = digest((function.name, UNCHECKED, *kind))
            if self._counts(function, line, identity, by_comment=all(ignored)):
                self.has_undecided = True

    def _wrapping(self, function: FunctionDiagnosis) -> None:
        for each, line in zip(function.report.wrapping, wrapping_lines(function), strict=True):
            ignored = self._comments.ignores(self._line(each.location), WRAPS)
            self._counts(function, line, digest((function.name, WRAPS, each.operation)), by_comment=ignored)

    def _counts(self, function: FunctionDiagnosis, line: FindingLine, identity: str, *, by_comment: bool) -> bool:
        reason = self._reason({line.code}, identity, by_comment=by_comment)
        if reason:
            self.left_out[reason, line.code] += 1
            return False
        self.found.append(IdentifiedFinding(line, function.name, identity))
        return True

    def exporter(self, report: Report) -> tuple[ExporterFinding, ...]:
        """Return the exporter's conditions that the filter keeps."""
        left_out: set[ExporterFinding] = set()
        function = self._diagnosis.functions[0]
        for each, line in exporter_lines(report):
            if self._counts(function, fitting(line), exporter_identity(each, line), by_comment=False):
                self.has_refuted |= line.level == "error"
                self.has_undecided |= line.level == "warning"
            else:
                left_out.add(each)
        return tuple(each for each in report.exporter if each not in left_out)

    def report_unused(self) -> None:
        """Add a note for each comment that ignores nothing."""
        for comment, codes in self._comments.unused().items():
            words = f"ignores nothing: {', '.join(codes)}" if codes else "names no code: write ignore[CODE]"
            line = FindingLine(
                self._diagnosis.program.file,
                comment.line,
                comment.column,
                "note",
                f"this comment {words}",
                UNUSED_IGNORE,
            )
            identity = digest((UNUSED_IGNORE, *codes))
            self.found.append(IdentifiedFinding(line, "", identity))


def has_filter(report: Report, selection: Selection) -> bool:
    """Return whether anything may be left out of a report."""
    comments = "shapesolve:" in (report.program.text or "")
    return comments or bool(selection.select or selection.ignore) or selection.known is not None
