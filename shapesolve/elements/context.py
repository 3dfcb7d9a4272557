"""Context of rules for elements: the values, shapes and definitions of one program; the registry of rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from math import prod
from typing import Protocol

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.elements.terms import Access, Held, IterationRange, Leaf, NotFollowed, Number, Term, Truth
from shapesolve.int64 import DYNAMIC
from shapesolve.ir.program import (
    Attribute,
    Block,
    Function,
    Operation,
    ScalarType,
    ShapedType,
    SymbolRef,
    Type,
    Value,
    is_buffer,
)
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, floordiv, of_atom, remainder, variable
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.shape_kinds import RankedShape

Rule = Callable[[Operation, int, tuple[Dim, ...], "ElementContext"], Term]
"""Returns the element of a result of an operation, given the result's number and the indices."""

BufferRule = Callable[[Held, "ElementContext"], Term]
"""Returns an element of a buffer by what wrote it last."""

VIEWS = {"memref.cast", "memref.subview", "memref.expand_shape", "memref.collapse_shape"}
"""Operations that make a buffer of a part of their operand."""

READS = {"affine.load", "memref.load", "tensor.extract"}
"""Operations that read one element."""

RULES: dict[str, Rule] = {}
_BUFFER_RULES: list[BufferRule] = []
_MOST_MOVES = 50


class NotFollowedError(Exception):
    """An element whose computation is not followed, with the reason."""


