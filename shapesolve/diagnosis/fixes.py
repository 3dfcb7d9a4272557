"""Fixes of refuted functions: the insertion of a precondition, as an attribute, into the text of a program.

The text is scanned for the position and then parsed again: a fix that does not state the conditions is dropped.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from shapesolve.errors import InputError
from shapesolve.ir.own_attributes import ASSUME
from shapesolve.ir.program import Function, Program
from shapesolve.ir.reader import read_text
from shapesolve.records import value_record

_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|->|attributes\b|[-\w.$@%#!]+|\s+|.', re.DOTALL)
_OPENING, _CLOSING = "([{<", ")]}>"

_Insertion = tuple[int, str]
"""An offset in the text of a program, and what is inserted there."""


@value_record
class TextInsertion:
    """Insertion of text into a file. Line and column count from 1, the column in characters."""

    line: int
    column: int
    text: str


def precondition_insertions(program: Program, stated: Mapping[str, Sequence[str]]) -> dict[str, TextInsertion]:
    """Return for each named function the insertion that makes it state conditions, if its text has a place for it.

    The text with all insertions is read once, not once for each function.
    """
    text = program.shown_text
    is_file = text is not None and not program.model and os.path.isfile(program.file)
    if not is_file or text is None:
        return {}
    starts = [0, *(each.end() for each in re.finditer("\n", text))]
    wanted = {name: tuple(conditions) for name, conditions in stated.items() if conditions}
    places = {
        name: found
        for name, conditions in wanted.items()
        if (found := _insertion(program, starts, text, program.functions[name], conditions)) is not None
    }
    found = _stating(text, places, wanted)
    if found is None:  # one of them cannot be read
        alone = [_stating(text, {name: place}, wanted) or () for name, place in places.items()]
        found = {name for names in alone for name in names}
    return {name: _text_insertion(starts, *places[name]) for name in places if name in found}


def _insertion(
    program: Program, starts: Sequence[int], text: str, function: Function, conditions: Sequence[str]
) -> _Insertion | None:
    """Return the offset in the text and the text to insert, so that the function gets the attribute."""
    location = function.location
    if location.file != program.file or ASSUME in function.operation.attributes:
        return None
    if not 0 < location.line <= len(starts):
        return None
    start = starts[location.line - 1] + location.column - 1
    if not text.startswith("func.func", start):
        return None
    quoted = ", ".join('"' + each.replace("\\", "\\\\").replace('"', '\\"') + '"' for each in conditions)
    stated = f"{ASSUME} = [{quoted}]"
    place, has_attributes = _place(text, start)
    if place is None:
        return None
    if not has_attributes:
        return place, f"attributes {{{stated}}} "
    return place, stated if text[place:].lstrip().startswith("}") else f"{stated}, "


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


def _stating(text: str, places: Mapping[str, _Insertion], conditions: Mapping[str, tuple[str, ...]]) -> set[str] | None:
    """Return the functions that state their conditions once everything is inserted; None if that cannot be read."""
    if not places:
        return set()
    pieces: list[str] = []
    done = 0
    for place, written in sorted(places.values()):
        pieces += (text[done:place], written)
        done = place
    try:
        functions = read_text("".join((*pieces, text[done:]))).functions
    except InputError:
        return None
    there = {name: functions[name].operation.attributes.get(ASSUME) for name in places if name in functions}
    return {name for name, found in there.items() if found == conditions[name]}


def _text_insertion(starts: Sequence[int], place: int, written: str) -> TextInsertion:
    line = bisect_right(starts, place)
    return TextInsertion(line, place - starts[line - 1] + 1, written)
