"""The operations in which a condition is written: one set for each kind of program.

A term is a live SSA value, a number or a truth. All of them stand before one operation that is there already.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from shapesolve.reading.bindings import Bindings, ir
from shapesolve.reading.program import ScalarType, ShapedType, Type
from shapesolve.rewriting.rewriter import Surgery

Relation = Literal["==", ">=", ">"]
"""How numbers are compared, as signed ones."""


class Unwritable(Exception):
    """A condition cannot be written in these terms; the text says why, as a phrase."""


class Insertion(Surgery):
    """A live module into which operations are put. Their numbers are negative."""

    def put(
        self,
        before: Bindings,
        name: str,
        operands: Sequence[Bindings],
        results: Sequence[Bindings] = (),
        attributes: Mapping[str, Bindings] | None = None,
        regions: int = 0,
    ) -> Bindings:
        """A new operation before one that is there."""
        return self._make(before, name, list(operands), list(results), dict(attributes or {}), regions)

    def adopt(self, made: Bindings) -> None:
        """Give a number to an operation that was made otherwise."""
        self._enter(made)

    def take_back(self, since: int) -> None:
        """Erase what was put in after so many operations had been, the latest first."""
        for number in sorted(each for each in self.live if each < -since):
            self._erase(self.live[number])

    @property
    def made(self) -> int:
        """How many operations were put in so far; the number of the last one is that, negated."""
        return -self._made


class Terms(ABC):
    """Numbers and truths before one operation. Divisors are positive."""

    NAMES: ClassVar[Mapping[str, str]]
    """The operation for each word: add, multiply, divide, remainder, least, greatest, choose, both, either."""

    def __init__(self, insertion: Insertion, before: Bindings) -> None:
        self.insertion = insertion
        self.before = before
        self.constants: dict[int, Bindings] = {}

    @property
    def context(self) -> Bindings:
        return self.before.context

    def type(self, text: str) -> Bindings:
        """A type by its text."""
        return ir().Type.parse(text, self.context)

    @property
    @abstractmethod
    def numbers(self) -> Bindings:
        """The type of numbers."""

    @property
    @abstractmethod
    def truths(self) -> Bindings:
        """The type of truths."""

    def make(self, name: str, operands: Sequence[Bindings], type: Bindings, **attributes: Bindings) -> Bindings:
        """The only result of a new operation."""
        return self.insertion.put(self.before, name, operands, [type], attributes).results[0]

    def of_numbers(self, word: str, *operands: Bindings) -> Bindings:
        """A number computed from others."""
        return self.make(self.NAMES[word], operands, self.numbers)

    def of_truths(self, word: str, *operands: Bindings) -> Bindings:
        """A truth computed from others."""
        return self.make(self.NAMES[word], operands, self.truths)

    def constant(self, value: int) -> Bindings:
        """A number, the same value each time. Raises Unwritable where it does not fit."""
        if not -(2**63) <= value < 2**63:
            raise Unwritable(f"{value} has more than 64 bits")
        found = self.constants.get(value)
        if found is None:
            found = self.constants[value] = self.new_constant(value)
        return found

    @abstractmethod
    def new_constant(self, value: int) -> Bindings:
        """A number of 64 bits."""

    @abstractmethod
    def extent(self, shaped: Bindings, type: ShapedType, position: int) -> Bindings:
        """An extent of a shaped value."""

    @abstractmethod
    def number(self, value: Bindings, type: Type) -> Bindings:
        """An integer or a size as a number, by its signed value; an i1 as 0 or 1. Raises Unwritable."""

    @abstractmethod
    def element(self, shaped: Bindings, type: ShapedType, place: Sequence[int]) -> Bindings:
        """An element of a tensor of integers as a number. Raises Unwritable."""

    @abstractmethod
    def compared(self, a: Bindings, relation: Relation, b: Bindings) -> Bindings:
        """The truth of a comparison."""

    @abstractmethod
    def opposite(self, truth: Bindings) -> Bindings:
        """That a truth is false."""

    @abstractmethod
    def floor(self, a: Bindings, b: Bindings) -> Bindings:
        """``a / b`` rounded down, where ``a`` may be negative."""

    @abstractmethod
    def require(self, truth: Bindings, message: str) -> Bindings:
        """The operation that stops the program where a truth is false."""

    # Shapes of unknown rank ------------------------------------------------------------------------------------------

    def rank(self, shaped: Bindings) -> Bindings:
        """The rank of a shaped value."""
        raise Unwritable(f"there are no ranks in {self.NAMES['add'].split('.')[0]}")

    def extent_of_shape(self, shape: Bindings, position: int) -> Bindings:
        """An extent of a value that is a shape itself."""
        raise Unwritable(f"there are no shapes as values in {self.NAMES['add'].split('.')[0]}")

    def shape_held(self, extents: Bindings) -> Bindings:
        """The shape that an extent tensor holds, as a value."""
        raise Unwritable(f"there are no shapes as values in {self.NAMES['add'].split('.')[0]}")

    def about_shapes(self, word: str, shaped: Sequence[Bindings]) -> Bindings:
        """That shaped values have the ``same`` shape, or broadcast ``together``."""
        raise Unwritable(f"there are no shapes of unknown rank in {self.NAMES['add'].split('.')[0]}")


def is_signless(type: Type) -> bool:
    """Whether a type is one of integers that can be used as they are, in 64 bits."""
    if not isinstance(type, ScalarType) or type.kind not in ("index", "integer"):
        return False
    return type.width <= 64 and type.text in ("index", f"i{type.width}")
