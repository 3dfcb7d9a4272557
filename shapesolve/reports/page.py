"""Text on a terminal or a pipe: labels, wrapped text, styles, and lines of the user's file that are safe to print."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from shapesolve.ir.program import Function, Location, Operation, Program
from shapesolve.reports.model_text import ModelText
from shapesolve.reports.phrases import shortened

if TYPE_CHECKING:
    from rich.console import Console


LABEL_WIDTH = 11
WIDEST = 120
NARROWEST = 50
LONGEST_LINE = 200
"""No line of a report is longer."""
LONGEST_COMMAND = 114
"""Characters of a line with all options; longer ones are printed one a line."""
FIELD_INDENT = 3

CONTINUED = 3
"""Further indentation of what continues a line."""

PIPED_WIDTH = 100

STYLES = {"proved": "green", "refuted": "bold red", "undecided": "yellow", "unreachable": "magenta"}


def colored_console(stream: TextIO, color: str) -> Console | None:
    """Return a console that prints its input unchanged but for styles, or None without color.

    Args:
        stream: Where to print.
        color: "always", "never", or "auto": on a terminal whose user did not set NO_COLOR.
    """
    if color == "never" or (color == "auto" and (not stream.isatty() or os.environ.get("NO_COLOR"))):
        return None
    from rich.console import Console

    class Candid(Console):
        """Leaves it to the caller what happens when the reader has closed the pipe; rich would end the process."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    if color == "always":
        return Candid(
            file=stream, color_system="standard", highlight=False, markup=False, emoji=False, force_terminal=True
        )
    return Candid(file=stream, highlight=False, markup=False, emoji=False)


def width_of(stream: TextIO) -> int:
    """Return the width of a page.

    It is the terminal's width within reason or, for a pipe, a fixed width, unless COLUMNS says another.
    """
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        width = int(asked)
    elif stream.isatty():
        try:
            width = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            width = PIPED_WIDTH
    else:
        width = PIPED_WIDTH
    return max(NARROWEST, min(width, WIDEST))