def element_rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for the elements of operations."""

    def register(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


def buffer_rule(rule: BufferRule) -> BufferRule:
    """Register the rule for the elements of buffers."""
    _BUFFER_RULES[:] = [rule]
    return rule


class SharedMemory(Protocol):
    """Memory that two programs change in the same steps.

    Attributes:
        names: The scalars that loops of both programs hand on, by names that both share.
    """

    names: dict[Value, Term]

    def element(self, held: Held) -> Term:
        """Return an element of a buffer.

        Raises:
            NotFollowedError: It is not followed.
        """
        ...


class ElementContext:
    """One program: its values, shapes and definitions.

    Args:
        values: The abstract value of every SSA value.
        name: Distinguishes the variables of reductions.
        iterations: The variables that number the iterations of loops.
        makers: The operations that introduced variables.
        writes: Returns whether an operation may write memory.
        results_at: The positions of the arguments that are out-parameters.
        own_arguments: The positions of all arguments that overlap no other memory.

    Attributes:
        proves: Returns whether a condition holds where the element is compared.
        handed_on: The initial buffers of loops, by the arguments and results that are always the same buffer.
        only_places: Whether what is stored in buffers is unspecified, as where it is stored is all that is asked.
        memory: What buffers hold, where that is the same in both programs; None to follow it to what wrote it.
    """

    def __init__(
        self,
        function: Function,
        values: Mapping[Value, Abstract],
        name: str,
        iterations: Mapping[Variable, IterationRange] | None = None,
        makers: Mapping[Variable, Operation | None] | None = None,
        writes: Callable[[Operation], bool] | None = None,
        results_at: Collection[int] = (),
        own_arguments: Collection[int] = (),
    ) -> None:
        self._values = values
        self._name = name
        self._numbers = count()
        self.iterations = iterations or {}
        self.makers = makers or {}
        self._writes: Callable[[Operation], bool] = writes or _may_write
        self.results_at = frozenset(results_at)
        self.own_arguments = frozenset(own_arguments)
        self.places: dict[Operation, tuple[Block, int]] = {
            op: (block, number)
            for block in function.operation.nested_blocks()
            for number, op in enumerate(block.operations)
        }
        self.around = {
            block: op
            for op in function.operation.walk()
            if op is not function.operation
            for region in op.regions
            for block in region.blocks
        }
        self.proves: Callable[[Formula], bool] = is_evident
        self.definitions: dict[Value, tuple[Operation, int]] = {
            result: (op, index) for op in function.operation.walk() for index, result in enumerate(op.results)
        }
        self.arguments = {argument: position for position, argument in enumerate(function.arguments)}
        self.handed_on = _handed_on(function)
        self.only_places = False
        self.memory: SharedMemory | None = None

    @contextmanager
    def distinct_arguments(self) -> Generator[None]:
        """Take all arguments as memory that overlaps no other, inside the context."""
        given, self.own_arguments = self.own_arguments, frozenset(self.arguments.values())
        try:
            yield
        finally:
            self.own_arguments = given

    def extents(self, value: Value) -> tuple[Dim, ...]:
        """Return the extents of a tensor.

        Raises:
            NotFollowedError: Its rank is not known.
        """
        known = self._values.get(value)
        if isinstance(known, Tensor) and isinstance(known.shape, RankedShape):
            return known.shape.dims
        fixed = fixed_vector_extents(value.type)
        if fixed is None:
            raise NotFollowedError("its rank is not known")
        return fixed

    def size(self, value: Value) -> Dim:
        """Return an integer that is a size or an index.

        Raises:
            NotFollowedError: It is not known.
        """
        known = self._values.get(value)
        if isinstance(known, Dim) and isinstance(value.type, ScalarType) and value.type.kind == "index":
            return known
        raise NotFollowedError("an index is not known")

    def index(self, value: Value) -> Dim | None:
        """Return a scalar of type ``index``; None if it is another value, or not known."""
        is_index = isinstance(value.type, ScalarType) and value.type.kind == "index"
        return self.integer(value) if is_index else None

    def integer(self, value: Value) -> Dim | None:
        """Return a scalar that is an integer; None if it is another value, or not known."""
        known = self._values.get(value)
        return known if isinstance(known, Dim) and isinstance(value.type, ScalarType) else None

    def elements(self, value: Value) -> tuple[Dim, ...]:
        """Return the elements of a tensor of integers that are known as sizes are; kept signed, read by their type.

        Raises:
            NotFollowedError: They are not known.
        """
        known = self._values.get(value)
        if isinstance(known, Tensor) and known.elements is not None and known.fits is TRUE:
            found = tuple(each for each in known.elements if isinstance(each, Dim))
            if len(found) == len(known.elements):
                kind = element_type(value)
                return tuple(remainder(each, dim(2 ** int(kind[2:]))) for each in found) if kind[:2] == "ui" else found
        raise NotFollowedError("a place is not known")

    def truth(self, value: Value) -> Formula | None:
        """Return a boolean as a formula; None if it is not known."""
        known = self._values.get(value)
        return known if isinstance(known, Formula) else None

    def condition(self, value: Value) -> Formula:
        """Return a boolean as a formula.

        Raises:
            NotFollowedError: It is not known.
        """
        known = self.truth(value)
        if known is not None:
            return known
        raise NotFollowedError("a condition is not known")

    def fresh_index(self) -> Variable:
        """Return a new variable for an index of a reduction."""
        atom = variable(f"{self._name}.{next(self._numbers)}", 0).atom
        assert isinstance(atom, Variable)
        return atom

    def mixed(self, static: Attribute, dynamic: Iterable[Value]) -> tuple[Dim, ...]:
        """Return static and dynamic sizes in order."""
        given = iter(dynamic)
        assert isinstance(static, tuple)
        return tuple(self.size(next(given)) if each == DYNAMIC else dim(int(str(each))) for each in static)

    def scalar(self, value: Value) -> Term:
        """Return a value that is no tensor."""
        if self.memory is not None and value in self.memory.names:
            return self.memory.names[value]
        known = self._values.get(value)
        if isinstance(value.type, ScalarType) and value.type.kind == "index" and isinstance(known, Dim):
            return Number(known)
        if isinstance(known, Formula) and not self._is_read_in_region(known):
            return Truth(known)
        return Access(value)

    def _is_read_in_region(self, formula: Formula) -> bool:
        """Return whether a formula depends on what is read inside of a region, each time anew where that is a loop."""
        makers = (self.makers.get(each) for each in formula.variables)
        return any(
            each is not None and each.name in READS and each in self.places and self.places[each][0] in self.around
            for each in makers
        )

    def expand(self, access: Access) -> Term:
        """Return how an element is computed, by one step."""
        if self.memory is not None and access.value in self.memory.names:
            return self.memory.names[access.value]
        position = self.arguments.get(access.value)
        if position is not None:
            return Leaf(("argument", position), access.indices)
        found = self.definitions.get(access.value)
        if found is None:
            return NotFollowed(None, f"{access.value.name} is an argument of a region")
        op, index = found
        rule = RULES.get(op.name)
        if rule is None:
            return NotFollowed(op)
        try:
            return rule(op, index, access.indices, self)
        except NotFollowedError as reason:
            return NotFollowed(op, str(reason))

    def writes(self, op: Operation) -> bool:
        """Return whether an operation may write memory, or runs a function, which may."""
        names_symbol = any(isinstance(each, SymbolRef) for each in op.attributes.values())
        return self._writes(op) or (names_symbol and op.name != "memref.get_global")

    def is_view(self, value: Value) -> bool:
        """Return whether a buffer is a part of another one, or the same."""
        maker = self.definitions.get(value)
        return value in self.handed_on or (maker is not None and maker[0].name in VIEWS)

    def held(self, held: Held) -> Term:
        """Return an element of a buffer by what wrote it last, by one step."""
        try:
            return _BUFFER_RULES[0](held, self) if self.memory is None else self.memory.element(held)
        except NotFollowedError as reason:
            return NotFollowed(held.at, str(reason))

    def element(self, value: Value, indices: tuple[Dim, ...], at: Operation) -> Term:
        """Return an element of a tensor, or of a buffer as an operation finds it."""
        return Held(value, indices, at) if is_buffer(value.type) else Access(value, indices)

    def computed(self, term: Term) -> Term:
        """Return how an element is computed, by as many steps as only move it."""
        for _ in range(_MOST_MOVES):
            if isinstance(term, Access):
                term = self.expand(term)
            elif isinstance(term, Held) and self.memory is not None:
                term = self.held(term)
            else:
                break
        return term


def _may_write(op: Operation) -> bool:
    return True


def _handed_on(function: Function) -> dict[Value, Value]:
    """Return the buffer that each value is, where loops hand on the same one in each iteration."""
    found: dict[Value, Value] = {}
    for op in reversed(list(function.operation.walk())):
        if op.name != "scf.for" or len(op.regions[0].blocks) != 1:
            continue
        block = op.regions[0].blocks[0]
        given = op.operands[len(op.operands) - len(op.results) :]
        yielded = block.operations[-1].operands
        for initial, argument, its, result in zip(given, block.arguments[1:], yielded, op.results, strict=True):
            while its in found:
                its = found[its]
            if is_buffer(result.type) and its is argument:
                found[argument] = found[result] = initial
    for value, initial in found.items():
        while initial in found:
            initial = found[initial]
        found[value] = initial
    return found


def is_evident(condition: Formula) -> bool:
    """Return whether a condition holds by its normal form."""
    return condition is TRUE


def fixed_vector_extents(type: Type) -> tuple[Dim, ...] | None:
    """Return the extents of the type of a vector, or None if it is another type, or scalable."""
    if not isinstance(type, ShapedType) or type.container != "vector" or type.extents is None:
        return None
    known = tuple(dim(each) for each in type.extents if each is not None)
    return known if len(known) == len(type.extents) else None


def is_shaped(value: Value) -> bool:
    """Return whether a value is a tensor."""
    return isinstance(value.type, ShapedType)


def element_type(value: Value) -> str:
    """Return the type of a scalar, or of the elements of a tensor."""
    return str(value.type.element if isinstance(value.type, ShapedType) else value.type)


def integer_list(op: Operation, name: str) -> list[int]:
    """Return an attribute that is a list of integers."""
    found = op.attributes[name]
    assert isinstance(found, tuple)
    return [int(str(each)) for each in found]


def linear_index(indices: Sequence[Dim], extents: Sequence[Dim]) -> Dim:
    """Return the row-major position of an element."""
    position = ZERO
    for index, extent in zip(indices, extents, strict=True):
        position = position * extent + index
    return position


def indices_at(position: Dim, extents: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the indices of the element at a row-major position, which lies inside."""
    found: list[Dim] = []
    for number, extent in enumerate(extents):
        inner = prod(extents[number + 1 :], start=ONE)
        quotient = position if inner is ONE else floordiv(position, inner)
        is_first = all(each is ONE for each in extents[:number])
        found.append(ZERO if extent is ONE else quotient if is_first else remainder(quotient, extent))
    return tuple(found)


def reshaped(indices: Sequence[Dim], extents: Sequence[Dim], operand: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the indices before a reshape, of the element at ``indices`` after it."""
    kept = [(index, extent) for index, extent in zip(indices, extents, strict=True) if extent is not ONE]
    others = [each for each in operand if each is not ONE]
    if len(kept) == len(others) and all(extent is other for (_, extent), other in zip(kept, others, strict=True)):
        given = iter(kept)
        return tuple(ZERO if each is ONE else next(given)[0] for each in operand)
    return indices_at(linear_index(indices, extents), operand)


def as_dim(atom: Variable) -> Dim:
    """Return a variable as a size."""
    return of_atom(atom)
