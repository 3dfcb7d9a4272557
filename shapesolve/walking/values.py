"""Abstract: what the walk knows of an SSA value.

An index or integer is a Dim (its signed value), an i1 a Formula, a shaped value a `Tensor`, a `!shape.shape` a Shape, a
`!shape.size` a `Size`, a witness a `Witness`; of everything else (floats, tokens) nothing is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import TRUE, Formula
from shapesolve.language.shapes import Shape

Element = Dim | Formula
"""One element of an integer (Dim) or i1 (Formula) tensor."""

MAX_ELEMENTS = 64
"""Contents are kept for integer tensors of at most this many elements."""


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A tensor, memref or vector: its shape, and its elements in row-major order where they are known integers.

    ``spells`` is the shape that an extent tensor of unknown length holds; its rank is the tensor's one extent. Where
    ``fits`` holds, the value has the rank and the static extents that its type states; where a cast said so wrongly, it
    does not, and ``shape`` is that of the type all the same.
    """

    shape: Shape
    elements: tuple[Element, ...] | None = None
    spells: Shape | None = None
    fits: Formula = TRUE


@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """A ``!shape.size``: a number that is meaningful where ``valid`` holds."""

    value: Dim
    valid: Formula = TRUE


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """A ``!shape.witness``: passing where the formula holds.

    ``asserted``: the operation that made it has raised the formula as a check, so nobody need ask again.
    """

    passing: Formula
    asserted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """A value of which only the existence is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Unmodelled:
    """A result that a rule does not determine: the walk replaces it by fresh sizes of the declared type.

    ``reason`` says in a phrase what is not modelled, for the report's list of approximations. Without a reason the
    value is a genuine unknown of which any value is possible (the contents of an input, say).
    """

    reason: str


Abstract = Dim | Formula | Tensor | Shape | Size | Witness | Opaque | Unmodelled
