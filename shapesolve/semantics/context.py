"""RuleContext: what a rule may see of the program around its operation.

How the values of a program were built, told to the record that a certificate needs, if one is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from shapesolve.domain.fresh_variables import Unknowns, integer_range
from shapesolve.domain.values import Abstract, Element, Float, IntegerInterval, ListValue, Size, Tensor, Witness
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.data_flow import Origins, whose
from shapesolve.ir.program import Function, Operation, ShapedType, SymbolRef, Value
from shapesolve.preconditions.stated_contracts import Kept, StatedContract, StatedContracts
from shapesolve.reasons import Reason
from shapesolve.symbolic.derivations import current
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import as_number, equal, negation
from shapesolve.symbolic.shape_kinds import RankedShape, Shape


class UnknownValueError(Exception):
    """A rule asked for something that is not known; the walk then treats the operation as not modelled."""


class Surroundings(Protocol):
    """What the walk offers to `RuleContext`."""

    @property
    def values(self) -> Mapping[Value, Abstract]: ...
    @property
    def unknowns(self) -> Unknowns: ...
    @property
    def iteration(self) -> tuple[Dim, ...] | None: ...
    @property
    def exposed(self) -> frozenset[Value]: ...
    @property
    def contracts(self) -> StatedContracts: ...
    def origins_of(self, value: Value) -> Origins: ...
    def kept(self, contract: StatedContract) -> Kept | None: ...
    @property
    def distrusts(self) -> bool: ...
    def callee(self, op: Operation, symbol: SymbolRef) -> Function | None: ...
    def declaration(self, op: Operation, symbol: SymbolRef) -> Operation | None: ...
    def producer(self, value: Value) -> Operation | None: ...


class RuleContext:
    """Access of a rule to its operands. A method without an answer raises `UnknownValueError` with a phrase."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings

    @property
    def unknowns(self) -> Unknowns:
        """Where this walk takes its fresh variables from, for whoever walks another function on values of this one."""
        return self._around.unknowns

    @property
    def distrusts(self) -> bool:
        """Whether what a tensor is taken for is not believed of what it holds."""
        return self._around.distrusts

    def value(self, value: Value) -> Abstract:
        """Whatever is known; of a tensor whose contents may be written to, that is its shape."""
        found = self._around.values[value]
        recall(value)
        if isinstance(found, Tensor) and value in self._around.exposed:
            return Tensor(found.shape)
        return found

    def seen(self, value: Value) -> Abstract | None:
        """Whatever is known of a value that need not be an operand; None where it is not looked at yet."""
        return self._around.values.get(value)

    def producer(self, value: Value) -> Operation | None:
        """The operation that a value is a result of."""
        return self._around.producer(value)

    def tensor(self, value: Value) -> Tensor:
        """A shaped value."""
        found = self.value(value)
        if not isinstance(found, Tensor):
            raise UnknownValueError(f"the shape of {value.name} is not known")
        return found

    def shape(self, value: Value) -> Shape:
        """The shape of a shaped value, or the shape that a ``!shape.shape`` is, or that an extent tensor spells."""
        found = self.value(value)
        return found if isinstance(found, Shape) else self.tensor(value).shape

    def dims(self, value: Value) -> tuple[Dim, ...]:
        """The extents of a shaped value of known rank."""
        shape = self.tensor(value).shape
        if not isinstance(shape, RankedShape):
            raise UnknownValueError(f"the rank of {value.name} is not known")
        return shape.dims

    def elements(self, value: Value) -> tuple[Element, ...] | None:
        """The elements of a tensor in row-major order, or None where they are not kept."""
        found = self.value(value)
        return found.elements if isinstance(found, Tensor) else None

    def arranged(self, value: Value, shape: Shape) -> Tensor:
        """A tensor of another shape that holds the elements of a tensor in the same order."""
        found = self.value(value)
        return Tensor(shape, found.elements, between=found.between) if isinstance(found, Tensor) else Tensor(shape)

    def integers(self, value: Value) -> tuple[Dim, ...]:
        """The elements of an integer tensor as Dims."""
        elements = self.elements(value)
        if elements is None:
            raise UnknownValueError(f"the contents of {value.name} are not known")
        numbers = [as_number(element) if isinstance(element, Formula) else element for element in elements]
        known = tuple(each for each in numbers if isinstance(each, Dim))
        if len(known) != len(numbers):
            raise UnknownValueError(f"the elements of {value.name} are no integers")
        return known

    def integer(self, value: Value) -> Dim:
        """An index or integer, by its signed value; an i1 is 0 or 1."""
        found = self.value(value)
        if isinstance(found, Formula):
            return as_number(found)
        if isinstance(found, Size):
            return found.value
        if not isinstance(found, Dim):
            raise UnknownValueError(f"the value of {value.name} is not known")
        return found

    def truth(self, value: Value) -> Formula:
        """An i1."""
        found = self.value(value)
        if isinstance(found, Dim):
            return negation(equal(found, 0))
        if not isinstance(found, Formula):
            raise UnknownValueError(f"the truth of {value.name} is not known")
        return found

    def witness(self, value: Value) -> Formula:
        """The formula under which a witness passes."""
        found = self.value(value)
        if not isinstance(found, Witness):
            raise UnknownValueError(f"the witness {value.name} is not known")
        return found.passing

    def declared(self, value: Value) -> tuple[int | None, ...] | None:
        """The extents that a shaped type declares; None when unranked."""
        if not isinstance(value.type, ShapedType):
            raise UnknownValueError(f"{value.name} has no shape")
        return value.type.extents

    def declared_dims(self, value: Value) -> tuple[Dim | None, ...]:
        """The extents of a ranked type as Dims, None for `?`."""
        extents = self.declared(value)
        if extents is None:
            raise UnknownValueError(f"the rank of {value.name} is not known")
        return tuple(None if extent is None else dim(extent) for extent in extents)

    def fresh(self, name: str, lower: int | None = 0, upper: int | None = MAX_SIZE) -> Dim:
        """A new unknown integer; a size unless bounds say otherwise."""
        return self._around.unknowns.size(name, lower, upper)

    def every(self, name: str, of: tuple[Dim, Dim, Dim], lower: int | None = 0, upper: int | None = MAX_SIZE) -> Dim:
        """A new unknown integer that stands for every number ``of`` a range (first, end, step), each of which occurs.

        Not for a loop that may end before its last number.
        """
        return self._around.unknowns.every(name, of, lower, upper)

    def fresh_integer(self, value: Value) -> Dim:
        """A new unknown integer of a value's type."""
        return self._around.unknowns.size(value.name, *integer_range(value.type))

    def one_of(self, value: Value, between: IntegerInterval) -> Dim:
        """A new unknown integer of a value's type, which is one of what lies between two numbers."""
        return self._around.unknowns.one_of(value.name, between, *integer_range(value.type))

    def why_unknown(self, value: Value, name: str = "") -> Reason:
        """Why what a value holds, or what of this name is in it, is not known: whose data it is, if anybody's."""
        return whose(self._around.origins_of(value), name or value.name)

    def why_floats_unknown(self, op: Operation) -> Reason:
        """Why the floats that an operation works on are not known."""
        return whose(Origins().union(*map(self._around.origins_of, op.operands)))

    def unknown(self, value: Value) -> Abstract:
        """A new unknown value of a value's type, contents of small integer tensors included."""
        return self._around.unknowns.of_type(value.type, value.name, contents=True)

    @property
    def iteration(self) -> tuple[Dim, ...]:
        """The position in the loops of the innermost structured operation around this one."""
        found = self._around.iteration
        if found is None:
            raise UnknownValueError("no structured operation stands around this one")
        return found

    def callee(self, op: Operation, symbol: SymbolRef) -> Function | None:
        """The function that an operation means by a symbol."""
        return self._around.callee(op, symbol)

    def declaration(self, op: Operation, symbol: SymbolRef) -> Operation:
        """The operation that another one means by a symbol, whatever it is."""
        found = self._around.declaration(op, symbol)
        if found is None:
            raise UnknownValueError(f"what @{symbol.name} is is not known")
        return found

    @property
    def contracts(self) -> StatedContracts:
        """What the functions of the program state of themselves."""
        return self._around.contracts

    def kept(self, contract: StatedContract) -> Kept | None:
        """What it rests on that a function keeps its contract; None where that is not to be believed."""
        return self._around.kept(contract)


class KnownValues(dict[Value, Abstract]):
    """What is known of every value of a program; a record is told how that was built when a value is set."""

    def __setitem__(self, value: Value, known: Abstract) -> None:
        super().__setitem__(value, known)
        record = current()
        if record is not None:
            record.keep(value, terms_of(known))


def recall(value: Value) -> None:
    """A value of the program is read."""
    record = current()
    if record is not None:
        record.recall(value)


def terms_of(known: Abstract) -> Iterator[Dim | Formula | Shape]:
    """Yield the sizes, shapes and formulas that an abstract value consists of."""
    match known:
        case RankedShape(dims=extents):
            yield from (*extents, known.valid)
        case Dim() | Formula() | Shape():
            yield known
        case Tensor():
            parts = (known.shape, *(known.elements or ()), known.spells, known.signs)
            for part in (each for each in parts if each is not None):
                yield from terms_of(part)
            if known.between is not None:
                yield from (known.between.low, known.between.high, known.between.where)
        case Size():
            yield from (known.value, known.valid)
        case Witness():
            yield known.passing
        case Float():
            yield from (known.numerator, known.denominator, known.exact, known.whole, known.defined)
        case ListValue():
            for item in known.items:
                yield from terms_of(item)
        case _:
            pass
