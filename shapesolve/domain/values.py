"""Abstract: what the walk knows of an SSA value.

An index or integer is a Dim (its signed value), an i1 a Formula, a shaped value a `Tensor`, a `!shape.shape` a Shape, a
`!shape.size` a `Size`, a witness a `Witness`, a list or tuple a `ListValue`, a float that is computed from sizes a
`Float`; of everything else (other floats, tokens) nothing is known.
"""

from __future__ import annotations

from fractions import Fraction

from shapesolve.ir.program import Type
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.shape_kinds import RankedShape, Shape


@record
class Float:
    """A float that is ``numerator / denominator``, or close to it; the denominator is positive.

    ``defined``: it is finite, and what is said here holds; elsewhere it is any float, or none. ``exact``: it is that
    quotient. ``whole``: it lies where the quotient lies among the integers, so that both have the same floor and
    ceiling; it does so wherever it is exact. Elsewhere it differs from the quotient by at most ``error`` times the
    quotient's magnitude; None: nobody knows. What is ``exact`` or ``whole`` is ``defined``.
    ``infinite``: it is one of the infinities, and defined nowhere.
    """

    numerator: Dim
    denominator: Dim = ONE
    exact: Formula = TRUE
    whole: Formula = TRUE
    error: Fraction | None = Fraction(0)
    defined: Formula = TRUE
    infinite: bool = False

    def where(self, condition: Formula) -> Float:
        """The same float where the condition holds, else any."""
        exact, whole, defined = (conjunction((condition, each)) for each in (self.exact, self.whole, self.defined))
        return Float(self.numerator, self.denominator, exact, whole, self.error, defined)

    @property
    def variables(self) -> frozenset[Variable]:
        parts = (self.numerator, self.denominator, self.exact, self.whole, self.defined)
        return frozenset[Variable]().union(*(part.variables for part in parts))


ANY_FLOAT = Float(ZERO, ONE, FALSE, FALSE, None, FALSE)
"""A float of which nothing is known."""

Element = Dim | Formula | Float
"""One element of an integer (Dim), i1 (Formula) or float tensor."""

MAX_ELEMENTS = 64
"""Contents are kept for tensors of at most this many elements."""


@record
class IntegerInterval:
    """Integers from ``low`` to ``high``, both included, as far as ``where`` holds; of floats, over a ``denominator``.

    With a ``step``, which is positive, they are exactly those that lie that far apart, the ends among them: each is an
    element, where there are elements at all. 0: nobody knows which of them there are.
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
    def only(self) -> Dim | None:
        """The one integer that these are, where they are one."""
        return self.low if self.low is self.high and self.where is TRUE else None

    @property
    def loosely(self) -> IntegerInterval:
        """The same bounds of some of these integers."""
        return IntegerInterval(self.low, self.high, self.where, denominator=self.denominator)

    def holds_of(self, value: Dim) -> Formula:
        """That a value is one of these integers, or the numerator of one of these floats."""
        return implies(self.where, conjunction((at_least(value, self.low), at_least(self.high, value))))


@record
class Tensor:
    """A tensor, memref or vector: its shape, and its elements in row-major order where they are known.

    ``spells`` is the shape that an extent tensor of unknown length holds; its rank is the tensor's one extent. With
    ``signs`` nobody knows whether it holds one: an element is -1 minus the extent of ``spells`` where that of ``signs``
    is 0. A tensor that is taken for a shape has ``signs`` of rank 0, whose columns are all 1.

    Where ``fits`` holds, the value has the rank and the static extents that its type states; where a cast said so
    wrongly, it does not, and ``shape`` is that of the type all the same. Every element is ``between`` two numbers, if
    these are given.
    """

    shape: Shape
    elements: tuple[Element, ...] | None = None
    spells: Shape | None = None
    fits: Formula = TRUE
    between: IntegerInterval | None = None
    signs: Shape | None = None

    def spelled_element(self, from_the_right: Dim) -> Dim:
        """An element of a tensor that spells a shape; its position is counted from the last."""
        assert self.spells is not None
        extent = self.spells.column(from_the_right)
        if self.signs is None:
            return extent
        return choose(equal(self.signs.column(from_the_right), 0), dim(-1) - extent, extent)

    @property
    def holds_sizes(self) -> Formula:
        """That no element is negative, of a tensor that spells a shape."""
        return TRUE if self.signs is None else equal(self.signs.rank, 0)


@record
class Size:
    """A ``!shape.size``: a number that is meaningful where ``valid`` holds."""

    value: Dim
    valid: Formula = TRUE


@record
class Witness:
    """A ``!shape.witness``: passing where the formula holds.

    ``asserted``: the operation that made it has raised the formula as a check, so nobody need ask again.
    """

    passing: Formula
    asserted: bool = False


@record
class ListValue:
    """A list or tuple of values, with their types and names where they are known.

    An operation without a rule may change a list that it is given: afterwards nothing is known of it.
    """

    items: tuple[Abstract, ...]
    types: tuple[Type, ...] = ()
    names: tuple[str, ...] = ()


@record
class NoneValue:
    """The value that stands where an optional one is left out."""


@record
class UnknownValue:
    """A value of which only the existence is known."""


@value_record
class StringValue:
    """A text that the program writes down."""

    text: str


@record
class Unmodelled:
    """A result that a rule does not determine: the walk replaces it by fresh sizes of the declared type.

    ``reason`` says in a phrase what is not modelled, for the report's list of approximations. Without a reason the
    value is a genuine unknown of which any value is possible (the contents of an input, say).
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
    | Unmodelled
)


def element_symbols(name: str, value: Tensor) -> dict[str, Shape]:
    """Return the names under which statements speak of the elements of an integer tensor.

    ``s.values[0]`` is an element of a small tensor ``s``, where i1 are 0 or 1. ``s.extents`` is a shape, of an index
    tensor of unknown length: an element is the extent, or -1 minus it where the extent of ``s.signs`` is 0.
    """
    if value.spells is not None:
        held = {f"{name}.extents": value.spells, f"{name}.signs": value.signs}
        return {each: whole for each, whole in held.items() if whole is not None}
    elements = value.elements or ()
    numbers = [number for each in elements if (number := as_size(each)) is not None]
    return {f"{name}.values": RankedShape.of(numbers)} if numbers and len(numbers) == len(elements) else {}


def validity(value: Abstract | None) -> Formula:
    """The condition under which a value is no error; one whose type has no errors is none."""
    match value:
        case Shape() | Size():
            return value.valid
        case Tensor():
            return value.shape.valid
        case _:
            return TRUE


def as_size(value: Abstract) -> Dim | None:
    """An integer or a size; of a truth or a witness that is unknown the variable that it is; None of anything else."""
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
