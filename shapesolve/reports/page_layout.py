"""Layouts: what is printed on a page, kept to be printed again with another width, with or without color.

A layout consists of plain values, for JSON. This is apart from `page`, which most commands need without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from shapesolve.reports.page import PIPED_WIDTH, Page

Call = Sequence[Any]
"""The name of one of `OPERATIONS`, its positional arguments, and its named ones."""

OPERATIONS = frozenset(
    (
        *("line", "verbatim", "pieces", "paragraph", "field", "gap"),
        *("joined_fields", "source_line", "shortened_line", "command"),
    )
)


class PageRecorder(Page):
    """Page that keeps what is printed on it as a layout."""

    def __init__(self) -> None:
        super().__init__(StringIO(), color="never", width=PIPED_WIDTH)
        self.layout: list[Call] = []

    def line(self, text: str = "", style: str = "", *, indent: int = 0) -> None:
        self._keep("line", text, style, indent=indent)

    def verbatim(self, text: str = "", *, indent: int = 0) -> None:
        self._keep("verbatim", text, indent=indent)

    def pieces(self, *pieces: tuple[str, str]) -> None:
        self._keep("pieces", *pieces)

    def paragraph(self, text: str, style: str = "", *, indent: int = 0, hanging: int = 0) -> None:
        self._keep("paragraph", text, style, indent=indent, hanging=hanging)

    def field(self, label: str, text: str, style: str = "", *, indent: int = 3, hanging: int = 0) -> None:
        self._keep("field", label, text, style, indent=indent, hanging=hanging)

    def joined_fields(self, first_label: str, first: str, style: str, label: str, text: str) -> None:
        self._keep("joined_fields", first_label, first, style, label, text)

    def source_line(self, text: str, column: int, *, indent: int) -> None:
        self._keep("source_line", text, column, indent=indent)

    def shortened_line(self, text: str, *, indent: int) -> None:
        self._keep("shortened_line", text, indent=indent)

    def command(self, label: str, words: Sequence[str]) -> None:
        self._keep("command", label, list(words))

    def gap(self) -> None:
        self._keep("gap")

    def _keep(self, name: str, *arguments: Any, **named: Any) -> None:
        self.layout.append((name, list(arguments), named))


def print_layout(layout: Iterable[Call], page: Page) -> None:
    """Print a layout on a page.

    Raises:
        ValueError: It is none.
        TypeError: Likewise.
    """
    for name, arguments, named in layout:
        if name not in OPERATIONS:
            raise ValueError(f"{name!r} is no operation of a page")
        getattr(page, name)(*arguments, **named)
