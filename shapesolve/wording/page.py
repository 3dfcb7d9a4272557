"""Text for a terminal or a pipe: labels, wrapped phrases, and styles that are dropped where there is no colour."""

from __future__ import annotations

import os
import sys
import textwrap
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from shapesolve.wording.source_lines import visible

if TYPE_CHECKING:
    from rich.console import Console

LABEL_WIDTH = 11
WIDEST = 120
NARROWEST = 50
PIPED_WIDTH = 100

STYLES = {"proved": "green", "refuted": "bold red", "undecided": "yellow", "unreachable": "magenta"}


def colored_console(stream: TextIO, color: str) -> Console | None:
    """A console that prints what it is given and no more; None where there shall be no colour.

    ``color`` is "always", "never", or "auto": on a terminal whose user did not set NO_COLOR.
    """
    if color == "never" or (color == "auto" and (not stream.isatty() or os.environ.get("NO_COLOR"))):
        return None
    from rich.console import Console

    class Candid(Console):
        """Leaves it to the caller what happens when nobody reads on; rich would end the process."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    if color == "always":
        return Candid(
            file=stream, color_system="standard", highlight=False, markup=False, emoji=False, force_terminal=True
        )
    return Candid(file=stream, highlight=False, markup=False, emoji=False)


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


class KeptText(StringIO):
    """Keeps what is printed as if it were printed to a stream: in its colours and its width."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._of = stream

    def isatty(self) -> bool:
        return self._of.isatty()

    def fileno(self) -> int:
        return self._of.fileno()


class Page:
    """Prints line by line to a stream (standard output, unless told)."""

    def __init__(self, stream: TextIO | None = None, *, color: str = "auto", width: int | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        self._console = colored_console(self._stream, color)
        self.width = width_of(self._stream) if width is None else width

    def line(self, text: str = "", style: str = "", *, indent: int = 0) -> None:
        """One line as it is, however long."""
        self._print((" " * indent + visible(text) if text else "", style))

    def paragraph(self, text: str, style: str = "", *, indent: int = 0, hanging: int = 0) -> None:
        """Text wrapped to the width; lines after the first are indented further by ``hanging``."""
        for each in self._wrapped(text, " " * indent, " " * (indent + hanging)):
            self.line(each, style)

    def field(self, label: str, text: str, style: str = "", *, indent: int = 3) -> None:
        """A label and a text, wrapped beside it."""
        lead = " " * indent + (label.ljust(LABEL_WIDTH) if len(label) < LABEL_WIDTH else f"{label} ")
        first, *more = self._wrapped(text, lead, " " * (indent + LABEL_WIDTH)) or [lead.rstrip()]
        self._print((first[: len(lead)], "dim"), (first[len(lead) :], style))
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

    def _print(self, *pieces: tuple[str, str]) -> None:
        if self._console is None:
            self._stream.write("".join(text for text, _ in pieces) + "\n")
            return
        from rich.text import Text

        self._console.print(Text.assemble(*pieces), soft_wrap=True)
