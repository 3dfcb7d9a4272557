"""The base class of results that show themselves in a session or a notebook.

Its imports run only when a user asks: data cannot import what prints it.
"""

from __future__ import annotations

from typing import Any


class Printable:
    """A result with a short ``repr``, a table in notebooks, and the report of the command line as text."""

    __slots__ = ()

    def text(self, *, verbose: bool = False, width: int = 100) -> str:
        """Return the report that the command line prints.

        Args:
            verbose: Include proved obligations and all facts.
            width: Characters of a line.

        Raises:
            TypeError: The width is no integer.
        """
        from shapesolve.presentation import text

        if not isinstance(width, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"width is an integer, not {type(width).__name__} {width!r}")
        return text(self, verbose=verbose, width=width)

    def to_json(self) -> str:
        """Return the JSON document that the command line prints; docs/json.md describes it."""
        from shapesolve.presentation import json

        return json(self)

    def to_dataframe(self) -> Any:
        """Return a pandas DataFrame: a row for each obligation of a report, or for each condition of a contract.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        from shapesolve.presentation import dataframe

        return dataframe(self)

    def __repr__(self) -> str:
        from shapesolve.presentation import headline

        return f"<{type(self).__name__} {headline(self)}>"

    def _repr_html_(self) -> str:
        from shapesolve.presentation import html

        return html(self)


class PrintablePage(Printable):
    """A result that can be written as a complete HTML document."""

    __slots__ = ()

    def to_html(self) -> str:
        """Return the report as one self-contained HTML page.

        It has the findings with their counterexamples, and the source with verdicts and symbolic shapes beside it.
        """
        from shapesolve.presentation import html_page

        return html_page(self)
