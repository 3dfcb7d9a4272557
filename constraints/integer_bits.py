"""What bitwise operations and shifts compute from single numbers, where arithmetic can say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapesolve.language.dims import ZERO, Dim, dim, floordiv, remainder
from shapesolve.language.formulas import equal, less_than
from shapesolve.reading.program import Operation, ScalarType
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.values import Element

from .elementwise import Compute, Computed
from .integer_arithmetic import boolean_operation, flags, without_loss
from .integers import (
    as_truth,
    element_type,
    signed,
    typed,
    unsigned,
    within,
    wrapped,
)

BITS_OF_UNKNOWNS = "bitwise operations on two unknown numbers are not followed"
UNKNOWN_SHIFT = "shifts by an unknown number of bits are not followed"

_ON_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def bitwise(op: Operation, name: str) -> Compute:
    """And, or, exclusive or: exact on i1, on constants, with masks of low bits, and where no bit meets another."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean:
            return Computed((boolean_operation(name, as_truth(row[0]), as_truth(row[1])),))
        a, b = signed(row[0]), signed(row[1])
        result = _combined(name, a, b)
        if result is not None:
            return Computed((result,))
        return Computed((None,), reason=BITS_OF_UNKNOWNS, bounded=_range(name, a, b, type))

    return compute


def _combined(name: str, a: Dim, b: Dim) -> Dim | None:
    if a.is_constant and b.is_constant:
        return dim(_ON_INTEGERS[name](a.constant, b.constant))
    if a is b:
        return ZERO if name == "xor" else a
    if a.is_constant:
        a, b = b, a
    if b.is_constant:
        masked = _with_constant(name, a, b.constant)
        if masked is not None:
            return masked
    if name != "and" and (_fills_gap(a, b) or _fills_gap(b, a)):
        return a + b
    return None


def _with_constant(name: str, a: Dim, mask: int) -> Dim | None:
    """The low bits of any number, negative ones included, are its remainder by a power of two."""
    low = mask + 1 if mask >= 0 else -mask  # 2**k for the masks 0..01..1 and 1..10..0
    if low & (low - 1):
        return None
    rest = remainder(a, dim(low))
    match name, mask >= 0:
        case "and", True:
            return rest
        case "and", False:
            return a - rest
        case "or", True:
            return a - rest + mask
        case "or", False:
            return rest + mask
        case "xor", True:
            return a + mask - 2 * rest
        case _ if mask == -1:
            return -a - 1
        case _:
            return None


def _fills_gap(a: Dim, b: Dim) -> bool:
    """Whether ``b`` is smaller than a power of two that divides ``a``, so that their bits do not meet."""
    low, high = b.bounds()
    if low is None or high is None or low < 0:
        return False
    return remainder(a, dim(2 ** high.bit_length())) is ZERO


def _range(name: str, a: Dim, b: Dim, type: ScalarType) -> tuple[int, int]:
    half = 2 ** (type.width - 1)
    tops = [high for low, high in (a.bounds(), b.bounds()) if low is not None and low >= 0 and high is not None]
    tops = [min(top, half - 1) for top in tops]
    if name == "and" and tops:
        return 0, min(tops)
    if len(tops) == 2:
        return 0, 2 ** max(tops).bit_length() - 1
    return -half, half - 1


def shift(op: Operation, direction: str) -> Compute:
    """A shift "left", "right" (signed) or "right unsigned". Clauses: C2 the amount, C3 overflow flags, C4 exact."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        amount = unsigned(row[1], type.width)
        shown = (("amount", amount),)
        small = Claim("C2", less_than(amount, type.width), "the shift is as wide as the number", shown=shown)
        if not amount.is_constant:
            bounded = _shifted_range(direction, signed(row[0]), type)
            unchecked = UNKNOWN_SHIFT if op.attributes.get("isExact") or flags(op) else ""
            return Computed((None,), (small,), UNKNOWN_SHIFT, bounded, unchecked=unchecked)
        if amount.constant >= type.width:
            return Computed((None,), (small,), "a shift as wide as the number has no result")
        factor = 2**amount.constant
        if direction == "left":
            return _left(op, row[0], factor, type, small)
        value = signed(row[0]) if direction == "right" else unsigned(row[0], type.width)
        claims = [small]
        if op.attributes.get("isExact"):
            lost = equal(remainder(value, dim(factor)), 0)
            claims.append(Claim("C4", lost, "bits that are not 0 are shifted out", shown=(("number", value),)))
        result = floordiv(value, dim(factor))
        kept = value is signed(row[0]) or within(result, 0, 2 ** (type.width - 1) - 1)
        return Computed((typed(result if kept else wrapped(result, type.width), type),), tuple(claims))

    return compute


def _left(op: Operation, number: Element, factor: int, type: ScalarType, small: Claim) -> Computed:
    exact = signed(number) * factor
    wished = flags(op)
    whole = unsigned(number, type.width) * factor if "nuw" in wished else None
    computed = without_loss(exact, whole, type, "C3", wished)
    return replace(computed, claims=(small, *computed.claims))


def _shifted_range(direction: str, number: Dim, type: ScalarType) -> tuple[int, int] | None:
    low, high = number.bounds()
    half = 2 ** (type.width - 1)
    if direction != "left" and low is not None and low >= 0 and high is not None:
        return 0, min(high, half - 1)
    return None


def counted_bits(op: Operation, name: str) -> Compute:
    """How many bits are set ("pop"), or zero before the first ("lead") or after the last ("trail") set bit."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        number = unsigned(row[0], type.width)
        if number.is_constant:
            return Computed((typed(wrapped(dim(_bits(name, number.constant, type.width)), type.width), type),))
        return Computed((None,), reason="bits of an unknown number are not counted", bounded=_counts(type))

    return compute


def _counts(type: ScalarType) -> tuple[int, int] | None:
    return (0, type.width) if type.width > 3 else None


def _bits(name: str, number: int, width: int) -> int:
    if name == "pop":
        return number.bit_count()
    if name == "lead":
        return width - number.bit_length()
    return width if number == 0 else (number & -number).bit_length() - 1
