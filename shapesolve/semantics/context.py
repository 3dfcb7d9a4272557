"""Access of rules to the program around their operation.

Reading and setting the value of an SSA value notifies the derivation record of a certificate, if one is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from shapesolve.domain.fresh_variables import FreshVariables, integer_range
from shapesolve.domain.values import Abstract, Element, Float, IntegerInterval, ListValue, Size, Tensor, Witness
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.control_flow import places_in
from shapesolve.ir.data_flow import Provenance, producers, unknown_contents_reason
from shapesolve.ir.program import Function, Operation, Program, ScalarType, ShapedType, SymbolRef, Value
from shapesolve.preconditions.stated_contracts import KeptContract, StatedContract, StatedContracts
from shapesolve.reasons import Reason
from shapesolve.symbolic.derivations import current
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import equal, negation
from shapesolve.symbolic.normal_forms import as_number
from shapesolve.symbolic.shape_kinds import RankedShape, Shape


class UnknownValueError(Exception):
    """Request of a rule for something that is not known; the interpreter then treats the operation as not modeled."""


class ContextProvider(Protocol):
    """State of an interpreter that `RuleContext` gives access to.

    Attributes:
        values: The abstract values of the SSA values interpreted so far.
        unknowns: The source of fresh variables.
        iteration: The position in the loops of the innermost structured operation around; None outside of one.
        aliased: Extent tensors and buffers that other code may write.
        contracts: The contracts that functions of the program state.
        distrusts: Whether the program's statements about its values are not trusted.
        computes_sizes_exactly: Whether signed i32 holds sizes of a framework that computes them without a limit.
    """

    @property
    def values(self) -> Mapping[Value, Abstract]: ...
    @property
    def unknowns(self) -> FreshVariables: ...
    @property
    def iteration(self) -> tuple[Dim, ...] | None: ...
    @property
    def aliased(self) -> frozenset[Value]: ...
    @property
    def contracts(self) -> StatedContracts: ...
    def provenance_of(self, value: Value) -> Provenance: ...
    def kept(self, contract: StatedContract) -> KeptContract | None: ...
    @property
    def distrusts(self) -> bool: ...
    @property
    def computes_sizes_exactly(self) -> bool: ...
    def wraps(self, op: Operation) -> bool: ...
    def callee(self, op: Operation, symbol: SymbolRef) -> Function | None: ...
    def declaration(self, op: Operation, symbol: SymbolRef) -> Operation | None: ...
    def producer(self, value: Value) -> Operation | None: ...
    def enclosing(self, op: Operation, name: str) -> Operation | None: ...


class ProgramLookup:
    """Lookups of a provider that the program alone answers."""

    program: Program

    def asked_program(self) -> Program:
        """Return the program for a lookup: what was asked for depends on more of it than on values."""
        return self.program

    def callee(self, op: Operation, symbol: SymbolRef) -> Function | None:
        return self.asked_program().symbols.function(op, symbol)

    def declaration(self, op: Operation, symbol: SymbolRef) -> Operation | None:
        return self.asked_program().symbols.operation(op, symbol)

    def producer(self, value: Value) -> Operation | None:
        return producers(self.asked_program()).get(value)

    def enclosing(self, op: Operation, name: str) -> Operation | None:
        places = places_in(self.asked_program())
        above = places.above(op)
        while above is not None and above.name != name:
            above = places.above(above)
        return above


class RuleContext:
    """Access of a rule to its operands. A method without an answer raises `UnknownValueError` with a phrase."""

    def __init__(self, provider: ContextProvider) -> None:
        self._provider = provider

    @property
    def unknowns(self) -> FreshVariables:
        """The interpreter's source of fresh variables, for interpreting another function on values of this one."""
        return self._provider.unknowns

    @property
    def distrusts(self) -> bool:
        """Return whether the program's statements about its values are not trusted (`--distrust`)."""
        return self._provider.distrusts

    def is_exact(self, op: Operation, type: ScalarType) -> bool:
        """Return whether the arithmetic of an operation on a type is assumed not to wrap.

        That is assumed of index and i64, and of i32 where it holds sizes of a framework that computes them without a
        limit; unless `--check-wraps` follows the operation.
        """
        is_size = type.width == 32 and not type.text.startswith("u") and self._provider.computes_sizes_exactly
        return (type.width == 64 or is_size) and not self._provider.wraps(op)

    def value(self, value: Value) -> Abstract:
        """Return the abstract value of an operand; only the shape of a tensor whose contents others may write."""
        found = self._provider.values[value]
        recall(value)
        if isinstance(found, Tensor) and value in self._provider.aliased:
            return Tensor(found.shape)
        return found

    def seen(self, value: Value) -> Abstract | None:
        """Return the abstract value of any SSA value, or None if it is not interpreted yet."""
        return self._provider.values.get(value)

    def producer(self, value: Value) -> Operation | None:
        """Return the operation that a value is a result of."""
        return self._provider.producer(value)

    def enclosing(self, op: Operation, name: str) -> Operation | None:
        """Return the innermost operation of a name that an operation stands inside of, in the same text."""
        return self._provider.enclosing(op, name)

    def tensor(self, value: Value) -> Tensor:
        """Return the abstract tensor of a shaped value."""
        found = self.value(value)
        if not isinstance(found, Tensor):
            raise UnknownValueError(f"the shape of {value.name} is not known")
        return found

    def shape(self, value: Value) -> Shape:
        """Return the shape of a shaped value, or the one that a ``!shape.shape`` or an extent tensor holds."""
        found = self.value(value)
        return found if isinstance(found, Shape) else self.tensor(value).shape

    def dims(self, value: Value) -> tuple[Dim, ...]:
        """Return the extents of a shaped value of known rank."""
        shape = self.tensor(value).shape
        if not isinstance(shape, RankedShape):
            raise UnknownValueError(f"the rank of {value.name} is not known")
        return shape.dims

    def elements(self, value: Value) -> tuple[Element, ...] | None:
        """Return the elements of a tensor in row-major order, or None if they are not kept."""
        found = self.value(value)
        return found.elements if isinstance(found, Tensor) else None

    def arranged(self, value: Value, shape: Shape) -> Tensor:
        """Return a tensor of another shape with the elements of a tensor in the same order."""
        found = self.value(value)
        return Tensor(shape, found.elements, between=found.between) if isinstance(found, Tensor) else Tensor(shape)

    def integers(self, value: Value) -> tuple[Dim, ...]:
        """Return the elements of an integer tensor as Dims."""
        elements = self.elements(value)
        if elements is None:
            raise UnknownValueError(f"the contents of {value.name} are not known")
        numbers = [as_number(element) if isinstance(element, Formula) else element for element in elements]
        known = tuple(each for each in numbers if isinstance(each, Dim))
        if len(known) != len(numbers):
            raise UnknownValueError(f"the elements of {value.name} are no integers")
        return known

    def integer(self, value: Value) -> Dim:
        """Return the signed value of an index or integer; an i1 is 0 or 1."""
        found = self.value(value)
        if isinstance(found, Formula):
            return as_number(found)
        if isinstance(found, Size):
            return found.value
        if not isinstance(found, Dim):
            raise UnknownValueError(f"the value of {value.name} is not known")
        return found

    def truth(self, value: Value) -> Formula:
        """Return the formula of an i1."""
        found = self.value(value)
        if isinstance(found, Dim):
            return negation(equal(found, 0))
        if not isinstance(found, Formula):
            raise UnknownValueError(f"the truth of {value.name} is not known")
        return found

    def witness(self, value: Value) -> Formula:
        """Return the formula under which a witness passes."""
        found = self.value(value)
        if not isinstance(found, Witness):
            raise UnknownValueError(f"the witness {value.name} is not known")
        return found.passing

    def declared(self, value: Value) -> tuple[int | None, ...] | None:
        """Return the extents that a shaped type declares, or None if it is unranked."""
        if not isinstance(value.type, ShapedType):
            raise UnknownValueError(f"{value.name} has no shape")
        return value.type.extents

    def declared_dims(self, value: Value) -> tuple[Dim | None, ...]:
        """Return the extents of a ranked type as Dims, None for `?`."""
        extents = self.declared(value)
        if extents is None:
            raise UnknownValueError(f"the rank of {value.name} is not known")
        return tuple(None if extent is None else dim(extent) for extent in extents)

    def fresh(self, name: str, lower: int | None = 0, upper: int | None = MAX_SIZE) -> Dim:
        """Return a fresh integer variable: a size, unless bounds are given."""
        return self._provider.unknowns.size(name, lower, upper)

    def determined(self, name: str, lower: int | None, upper: int | None) -> Dim:
        """Return the variable of a number that its name determines: the same one each time."""
        return self._provider.unknowns.determined(name, lower, upper)

    def validity(self, name: str) -> Formula:
        """Return the fresh condition under which the value of that name is no error."""
        return self._provider.unknowns.validity(name)

    def unmodeled_truth(self, statement: str) -> Formula:
        """Return a fresh truth value for a statement on what is not modeled, which is what reports print for it."""
        return self._provider.unknowns.unmodeled_truth(statement)

    def every(self, name: str, of: tuple[Dim, Dim, Dim], lower: int | None = 0, upper: int | None = MAX_SIZE) -> Dim:
        """Return a fresh variable for every number of a range ``of`` (first, end, step), each of which occurs.

        It is not for a loop that may end before its last number.
        """
        return self._provider.unknowns.any_of_range(name, of, lower, upper)

    def fresh_integer(self, value: Value) -> Dim:
        """Return a fresh variable within the bounds of a value's integer type."""
        return self._provider.unknowns.size(value.name, *integer_range(value.type))

    def one_of(self, value: Value, between: IntegerInterval) -> Dim:
        """Return a fresh variable of a value's integer type that is an element of an interval."""
        return self._provider.unknowns.any_element(value.name, between, *integer_range(value.type))

    def reason_unknown(self, value: Value, name: str = "") -> Reason:
        """Return the reason that a value, or what ``name`` refers to in it, is unknown, with its data provenance."""
        return unknown_contents_reason(self._provider.provenance_of(value), name or value.name)

    def reason_floats_unknown(self, op: Operation) -> Reason:
        """Return the reason that the floats an operation works on are unknown."""
        return unknown_contents_reason(self.provenance(op))

    def provenance(self, op: Operation) -> Provenance:
        """Return the arguments and weights that the contents of an operation's operands come from."""
        return Provenance().union(*map(self._provider.provenance_of, op.operands))

    def unknown(self, value: Value) -> Abstract:
        """Return a fresh value of a value's type, with the contents of a small integer tensor."""
        return self._provider.unknowns.of_type(value.type, value.name, contents=True)

    @property
    def iteration(self) -> tuple[Dim, ...]:
        """The position in the loops of the innermost structured operation around this one."""
        found = self._provider.iteration
        if found is None:
            raise UnknownValueError("no structured operation stands around this one")
        return found

    def callee(self, op: Operation, symbol: SymbolRef) -> Function | None:
        """Return the function that an operation refers to by a symbol, or None."""
        return self._provider.callee(op, symbol)

    def declaration(self, op: Operation, symbol: SymbolRef) -> Operation:
        """Return the operation, of any kind, that another one refers to by a symbol."""
        found = self._provider.declaration(op, symbol)
        if found is None:
            raise UnknownValueError(f"what @{symbol.name} is is not known")
        return found

    @property
    def contracts(self) -> StatedContracts:
        """The contracts that the functions of the program state."""
        return self._provider.contracts

    def kept(self, contract: StatedContract) -> KeptContract | None:
        """Return the assumptions under which a function keeps its contract, or None if it is not trusted."""
        return self._provider.kept(contract)


class KnownValues(dict[Value, Abstract]):
    """Abstract values by SSA value that report each assignment to the derivation record of a certificate."""

    def __setitem__(self, value: Value, known: Abstract) -> None:
        super().__setitem__(value, known)
        record = current()
        if record is not None:
            record.keep(value, terms_of(known))


def recall(value: Value) -> None:
    """Tell the derivation record, if one is kept, that a value of the program is read."""
    record = current()
    if record is not None:
        record.mark_as_read(value)


def terms_of(known: Abstract) -> Iterator[Dim | Formula | Shape]:
    """Yield the sizes, formulas and shapes that an abstract value consists of."""
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
