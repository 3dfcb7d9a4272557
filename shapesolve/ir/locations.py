"""Locations: positions and SSA names from the text of a file, and origins in the model that it was exported from.

MLIR drops the name ``%sum`` when it parses, and prefers a trailing ``loc("model.py":12:3)`` to the position in the
text. Exporters leave lines of the model and paths of its modules in the locations of operations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import Origin

WIDEST_EXCERPT = 160

_NAME = r"%[\w$.\-]+"
_RESULTS = re.compile(rf"((?:{_NAME}(?::\d+)?\s*,\s*)*{_NAME}(?::\d+)?)\s*=\s*$")
_ARGUMENT = re.compile(_NAME)
_LONGEST_RESULT_LIST = 400

# Strings and comments are skipped; a location that is an attribute follows one of `= ( , [ <` and is left alone. What
# stands before a location is looked at afterwards: where each way begins with a letter, `re` finds it at once.
_BEFORE_LOCATION = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|loc\s*\((#loc\d*\))?')
_NAME_GOES_ON = re.compile(r"[\w.$#%@!\-]")
_INSIDE_LOCATION = re.compile(r'"(?:[^"\\\n]|\\.)*"|[()]')


class SourceText:
    """Text of one file, by line and column as MLIR counts them: lines end at a line feed, columns are bytes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.split("\n")
        self._ascii = text.isascii()

    def line(self, number: int) -> str:
        """Return the line with this 1-based number without its end, or ""."""
        return self._lines[number - 1].rstrip("\r") if 1 <= number <= len(self._lines) else ""

    def column(self, line: int, byte_column: int) -> int:
        """Return the 1-based column in characters of a 1-based column in bytes."""
        if self._ascii or not 1 <= line <= len(self._lines):
            return byte_column
        before = self._lines[line - 1].encode("utf-8")[: max(byte_column - 1, 0)]
        return len(before.decode("utf-8", "ignore")) + 1

    def result_names(self, line: int, column: int) -> list[tuple[str, int]]:
        """Return the result names before an operation at this position, each with the number of its results."""
        if not 1 <= line <= len(self._lines):
            return []
        before = self._lines[line - 1][max(column - 1 - _LONGEST_RESULT_LIST, 0) : column - 1].rstrip()
        if not before and line >= 2:
            before = self._lines[line - 2][-_LONGEST_RESULT_LIST:].rstrip()
        if not before.endswith("="):
            return []
        start = before.rfind("%")
        if not before[:start].rstrip().endswith(","):
            written = [before[start:-1]]
        else:
            match = _RESULTS.search(before)
            written = match[1].split(",") if match else []
        parts = [name.strip().partition(":") for name in written]
        if not all(_ARGUMENT.fullmatch(name) and (count.isdecimal() or not count) for name, _, count in parts):
            return []
        return [(name, int(count) if count else 1) for name, _, count in parts]

    def argument_name(self, line: int, column: int) -> str | None:
        """Return the name of the block argument at this position."""
        if not 1 <= line <= len(self._lines):
            return None
        match = _ARGUMENT.match(self._lines[line - 1], column - 1)
        return match[0] if match else None

    def excerpt(self, line: int, column: int) -> str:
        """Return the line with a caret under the column (in characters); a long line is cut around the caret."""
        if not 1 <= line <= len(self._lines):
            return ""
        content = self._lines[line - 1].rstrip("\r")
        position = min(max(column - 1, 0), len(content))
        start = 0
        if len(content) > WIDEST_EXCERPT:
            start = max(0, min(position - WIDEST_EXCERPT // 2, len(content) - WIDEST_EXCERPT))
        visible = content[start : start + WIDEST_EXCERPT]
        head = "..." if start else ""
        tail = "..." if start + WIDEST_EXCERPT < len(content) else ""
        shown = "".join(
            character if character.isprintable() or character == "\t" else "\ufffd" for character in visible
        )
        indent = "".join("\t" if character == "\t" else " " for character in shown[: position - start])
        return f"  {head}{shown}{tail}\n  {' ' * len(head)}{indent}^"


def has_locations(text: str) -> bool:
    """Return whether a ``loc(...)`` trails anywhere in the text."""
    return "loc" in text and next(_trailing_locations(text), None) is not None


def without_locations(text: str) -> str | None:
    """Return the text with each trailing ``loc(...)`` blanked, nothing moved, or None if it has none.

    In the module that MLIR parses from it, every operation has its own position in the text.
    """
    if "loc" not in text:
        return None
    pieces: list[str] = []
    done = 0
    for start, end in _trailing_locations(text):
        pieces.append(text[done:start])
        pieces.append("\n".join(" " * len(line) for line in text[start:end].split("\n")))
        done = end
    if not pieces:
        return None
    return "".join([*pieces, text[done:]])


def _trailing_locations(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := _BEFORE_LOCATION.search(text, position):
        start, position = match.span()
        if text[start] in '"/' or (start and _NAME_GOES_ON.match(text, start - 1)):
            continue
        if text[max(start - 40, 0) : start].rstrip()[-1:] in ("=", "(", ",", "[", "<"):
            continue
        depth = 0 if match[1] else 1  # most locations are a name
        while depth and (inner := _INSIDE_LOCATION.search(text, position)):
            position = inner.end()
            depth += {"(": 1, ")": -1}.get(inner[0], 0)
        if not depth:
            yield start, position


_OF_LIBRARIES = ("/site-packages/torch/", "/site-packages/jax/", "/site-packages/flax/")
"""Frames inside of these are the framework's, and not the model's."""

_TEXT = "-"  # what MLIR calls the file when it is given a string


OPERATION = "operation "
"""Start of a location's name that gives the operation in the user's words."""


def origin(live: Bindings) -> Origin | None:
    """Return the innermost line of a live location that belongs to the model, and the innermost name on it."""
    frames: list[tuple[str, int, int]] = []
    _add_frames(live, frames)
    names: list[str] = []
    operation = ""
    for name in _names(live):
        if name.startswith(OPERATION):
            operation = name.removeprefix(OPERATION)
        else:
            names.append(name)
    module = names[-1] if names else ""
    if not frames:
        return Origin("", 0, 0, module, (), operation) if module else None
    own = [each for each in frames if not _is_of_library(each[0])]
    chosen = own or frames
    callers = tuple(dict.fromkeys((file, line) for file, line, _ in chosen[1:] if file and line))
    return Origin(*chosen[0], module, callers, operation)


@cache
def _is_of_library(file: str) -> bool:
    file = file.replace("\\", "/")
    return any(part in file for part in _OF_LIBRARIES)


def _add_frames(live: Bindings, found: list[tuple[str, int, int]]) -> None:
    """Append file, line and column of each frame outside of the text, the innermost call first."""
    kind = type(live).__name__
    if kind == "FileLineColLoc":
        file = live.filename
        if file != _TEXT:
            found.append((file, live.start_line, live.start_col))
    elif kind == "NameLoc":
        _add_frames(live.child_loc, found)
    elif kind == "FusedLoc":
        for inner in live.locations:
            _add_frames(inner, found)
    elif kind == "CallSiteLoc":
        _add_frames(live.callee, found)
        _add_frames(live.caller, found)


def _names(live: Bindings) -> list[str]:
    """Return names from the outside in, of the first named location where several are fused."""
    kind = type(live).__name__
    if kind == "NameLoc":
        return [str(live.name_str), *_names(live.child_loc)]
    if kind == "FusedLoc":
        return next((names for inner in live.locations if (names := _names(inner))), list[str]())
    if kind == "CallSiteLoc":
        return _names(live.callee)
    return []
