"""A fix for what is refuted: the function states its contract, as an attribute put into its text.

The text is scanned for the place and then read again: no change is offered that does not say what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from shapesolve.errors import InputError
from shapesolve.reading.mlir_reader import read_text
from shapesolve.reading.preconditions import ASSUME
from shapesolve.reading.program import Function, Program

Json = dict[str, object]

_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|->|attributes\b|[-\w.$@%#!]+|\s+|.', re.DOTALL)
_OPENING, _CLOSING = "([{<", ")]}>"


def stating_fix(program: Program, function: Function, conditions: Sequence[str], uri: str) -> Json | None:
    """The change of a file that makes a function state conditions; None where the text has no place for it."""
    found = _insertion(program, function, conditions)
    if found is None:
        return None
    place, written = found
    line, column = _line_and_column(program.text or "", place)
    region: Json = {"startLine": line, "startColumn": column, "endLine": line, "endColumn": column}
    replacement: Json = {"deletedRegion": region, "insertedContent": {"text": written}}
    words = f"State what @{function.name} needs of its arguments: {' and '.join(conditions)}"
    return {
        "description": {"text": words},
        "artifactChanges": [{"artifactLocation": {"uri": uri}, "replacements": [replacement]}],
    }


def _insertion(program: Program, function: Function, conditions: Sequence[str]) -> tuple[int, str] | None:
    """Where in the program's text what is put in, so that the function has the attribute afterwards."""
    text, location = program.text, function.location
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
    """Behind the brace that opens the attributes, or before the one that opens the body; and which of the two."""
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
