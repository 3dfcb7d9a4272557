"""Assumptions and names of extents that a program, a file or an option states, as text."""

from __future__ import annotations

import re
from dataclasses import replace

from shapesolve.ir.own_attributes import REQUIRES
from shapesolve.ir.program import Location, Value
from shapesolve.records import value_record

SIZE_TYPE = "!shape.size"
SHAPE_TYPES = ("!shape.shape", "!shape.value_shape")
UNNAMED = "?"  # in `ShapeName.names`: nothing is said about this size
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@value_record
class StatedAssumption:
    """A claim about the function's sizes, as text, with the place that states it and by what (``origin``).

    ``by`` is the exporter that says so, where one is named; ``given`` the option or the file that gives it, where the
    program does not.
    """

    text: str
    location: Location
    origin: str
    by: str = ""
    given: str = ""


@value_record
class ShapeName:
    """The extents of a value as texts in the size language, outermost first; `UNNAMED` where nothing is said.

    ``argument`` is the position of the value among the function's arguments. It is None for a value computed in the
    function: there the statement is the exporter's claim about a result, which holds only once that op has run.
    ``given`` is the option or the file that gives it, where the program does not.
    """

    argument: int | None
    names: tuple[str, ...]
    value: Value
    location: Location
    origin: str
    given: str = ""

    @property
    def text(self) -> str:
        """The sizes as an attribute states them: ``[B, _, 8]``, or ``B`` of a ``!shape.size``."""
        sizes = ", ".join("_" if each == UNNAMED else each for each in self.names)
        return sizes if str(self.value.type) == SIZE_TYPE else f"[{sizes}]"


@value_record
class Preconditions:
    """All that one function states, in program order. ``is_asserted``: its own assertions at its entry say so."""

    assumptions: tuple[StatedAssumption, ...] = ()
    shapes: tuple[ShapeName, ...] = ()
    stated_by: str = ""
    is_asserted: bool = False

    def distrusted(self) -> Preconditions:
        """The names alone, where they say nothing: no claim, and no name for two sizes or for a size with a form."""
        taken: set[str] = set()
        kept: list[ShapeName] = []
        for shape in self.shapes:
            if shape.argument is not None:
                names = tuple(_fresh(name, taken) for name in shape.names)
                kept.append(replace(shape, names=names))
        return Preconditions((), tuple(kept))

    def required(self) -> Preconditions:
        """What the function requires, which every call of it must satisfy, and nothing else."""
        return Preconditions(tuple(each for each in self.assumptions if each.origin == REQUIRES))


def _fresh(name: str, taken: set[str]) -> str:
    if not IDENTIFIER.fullmatch(name) or name in taken:
        return UNNAMED
    taken.add(name)
    return name
