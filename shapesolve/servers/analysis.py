"""Analysis of the text in an editor: findings, shapes of values, and changes that can be offered."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from shapesolve import api
from shapesolve.diagnosis.diagnosis import Request, diagnose
from shapesolve.diagnosis.fixes import TextInsertion
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.records import value_record
from shapesolve.reports.finding_line import FindingLine, report_lines
from shapesolve.shape_inference.value_shapes import ValueShape
from shapesolve.solver.verdicts import Refuted
from shapesolve.trace.concretization import arguments_at

REQUEST = Request(None, 0, data=False, obligations=False, suggestions=True, fixes=True, trust=False)
"""Parts of a diagnosis that an editor shows."""

OPTIONS = Options(execute=False)
"""Options of an analysis while a text is typed: nothing is executed."""

_NAME = re.compile(r"%[\w$.\-]+(?:#\d+)?")
_PLACE = re.compile(r":(\d+)(?::(\d+))?$")


@value_record
class Change:
    """A change that states what a function needs.

    Attributes:
        function: The function.
        conditions: The conditions that it states.
        insertion: The change of the text.
    """

    function: str
    conditions: tuple[str, ...]
    insertion: TextInsertion


@value_record
class Counterexample:
    """The arguments at which the operation at a place fails, as text."""

    line: int
    column: int
    text: str


@value_record
class Analysis:
    """Everything that an editor shows of one version of a text.

    Attributes:
        findings: What is not proved, in lines of the text.
        counterexamples: The arguments at which refuted findings fail.
        shapes: The values with a shape, by function: its first line, and its values.
        changes: Changes of the text that can be offered.
    """

    findings: tuple[FindingLine, ...]
    counterexamples: tuple[Counterexample, ...] = ()
    shapes: tuple[tuple[int, tuple[ValueShape, ...]], ...] = ()
    changes: tuple[Change, ...] = ()

    def shape_at(self, text: str, line: int, column: int) -> ValueShape | None:
        """Return the shape of the value whose name stands at a place (both counted from 1), if it has one."""
        lines = text.split("\n")
        if not 0 < line <= len(lines):
            return None
        name = next((each.group() for each in _NAME.finditer(lines[line - 1]) if _covers(each, column)), None)
        above = [values for first, values in self.shapes if first <= line]
        if name is None or not above:
            return None
        named = [each for each in above[-1] if each.name in (name, name.partition("#")[0])]
        before = [each for each in named if each.location.line <= line]  # regions may use a name again
        return max(before, key=lambda each: each.location.line, default=None)


def _covers(match: re.Match[str], column: int) -> bool:
    return match.start() < column <= match.end() + 1


def analyze(text: str) -> Analysis:
    """Check a text of MLIR without executing anything; the shapes of values are left to `with_shapes`.

    A text that cannot be read has one finding, which says why.
    """
    with TemporaryDirectory() as folder:  # changes are offered for files only
        path = Path(folder) / "text.mlir"
        path.write_text(text, encoding="utf-8")
        try:
            return _analysis(path)
        except InputError as error:
            found = _PLACE.search(error.where)
            line, column = (int(found[1]), int(found[2] or 0)) if found else (1, 0)
            return Analysis((FindingLine(error.where, line, column, "error", error.message, "input"),))


def with_shapes(text: str, analysis: Analysis) -> Analysis:
    """Return the analysis of a text with the shapes of its values, whose readable forms take most of the time."""
    try:
        program = api.read(f"{text}\n", OPTIONS)
        shapes = api.shape_of(f"{text}\n", options=OPTIONS)
    except InputError:
        return analysis
    found = [(program.functions[name].location.line, values) for name, values in shapes.items()]
    return replace(analysis, shapes=tuple(sorted(found, key=lambda each: each[0])))


def _analysis(path: Path) -> Analysis:
    report = api.check(path, options=OPTIONS)
    diagnosis = diagnose(report, REQUEST)
    changes = [
        Change(each.name, each.suggestions.assumptions, each.fix)
        for each in diagnosis.functions
        if each.fix is not None
    ]
    examples: list[Counterexample] = []
    for function in report.functions:
        for each in function.checked_obligations:
            if isinstance(each.verdict, Refuted):
                given = ", ".join(
                    f"{name}: {value}" for name, value in arguments_at(function.trace, each.verdict.sizes)
                )
                place = each.obligation.location
                examples.append(Counterexample(place.line, place.column, given))
    return Analysis(tuple(report_lines(diagnosis)), tuple(examples), changes=tuple(changes))
