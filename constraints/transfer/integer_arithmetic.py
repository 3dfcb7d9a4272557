"""Integer operations on single numbers: arithmetic, order, width changes, bits and shifts.

The rules of several dialects share them. Bitwise operations and shifts are computed where arithmetic can express them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapesolve.domain.values import Element
from shapesolve.ir.program import Operation, ScalarType
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import Claim, Explained
from shapesolve.symbolic.dims import ZERO, Dim, ceildiv, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    disjunction,
    equal,
    equivalent,
    implies,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import choose, maximum, minimum, split_multiples

from .elementwise import Compute, Computed
from .integers import (
    WORD,
    as_truth,
    element_type,
    fits_signed,
    fits_unsigned,
    is_mathematical,
    is_never_negative,
    signed,
    typed,
    unsigned,
    unsigned_less,
    within,
    word_result,
    wrapped,
)


def flags(op: Operation) -> frozenset[str]:
    """Return the overflow flags of an operation: "nsw", "nuw"."""
    spelled = str(op.attributes.get("overflowFlags", ""))
    return frozenset(flag for flag in ("nsw", "nuw") if flag in spelled)


def arithmetic(
    op: Operation, ctx: RuleContext, clause: str, combine: Callable[[Dim, Dim], Dim], boolean: str
) -> Compute:
    """Return the computation of sums, differences or products: the mathematical result, wrapped for narrow integers.

    ``clause`` is that of the overflow flags, and ``boolean`` the name of the operation on i1.
    """
    type = element_type(op.results[0].type)
    wished, is_exact = flags(op), ctx.is_exact(op, type)

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean and not wished:
            return Computed((boolean_operation(boolean, as_truth(row[0]), as_truth(row[1])),))
        exact = combine(signed(row[0]), signed(row[1]))
        whole = combine(unsigned(row[0], type.width), unsigned(row[1], type.width)) if "nuw" in wished else None
        return result_with_flags(exact, whole, type, clause, wished, is_exact=is_exact)

    return compute


def result_with_flags(
    exact: Dim, whole: Dim | None, type: ScalarType, clause: str, wished: frozenset[str], *, is_exact: bool
) -> Computed:
    """Return a signed result in its type; ``whole`` is the unsigned result, for a flag nuw.

    Integers wrap, and their flags are claims. Arithmetic that ``is_exact`` is assumed not to wrap, unless it always
    does.
    """
    claims: list[Claim] = []
    if "nsw" in wished:
        shown = (("the result", exact),)
        claims.append(
            Claim(clause, fits_signed(exact, type.width), "the signed result wraps", shown=shown, makes_poison=True)
        )
    if whole is not None:
        shown = (("the unsigned result", whole),)
        claims.append(
            Claim(clause, fits_unsigned(whole, type.width), "the unsigned result wraps", shown=shown, makes_poison=True)
        )
    if not is_exact:
        return Computed((typed(wrapped(exact, type.width), type),), tuple(claims))
    result, fits = word_result(exact, type.width)
    certain = tuple(claim for claim in claims if claim.formula is FALSE)
    flags_hold = conjunction(claim.formula for claim in claims if claim.formula is not FALSE)
    return Computed((result,), certain, no_overflow=conjunction((fits, flags_hold)), flags_hold=flags_hold)


def boolean_operation(name: str, a: Formula, b: Formula) -> Formula:
    """Return "and", "or", or else the exclusive or of two formulas."""
    if name == "and":
        return conjunction((a, b))
    if name == "or":
        return disjunction((a, b))
    return negation(equivalent(a, b))


# Division ----------------------------------------------------------------------------------------------------------


def truncated_quotient(a: Dim, b: Dim) -> Dim:
    """Return the quotient rounded towards zero."""
    signs = [at_least(each, 0) for each in (a, b)]
    whole, rest = split_multiples(a, b)
    if rest is ZERO and not all(each is TRUE for each in signs):  # then neither rounding nor signs matter
        return choose(equal(b, 0), ZERO, whole)

    def quotient(x: Dim) -> Dim:
        return _by_sign(b, lambda y: floordiv(x, y), lambda y: -floordiv(x, y))

    return _by_sign(a, quotient, lambda x: -quotient(x))


def truncated_remainder(a: Dim, b: Dim) -> Dim:
    """Return the remainder of the quotient rounded towards zero: it has the sign of ``a``."""
    size = _by_sign(b, lambda y: y, lambda y: y)
    return _by_sign(a, lambda x: remainder(x, size), lambda x: -remainder(x, size))


def _by_sign(value: Dim, plain: Callable[[Dim], Dim], mirrored: Callable[[Dim], Dim]) -> Dim:
    """Return ``plain(value)`` if the value is not negative, else ``mirrored(-value)``."""
    positive = at_least(value, 0)
    if positive is TRUE:
        return plain(value)
    if positive is FALSE:
        return mirrored(-value)
    return choose(positive, plain(value), mirrored(-value))


SIGNED_QUOTIENTS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "zero": truncated_quotient,
    "down": floordiv,
    "up": ceildiv,
    "rest": truncated_remainder,
}
UNSIGNED_QUOTIENTS: dict[str, Callable[[Dim, Dim], Dim]] = {"zero": floordiv, "up": ceildiv, "rest": remainder}


def signed_division(op: Operation, rounding: str) -> Compute:
    """Return the computation of a signed quotient or remainder. Clauses: C2 divisor not 0, C3 no overflow, C4 exact."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        a, b = signed(row[0]), signed(row[1])
        claims = [_nonzero(b)]
        # A remainder fits, but LLVM's srem leaves it undefined with the quotient, and x86 has one instruction for both.
        overflow = conjunction((equal(a, -(2 ** (type.width - 1))), equal(b, -1)))
        shown = (("dividend", a), ("divisor", b))
        if overflow is not FALSE or not is_mathematical(type):
            claims.append(Claim("C3", negation(overflow), "the least number is divided by -1", shown=shown))
        claims += _exact(op, a, b)
        result = SIGNED_QUOTIENTS[rounding](a, b)
        return Computed((typed(_kept(result, type), type),), tuple(claims))

    return compute


