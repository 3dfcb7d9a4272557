"""Fresh values in the place of what an operation computes: equal to it where the operation is defined, else any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from shapesolve.language.atoms import MAX_SIZE, Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction, either, equal, equivalent, implies
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, ShapedType, Value
from shapesolve.walking.unknowns import Unknowns, integer_range, variables_of
from shapesolve.walking.values import Absent, Abstract, Element, Float, Opaque, Size, Tensor, Text, Unmodelled, Witness

SIZES = (0, MAX_SIZE)
UNBOUNDED = (-(2**128), 2**128)
"""What is computed may lie outside of the bounds of its type, and must not be believed to lie within."""


@dataclass(slots=True, eq=False)
class Substitutes:
    """Makes the substitutes for one operation. ``facts`` say what is known of them."""

    op: Operation
    unknowns: Unknowns
    made: dict[Variable, Operation]
    facts: list[tuple[Formula, str]] = field(default_factory=list[tuple[Formula, str]])

    def unless(self, condition: Formula, formula: Formula) -> Formula:
        """The formula where the condition holds, else nobody knows."""
        if condition is TRUE or formula is TRUE:
            return formula
        return either(condition, formula, self._noted(self.unknowns.truth(f"{self.op.name} sees")))

    def fresh(self, like: Value) -> Abstract:
        """Any value of the type."""
        found = self.unknowns.of_type(like.type, like.name, contents=True)
        self.made.update(dict.fromkeys(variables_of(found), self.op))
        return found

    def values(self, likes: Sequence[Value], values: Sequence[Abstract], defined: Formula) -> tuple[Abstract, ...]:
        """Substitutes for values that have the types and the names of others."""
        return tuple(
            self.value(like, value, defined, defined, defined) for like, value in zip(likes, values, strict=True)
        )

    def value(self, like: Value, value: Abstract, defined: Formula, given: Formula, fits: Formula) -> Abstract:
        """The value where it is ``defined``, and its extents or its number where they are ``given``; else any value.

        Any value of the type, that is; a tensor is really of its type only where it ``fits``.
        """
        match value:
            case Opaque() | Absent() | Text() | Unmodelled():
                return value
            case Tensor():
                return self._tensor(like, value, defined, given, conjunction((fits, value.fits)))
            case _ if given is TRUE:
                return value
            case Float():
                return value.where(given)
            case Dim():
                return self._number(like.name, value, given, integer_range(like.type))
            case Formula():
                return self._truth(like.name, value, given)
            case Size():
                number = self._number(like.name, value.value, given, SIZES)
                return Size(number, self._truth(f"{like.name}.valid", value.valid, given))
            case Witness():
                return Witness(self._truth(like.name, value.passing, given), value.asserted)
            case _:
                return self.fresh(like)

    def _tensor(self, like: Value, value: Tensor, defined: Formula, given: Formula, fits: Formula) -> Tensor:
        shape = value.shape
        if given is not TRUE:
            if not isinstance(shape, RankedShape) or shape.valid is not TRUE:
                fresh = self.fresh(like)
                return replace(fresh, fits=fits) if isinstance(fresh, Tensor) else Tensor(shape, fits=fits)
            shape = RankedShape.of(
                self._number(f"{like.name}[{number}]", extent, given, SIZES) if _is_open(like, number) else extent
                for number, extent in enumerate(shape.dims)
            )
        if defined is TRUE:
            return Tensor(shape, value.elements, value.spells, fits, signs=value.signs)
        elements = value.elements
        if elements is not None:
            elements = tuple(self._element(like, number, each, defined) for number, each in enumerate(elements))
        return Tensor(shape, elements, None, fits)

    def _element(self, like: Value, number: int, value: Element, defined: Formula) -> Element:
        name = f"{like.name}.values[{number}]"
        if isinstance(value, Formula):
            return self._truth(name, value, defined)
        if isinstance(value, Float):
            return value.where(defined)
        type = like.type.element if isinstance(like.type, ShapedType) else like.type
        return self._number(name, value, defined, integer_range(type))

    def _number(self, name: str, value: Dim, defined: Formula, bounds: tuple[int, int]) -> Dim:
        fresh = self.unknowns.size(name, *UNBOUNDED)
        self.made.update(dict.fromkeys(fresh.variables, self.op))
        within = conjunction((at_least(fresh, bounds[0]), at_least(bounds[1], fresh)))
        self._say(either(defined, equal(fresh, value), within))
        return fresh

    def _truth(self, name: str, value: Formula, defined: Formula) -> Formula:
        fresh = self._noted(self.unknowns.truth(name))
        self._say(implies(defined, equivalent(fresh, value)))
        return fresh

    def _noted(self, fresh: Formula) -> Formula:
        self.made.update(dict.fromkeys(fresh.variables, self.op))
        return fresh

    def _say(self, formula: Formula) -> None:
        self.facts.append((formula, f"{self.op.name}, where it is not undefined"))


def _is_open(like: Value, number: int) -> bool:
    """Whether the type leaves an extent open."""
    extents = like.type.extents if isinstance(like.type, ShapedType) else None
    return extents is None or number >= len(extents) or extents[number] is None
