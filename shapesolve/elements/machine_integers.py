"""Elements that are integers of a fixed width, or booleans: their arithmetic wraps, as that of the machine does.

Functions that are not known here, and elements of arguments, are variables. Whether an operation is undefined, or its
result is poison, is decided elsewhere, but for whole tensors only. So a target may only use what cannot be poison, or
what the source uses, too: flags, shifts by unknown amounts and divisions by unknown divisors are not interpreted in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from shapesolve.elements.scalar_functions import FunctionKey
from shapesolve.elements.terms import Apply, Choice, Leaf, Number, Term, Truth, are_same
from shapesolve.solver.z3.adapter import are_equal_bits
from shapesolve.solver.z3.bit_vectors import BitVector
from shapesolve.symbolic.formula_kinds import FALSE, TRUE

_TYPE = re.compile(r"(ui|si|i)(\d+)")
_WIDEST = 64
_DEEPEST = 30
_MOST_VARIABLES = 10
_DIRECTION = re.compile(r"\b(EQ|NE|LT|LE|GT|GE)\b")
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_ARITH = {"addi": "add", "subi": "sub", "muli": "mul", "andi": "and", "ori": "or", "xori": "xor"}
_SHIFTS = {"shli": "shl", "shrsi": "ashr", "shrui": "lshr"}
_DIVISIONS = {"divsi": "sdiv", "divui": "udiv", "remsi": "srem", "remui": "urem"}
_SIGNED_DIVISIONS = {"divsi", "remsi"}
_CHOICES = {"maxsi": "sgt", "minsi": "slt", "maxui": "ugt", "minui": "ult"}
_CASTS = {"extsi": "sext", "extui": "zext", "trunci": "trunc", "index_cast": "sext", "index_castui": "zext"}
_STABLEHLO = {
    "add",
    "subtract",
    "multiply",
    "negate",
    "not",
    "and",
    "or",
    "xor",
    "maximum",
    "minimum",
    "compare",
    "select",
}
_OF_BOOLEANS = {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and"}

_PARAMETERS = {"predicate", "comparison_direction", "compare_type"}

Variable = Callable[[Term, str], BitVector]
"""Returns the variable for an element of a type; raises `NotBitsError` if there is none."""


class NotBitsError(Exception):
    """An element that is not followed as bits."""


def width_of(type: str) -> int | None:
    """Return the number of bits of a type, or None if it is none of integers."""
    if type == "index":
        return _WIDEST
    found = _TYPE.fullmatch(type)
    return int(found.group(2)) if found is not None and int(found.group(2)) <= _WIDEST else None


def bits_type(term: Term) -> str | None:
    """Return the type of a function's result or of a constant, if it is one of integers."""
    type = None
    if isinstance(term, Apply) and isinstance(term.key, FunctionKey) and len(term.key.results) == 1:
        type = term.key.results[0]
    elif isinstance(term, Leaf) and isinstance(term.key, tuple):
        kind, *others = cast("tuple[object, ...]", term.key)  # pyright: ignore[reportUnknownMemberType]
        type = str(others[0]) if kind == "constant" and not term.indices else None
    return type if type is not None and width_of(type) is not None else None


def is_total_function(key: object, last: Term | None = None) -> bool:
    """Return whether a function of integers is defined for all of them, and never poison.

    Args:
        key: The function.
        last: Its last operand, if that is known: shifts and divisions are defined for most constants.
    """
    if not isinstance(key, FunctionKey) or any(width_of(each) is None for each in (*key.operands, *key.results)):
        return False
    function, name = _function(key)
    if function is None or not _flags(key) <= _PARAMETERS or not function(key, name, None):
        return False
    if name not in _DIVISIONS and name not in _SHIFTS:
        return True
    constant = None if last is None else _constant_in(last, key.operands[-1])
    return constant is not None and _is_defined(name, constant)


