"""What quotients and remainders are at least and at most, in terms of what they divide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shapesolve.language.atoms import Quotient, Remainder
from shapesolve.language.dims import Dim, dim, of_monomial
from shapesolve.language.monomials import Monomial
from shapesolve.proving.reasons import NOTHING, Why, joined
from shapesolve.records import value_record

NonNegative = Callable[[Dim], "Why | None"]
"""Why an expression is not negative, where that is known."""


@value_record
class DivisionBound:
    """``scale * term >= value`` for a term of a sum; ``why`` holds what it takes."""

    value: Dim
    scale: int
    why: Why


def division_bounds(monomial: Monomial, coefficient: int, non_negative: NonNegative) -> Iterator[DivisionBound]:
    """Lower bounds of ``coefficient * monomial``, a quotient, a remainder, or a quotient times its divisor."""
    for atom, power in monomial.factors:
        if power != 1 or not isinstance(atom, Quotient | Remainder):
            continue
        rest = monomial.divided_by(Monomial.of(((atom, 1),)))
        a, b = atom.parts
        if b.is_constant and b.constant > 0 and rest is not None and not rest.factors:
            yield from _by_number(atom, coefficient, non_negative)
        elif not b.is_constant and rest is not None:
            yield from _by_size(atom, a, b, rest, coefficient, non_negative)


def _by_number(atom: Quotient | Remainder, coefficient: int, non_negative: NonNegative) -> Iterator[DivisionBound]:
    a, divisor = atom.parts[0], atom.parts[1].constant
    if isinstance(atom, Quotient):
        # a - divisor + 1 <= divisor * (a // divisor) <= a
        value = a - (divisor - 1) if coefficient > 0 else a
        yield DivisionBound(value * coefficient, divisor, NOTHING)
    elif coefficient < 0:
        why = non_negative(a)
        if why is not None:
            yield DivisionBound(a * coefficient, 1, why)


def _by_size(
    atom: Quotient | Remainder, a: Dim, b: Dim, rest: Monomial, coefficient: int, non_negative: NonNegative
) -> Iterator[DivisionBound]:
    positive = non_negative(b - 1)
    if positive is None:
        return
    if isinstance(atom, Remainder):
        if rest.factors:
            return
        if coefficient > 0:
            yield DivisionBound(dim(0), 1, positive)
            return
        yield DivisionBound((b - 1) * coefficient, 1, positive)
        dividend = non_negative(a)
        if dividend is not None:
            yield DivisionBound(a * coefficient, 1, joined(positive, dividend))
    elif rest.factors and _is(b, rest):
        value = a - b + 1 if coefficient > 0 else a
        yield DivisionBound(value * coefficient, 1, positive)
    elif not rest.factors:
        dividend = non_negative(a)
        if dividend is not None:
            yield DivisionBound(a * coefficient if coefficient < 0 else dim(0), 1, joined(positive, dividend))


def _is(size: Dim, monomial: Monomial) -> bool:
    """Whether a size is exactly a product."""
    return len(size.terms) == 1 and not size.constant and size.terms[0] == (monomial, 1)


def known_division(atom: Quotient | Remainder, non_negative: NonNegative) -> tuple[Dim, Why] | None:
    """What ``a // b`` or ``a % b`` is where ``0 <= a < b`` is known: 0, or a.

    By a number, multiples of it are taken from a first, so that no coefficient is larger than half of it: ``-x`` modulo
    ``2**32`` is written ``(2**32 - 1)*x`` in normal form.
    """
    a, b = atom.parts
    whole, rest = centered(a, b.constant) if b.is_constant and b.constant > 1 else (dim(0), a)
    below = non_negative(b - rest - 1)
    least = None if below is None else non_negative(rest)
    if below is None or least is None:
        return None
    return (whole if isinstance(atom, Quotient) else rest), joined(below, least)


def centered(a: Dim, divisor: int) -> tuple[Dim, Dim]:
    """``(q, r)`` with ``a == divisor*q + r`` and the coefficients of r between minus and plus half of the divisor."""
    whole = dim(0)
    for monomial, coefficient in a.terms:
        times = (coefficient + divisor // 2 - 1) // divisor
        if times:
            whole = whole + of_monomial(monomial) * times
    return whole, a - whole * divisor
