"""``shapesolve test``: programs whose comments say which verdicts they expect.

A comment is about the next line that is more than a comment.

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

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.cli.check import combined_exit_code
from shapesolve.cli.environment import error_text
from shapesolve.cli.file_discovery import find_sources
from shapesolve.cli.parsed_options import options_of
from shapesolve.diagnosis.diagnosis import Diagnosis
from shapesolve.errors import InputError, NoFunctionError, plural
from shapesolve.gc_control import collector_paused
from shapesolve.ir.input_files import load
from shapesolve.ir.program import Location, Program
from shapesolve.ir.reader import read_text
from shapesolve.ir.split_files import Part, load_parts
from shapesolve.options import Options
from shapesolve.reasons import NO_INPUT
from shapesolve.records import value_record
from shapesolve.semantics.codes import UNCHECKED
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable

BROKEN, UNUSABLE = 1, 2


def run(arguments: argparse.Namespace) -> int:
    """Compare each file with its expectations, print what differs and return the exit code."""
    options = replace(options_of(arguments), execute=False)
    sources = find_sources(arguments.files, arguments.exclude, gitignore=arguments.gitignore)
    codes: list[int] = []
    for source in sources:
        try:
            codes.append(_test_file(source.name, options, arguments))
        except NoFunctionError as error:
            if not source.searched:
                codes.append(_report(error, source.name))
        except InputError as error:
            codes.append(_report(error, source.name))
    if len(sources) > 1:
        failed = sum(each != 0 for each in codes)
        print(f"{plural(len(codes), 'file')}, {failed} with broken expectations or errors")
    return combined_exit_code(codes)


def _report(error: InputError, file: str) -> int:
    sys.stdout.flush()
    print(error_text(error.at(file)), file=sys.stderr)
    return UNUSABLE


def _test_file(file: str, options: Options, arguments: argparse.Namespace) -> int:
    """Print what differs in a file, and return its exit code."""
    count, problems = 0, list[str]()
    if arguments.split_input_file:
        name, parts = load_parts(file)
    else:
        content = load(file)
        if content.text is None:
            raise InputError("bytecode has no comments that could expect something")
        name, parts = content.file, [Part(content.text, 0)]
    for part in parts:
        if part.text.strip():
            number, some = _compare(part, name, options, is_alone=len(parts) == 1)
            count += number
            problems += some
    for each in problems:
        print(each)
    if not count:
        raise InputError("the file expects nothing: write `// expect: proved` above a line, say", where=name)
    if problems:
        print(f"{name}: {len(problems)} broken, {plural(count, 'expectation')}")
    else:
        print(f"{name}: {plural(count, 'expectation')}, all as expected")
    return BROKEN if problems else 0


def _compare(part: Part, file: str, options: Options, *, is_alone: bool) -> tuple[int, list[str]]:
    """Return the number of expectations of a part, and what differs from them."""
    from shapesolve.diagnosis.diagnosis import EVERYTHING, diagnose
    from shapesolve.pipeline import check_program

    expectations = _read_expectations(part.padded, file)
    try:
        with collector_paused():
            program: Program = read_text(part.padded, file)
    except NoFunctionError:
        if is_alone or expectations.expected:
            raise
        return 0, []
    with collector_paused():
        chosen = replace(options, assumptions=(*options.assumptions, *expectations.assumptions))
        found = diagnose(check_program(program, chosen), EVERYTHING)
    return len(expectations.expected), _broken_expectations(found, expectations.expected)


_VERDICTS: Mapping[str, type[object]] = {
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
class _Expectation:
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
class _Expectations:
    """Expectations of a file, and the assumptions of its functions as ``--assume`` takes them."""

    expected: tuple[_Expectation, ...]
    assumptions: tuple[str, ...]


def _read_expectations(text: str, file: str) -> _Expectations:
    """Return the expectations in the comments of a program.

    Raises:
        InputError: A comment is almost one, or belongs to no line.
    """
    expected: list[_Expectation] = []
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
    return _Expectations(tuple(expected), tuple(assumptions))


def _expectation(text: str, comment: int, line: int, file: str) -> _Expectation:
    verdict, _, rest = text.partition(" ")
    if verdict not in (*_VERDICTS, UNCHECKED):
        known = ", ".join((*_VERDICTS, UNCHECKED))
        raise InputError(f"`{verdict[:40]}` is none of {known}", where=f"{file}:{comment}")
    code, _, detail = rest.strip().partition(" ")
    if not _CODE.fullmatch(code):
        code, detail = "", rest.strip()
    return _Expectation(comment, line, verdict, code, detail.strip())


def _broken_expectations(diagnosis: Diagnosis, expected: Sequence[_Expectation]) -> list[str]:
    """Return a line for each expectation that does not hold, and for each finding that nothing expects."""
    work = _Comparison(diagnosis, expected)
    return [*work.broken(), *work.unexpected()]


class _Comparison:
    """Comparison of a diagnosis with expectations."""

    def __init__(self, diagnosis: Diagnosis, expected: Sequence[_Expectation]) -> None:
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

    def _problem(self, expected: _Expectation) -> str:
        if expected.verdict == UNCHECKED:
            return "" if expected.line in self._unchecked else "every operation of the line is checked"
        here = self._at_line.get(expected.line, [])
        about = [each for each in here if _is_called(expected.code, each)]
        if not about:
            codes = ", ".join(dict.fromkeys(each.obligation.code for each in here))
            return f"line {expected.line} has no such obligation{f', but {codes}' if codes else ''}"
        kind = _VERDICTS[expected.verdict]
        if kind in (Refuted, Undecided):  # one is enough: other claims of the line may hold
            holds = any(isinstance(each.verdict, kind) and self._fits(expected, each) for each in about)
        else:
            holds = all(isinstance(each.verdict, kind) for each in about)
        return "" if holds else f"found {'; '.join(dict.fromkeys(map(self._described, about)))}"

    def _fits(self, expected: _Expectation, checked_obligation: CheckedObligation) -> bool:
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
