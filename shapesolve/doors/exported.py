"""A model once it has been exported: MLIR, and the lines of the model that its operations come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from shapesolve.errors import InputError
from shapesolve.reading.declarations import Declarations
from shapesolve.records import value_record

Lines = Mapping[tuple[str, int], str]
"""Lines of source by file and number, counted from 1."""


@value_record
class Exported:
    """``text`` is MLIR with places, and with the exporter's facts as attributes of ours. ``notes`` are for the report.

    ``lines`` are those of the model's source that places in the text speak of. ``level`` is the dialect that the model
    was lowered to, "" where there is no choice. ``declarations``: what the user declared, beside what was found.
    """

    text: str
    lines: Lines = field(default_factory=dict[tuple[str, int], str])
    notes: tuple[str, ...] = ()
    level: str = ""
    declarations: Declarations | None = None

    def encoded(self) -> dict[str, Any]:
        """As JSON can hold it."""
        lines = [[file, number, line] for (file, number), line in self.lines.items()]
        declared = None if self.declarations is None else self.declarations.encoded()
        found = {"text": self.text, "lines": lines, "notes": list(self.notes), "level": self.level}
        return {**found, "declarations": declared}

    @staticmethod
    def decoded(held: Mapping[str, Any]) -> Exported:
        """What `encoded` made."""
        lines = {(str(file), int(number)): str(line) for file, number, line in held["lines"]}
        declared = held.get("declarations")
        declarations = None if declared is None else Declarations.decoded(declared)
        return Exported(str(held["text"]), lines, tuple(map(str, held["notes"])), str(held["level"]), declarations)


def encoded_error(error: InputError) -> dict[str, Any]:
    """As JSON can hold it."""
    return {"error": error.message, "where": error.where, "excerpt": error.excerpt}


Begin = Callable[[Sequence[Exported | InputError], Sequence[str], int], None]
"""Is told what was found at the first of some levels before the next one begins, and how many operations there are."""


def nobody(found: Sequence[Exported | InputError], levels: Sequence[str], operations: int) -> None:
    """Where nobody wants to know."""


def only(found: Sequence[Exported | InputError]) -> Exported:
    """What was asked for at one level. Raises the error that stands for it."""
    (one,) = found
    if isinstance(one, InputError):
        raise one
    return one


@value_record
class Facts:
    """What an exporter knows of the arguments of a function, in the size language.

    ``shapes`` holds the extents of an argument, by its position; ``assumptions`` are claims about their names.
    ``names`` are what the arguments are called in the model, "" where it says nothing. ``origin`` is who says so.
    """

    origin: str
    names: tuple[str, ...] = ()
    shapes: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    assumptions: tuple[str, ...] = ()
