"""Bitwise operations on single integers, as arithmetic or by bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shapesolve.domain.values import Element
from shapesolve.ir.program import Operation, ScalarType, ShapedType
from shapesolve.semantics.context import RuleContext
from shapesolve.symbolic.dims import ZERO, Dim, DimLike, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, negation
from shapesolve.symbolic.normal_forms import minimum

from .elementwise import Compute, Computed
from .integer_arithmetic import boolean_operation
from .integers import as_truth, element_type, fits_signed, signed

BITS_OF_UNKNOWNS = "bitwise operations on two unknown numbers are not followed"

_ON_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def bitwise(op: Operation, ctx: RuleContext, name: str) -> Compute:
    """Return the computation of a bitwise "and", "or" or "xor".

    It is exact on i1, on constants, with masks of few runs of ones, on operands of disjoint bits, and on most numbers
    that are a bitwise result and one of its own operands.
    """
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean:
            return Computed((boolean_operation(name, as_truth(row[0]), as_truth(row[1])),))
        a, b = signed(row[0]), signed(row[1])
        result = _combined(name, a, b)
        if result is None:
            result = _of_nested(op, ctx, name)
        if result is not None:
            return Computed((result,))
        both = _both(ctx, a, b)
        return Computed(
            (None,),
            reason=BITS_OF_UNKNOWNS,
            bounded=_range(name, a, b, type),
            invariant=lambda result: (_related(name, result, a, b, both, type.width), f"bitwise {name} of two numbers"),
            through=(both,),
            known=((conjunction((_bounds(both, a, b), *_powers(both, a, b))), "the bits in common of two numbers"),),
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


_KINDS = {"and": "and", "andi": "and", "or": "or", "ori": "or", "xor": "xor", "xori": "xor"}


def _of_nested(op: Operation, ctx: RuleContext, name: str) -> Dim | None:
    """Return the operation on a bitwise result and one of its own operands, such as ``(a ^ b) ^ b``, as arithmetic."""
    for result, again in (op.operands, op.operands[::-1]):
        nested = ctx.producer(result)
        dialect, _, kind = nested.name.partition(".") if nested else ("", "", "")
        if nested is None or kind not in _KINDS or dialect != op.name.partition(".")[0]:
            continue
        if isinstance(result.type, ShapedType):
            continue
        combined, b = signed(ctx.integer(result)), signed(ctx.integer(again))
        first, second = (signed(ctx.integer(operand)) for operand in nested.operands)
        if b is not first and b is not second:
            continue
        a = second if b is first else first
        match name, _KINDS[kind]:
            case "xor", "xor":
                return a
            case "xor", "and":
                return b - combined
            case "xor", "or":
                return combined - b
            case ("and", "or") | ("or", "and"):
                return b
            case ("and", "and") | ("or", "or"):
                return combined
            case _:
                continue
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


def _both(ctx: RuleContext, a: Dim, b: Dim) -> Dim:
    """Return the variable that stands for the bits that two numbers have in common."""
    a, b = sorted((a, b), key=str)
    tops = [high for low, high in (a.bounds(), b.bounds()) if low is not None and low >= 0]
    known = [top for top in tops if top is not None]
    return ctx.determined(f"and({a}, {b})", 0 if tops else None, min(known, default=None))


def _related(name: str, result: Dim, a: Dim, b: Dim, both: Dim, width: int) -> Formula:
    """Return a result by what is in common: ``a | b`` is a + b - ``both``, and ``a ^ b`` is a + b - 2 * ``both``."""
    expressed = {"and": both, "or": a + b - both, "xor": a + b - 2 * both}[name]
    words = conjunction((fits_signed(a, width), fits_signed(b, width)))
    return implies(words, equal(result, expressed))


def _bounds(both: Dim, a: Dim, b: Dim) -> Formula:
    """Return bounds of ``a & b`` for each of their signs.

    Of two negative numbers, it is ``~(~a | ~b)`` with ``~a`` = -a - 1, and a union is at most the sum.
    """
    first, second = at_least(a, 0), at_least(b, 0)
    sum = at_least(both, a + b + 1)
    return conjunction(
        (
            implies(conjunction((first, second)), _between(0, both, (a, b))),
            implies(conjunction((negation(first), negation(second))), conjunction((sum, _between(both, both, (a, b))))),
            implies(conjunction((first, negation(second))), conjunction((sum, _between(0, both, (a,))))),
            implies(conjunction((negation(first), second)), conjunction((sum, _between(0, both, (b,))))),
            implies(equal(a, b), equal(both, a)),
        )
    )


_EXPONENTS = (1, 2, 3, 4, 5, 6, 8, 16)
"""The powers of two whose multiples, and numbers below, are told apart."""


def _powers(both: Dim, a: Dim, b: Dim) -> Iterator[Formula]:
    """Yield what multiples of a power of two, and numbers below it, have in common and in their union."""
    yield equal(remainder(both, dim(2)), minimum(remainder(a, dim(2)), remainder(b, dim(2))))
    for power in (dim(2**exponent) for exponent in _EXPONENTS):
        multiples = [equal(remainder(each, power), 0) for each in (a, b)]
        below = [conjunction((at_least(each, 0), at_least(power - 1, each))) for each in (a, b)]
        yield implies(disjunction(multiples), equal(remainder(both, power), 0))
        yield implies(conjunction((multiples[0], below[1])), equal(both, 0))
        yield implies(conjunction((multiples[1], below[0])), equal(both, 0))
        yield implies(conjunction(below), at_least(power - 1, a + b - both))


def _between(low: DimLike, result: Dim, high: Sequence[Dim]) -> Formula:
    return conjunction((at_least(result, low), *(at_least(each, result) for each in high)))
