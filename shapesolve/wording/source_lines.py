"""Lines of the user's file, cut to a width and safe to print."""

from __future__ import annotations

import re

from shapesolve.reading.program import Location, Operation, Program

_PLACE = re.compile(r"\s+loc\(#loc\d*\)\s*$")  # what an exporter leaves at the end of a line


def visible(text: str) -> str:
    """The text without control characters: what a file holds must not steer a terminal."""
    return "".join(character if character.isprintable() or character == "\t" else "\ufffd" for character in text)


class SourceLines:
    """The source of one program by line; splits it once."""

    def __init__(self, program: Program) -> None:
        self._file = program.file
        self._lines = None if program.shown_text is None else program.shown_text.split("\n")
        self._model = program.lines

    @property
    def count(self) -> int | None:
        """How many lines there are; None where the source is not text."""
        return None if self._lines is None else len(self._lines) - (self._lines[-1] == "")

    def model(self, op: Operation) -> str:
        """Where an operation comes from in the model, with that line where it is known; "" where nothing is."""
        if op.origin is None:
            return ""
        line = self._model.get((op.origin.file, op.origin.line), "")
        return visible(": ".join(filter(None, (str(op.origin), line))))

    def callers(self, op: Operation) -> tuple[str, ...]:
        """Return the lines of the model that lead to an operation's own line, the innermost call first."""
        if op.origin is None:
            return ()
        called = [(f"{file}:{line}", self._model.get((file, line), "")) for file, line in op.origin.callers]
        return tuple(visible(": ".join(filter(None, each))) for each in called)

    def excerpt(self, location: Location, width: int) -> tuple[str, str] | None:
        """The line of a place and, below it, a caret under the column; both at most ``width`` wide."""
        if self._lines is None or location.file != self._file or not 1 <= location.line <= len(self._lines):
            return None
        content = _PLACE.sub("", self._lines[location.line - 1].rstrip("\r")).replace("\t", " ")
        bare = content.lstrip()
        column = max(location.column - 1, 0)
        column = max(min(column, len(content)) - (len(content) - len(bare)), 0)
        room = max(width - 6, 10)  # for "..." at both ends
        start = 0 if len(bare) <= room else max(0, min(column - room // 3, len(bare) - room))
        head = "..." if start else ""
        tail = "..." if start + room < len(bare) else ""
        return f"{head}{visible(bare[start : start + room])}{tail}", " " * (len(head) + column - start) + "^"
