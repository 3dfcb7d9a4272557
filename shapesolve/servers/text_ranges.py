"""Places, severities and shapes in the terms of the language server protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def to_utf16(line: str, column: int) -> int:
    """Return a column of characters, counted from 0, in units of UTF-16, in which the protocol counts."""
    return column if line.isascii() else column + sum(each > "\uffff" for each in line[:column])


def from_utf16(line: str, units: int) -> int:
    """Return a column in units of UTF-16, counted from 0, in characters."""
    if line.isascii():
        return units
    for column, character in enumerate(line):
        units -= 1 + (character > "\uffff")
        if units < 0:
            return column
    return len(line) + units


def rest_of_line(number: int, column: int, lines: Sequence[str]) -> types.Range:
    """Return the rest of a line from a column on, both counted from 1."""
    line = min(max(number, 1), max(len(lines), 1)) - 1
    end = len(lines[line].rstrip()) if lines else 0
    start = min(max(column, 1) - 1, end)
    if not lines:
        return types.Range(types.Position(0, 0), types.Position(0, 0))
    start, end = to_utf16(lines[line], start), to_utf16(lines[line], end)
    return types.Range(types.Position(line, start), types.Position(line, end))


def shape_hint(line: int, lines: Sequence[str], shape: str) -> types.InlayHint:
    """Return a shape as a hint behind a line, counted from 0."""
    text = lines[line].rstrip()
    place = types.Position(line, to_utf16(text, len(text)))
    return types.InlayHint(place, shape, types.InlayHintKind.Type, padding_left=True)
