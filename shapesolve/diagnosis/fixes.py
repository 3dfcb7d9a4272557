"""Fixes of refuted functions: the insertion of a precondition, as an attribute, into the text of a program.

The text is scanned for the position and then parsed again: a fix that does not state the conditions is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from shapesolve.errors import InputError
from shapesolve.ir.own_attributes import ASSUME
from shapesolve.ir.program import Function, Program
from shapesolve.ir.reader import read_text
from shapesolve.records import value_record

_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|->|attributes\b|[-\w.$@%#!]+|\s+|.', re.DOTALL)
_OPENING, _CLOSING = "([{<", ")]}>"


@value_record
class TextInsertion:
    """Insertion of text into a file. Line and column count from 1, the column in characters."""

    line: int
    column: int
    text: str


def precondition_insertion(program: Program, function: Function, conditions: Sequence[str]) -> TextInsertion | None:
    """Return the insertion that makes a function state conditions, or None if its text has no place for it."""
    found = _insertion(program, function, conditions)
    if found is None:
        return None
    place, written = found
    return TextInsertion(*_line_and_column(program.shown_text or "", place), written)


def _insertion(program: Program, function: Function, conditions: Sequence[str]) -> tuple[int, str] | None:
    """Return the offset in the program's text and the text to insert, so that the function gets the attribute."""
    text, location = program.shown_text, function.location
    is_file = text is not None and not program.model and location.file == program.file and Path(program.file).is_file()
    if not is_file or text is None or ASSUME in function.operation.attributes:
        return None
    lines = text.split("\n")
    if not 0 < location.line <= len(lines):
        return None
    start = sum(len(each) + 1 for each in lines[: location.line - 1]) + location.column - 1
    if not text.startswith("func.func", start):
        return None
    quoted = ", ".join('"' + each.replace("\\", "\\\\").replace('"', '\\"') + '"' for each in conditions)
    stated = f"{ASSUME} = [{quoted}]"
    place, has_attributes = _place(text, start)
    if place is None:
        return None
    if not has_attributes:
        written = f"attributes {{{stated}}} "
    else:
        written = stated if text[place:].lstrip().startswith("}") else f"{stated}, "
    changed = text[:place] + written + text[place:]
    return (place, written) if _states(changed, function, tuple(conditions)) else None


def _place(text: str, start: int) -> tuple[int | None, bool]:
    """Return the insertion point, and whether the function has attributes already.

    The point is behind the brace that opens the attributes or, without any, before that of the body.
    """
    depth, awaited = 0, False
    for piece in _PIECE.finditer(text, start):
        word = piece.group()
        if word == "{" and depth == 0:
            return (piece.end(), True) if awaited else (piece.start(), False)
        if depth == 0 and word == "attributes":
            awaited = True
        elif word in _OPENING:
            depth += 1
        elif word in _CLOSING:
            depth -= 1
    return None, False


def _states(text: str, function: Function, conditions: tuple[str, ...]) -> bool:
    try:
        again = read_text(text).functions.get(function.name)
    except InputError:
        return False
    return again is not None and again.operation.attributes.get(ASSUME) == conditions


def _line_and_column(text: str, place: int) -> tuple[int, int]:
    before = text[:place]
    return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
