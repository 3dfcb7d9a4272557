"""Expectations in comments of a program, each about the next line that is more than a comment.

    // expect: refuted tosa-add-broadcast a[0] == b[0]     (the condition that it requires)
    // expect: refuted add-broadcast with a[0] = 2, b[0] = 3
    // expect: undecided C1 because no rule describes it
    // expect: proved
    // expect: unreachable C1
    // expect: unchecked
    // assume: a[0] >= 1                                   (above a function)

A code may be given without its dialect, or as the number of the rule's clause; without one the expectation is about
every obligation of the line. Whatever is not proved, or not checked, has to be expected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.diagnosis.diagnosis import Diagnosis
from shapesolve.errors import InputError
from shapesolve.ir.program import Location
from shapesolve.reasons import NO_INPUT
from shapesolve.records import value_record
from shapesolve.semantics.codes import UNCHECKED
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable

VERDICTS: Mapping[str, type[object]] = {
    "proved": Proved,
    "refuted": Refuted,
    "undecided": Undecided,
    "unreachable": Unreachable,
}
_COMMENT = re.compile(r"^\s*//\s*(?P<kind>expect|assume)\s*:(?P<text>.*)$")
_ALMOST = re.compile(r"^\s*//\s*(expect|expected|assume)\b\s*[:=]?")
_BEHIND = re.compile(r"""[^"/]*("[^"]*"[^"/]*)*//\s*expect\s*:""")
_FUNCTION = re.compile(r"^\s*(?:func|shape)\.func\s+(?:\w+\s+)?@(?P<name>[\w$.-]+)")
_CODE = re.compile(r"[A-Z]\d+|[a-z0-9]+(-[a-z0-9]+)+")
_SIZE = re.compile(r"([^\s,=]+)\s*=\s*(-?\d+)")


@value_record
class Expectation:
    """Expectation about the obligations of a line.

    Attributes:
        comment: The line of the comment.
        line: The line that it is about.
        verdict: The expected verdict, or "unchecked".
        code: The code, or empty for every obligation of the line.
        detail: The condition, or ``with`` sizes, or ``because`` words; may be empty.
    """

    comment: int
    line: int
    verdict: str
    code: str
    detail: str

    @property
    def text(self) -> str:
        """The expectation as a comment states it."""
        return " ".join(filter(None, (self.verdict, self.code, self.detail)))


@value_record
class Expectations:
    """Expectations of a file, and the assumptions of its functions as ``--assume`` takes them."""

    expected: tuple[Expectation, ...]
    assumptions: tuple[str, ...]


def read_expectations(text: str, file: str) -> Expectations:
    """Return the expectations in the comments of a program.

    Raises:
        InputError: A comment is almost one, or belongs to no line.
    """
    expected: list[Expectation] = []
    assumptions: list[str] = []
    waiting: list[tuple[int, str]] = []
    assumed: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _COMMENT.match(line)
        if match is not None and match["text"].strip():
            (waiting if match["kind"] == "expect" else assumed).append((number, match["text"].strip()))
        elif _ALMOST.match(line):
            words = "an expectation reads `// expect: refuted CODE CONDITION`, an assumption `// assume: CONDITION`"
            raise InputError(words, where=f"{file}:{number}")
        elif line.strip() and not line.lstrip().startswith("//"):
            if _BEHIND.match(line):
                words = "an expectation stands on a line of its own, above the line that it is about"
                raise InputError(words, where=f"{file}:{number}")
            function = _FUNCTION.match(line)
            if function is not None:
                assumptions += [f"@{function['name']}: {text}" for _, text in assumed]
                assumed = []
            expected += [_expectation(text, comment, number, file) for comment, text in waiting]
            waiting = []
    for number, _ in (*waiting, *assumed):
        raise InputError("no line follows that this comment could be about", where=f"{file}:{number}")
    return Expectations(tuple(expected), tuple(assumptions))


def _expectation(text: str, comment: int, line: int, file: str) -> Expectation:
    verdict, _, rest = text.partition(" ")
    if verdict not in (*VERDICTS, UNCHECKED):
        known = ", ".join((*VERDICTS, UNCHECKED))
        raise InputError(f"`{verdict[:40]}` is none of {known}", where=f"{file}:{comment}")
    code, _, detail = rest.strip().partition(" ")
    if not _CODE.fullmatch(code):
        code, detail = "", rest.strip()
    return Expectation(comment, line, verdict, code, detail.strip())


def broken_expectations(diagnosis: Diagnosis, expected: Sequence[Expectation]) -> list[str]:
    """Return a line for each expectation that does not hold, and for each finding that nothing expects."""
    work = _Comparison(diagnosis, expected)
    return [*work.broken(), *work.unexpected()]


class _Comparison:
    """Comparison of a diagnosis with expectations."""

    def __init__(self, diagnosis: Diagnosis, expected: Sequence[Expectation]) -> None:
        self._diagnosis = diagnosis
        self._expected = expected
        self._file = diagnosis.program.file
        self._at_line: dict[int, list[CheckedObligation]] = {}
        self._requirements: dict[CheckedObligation, str] = {}
        self._unchecked: dict[int, list[str]] = {}
        self._without_input: set[CheckedObligation] = set()
        for function in diagnosis.functions:
            if function.report.contradiction:
                self._without_input.update(function.report.checked_obligations)
            self._requirements.update(function.requirements)
            for checked_obligation in function.report.checked_obligations:
                self._at_line.setdefault(self._line(checked_obligation.obligation.location), []).append(
                    checked_obligation
                )
            for each in function.report.unchecked:
                self._unchecked.setdefault(self._line(each.location), []).append(f"{each.op}: {each.reason}")

    def _line(self, location: Location) -> int:
        return location.line if location.file == self._file else 0

    def broken(self) -> list[str]:
        """Return a line for each expectation that does not hold."""
        found: list[str] = []
        for each in self._expected:
            problem = self._problem(each)
            if problem:
                found.append(f"{self._file}:{each.comment}: expected {each.text}; {problem}")
        return found

    def _problem(self, expected: Expectation) -> str:
        if expected.verdict == UNCHECKED:
            return "" if expected.line in self._unchecked else "every operation of the line is checked"
        here = self._at_line.get(expected.line, [])
        about = [each for each in here if _is_called(expected.code, each)]
        if not about:
            codes = ", ".join(dict.fromkeys(each.obligation.code for each in here))
            return f"line {expected.line} has no such obligation{f', but {codes}' if codes else ''}"
        kind = VERDICTS[expected.verdict]
        if kind in (Refuted, Undecided):  # one is enough: other claims of the line may hold
            holds = any(isinstance(each.verdict, kind) and self._fits(expected, each) for each in about)
        else:
            holds = all(isinstance(each.verdict, kind) for each in about)
        return "" if holds else f"found {'; '.join(dict.fromkeys(map(self._described, about)))}"

    def _fits(self, expected: Expectation, checked_obligation: CheckedObligation) -> bool:
        verdict = checked_obligation.verdict
        kind, _, rest = expected.detail.partition(" ")
        if kind == "because":
            return isinstance(verdict, Undecided) and rest in f"{verdict.reason_kind.value}; {verdict.reason}"
        if kind == "with":
            sizes = {each.name: value for each, value in verdict.sizes.items()} if isinstance(verdict, Refuted) else {}
            wanted = _SIZE.findall(rest)
            return bool(wanted) and all(sizes.get(name) == int(value) for name, value in wanted)
        required = self._requirements.get(checked_obligation, "")
        return not expected.detail or "".join(expected.detail.split()) == "".join(required.split())

    def _described(self, checked_obligation: CheckedObligation) -> str:
        verdict = checked_obligation.verdict
        words = f"{verdict.word} {checked_obligation.obligation.code}"
        if isinstance(verdict, Refuted):
            sizes = ", ".join(f"{each.name} = {value}" for each, value in verdict.sizes.items())
            return f"{words} {self._requirements.get(checked_obligation, '')} (with {sizes})"
        if checked_obligation in self._without_input:
            return f"{words} because {NO_INPUT}"
        return f"{words} because {verdict.reason}" if isinstance(verdict, Undecided) else words

    def unexpected(self) -> list[str]:
        """Return a line for each finding that nothing expects."""
        found: list[str] = []
        for line, checked_obligations in self._at_line.items():
            for each in checked_obligations:
                is_expected = any(
                    expected.line == line and _is_called(expected.code, each) and expected.verdict != UNCHECKED
                    for expected in self._expected
                )
                if not isinstance(each.verdict, Proved) and not is_expected:
                    found.append(f"{self._file}:{line}: nothing expects {self._described(each)}")
        expected_lines = {each.line for each in self._expected if each.verdict == UNCHECKED}
        for line, reasons in self._unchecked.items():
            if line not in expected_lines:
                found.append(f"{self._file}:{line}: nothing expects unchecked {reasons[0]}")
        return found


def _is_called(name: str, checked_obligation: CheckedObligation) -> bool:
    """Return whether an obligation has a code, given whole or without the dialect, or a clause's number."""
    code = checked_obligation.obligation.code
    return name in ("", code, checked_obligation.obligation.clause) or code.endswith(f"-{name}")