def unsigned_division(op: Operation, rounding: str) -> Compute:
    """Return the computation of an unsigned quotient or remainder. Clauses: C2 divisor not 0, C4 exact."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        a, b = unsigned(row[0], type.width), unsigned(row[1], type.width)
        claims = (_nonzero(b), *_exact(op, a, b))
        # A word that is never negative is assumed not to have wrapped, so its quotient does not wrap.
        words = is_mathematical(type) and a is signed(row[0]) and b is signed(row[1])
        result = UNSIGNED_QUOTIENTS[rounding](a, b)
        return Computed((typed(result if words else wrapped(result, type.width), type),), claims)

    return compute


def _kept(result: Dim, type: ScalarType) -> Dim:
    return result if is_mathematical(type) else wrapped(result, type.width)


def _nonzero(divisor: Dim) -> Claim:
    return Claim("C2", unequal(divisor, 0), "the divisor is 0", shown=(("divisor", divisor),))


def _exact(op: Operation, a: Dim, b: Dim) -> list[Claim]:
    if not op.attributes.get("isExact"):
        return []
    shown = (("dividend", a), ("divisor", b))
    return [Claim("C4", equal(remainder(a, b), 0), "the division leaves a remainder", shown=shown, makes_poison=True)]


# Order -------------------------------------------------------------------------------------------------------------

SIGNED_EXTREMES: dict[str, Callable[..., Dim]] = {"max": maximum, "min": minimum}


def signed_extreme(op: Operation, which: str) -> Compute:
    """Return the computation of a signed "max" or "min". On i1, whose true is -1, these are and, or."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean:
            name = "and" if which == "max" else "or"
            return Computed((boolean_operation(name, as_truth(row[0]), as_truth(row[1])),))
        return Computed((SIGNED_EXTREMES[which](signed(row[0]), signed(row[1])),))

    return compute


