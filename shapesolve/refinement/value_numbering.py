"""Value numbers: equal numbers in two programs mean the same computation on the same inputs, or the same size.

What is not known of a value (the contents of a tensor, an iteration of a loop) may get one name in both programs if its
number is the same. An operation that reads or changes something besides its operands is numbered by every such
operation that was interpreted before it, so it agrees only if both programs did the same until then. Where the memory
of tensors may be written, that goes for everything that has to do with tensors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from shapesolve.elements.memory import keeps_tensors_of
from shapesolve.ir.analyses import program_analysis
from shapesolve.ir.attributes import is_whole
from shapesolve.ir.own_attributes import ENSURES, REQUIRES
from shapesolve.ir.program import (
    AffineExpression,
    AffineMap,
    Attribute,
    Block,
    Function,
    Operation,
    Program,
    Region,
    ScalarType,
    ShapedType,
    SymbolRef,
    Type,
    Value,
)
from shapesolve.preconditions.attributes import claims_in
from shapesolve.semantics.effects import Effects, touches_buffers
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.symbolic.formulas import truth

ValueForm = Callable[[Value], str | None]
"""Returns a value in terms that both programs share; None if it has no such form."""


def _no_text(_: Value) -> None:
    return None


class _Spelled(NamedTuple):
    """The canonical text of an operation or a region.

    Attributes:
        text: The text.
        up_to_floats: Whether some floats that it is given, or gives, are not known.
    """

    text: object
    up_to_floats: bool


_CONSTANTS = frozenset(["arith.constant", "index.constant"])
_UP_TO_FLOATS = "~"
"""Prefix of the number of a value that is the same except for its floats: these decide no size."""


class Numbering:
    """The value numbers of one program, assigned in program order.

    Args:
        side: Marks numbers that are never shared.
        registry: The registry that gives the effects of operations.
    """

    def __init__(self, program: Program, side: str, registry: RuleRegistry) -> None:
        self._program = program
        self._form_of: ValueForm = _no_text
        self._registry = registry
        self._side = side
        self._numbers: dict[Value, str] = {}
        self._constants: dict[Value, str] = {}
        self._around: dict[Region, str] = {}
        self._given: dict[Operation | Region, set[str]] = {}
        self._alike: dict[Value, str] = {}
        self._state = "start"
        self._own = 0
        self._tensors_may_change = False
        self._declarations: dict[Operation, object | None] = {}

    def enter_function(self, function: Function) -> None:
        """Number the arguments of the compared function by their positions."""
        for position, argument in enumerate(function.arguments):
            self._numbers[argument] = f"argument {position}"

    def visit(self, op: Operation, around: Region | None, form_of: ValueForm = _no_text) -> str:
        """Number an operation that is about to run, its results and the arguments of its regions.

        How a value was computed does not matter if ``form_of`` gives a shared form of it.
        """
        self._form_of = form_of
        if (constant := self._constant_number(op)) is not None:
            self._constants[op.results[0]] = constant
        if not self._tensors_may_change and touches_buffers(op) and _touches_tensors(op):
            self._tensors_may_change = not keeps_tensors_of(
                self._program, lambda each: self._registry.effects(each).writes
            )
        number = self._number(op, around)
        self._given.setdefault(op, set()).add(number)
        for index, result in enumerate(op.results):
            self._numbers[result] = f"{number}.{index}"
        self._alike.update(self._arbitrary_results(op))
        for index, region in enumerate(op.regions):
            self._enter(region, f"{number}/{index}")
        return number

    def enter_called(self, region: Region, number: str) -> None:
        """Number the arguments of a region that an operation runs but does not hold: the body of a function."""
        self._enter(region, f"{number}/called")

    def entered(self, region: Region) -> str:
        """Return the number of a region that was entered."""
        return self._around.get(region, "")

    def is_shared(self, number: str) -> bool:
        """Return whether the other program may have the same number."""
        return not number.startswith(self._side)

    def may_name(self, op: Operation, number: str) -> bool:
        """Return whether unknown values of an operation of this number may have one name in both programs.

        Unknown floats decide what single operations do not know of them; a region that is run on elements knows nothing
        of its floats anyway.
        """
        return self.is_shared(number) and (bool(op.regions) or not number.startswith(_UP_TO_FLOATS))

    def whole(self, value: Value) -> str | None:
        """Return the number of a value that identifies it fully; None if the other program cannot have it."""
        number = self._numbers.get(value)
        is_whole = number is not None and self.is_shared(number) and not number.startswith(_UP_TO_FLOATS)
        return number if is_whole else None

    def demanding(self, op: Operation) -> str | None:
        """Return a number for a visited operation's requirement if its results may be anything; else None.

        The other program has it for the same operation on the same operands, whatever the results of the two are.
        """
        return self._alike.get(op.results[0]) if op.results else None

    def shared(self, place: Operation | Region) -> frozenset[str]:
        """Return all numbers of an operation or a region; none if the other program cannot have some of them."""
        given = self._given.get(place, set())
        return frozenset(given) if all(map(self.is_shared, given)) else frozenset()

    @property
    def all_numbers(self) -> frozenset[str]:
        """All numbers of operations and regions."""
        return frozenset[str]().union(*self._given.values())

    def _enter(self, region: Region, number: str) -> None:
        self._around[region] = number
        self._given.setdefault(region, set()).add(number)
        for place, block in enumerate(region.blocks):
            for index, argument in enumerate(block.arguments):
                self._numbers[argument] = f"{number}.{place}.{index}"

    def _number(self, op: Operation, around: Region | None) -> str:
        spelled = self._spelled(op, {})
        if spelled is not None and spelled.up_to_floats and op.regions:
            spelled = self._spelled(op, {}, loosely=True)
        inside = [self._registry.effects(each) for each in op.walk()]
        pure = is_function_of_operands(op, inside) and not _calls(op)
        if self._tensors_may_change and any(map(_touches_tensors, op.walk())):
            pure = False
        if spelled is None or (spelled.up_to_floats and not pure):
            number = self._fresh()
        elif pure:
            asks = any(each.asks_where for each in inside)
            number = _digest((spelled.text, self._around.get(around, "") if asks and around is not None else ""))
        else:
            number = _digest((spelled.text, self._state, self._around.get(around, "") if around is not None else ""))
        if not pure:
            self._state = _digest((self._state, number))
        return f"{_UP_TO_FLOATS}{number}" if spelled is not None and spelled.up_to_floats and pure else number

    def _arbitrary_results(self, op: Operation) -> Iterator[tuple[Value, str]]:
        """Yield numbers for the results of operations that may return anything, for users of their shapes alone."""
        if op.regions or not self._registry.effects(op).any_result:
            return
        operands, attributes = [self._operand(each, {}) for each in op.operands], _attributes(op)
        if None not in operands and all(each is not None for _, each in attributes):
            for index, result in enumerate(op.results):
                yield result, _digest((op.name, operands, attributes, repr(result.type), index))

    def _fresh(self) -> str:
        self._own += 1
        return f"{self._side} {self._own}"

    # What an operation says --------------------------------------------------------------------------------------

    def _spelled(self, op: Operation, inside: Mapping[Value | Block, str], *, loosely: bool = False) -> _Spelled | None:
        """Return everything that decides what the operation does; None if some of it is not known.

        Args:
            loosely: Treat the floats that its regions are given as unknown.
        """
        unread = _unread(op)
        operands = [
            (self._alike.get(each) if place in unread else None) or self._operand(each, inside)
            for place, each in enumerate(op.operands)
        ]
        attributes = _attributes(op)
        callees = [self._callee(op, each) for each in op.attributes.values() if isinstance(each, SymbolRef)]
        regions = [self._region(each, inside, loosely=loosely) for each in op.regions]
        successors = [inside.get(each) for each in op.successors]
        if None in (*operands, *regions, *callees, *successors):
            return None
        is_cut = any(each is None for _, each in attributes)
        if is_cut and not _is_constant(op):
            return None
        unknown = is_cut or self._registry.effects(op).any_result
        unknown = unknown or any(each is not None and each.startswith(_UP_TO_FLOATS) for each in operands)
        whole = [each for each in regions if each is not None]
        up_to_floats = unknown or any(each.up_to_floats for each in whole)
        if up_to_floats and not all(_is_float(each.type) for each in op.results):
            return None
        types = [repr(result.type) for result in op.results]
        texts = [each.text for each in whole]
        return _Spelled((op.name, operands, attributes, types, texts, callees, op.segments, successors), up_to_floats)

    def _operand(self, value: Value, inside: Mapping[Value | Block, str]) -> str | None:
        number = inside.get(value) or self._constants.get(value) or self._form_of(value) or self._numbers.get(value)
        return number if number is None or self.is_shared(number) else None

    def _constant_number(self, op: Operation) -> str | None:
        """Return a number for the result of a constant, by which it is the same wherever it stands; None of the rest.

        That of an integer is its shared form.
        """
        if op.name not in _CONSTANTS or not all(map(is_whole, op.attributes.values())):
            return None
        value = op.attributes["value"]
        if isinstance(value, int):
            return f"{op.results[0].type}: {truth(value) if isinstance(value, bool) else value}"
        return _digest(("constant", repr(op.results[0].type), _attributes(op)))

    def _region(self, region: Region, inside: Mapping[Value | Block, str], *, loosely: bool) -> _Spelled | None:
        known = dict(inside)
        spelled: list[object] = []
        up_to_floats = False
        for block in region.blocks:
            known[block] = f"^{len(known)}"
            for argument in block.arguments:
                known[argument] = f"{_UP_TO_FLOATS if loosely and _is_float(argument.type) else ''}^{len(known)}"
        for block in region.blocks:
            spelled.append([repr(argument.type) for argument in block.arguments])
            for op in block.operations:
                if (constant := self._constant_number(op)) is not None:  # the same wherever it stands
                    self._constants[op.results[0]] = constant
                    continue
                found = self._spelled(op, known, loosely=loosely)
                if found is None:
                    return None
                spelled.append(found.text)
                up_to_floats = up_to_floats or found.up_to_floats
                for result in op.results:
                    known[result] = f"{_UP_TO_FLOATS if found.up_to_floats else ''}%{len(known)}"
        return _Spelled(spelled, up_to_floats)

    def _callee(self, op: Operation, symbol: SymbolRef) -> object | None:
        function = self._program.symbols.function(op, symbol)
        return self._declared(op, symbol) if function is None else body_number(self._program, function)

    def _declared(self, op: Operation, symbol: SymbolRef) -> object | None:
        """Return what the program says of a symbol that is no function: the number a global variable has at first."""
        declaration = self._program.symbols.operation(op, symbol)
        if declaration is None:
            return ("elsewhere", symbol.name)
        if declaration not in self._declarations:
            self._declarations[declaration] = ("again", symbol.name)  # what it says of itself
            self._declarations[declaration] = self._number_of_declaration(declaration)
        return self._declarations[declaration]

    def _number_of_declaration(self, declaration: Operation) -> object | None:
        regions = [self._region(each, {}, loosely=False) for each in declaration.regions]
        attributes = [(name, text) for name, text in _attributes(declaration) if name != "sym_visibility"]
        if any(each is None or each.up_to_floats for each in regions) or any(text is None for _, text in attributes):
            return None
        texts = [each.text for each in regions if each is not None]
        return _digest((declaration.name, attributes, texts))


def is_function_of_operands(op: Operation, effects: Iterable[Effects]) -> bool:
    """Return whether the operation, with its regions, only depends on values and changes nothing.

    It may return arbitrary values. A buffer's contents are not part of its value.

    Args:
        effects: Those of the operation and of all in its regions.
    """
    return not any(each.reads or each.writes for each in effects) and not any(map(touches_buffers, op.walk()))


def _touches_tensors(op: Operation) -> bool:
    """Return whether an operand or a result of the operation is a tensor."""
    types = (each.type for each in (*op.operands, *op.results))
    return any(isinstance(each, ShapedType) and each.container == "tensor" for each in types)


def body_number(program: Program, function: Function, *, with_contracts: bool = False) -> str | None:
    """Return the number of a function: equal for functions with the same text. None if it has none.

    Args:
        with_contracts: Include what a function requires and ensures, for violating it is undefined behavior; the
            results do not depend on it.
    """
    return _body_number(program, function, (), with_contracts=with_contracts, recursions=set())


def _body_number(
    program: Program, function: Function, calling: tuple[str, ...], *, with_contracts: bool, recursions: set[str]
) -> str | None:
    """Return the number of a function, and add those of ``calling`` that it calls again to ``recursions``.

    The numbers of the functions of ``calling`` are being computed.

    A function without such a call has one number wherever it is called from. Kept numbers bound the work where
    functions call the next one twice.
    """
    if function.name in calling:
        recursions.add(function.name)
        return f"@{function.name}"
    kept = _body_numbers(program)
    for callers in (None, calling):
        if (found := kept.get((function.name, callers, with_contracts))) is not None:
            recursions |= found[1]
            return found[0]
    states = [claims_in(function, attribute) for attribute in (REQUIRES, ENSURES)] if with_contracts else []
    if function.body is None:
        return _digest((function.name, states))
    numbering = _BodyNumbering(program, (*calling, function.name), with_contracts=with_contracts)
    spelled = numbering.region(function.body)
    if spelled is None or spelled.up_to_floats:
        return None
    number = _digest((spelled.text, [str(each) for each in function.result_types], states))
    own = frozenset(numbering.recursions)
    kept[function.name, calling if own else None, with_contracts] = number, own
    recursions |= own
    return number


@program_analysis
def _body_numbers(_: Program) -> dict[tuple[str, tuple[str, ...] | None, bool], tuple[str, frozenset[str]]]:
    """Return the numbers found so far, with their recursions, by function and (if they matter) its callers."""
    return {}


class _BodyNumbering(Numbering):
    """Numbers a function on its own, apart from any interpretation."""

    def __init__(self, program: Program, calling: tuple[str, ...], *, with_contracts: bool) -> None:
        super().__init__(program, "body", RuleRegistry())
        self._calling = calling
        self._with_contracts = with_contracts
        self.recursions: set[str] = set()

    def region(self, region: Region) -> _Spelled | None:
        """Return the canonical text of the region."""
        return self._region(region, {}, loosely=False)

    def _constant_number(self, op: Operation) -> str | None:
        """Return None: functions are the same if their texts are, constants included."""
        return None

    def _callee(self, op: Operation, symbol: SymbolRef) -> object | None:
        function = self._program.symbols.function(op, symbol)
        if function is None:
            return self._declared(op, symbol)
        return _body_number(
            self._program, function, self._calling, with_contracts=self._with_contracts, recursions=self.recursions
        )


def same_function(first: tuple[Program, Function], second: tuple[Program, Function]) -> bool:
    """Return whether two functions are the same up to the names of their values and their locations."""
    numbers = [body_number(program, function, with_contracts=True) for program, function in (first, second)]
    stated = [
        [sorted((name, repr(each)) for name, each in attributes.items()) for attributes in function.argument_attributes]
        for _, function in (first, second)
    ]
    own = [
        sorted(
            (name, repr(each)) for name, each in function.operation.attributes.items() if not name.startswith("sym_")
        )
        for _, function in (first, second)
    ]
    return numbers[0] is not None and numbers[0] == numbers[1] and stated[0] == stated[1] and own[0] == own[1]


def _unread(op: Operation) -> frozenset[int]:
    """Return the operands of which a region gets an element that it does not use."""
    if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
        return frozenset()
    arguments = op.regions[0].blocks[0].arguments
    given = [each.type.element if isinstance(each.type, ShapedType) else None for each in op.operands]
    if [each.type for each in arguments] != given:
        return frozenset()
    used = {operand for inner in op.walk() for operand in inner.operands}
    return frozenset(place for place, each in enumerate(arguments) if each not in used)


def _is_constant(op: Operation) -> bool:
    return not (op.operands or op.regions) and all(_is_static(each.type) for each in op.results)


def _is_static(type: Type) -> bool:
    return isinstance(type, ShapedType) and type.extents is not None and None not in type.extents


def _is_float(type: Type) -> bool:
    """Return whether a value of a type consists of floats only; a buffer's contents are not part of its value."""
    element = type.element if isinstance(type, ShapedType) and type.container != "memref" else type
    return isinstance(element, ScalarType) and element.kind == "float"


def _calls(op: Operation) -> bool:
    return any(isinstance(each, SymbolRef) for inner in op.walk() for each in inner.attributes.values())


def _attributes(op: Operation) -> list[tuple[str, str | None]]:
    return [
        (name, _attribute(_applied_map(each) if isinstance(each, AffineMap) else each))
        for name, each in sorted(op.attributes.items())
    ]


def _applied_map(applied: AffineMap) -> AffineMap:
    """Return a map of the same operands without symbols, which follow the dimensions and mean the same."""

    def renamed(of: AffineExpression) -> AffineExpression:
        if of.kind == "symbol":
            return AffineExpression("dim", applied.dims + of.value)
        left, right = (None if each is None else renamed(each) for each in (of.left, of.right))
        return AffineExpression(of.kind, of.value, left, right)

    if not applied.symbols:
        return applied
    return AffineMap(applied.dims + applied.symbols, 0, tuple(map(renamed, applied.results)))


def _attribute(attribute: Attribute) -> str | None:
    """Return the attribute as text; None if its text is not whole."""
    return repr(attribute) if is_whole(attribute) else None


def _digest(text: object) -> str:
    return hashlib.blake2b(repr(text).encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
