"""MLIR's diagnostics as an `InputError` with a place, an excerpt and, where we know one, a hint."""

from __future__ import annotations

import re

from shapesolve.errors import InputError
from shapesolve.reading.bindings import Bindings
from shapesolve.reading.program import Location
from shapesolve.reading.source_text import SourceText
from shapesolve.reading.spellings import spelling_hint
from shapesolve.records import value_record

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
LONGEST_MESSAGE = 500  # characters
_NOISE = ("see current operation", "Available dialects:")  # the excerpt shows the one better, a hint the other


@value_record
class Complaint:
    """One diagnostic: what MLIR said, where (None where it knew no place), and its notes."""

    severity: str
    message: str
    place: tuple[str, int, int] | None
    notes: tuple[Complaint, ...] = ()


def complaint(live: Bindings) -> Complaint:
    """A live diagnostic, copied."""
    match = _PLACE.search(str(live.location))
    place = (match[1], int(match[2]), int(match[3])) if match else None
    severity = str(live.severity).rpartition(".")[2].lower()
    return Complaint(severity, str(live.message), place, tuple(complaint(note) for note in live.notes))


def input_error(complaints: list[Complaint], file: str, source: SourceText | None, fallback: str) -> InputError:
    """The error for a file that MLIR refused: the first complaint leads, the others and all notes follow."""
    if not complaints:
        return InputError(fallback, where=file)
    first, *others = complaints
    location = _location(first, file, source)
    excerpt = _excerpt(first, location, source)
    lines = [excerpt] if excerpt else []
    hint = spelling_hint(first.message, _line(location, file, source), source.text if source is not None else "")
    for note in [*first.notes, *(inner for other in others for inner in (other, *other.notes))]:
        if not any(words in note.message for words in _NOISE):
            lines += _follow_up(note, file, source)
    if hint:
        lines.append(f"hint: {hint}")
    return InputError(_cut(first.message), where=str(location), excerpt="\n".join(lines))


def _location(said: Complaint, file: str, source: SourceText | None) -> Location:
    if said.place is None:
        return Location(file, 0, 0)
    name, line, column = said.place
    if name != "-":
        return Location(name, line, column)
    return Location(file, line, source.column(line, column) if source else column)


def _cut(message: str) -> str:
    message = message.strip()
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]} ..."


def _line(location: Location, file: str, source: SourceText | None) -> str:
    return source.line(location.line) if source is not None and location.file == file else ""


def _excerpt(said: Complaint, location: Location, source: SourceText | None) -> str:
    if source is None or said.place is None or said.place[0] != "-":
        return ""
    return source.excerpt(location.line, location.column)


def _follow_up(said: Complaint, file: str, source: SourceText | None) -> list[str]:
    location = _location(said, file, source)
    message = _cut(said.message)
    where = f"{location}: " if location.line else ""
    excerpt = "" if "\n" in message else _excerpt(said, location, source)
    return [f"{where}{said.severity}: {message}", *([excerpt] if excerpt else [])]
