"""Places, severities and shapes in the terms of the language server protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def rest_of_line(number: int, column: int, lines: Sequence[str]) -> types.Range:
    """Return the rest of a line from a column on, both counted from 1."""
    line = min(max(number, 1), max(len(lines), 1)) - 1
    end = len(lines[line].rstrip()) if lines else 0
    start = min(max(column, 1) - 1, end)
    return types.Range(types.Position(line, start), types.Position(line, end))


def shape_hint(line: int, lines: Sequence[str], shape: str) -> types.InlayHint:
    """Return a shape as a hint behind a line, counted from 0."""
    place = types.Position(line, len(lines[line].rstrip()))
    return types.InlayHint(place, shape, types.InlayHintKind.Type, padding_left=True)
