"""Bitwise operations on single integers, as arithmetic or by bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.domain.values import Element
from shapesolve.ir.program import Operation, ScalarType
from shapesolve.symbolic.dims import ZERO, Dim, DimLike, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies, negation

from .elementwise import Compute, Computed
from .integer_arithmetic import boolean_operation
from .integers import as_truth, element_type, fits_signed, signed

BITS_OF_UNKNOWNS = "bitwise operations on two unknown numbers are not followed"

_ON_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def bitwise(op: Operation, name: str) -> Compute:
    """Return the computation of a bitwise "and", "or" or "xor".

    It is exact on i1, on constants, with masks of few runs of ones, and on operands of disjoint bits.
    """
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean:
            return Computed((boolean_operation(name, as_truth(row[0]), as_truth(row[1])),))
        a, b = signed(row[0]), signed(row[1])
        result = _combined(name, a, b)
        if result is not None:
            return Computed((result,))
        return Computed(
            (None,),
            reason=BITS_OF_UNKNOWNS,
            bounded=_range(name, a, b, type),
            invariant=lambda result: (_bounds(name, result, a, b, type.width), f"bitwise {name} of two numbers"),
        )

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


_MOST_RUNS = 3
"""The most runs of ones of a mask that is written as arithmetic."""


def _with_constant(name: str, a: Dim, mask: int) -> Dim | None:
    """Return the operation with a mask as arithmetic, or None for a mask of many runs of ones (or zeros, if negative).

    Of any numbers, negative ones included, ``a | b`` is ``a + b - (a & b)``, and ``a ^ b`` is ``a + b - 2 * (a & b)``.
    """
    selected = _selected_bits(a, mask if mask >= 0 else ~mask)
    if selected is None:
        return None
    both = selected if mask >= 0 else a - selected
    if name == "and":
        return both
    return a + mask - (both if name == "or" else 2 * both)


def _selected_bits(a: Dim, mask: int) -> Dim | None:
    """Return ``a & mask`` for a mask of few runs of ones: the bits from i to k - 1 are ``a // 2**i % 2**(k - i)``."""
    bits = range(mask.bit_length() + 1)
    borders = [bit for bit in bits if (mask >> bit & 1) != (mask << 1 >> bit & 1)]
    if len(borders) > 2 * _MOST_RUNS:
        return None
    found = ZERO
    for low, high in zip(borders[::2], borders[1::2], strict=True):
        found = found + remainder(floordiv(a, dim(2**low)), dim(2 ** (high - low))) * 2**low
    return found


def _fills_gap(a: Dim, b: Dim) -> bool:
    """Return whether ``b`` is less than a power of two that divides ``a``, so that their bits are disjoint."""
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


def _bounds(name: str, result: Dim, a: Dim, b: Dim, width: int) -> Formula:
    """Return bounds of the result by the operands, for each of their signs.

    Of numbers that are not negative, with x = ``a & b``: x is at most either, ``a | b`` is a + b - x, and ``a ^ b`` is
    a + b - 2 * x. The complement ``~a`` of a negative number is -a - 1, and turns the other signs into this one.
    """
    words = conjunction((fits_signed(a, width), fits_signed(b, width)))
    first, second = at_least(a, 0), at_least(b, 0)
    bounds = (
        implies(conjunction((first, second)), _of_naturals(name, result, a, b)),
        implies(conjunction((negation(first), negation(second))), _of_negatives(name, result, a, b)),
        implies(conjunction((first, negation(second))), _of_opposite_signs(name, result, a, b)),
        implies(conjunction((negation(first), second)), _of_opposite_signs(name, result, b, a)),
        implies(equal(a, b), equal(result, 0 if name == "xor" else a)),
    )
    return implies(words, conjunction(bounds))


def _of_naturals(name: str, result: Dim, a: Dim, b: Dim) -> Formula:
    match name:
        case "and":
            return _between(0, result, (a, b))
        case "or":
            return conjunction((at_least(result, a), at_least(result, b), at_least(a + b, result)))
        case _:
            return conjunction((at_least(result, a - b), at_least(result, b - a), at_least(a + b, result)))


def _of_negatives(name: str, result: Dim, a: Dim, b: Dim) -> Formula:
    match name:
        case "and":  # ~(~a | ~b)
            return _between(a + b + 1, result, (a, b))
        case "or":  # ~(~a & ~b)
            return conjunction((at_least(result, a), at_least(result, b), at_least(-1, result)))
        case _:  # ~a ^ ~b
            return conjunction((at_least(result, a - b), at_least(result, b - a), at_least(-a - b - 2, result)))


def _of_opposite_signs(name: str, result: Dim, a: Dim, b: Dim) -> Formula:
    """Return the bounds where ``a`` is not negative and ``b`` is."""
    match name:
        case "and":
            return conjunction((at_least(result, 0), at_least(result, a + b + 1), at_least(a, result)))
        case "or":  # ~(~b & ~a): at least b, and at most -1 and a + b
            return conjunction((at_least(result, b), _between(b, result, (dim(-1), a + b))))
        case _:  # ~(a ^ ~b)
            return _between(b - a, result, (a + b, -a - b - 2))


def _between(low: DimLike, result: Dim, high: Sequence[Dim]) -> Formula:
    return conjunction((at_least(result, low), *(at_least(each, result) for each in high)))
