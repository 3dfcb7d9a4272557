"""Words for people: what a failing check says, where it stands, why a program cannot be executed."""

from __future__ import annotations

import re
from typing import Any

from shapesolve.executing.execution import Place

_VERIFICATION = re.compile(
    r"ERROR: Runtime op verification failed\n(?P<op>.*)\n\^ (?P<detail>.*?)\n?Location: (?P<location>.*)", re.DOTALL
)
_OP_NAME = re.compile(r'^\s*(?:%[^=]*=\s*)?"?(?P<name>[a-zA-Z_]\w*(?:\.\w+)+)')
_PRINTED = re.compile(r"(?P<said>operation '[\w.]+'[^:]*): [%\"].*")
"""An operation in full behind its name: its place says more than a line of types does."""


class NotExecutableError(Exception):
    """The program cannot be executed; the message says why, for people."""


def one_paragraph(text: str) -> str:
    """``text`` with every run of white space as one blank."""
    return " ".join(text.split())


def clean_assertion(message: str, original_op: str) -> str:
    """The message of a ``cf.assert`` without the wrapping of MLIR's own runtime verification.

    ``original_op`` names the operation the user wrote at that place, which may have become another one meanwhile.
    """
    found = _VERIFICATION.match(message)
    if found is None:
        return one_paragraph(message)
    name = _OP_NAME.match(found["op"])
    lowered = name["name"] if name else ""
    who = original_op or lowered
    detail = one_paragraph(found["detail"])
    through = f" (as {lowered})" if lowered and lowered != who else ""
    return f"{who}{through}: {detail}" if who else detail


def place_of(location: Any) -> Place | None:
    """Line and column of an MLIR location, looking through names, call sites and fusions."""
    if hasattr(location, "start_line"):
        return int(location.start_line), int(location.start_col)
    inner = getattr(location, "child_loc", None) or getattr(location, "callee", None)
    if inner is not None:
        return place_of(inner)
    places = (place_of(part) for part in getattr(location, "locations", ()))
    return next((place for place in places if place is not None), None)


def describe_diagnostics(error: Any) -> str:
    """The first error of an ``MLIRError`` with its operation and place, as one paragraph."""
    diagnostics = list(getattr(error, "error_diagnostics", []))
    if not diagnostics:
        return one_paragraph(str(error))
    first = diagnostics[0]
    message = _PRINTED.sub(r"\g<said>", one_paragraph(str(first.message)))
    notes = [str(note.message).partition("see current operation: ")[2] for note in first.notes]
    name = next((found["name"] for note in notes if (found := _OP_NAME.match(note))), "")
    who = f"{name}: " if name and name not in message else ""
    place = place_of(first.location)
    where = f" (line {place[0]}, column {place[1]})" if place else ""
    return who + message + where
