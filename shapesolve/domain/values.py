"""Abstract values: the interpreter's knowledge about an SSA value.

An index or integer is a Dim (its signed value), an i1 a Formula, a shaped value a `Tensor`, a `!shape.shape` a Shape, a
`!shape.size` a `Size`, a witness a `Witness`, a list or tuple a `ListValue`, a float that is computed from sizes a
`Float`; of everything else (other floats, tokens) nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from shapesolve.ir.program import Type
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.dims import ONE, ZERO, Dim, DimLike, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.shape_kinds import RankedShape, Shape


@record
class Float:
    """Float that is ``numerator / denominator``, exactly or approximately; the denominator is positive.

    Attributes:
        exact: The condition under which it is that quotient.
        whole: The condition under which it has the same floor and ceiling as the quotient. Implied by ``exact``.
        error: The maximum relative error where it is not exact; None if unknown.
        defined: The condition under which it is finite and the other attributes hold; elsewhere it is any float, or
            none. Implied by ``exact`` and by ``whole``.
        infinite: Whether it is one of the infinities, and defined nowhere.
    """

    numerator: Dim
    denominator: Dim = ONE
    exact: Formula = TRUE
    whole: Formula = TRUE
    error: Fraction | None = Fraction(0)
    defined: Formula = TRUE
    infinite: bool = False

    def where(self, condition: Formula) -> Float:
        """Return the same float where the condition holds, and any float elsewhere."""
        exact, whole, defined = (conjunction((condition, each)) for each in (self.exact, self.whole, self.defined))
        return Float(self.numerator, self.denominator, exact, whole, self.error, defined)

    @property
    def variables(self) -> frozenset[Variable]:
        parts = (self.numerator, self.denominator, self.exact, self.whole, self.defined)
        return variables_in(parts)


ANY_FLOAT = Float(ZERO, ONE, FALSE, FALSE, None, FALSE)
"""A float of which nothing is known."""

Element = Dim | Formula | Float
"""One element of an integer (Dim), i1 (Formula) or float tensor."""

MAX_ELEMENTS = 64
"""Contents are kept for tensors of at most this many elements."""


@record
class IntegerInterval:
    """Interval of the elements of a tensor, inclusive; of floats, as numerators over a ``denominator``.

    Attributes:
        low, high: The bounds.
        where: The condition under which the bounds hold.
        step: If positive, exactly the integers of this stride from ``low`` to ``high`` occur as elements, if there are
            elements at all. 0 if it is not known which integers occur.
    """

    low: Dim
    high: Dim
    where: Formula = TRUE
    step: int = 0
    denominator: int = 1

    @property
    def variables(self) -> frozenset[Variable]:
        return self.low.variables | self.high.variables | self.where.variables

    @property
    def single_value(self) -> Dim | None:
        """The single integer of the interval, or None."""
        return self.low if self.low is self.high and self.where is TRUE else None

    @property
    def subset_bounds(self) -> IntegerInterval:
        """The same bounds for a subset of the integers."""
        return IntegerInterval(self.low, self.high, self.where, denominator=self.denominator)

    def contains(self, value: Dim) -> Formula:
        """Return the claim that a value (the numerator of a float) lies within the bounds."""
        return implies(self.where, conjunction((at_least(value, self.low), at_least(self.high, value))))


@record
class Tensor:
    """Tensor, memref or vector: its shape, and its elements in row-major order if they are known.

    Attributes:
        spells: The shape whose extents are the elements of an extent tensor of unknown length; its rank is the tensor's
            one extent.
        signs: If given, elements may be negative: an element is -1 minus the extent of ``spells`` where the extent of
            ``signs`` is 0. A tensor that is used as a shape has ``signs`` of rank 0, whose columns are all 1.
        fits: The condition under which the value has the rank and the static extents of its type. After a wrong cast it
            does not, and ``shape`` is that of the type all the same.
        between: The interval of all elements, if known.
    """

    shape: Shape
    elements: tuple[Element, ...] | None = None
    spells: Shape | None = None
    fits: Formula = TRUE
    between: IntegerInterval | None = None
    signs: Shape | None = None

    @staticmethod
    def of(
        extents: Iterable[DimLike],
        elements: tuple[Element, ...] | None = None,
        *,
        between: IntegerInterval | None = None,
    ) -> Tensor:
        """Return a tensor of known rank."""
        return Tensor(RankedShape.of(extents), elements, between=between)

    def spelled_element(self, from_the_right: Dim) -> Dim:
        """Return an element of an extent tensor by its position counted from the last."""
        assert self.spells is not None
        return IntegerList(self.spells, self.signs).from_the_right(from_the_right)

    @property
    def holds_sizes(self) -> Formula:
        """The condition under which no element of an extent tensor is negative."""
        return TRUE if self.signs is None else equal(self.signs.rank, 0)


@record
class Size:
    """Value of type ``!shape.size``: a number that is meaningful where ``valid`` holds."""

    value: Dim
    valid: Formula = TRUE


@record
class Witness:
    """Value of type ``!shape.witness``: passing where the formula holds.

    Attributes:
        asserted: Whether the operation that made it has raised the formula as a check, so that no other need do so.
    """

    passing: Formula
    asserted: bool = False


@record
class ListValue:
    """List or tuple of values, with their types and names where they are known.

    An operation without a rule may change a list operand: afterwards nothing is known of the list.
    """

    items: tuple[Abstract, ...]
    types: tuple[Type, ...] = ()
    names: tuple[str, ...] = ()


@record
class NoneValue:
    """None, the value of an optional operand that is left out."""


@record
class UnknownValue:
    """Value of which only the existence is known."""


@value_record
class StringValue:
    """Constant string."""

    text: str


@record
class Unmodeled:
    """Result that a rule does not determine: the interpreter replaces it by fresh sizes of the declared type.

    Attributes:
        reason: A phrase for the report's list of approximations. If empty, any value is possible (the contents of an
            input, say).
    """

    reason: Reason


Abstract = (
    Dim
    | Formula
    | Float
    | Tensor
    | Shape
    | Size
    | Witness
    | ListValue
    | NoneValue
    | UnknownValue
    | StringValue
    | Unmodeled
)


def element_symbols(name: str, value: Tensor) -> dict[str, Shape]:
    """Return the shapes of symbols for the contents of a tensor.

    They are ``s.values[0]`` of a small integer tensor, where i1 are 0 or 1, and ``s.extents``, a shape, of an index
    tensor of unknown length, with ``s.signs``, which people call ``s.values`` (`element_lists`).
    """
    if value.spells is not None:
        held = {f"{name}.extents": value.spells, f"{name}.signs": value.signs}
        return {each: whole for each, whole in held.items() if whole is not None}
    elements = value.elements or ()
    numbers = [number for each in elements if (number := as_size(each)) is not None]
    return {f"{name}.values": RankedShape.of(numbers)} if numbers and len(numbers) == len(elements) else {}


def element_lists(name: str, value: Tensor) -> dict[str, IntegerList]:
    """Return the name for the elements of an index tensor of unknown length, ``s.values``, with their meaning."""
    return {} if value.spells is None else {f"{name}.values": IntegerList(value.spells, value.signs)}


def validity(value: Abstract | None) -> Formula:
    """Return the condition under which a value is no error; `TRUE` if its type has no errors."""
    match value:
        case Shape() | Size():
            return value.valid
        case Tensor():
            return value.shape.valid
        case _:
            return TRUE


def as_size(value: Abstract) -> Dim | None:
    """Return an integer, a size, or the variable of an unknown boolean or witness; None for any other value."""
    match value:
        case Dim():
            return value
        case Size():
            return value.value
        case Witness():
            return as_size(value.passing)
        case Formula():
            variables = (of_atom(each) for each in value.variables)
            return next((each for each in variables if value is equal(each, 1)), None)
        case _:
            return None
