"""Text for a terminal or a pipe: labels, wrapped phrases, and styles that are dropped where there is no colour."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

from shapesolve.reporting.source_lines import visible

if TYPE_CHECKING:
    from rich.console import Console

LABEL_WIDTH = 11
WIDEST = 120
NARROWEST = 50
PIPED_WIDTH = 100

STYLES = {"proved": "green", "refuted": "bold red", "undecided": "yellow", "unreachable": "magenta"}


def console_for(stream: TextIO, color: str = "auto") -> Console:
    """A console that prints what it is given and no more. ``color``: "auto", "always" or "never"."""
    from rich.console import Console

    if color == "never" or (color == "auto" and not stream.isatty()):
        return Console(file=stream, color_system=None, highlight=False, markup=False, emoji=False, force_terminal=False)
    if color == "always":
        return Console(
            file=stream, color_system="standard", highlight=False, markup=False, emoji=False, force_terminal=True
        )
    return Console(file=stream, highlight=False, markup=False, emoji=False)


def width_of(stream: TextIO) -> int:
    """How wide a page is: the terminal's width within reason; a fixed width for a pipe, unless COLUMNS says another."""
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


class Page:
    """Prints line by line to a stream (standard output, unless told)."""

    def __init__(self, stream: TextIO | None = None, *, color: str = "auto", width: int | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        self._console = console_for(self._stream, color)
        self.width = width_of(self._stream) if width is None else width

    def line(self, text: str = "", style: str = "", *, indent: int = 0) -> None:
        """One line as it is, however long."""
        from rich.text import Text

        content = " " * indent + visible(text) if text else ""
        self._console.print(Text(content, style), soft_wrap=True)

    def paragraph(self, text: str, style: str = "", *, indent: int = 0, hanging: int = 0) -> None:
        """Text wrapped to the width; lines after the first are indented further by ``hanging``."""
        for each in self._wrapped(text, " " * indent, " " * (indent + hanging)):
            self.line(each, style)

    def field(self, label: str, text: str, style: str = "", *, indent: int = 3) -> None:
        """A label and a text, wrapped beside it."""
        from rich.text import Text

        lead = " " * indent + label.ljust(LABEL_WIDTH)
        if len(label) >= LABEL_WIDTH:
            lead = " " * indent + label + " "
        first, *more = self._wrapped(text, lead, " " * (indent + LABEL_WIDTH)) or [lead]
        shown = Text(first[: len(lead)], "dim")
        shown.append(first[len(lead) :], style)
        self._console.print(shown, soft_wrap=True)
        for each in more:
            self.line(each, style)

    def _wrapped(self, text: str, lead: str, indent: str) -> list[str]:
        return textwrap.wrap(
            visible(text),
            self.width,
            initial_indent=lead,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