class MachineIntegers:
    """Translates the terms of one program.

    Args:
        peek: Returns how an element is computed.
        variable: Returns the variable for an element that is not interpreted.
        may_be_poison: Whether what may be poison, or undefined, is interpreted.
    """

    def __init__(self, peek: Callable[[Term], Term], variable: Variable, *, may_be_poison: bool) -> None:
        self._peek = peek
        self._variable = variable
        self._may_be_poison = may_be_poison

    def bits(self, term: Term, type: str, depth: int = 0) -> BitVector:
        """Return an element of a type.

        Raises:
            NotBitsError: It is not followed.
        """
        width = width_of(type)
        if width is None or depth > _DEEPEST:
            raise NotBitsError
        known = self._peek(term)
        constant = _constant_in(known, type)
        if constant is not None:
            return constant
        match known:
            case Choice():
                condition = self._variable(Truth(known.condition), "i1")
                branches = [self.bits(each, type, depth + 1) for each in (known.then, known.otherwise)]
                return BitVector("ite", width, (condition, *branches))
            case Apply(key=FunctionKey() as key) if key.results == (type,):
                found = self._computed(key, known, depth)
                return self._variable(known, type) if found is None else found
            case _:
                return self._variable(known, type)

    def _computed(self, key: FunctionKey, term: Apply, depth: int) -> BitVector | None:
        if any(width_of(each) is None for each in key.operands):
            return None
        function, name = _function(key)
        allowed = _PARAMETERS | ({"overflowFlags"} if self._may_be_poison else set[str]())
        if function is None or not _flags(key) <= allowed:
            return None
        if not function(key, name, None):
            return None
        if not self._may_be_poison and not is_total_function(key, self._peek(term.operands[-1])):
            return None
        operands = [self.bits(*each, depth + 1) for each in zip(term.operands, key.operands, strict=True)]
        return cast("BitVector", function(key, name, operands))


def _function(key: FunctionKey) -> tuple[Callable[..., BitVector | bool] | None, str]:
    dialect, _, name = key.name.partition(".")
    return {"arith": _of_arith, "stablehlo": _of_stablehlo}.get(dialect), name


def _flags(key: FunctionKey) -> set[str]:
    return {attribute for attribute, _ in key.attributes}


def _is_defined(name: str, constant: BitVector) -> bool:
    """Return whether a shift by a constant, or a division by it, is defined for all integers."""
    if name in _SHIFTS:
        return constant.number < constant.width
    is_minus_one = constant.number == 2**constant.width - 1  # the quotient of the least integer does not fit
    return constant.number != 0 and not (is_minus_one and name in _SIGNED_DIVISIONS)


def _constant_in(term: Term, type: str) -> BitVector | None:
    """Return the constant of a type that a term is, or None."""
    width = width_of(type)
    match term:
        case Leaf(key=("constant", str(own), int(value)), indices=()) if own == type and width is not None:
            return _constant(value, width)
        case Number(value=value) if value.is_constant and type == "index":
            return _constant(value.constant, _WIDEST)
        case Truth(holds=holds) if holds is TRUE or holds is FALSE:
            return _constant(int(holds is TRUE), 1)
        case _:
            return None


def _constant(value: int, width: int) -> BitVector:
    return BitVector("constant", width, number=value % 2**width)


def _of_arith(key: FunctionKey, name: str, operands: list[BitVector] | None) -> BitVector | bool:
    """Return a function of ``arith``; without operands, whether it is known."""
    operation = {**_ARITH, **_SHIFTS, **_DIVISIONS}.get(name)
    width = width_of(key.results[0])
    assert width is not None
    if operands is None:
        return operation is not None or name in _CHOICES or name in _CASTS or name in ("cmpi", "select")
    if operation is not None:
        return BitVector(operation, width, tuple(operands))
    if name in _CHOICES:
        return _chosen(_CHOICES[name], operands)
    if name in _CASTS:
        return _cast(_CASTS[name], operands[0], width)
    if name == "select":
        return BitVector("ite", width, tuple(operands))
    predicate = int(dict(key.attributes)["predicate"])
    return BitVector(_PREDICATES[predicate], 1, tuple(operands))


