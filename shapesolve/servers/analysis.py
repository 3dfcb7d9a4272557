"""Analysis of a text as an editor shows it: findings, shapes of values, and changes that can be offered."""

from __future__ import annotations

import re

from shapesolve.diagnosis.fixes import TextInsertion
from shapesolve.errors import InputError
from shapesolve.records import value_record
from shapesolve.reports.finding_line import FindingLine
from shapesolve.shape_inference.value_shapes import ValueShape

_NAME = re.compile(r"%[\w$.\-]+(?:#\d+)?")


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
        is_checked: Whether every function is checked; otherwise some are still to come.
    """

    findings: tuple[FindingLine, ...]
    counterexamples: tuple[Counterexample, ...] = ()
    shapes: tuple[tuple[int, tuple[ValueShape, ...]], ...] = ()
    changes: tuple[Change, ...] = ()
    is_checked: bool = True

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


def error_line(error: InputError, line: int) -> FindingLine:
    """Return the finding that says why a module cannot be read, at a line if the error has none."""
    return FindingLine(error.where, *(error.position or (line, 0)), "error", error.message, "input")