def unsigned_extreme(op: Operation, which: str) -> Compute:
    """Return the computation of an unsigned "max" or "min"."""
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        if type.is_boolean:
            name = "or" if which == "max" else "and"
            return Computed((boolean_operation(name, as_truth(row[0]), as_truth(row[1])),))
        a, b = signed(row[0]), signed(row[1])
        if is_never_negative(a) and is_never_negative(b):
            return Computed((SIGNED_EXTREMES[which](a, b),))
        less = unsigned_less(a, b)
        return Computed((choose(less, b, a) if which == "max" else choose(less, a, b),))

    return compute


def comparison(predicate: str) -> Compute:
    """Return the computation of a comparison: "eq", "ne", "slt" and its like, or "ult" and its like."""

    def compute(row: tuple[Element, ...]) -> Computed:
        if all(isinstance(element, Formula) for element in row) and predicate in ("eq", "ne"):
            same = equivalent(as_truth(row[0]), as_truth(row[1]))
            return Computed((same if predicate == "eq" else negation(same),))
        return Computed((compare_integers(predicate, signed(row[0]), signed(row[1])),))

    return compute


def compare_integers(predicate: str, a: Dim, b: Dim) -> Formula:
    """Return the comparison of two signed values by a predicate."""
    match predicate:
        case "eq":
            return equal(a, b)
        case "ne":
            return unequal(a, b)
        case "slt" | "sle" | "sgt" | "sge":
            less, swapped = predicate[1] == "l", predicate[2] == "e"
            first, second = (a, b) if less else (b, a)
            return at_least(second, first) if swapped else at_least(second, first + 1)
        case "ult":
            return unsigned_less(a, b)
        case "ugt":
            return unsigned_less(b, a)
        case "ule":
            return negation(unsigned_less(b, a))
        case _:
            return negation(unsigned_less(a, b))


# Two words of result -----------------------------------------------------------------------------------------------


def double_word_arithmetic(op: Operation, what: str) -> Compute:
    """Return the computation of the exact "add", "sub", "signed product" or "unsigned product" in two words."""
    type = element_type(op.results[0].type)
    whole = 2**type.width

    def compute(row: tuple[Element, ...]) -> Computed:
        if what == "signed product":
            product = signed(row[0]) * signed(row[1])
        else:
            a, b = unsigned(row[0], type.width), unsigned(row[1], type.width)
            if what == "add":
                total = a + b
                return Computed((typed(wrapped(total, type.width), type), at_least(total, whole)))
            if what == "sub":
                return Computed((typed(wrapped(a - b, type.width), type), at_least(b - 1, a)))
            product = a * b
        high = wrapped(floordiv(product, dim(whole)), type.width)
        return Computed((typed(wrapped(product, type.width), type), typed(high, type)))

    return compute


# Casts -------------------------------------------------------------------------------------------------------------


def check_nneg(op: Operation, row: tuple[Element, ...]) -> Computed:
    """Return the operand with the claim (C2) that it is not negative if the flag ``nneg`` requires that."""
    if not op.attributes.get("nonNeg"):
        return Computed(row)
    value = signed(row[0])
    shown = (("operand", value),)
    return Computed(row, (Claim("C2", at_least(value, 0), "the operand is negative", shown=shown, makes_poison=True),))


def cast(op: Operation, *, zero_extends: bool) -> Compute:
    """Return the computation of a change of width.

    Clauses: C2 no negative operand for ``nneg``, C3 no loss for overflow flags.
    """
    source, target = element_type(op.operands[0].type), element_type(op.results[0].type)
    wished = flags(op)

    def compute(row: tuple[Element, ...]) -> Computed:
        value = signed(row[0])
        claims = list(check_nneg(op, row).claims)
        if "nsw" in wished:
            claims.append(
                Claim("C3", fits_signed(value, target.width), "the signed value does not fit", makes_poison=True)
            )
        if "nuw" in wished:
            whole = unsigned(row[0], source.width)
            claims.append(
                Claim("C3", fits_unsigned(whole, target.width), "the unsigned value does not fit", makes_poison=True)
            )
        if target.width > source.width:
            return Computed((typed(unsigned(row[0], source.width) if zero_extends else value, target),), tuple(claims))
        if target.width == source.width:
            return Computed((row[0],), tuple(claims))
        # A word is assumed not to have wrapped, even if its bounds exceed 64 bits.
        kept = wrapped(value, target.width) if target.width != WORD else value
        kept = kept if source.width <= WORD else wrapped(value, target.width)
        return Computed((typed(kept, target),), tuple(claims))

    return compute