def _of_stablehlo(key: FunctionKey, name: str, operands: list[BitVector] | None) -> BitVector | bool:
    """Return a function of StableHLO; without operands, whether it is known."""
    own, width = key.operands[-1], width_of(key.results[0])
    assert width is not None
    is_boolean, sign = own == "i1", "u" if own[:2] == "ui" or own == "i1" else "s"
    if operands is None:
        if name == "convert":  # to fewer bits, StableHLO leaves open what the result is
            return is_boolean or ((width_of(own) or 0) < width and (own[:2] == "ui" or key.results[0][:2] != "ui"))
        return name in _STABLEHLO
    match name:
        case "convert":
            return _cast(f"{'z' if sign == 'u' else 's'}ext", operands[0], width)
        case "compare":
            found = _DIRECTION.search(dict(key.attributes)["comparison_direction"])
            assert found is not None
            word = found.group(1).lower()
            return BitVector(word if word in ("eq", "ne") else f"{sign}{word}", 1, tuple(operands))
        case "select":
            return BitVector("ite", width, tuple(operands))
        case "not":
            return BitVector("xor", width, (operands[0], _constant(-1, width)))
        case "negate":
            return BitVector("sub", width, (_constant(0, width), operands[0]))
        case name if is_boolean and name in _OF_BOOLEANS:
            return BitVector(_OF_BOOLEANS[name], 1, tuple(operands))
        case "maximum" | "minimum":
            return _chosen(f"{sign}{'gt' if name == 'maximum' else 'lt'}", operands)
        case _:
            return BitVector({"subtract": "sub", "multiply": "mul"}.get(name, name), width, tuple(operands))


def _chosen(compared: str, operands: list[BitVector]) -> BitVector:
    first, second = operands
    return BitVector("ite", first.width, (BitVector(compared, 1, (first, second)), first, second))


def _cast(operation: str, operand: BitVector, width: int) -> BitVector:
    if width == operand.width:
        return operand
    return BitVector(operation if width > operand.width else "trunc", width, (operand,))


class BitsComparison:
    """Compares two integers for all values of what they are computed from.

    Args:
        source, target: Return how an element of each program is computed.
        are_same: Returns whether an element of the source is shown to be one of the target.
    """

    def __init__(
        self, source: Callable[[Term], Term], target: Callable[[Term], Term], are_same: Callable[[Term, Term], bool]
    ) -> None:
        self._source, self._target = source, target
        self._are_same = are_same
        self._known: list[tuple[Term, str, BitVector]] = []
        self._own: list[tuple[Term, str, BitVector]] = []

    def are_equal(self, ours: Term, theirs: Term, type: str) -> bool:
        """Return whether both are shown to be equal."""
        try:
            first = MachineIntegers(self._source, self._of_source, may_be_poison=True).bits(ours, type)
            second = MachineIntegers(self._target, self._of_target, may_be_poison=False).bits(theirs, type)
        except NotBitsError:
            return False
        is_atomic = first.operation == "variable" and second.operation == "variable"
        return not is_atomic and are_equal_bits(first, second)

    def _of_source(self, term: Term, type: str) -> BitVector:
        for other, its, variable in self._known:
            if its == type and _are_one(term, other):
                return variable
        return self._new(self._known, term, type)

    def _of_target(self, term: Term, type: str) -> BitVector:
        for other, its, variable in self._own:
            if its == type and _are_one(term, other):
                return variable
        for other, its, variable in self._known:
            if its == type and self._are_same(other, term):
                if isinstance(term, Leaf | Number | Truth):
                    self._own.append((term, type, variable))
                return variable
        if not isinstance(term, Leaf | Number | Truth):  # it may be poison
            raise NotBitsError
        return self._new(self._own, term, type)

    def _new(self, known: list[tuple[Term, str, BitVector]], term: Term, type: str) -> BitVector:
        width = width_of(type)
        number = len(self._known) + len(self._own)
        if width is None or number >= _MOST_VARIABLES:
            raise NotBitsError
        variable = BitVector("variable", width, number=number)
        known.append((term, type, variable))
        return variable


def _are_one(first: Term, second: Term) -> bool:
    """Return whether two terms are the same element of an argument, or the same integer or condition.

    Of others, two uses may differ, since nothing was written.
    """
    match first, second:
        case Leaf(), Leaf():
            return first.key == second.key and are_same(first.indices, second.indices)
        case Number(), Number():
            return first.value is second.value
        case Truth(), Truth():
            return first.holds is second.holds
        case _:
            return False
