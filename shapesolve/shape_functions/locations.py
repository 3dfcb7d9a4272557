"""Errors about the text of a program, with the line and a caret."""

from __future__ import annotations

from shapesolve.errors import InputError
from shapesolve.ir.locations import SourceText
from shapesolve.ir.program import Location, Program


def error_at(program: Program, location: Location, message: str, *notes: str) -> InputError:
    """The error at a place of a program; ``notes`` are lines that follow the excerpt."""
    excerpt = ""
    if program.shown_text is not None and location.file == program.file:
        excerpt = SourceText(program.shown_text).excerpt(location.line, location.column)
    lines = [excerpt] if excerpt else []
    return InputError(message, where=str(location), excerpt="\n".join([*lines, *(f"note: {note}" for note in notes)]))
