"""JSON documents in pieces, as `json.dumps` writes them: what stands around a long array, and its elements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

INDENT = 2
ELEMENTS = "<elements>"
"""Stands in a document for the elements of its long array, after everything that a user may have written."""


def element_text(element: object, depth: int) -> str:
    """Return an element of an array as it stands in a document, ``depth`` levels deep."""
    margin = " " * (INDENT * depth)
    # A line break inside of a string is escaped.
    return margin + json.dumps(element, indent=INDENT).replace("\n", f"\n{margin}")


def document_pieces(document: Mapping[str, object], elements: Iterable[str], depth: int) -> Iterator[str]:
    """Yield the text of a document in which `ELEMENTS` stands for an array, given the texts of its elements.

    Args:
        elements: Texts of one or more elements each, as :func:`element_text` returns them, with a comma and a line
            break between two.
        depth: Depth of the elements.
    """
    before, _, after = json.dumps(document, indent=INDENT).rpartition(json.dumps(ELEMENTS))
    yield f"{before}["
    yield from array_pieces(elements, depth)
    yield after


def array_pieces(elements: Iterable[str], depth: int) -> Iterator[str]:
    """Yield what follows the bracket that opens an array, up to the one that closes it."""
    any_yet = False
    for each in elements:
        yield ",\n" if any_yet else "\n"
        yield each
        any_yet = True
    margin = " " * (INDENT * (depth - 1))
    yield f"\n{margin}]" if any_yet else "]"