UNKNOWN_SHIFT = "shifts by an unknown number of bits are not followed"


def shift(op: Operation, ctx: RuleContext, direction: str) -> Compute:
    """Return the computation of a shift "left", "right" (signed) or "right unsigned".

    Clauses: C2 the amount, C3 overflow flags, C4 exact.
    """
    type = element_type(op.results[0].type)

    def compute(row: tuple[Element, ...]) -> Computed:
        amount = unsigned(row[1], type.width)
        shown = (("amount", amount),)
        message = "the shift is as wide as the number"
        small = Claim("C2", less_than(amount, type.width), message, shown=shown, makes_poison=True)
        if not amount.is_constant:
            computed = _by_unknown(ctx, direction, signed(row[0]), amount, type)
            unchecked = UNKNOWN_SHIFT if op.attributes.get("isExact") or flags(op) else ""
            return replace(computed, claims=(small,), unchecked=unchecked)
        if amount.constant >= type.width:
            return Computed((None,), (small,), "a shift as wide as the number has no result")
        factor = 2**amount.constant
        if direction == "left":
            return _left(op, row[0], factor, type, small, is_exact=ctx.is_exact(op, type))
        value = signed(row[0]) if direction == "right" else unsigned(row[0], type.width)
        claims = [small]
        if op.attributes.get("isExact"):
            lost = equal(remainder(value, dim(factor)), 0)
            message = "bits that are not 0 are shifted out"
            claims.append(Claim("C4", lost, message, shown=(("number", value),), makes_poison=True))
        result = floordiv(value, dim(factor))
        kept = value is signed(row[0]) or within(result, 0, 2 ** (type.width - 1) - 1)
        return Computed((typed(result if kept else wrapped(result, type.width), type),), tuple(claims))

    return compute


def _left(op: Operation, number: Element, factor: int, type: ScalarType, small: Claim, *, is_exact: bool) -> Computed:
    exact = signed(number) * factor
    wished = flags(op)
    whole = unsigned(number, type.width) * factor if "nuw" in wished else None
    computed = result_with_flags(exact, whole, type, "C3", wished, is_exact=is_exact)
    return replace(computed, claims=(small, *computed.claims))


def _by_unknown(ctx: RuleContext, direction: str, number: Dim, amount: Dim, type: ScalarType) -> Computed:
    """Return a shift by an unknown amount, as a product or quotient by a power of two that is not modeled."""
    low, high = number.bounds()
    half = 2 ** (type.width - 1)
    is_natural = low is not None and low >= 0
    power = ctx.determined(f"2**{amount.as_factor()}", 1, 2 ** (WORD - 1))
    cases = [implies(equal(amount, n), equal(power, 2**n)) for n in range(type.width)]

    def invariant(result: Dim) -> Explained:
        exact = number * power if direction == "left" else floordiv(number, power)
        is_read_signed = TRUE if direction != "right unsigned" else at_least(number, 0)
        guards = conjunction((is_read_signed, fits_signed(exact, type.width)))
        return implies(guards, equal(result, exact)), "a shift is a product or a quotient by a power of two"

    bounded = (-half, half - 1)
    if is_natural and direction != "left":
        bounded = 0, half - 1 if high is None else min(high, half - 1)
    known = ((conjunction(cases), "powers of two"),)
    return Computed((None,), (), UNKNOWN_SHIFT, bounded, invariant, through=(power,), known=known)


def counted_bits(op: Operation, name: str) -> Compute:
    """Return the computation of the number of set bits ("pop"), or of leading ("lead") or trailing ("trail") zeros."""
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
