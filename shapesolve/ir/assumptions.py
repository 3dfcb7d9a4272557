"""Preconditions that a program states, as text: claims about sizes, and names for the extents of values."""

from __future__ import annotations

import re
from dataclasses import replace

from shapesolve.ir.own_attributes import REQUIRES
from shapesolve.ir.program import SIZE_TYPE, Location, Value
from shapesolve.records import value_record

UNNAMED = "?"  # in `ShapeName.names`: nothing is said about this size
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@value_record
class StatedAssumption:
    """Claim about the function's sizes, as text.

    Attributes:
        location: The place that states it.
        origin: The attribute or operation that states it.
        by: The exporter that states it, if one is named.
        stated_by: The option or file that gives it, if the program does not.
    """

    text: str
    location: Location
    origin: str
    by: str = ""
    stated_by: str = ""


@value_record
class ShapeName:
    """Extents of a value as texts in the size language, outermost first; `UNNAMED` for an extent without a name.

    Attributes:
        argument: The position of the value among the function's arguments. None for a value computed in the function:
            there the statement is the exporter's claim about a result, which holds only once that op has run.
        stated_by: The option or file that gives it, if the program does not.
    """

    argument: int | None
    names: tuple[str, ...]
    value: Value
    location: Location
    origin: str
    stated_by: str = ""

    @property
    def text(self) -> str:
        """The sizes as an attribute states them: ``[B, _, 8]``, or ``B`` of a ``!shape.size``."""
        sizes = ", ".join("_" if each == UNNAMED else each for each in self.names)
        return sizes if str(self.value.type) == SIZE_TYPE else f"[{sizes}]"


@value_record
class Preconditions:
    """All preconditions that one function states, in program order.

    Attributes:
        is_asserted: Whether the function's own assertions at its entry state them.
    """

    assumptions: tuple[StatedAssumption, ...] = ()
    shapes: tuple[ShapeName, ...] = ()
    stated_by: str = ""
    is_asserted: bool = False

    def distrusted(self) -> Preconditions:
        """Return the names alone, so that they assume nothing: no expression, and no name for two sizes."""
        taken: set[str] = set()
        kept: list[ShapeName] = []
        for shape in self.shapes:
            if shape.argument is not None:
                names = tuple(_fresh(name, taken) for name in shape.names)
                kept.append(replace(shape, names=names))
        return Preconditions((), tuple(kept))

    def required(self) -> Preconditions:
        """Return only the requirements of the function, which every call of it must satisfy."""
        return Preconditions(tuple(each for each in self.assumptions if each.origin == REQUIRES))


def _fresh(name: str, taken: set[str]) -> str:
    if not IDENTIFIER.fullmatch(name) or name in taken:
        return UNNAMED
    taken.add(name)
    return name