class CapturedText(StringIO):
    """Stream that stores what is printed, with the colors and the width of another stream."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._of = stream

    def isatty(self) -> bool:
        return self._of.isatty()

    def fileno(self) -> int:
        return self._of.fileno()


class Page:
    """Printer of lines to a stream (by default, standard output)."""

    def __init__(self, stream: TextIO | None = None, *, color: str = "auto", width: int | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        self._console = colored_console(self._stream, color)
        self.width = width_of(self._stream) if width is None else width
        self.room: int = self.width if self._stream.isatty() else LONGEST_LINE
        """Characters of a line: those of the terminal, or `LONGEST_LINE`."""
        self.is_cut = False
        """Whether something is printed in part, of which nothing beside it says where the whole stands."""
        self._is_after_text = False

    def line(self, text: str = "", style: str = "", *, indent: int = 0) -> None:
        """Print one line; one longer than the terminal, or `LONGEST_LINE`, is continued, indented, in the next ones."""
        whole = " " * indent + visible(text) if text else ""
        if len(whole) <= self.room:
            self._print((whole, style))
            return
        lead = whole[: len(whole) - len(whole.lstrip())]
        for each in self._wrapped(whole.lstrip(), lead, f"{lead}{' ' * CONTINUED}"):
            self._print((each, style))

    def verbatim(self, text: str = "", *, indent: int = 0) -> None:
        """Print one line of a text that another program reads, unchanged, however long."""
        self._print((" " * indent + visible(text), ""))

    def pieces(self, *pieces: tuple[str, str]) -> None:
        """Print one line that consists of texts with a style each; on a terminal it is continued as other lines are."""
        shown = [(visible(text), style) for text, style in pieces]
        is_long = self._stream.isatty() and sum(len(text) for text, _ in shown) > self.room
        for each in _folded(shown, self.room) if is_long else [shown]:
            self._print(*each)

    def paragraph(self, text: str, style: str = "", *, indent: int = 0, hanging: int = 0) -> None:
        """Print text wrapped to the width; lines after the first are indented further by ``hanging``."""
        for each in self._wrapped(text, " " * indent, " " * (indent + hanging)):
            self.line(each, style)

    def field(self, label: str, text: str, style: str = "", *, indent: int = 3, hanging: int = 0) -> None:
        """Print a label and, wrapped beside it, a text; lines after the first are indented by ``hanging`` more."""
        lead = " " * indent + (label.ljust(LABEL_WIDTH) if len(label) < LABEL_WIDTH else f"{label} ")
        first, *more = self._wrapped(text, lead, " " * (indent + LABEL_WIDTH + hanging)) or [lead.rstrip()]
        self._print((first[: len(lead)], "dim"), (first[len(lead) :], style))
        for each in more:
            self.line(each, style)

    def joined_fields(self, first_label: str, first: str, style: str, label: str, text: str) -> None:
        """Print two labels, each with its text: in one line if there is room."""
        together = f"{first}   {label}: {text}"
        if len(together) <= self.width - LABEL_WIDTH - FIELD_INDENT:
            self.field(first_label, together, style)
        else:
            self.field(first_label, first, style)
            self.field(label, text)

    def source_line(self, text: str, column: int, *, indent: int) -> None:
        """Print a line of a source and a caret below one of its columns, both cut to the width."""
        line, caret = excerpt_of(text, column, self.width - indent)
        self.line(line, indent=indent)
        self.line(caret, "bold", indent=indent)

    def shortened_line(self, text: str, *, indent: int) -> None:
        """Print one line, cut in its middle if it is wider than the page."""
        self.line(shortened(text, self.width - indent), indent=indent)

    def command(self, label: str, words: Sequence[str]) -> None:
        """Print options so that they can be copied: in one line or, if that is long, one option a line."""
        whole = f"{label.ljust(LABEL_WIDTH)}{' '.join(words)}"
        if len(whole) + FIELD_INDENT <= min(self.room, LONGEST_COMMAND):
            self.verbatim(whole, indent=FIELD_INDENT)
            return
        self.verbatim(f"{label} \\", indent=FIELD_INDENT)
        for number, each in enumerate(words, 1):
            self.verbatim(f"{each} \\" if number < len(words) else each, indent=2 * FIELD_INDENT)

    def _wrapped(self, text: str, lead: str, indent: str) -> list[str]:
        shown = _SHAPE.sub(lambda shape: shape[0].replace(" ", _BOUND), visible(text))
        room = LONGEST_LINE - max(len(lead), len(indent))
        wrapped = textwrap.wrap(
            shown,
            self.width,
            initial_indent=lead,
            subsequent_indent=indent,
            break_long_words=any(len(word) > room for word in shown.split()),
            break_on_hyphens=False,
        )
        return [each.replace(_BOUND, " ") for each in wrapped]

    def print_note_on_cuts(self) -> None:
        """Say what shows all of what is printed in part, if anything is."""
        if self.is_cut:
            self.field("...", "stands for what is left out; --verbose shows it")

    def gap(self) -> None:
        """Print an empty line, unless nothing stands above it or an empty one does."""
        if self._is_after_text:
            self.line()

    def _print(self, *pieces: tuple[str, str]) -> None:
        self._is_after_text = any(text for text, _ in pieces)
        if self._console is None:
            self._stream.write("".join(text for text, _ in pieces) + "\n")
            return
        from rich.text import Text

        self._console.print(Text.assemble(*pieces), soft_wrap=True)


def _folded(pieces: Sequence[tuple[str, str]], width: int) -> Iterator[list[tuple[str, str]]]:
    """Yield the lines of a text, each in pieces with a style."""
    whole, indent, start = "".join(text for text, _ in pieces), " " * CONTINUED, 0
    lines = textwrap.wrap(
        whole,
        width,
        subsequent_indent=indent,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for number, line in enumerate(lines):
        shown = line[len(indent) :] if number else line
        start = whole.index(shown, start)
        end, at = start + len(shown), 0
        found = [(indent, "")] if number else []
        for text, style in pieces:
            part = text[max(start - at, 0) : max(end - at, 0)]
            found += [(part, style)] if part else []
            at += len(text)
        yield found
        start = end


_SHAPE = re.compile(r"\[\w+(?:, \w+)+\]")  # ``[M, N, 64]``, which is not divided between lines
_BOUND = "\ufffc"
_PLACE = re.compile(r"\s+loc\(#loc\d*\)\s*$")  # what an exporter leaves at the end of a line


def visible(text: str) -> str:
    """Return the text without control characters, so that no file can steer a terminal."""
    return "".join(character if character.isprintable() or character == "\t" else "\ufffd" for character in text)


class SourceLines:
    """Lines of the source of one program, split once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._file = program.file
        self._lines = None if program.shown_text is None else program.shown_text.split("\n")
        self._model = program.lines
        self._texts: dict[int, ModelText] = {}

    @property
    def count(self) -> int | None:
        """Number of lines, or None if the source is not text."""
        return None if self._lines is None else len(self._lines) - (self._lines[-1] == "")

    def model(self, op: Operation) -> str:
        """Return the place in the model that an operation comes from, with its line; empty if it is not known."""
        if op.origin is None:
            return ""
        line = self._model.get((op.origin.file, op.origin.line), "")
        return visible(": ".join(filter(None, (str(op.origin), line))))

    def model_text(self, function: Function) -> ModelText:
        """Return the words for the operations of a function, made once."""
        return self._texts.setdefault(id(function), ModelText(self.program, function))

    def model_line(self, op: Operation) -> str:
        """Return the line of the model that an operation comes from; empty if it is not known."""
        return "" if op.origin is None else visible(self._model.get((op.origin.file, op.origin.line), ""))

    def callers(self, op: Operation) -> tuple[str, ...]:
        """Return the lines of the model that lead to an operation's own line, the innermost call first."""
        if op.origin is None:
            return ()
        called = [(f"{file}:{line}", self._model.get((file, line), "")) for file, line in op.origin.callers]
        return tuple(visible(": ".join(filter(None, each))) for each in called)

    def line_at(self, location: Location) -> str | None:
        """Return the line at a location, or None if it is not of this source."""
        if self._lines is None or location.file != self._file or not 1 <= location.line <= len(self._lines):
            return None
        return self._lines[location.line - 1]

    def excerpt(self, location: Location, width: int) -> tuple[str, str] | None:
        """Return the line at a location and, below it, a caret under the column; both at most ``width`` wide."""
        line = self.line_at(location)
        return None if line is None else excerpt_of(line, location.column, width)


def excerpt_of(line: str, column: int, width: int) -> tuple[str, str]:
    """Return a line of a source and, below it, a caret under a column of it; both at most ``width`` wide."""
    content = _PLACE.sub("", line.rstrip("\r")).replace("\t", " ")
    bare = content.lstrip()
    start_column = max(column - 1, 0)
    start_column = max(min(start_column, len(content)) - (len(content) - len(bare)), 0)
    room = max(width - 6, 10)  # for "..." at both ends
    start = 0 if len(bare) <= room else max(0, min(start_column - room // 3, len(bare) - room))
    head = "..." if start else ""
    tail = "..." if start + room < len(bare) else ""
    return f"{head}{visible(bare[start : start + room])}{tail}", " " * (len(head) + start_column - start) + "^"
