"""Comparisons in the form that people write, where that is the same whatever the sizes are.

``x <= 0`` of a size is ``x == 0``, ``min(1, x) == 0`` is that too, ``x*y != 0`` is ``x >= 1 and y >= 1``, and
``(x + 8) % 16 == x + 8``, which is how a narrow integer says that it did not wrap around, is ``x <= 7``.
"""

from __future__ import annotations

from math import gcd

from shapesolve.contracts.remainders import of_each_remainder
from shapesolve.contracts.wrapping import without_wrapping
from shapesolve.language.atoms import Atom, Maximum, Minimum, Remainder
from shapesolve.language.dims import Dim, of_atom, of_monomial
from shapesolve.language.folding import rebuilt_sum
from shapesolve.language.formulas import (
    FALSE,
    And,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    at_least,
    conjunction,
    disjunction,
    equal,
    less_than,
    negation,
    unequal,
)
from shapesolve.language.substitution import Instantiation


def usual(condition: Formula) -> Formula:
    """The condition with every comparison in its usual form."""
    try:
        reduced = without_wrapping(_Reduction({}).formula(condition))
    except ValueError:  # shapes of unknown rank
        reduced = condition
    return _compared(reduced)


class _Reduction(Instantiation):
    """Inside ``... % m`` no other ``... % m`` is needed: ``((x % 16)*y + 8) % 16`` is ``(x*y + 8) % 16``."""

    def remainder(self, a: Dim, b: Dim) -> Dim:
        return self._without(a, b) % b if b.is_constant and b.constant > 0 else a % b

    def _without(self, size: Dim, divisor: Dim) -> Dim:
        def inner(atom: Atom) -> Dim:
            return atom.parts[0] if isinstance(atom, Remainder) and atom.parts[1] is divisor else of_atom(atom)

        return rebuilt_sum(size, inner)


def _compared(condition: Formula) -> Formula:
    by_parts = _of_parts(condition)
    if by_parts is not None:
        return _compared(by_parts)
    if isinstance(condition, IsZero | IsNonNegative | Not):
        of_each = of_each_remainder(condition)
        if of_each is not condition:
            return _compared(of_each)
    match condition:
        case And():
            return conjunction(_compared(part) for part in condition.parts)
        case Or():
            return disjunction(_compared(part) for part in condition.parts)
        case Not():
            return _not(condition.parts[0])
        case IsZero():
            fits = _fits(condition.size)
            return _zero(_congruent(condition.size)) if fits is None else fits
        case IsNonNegative():
            return _non_negative(condition.size)
        case _:
            return condition


def _of_parts(condition: Formula) -> Formula | None:
    """``min(a, b) >= 2`` as ``a >= 2 and b >= 2``, and ``min(1, a) == 0`` as ``a == 0``: of each part alone."""
    inner = condition.parts[0] if isinstance(condition, Not) else condition
    if not isinstance(inner, IsZero | IsNonNegative) or len(inner.size.terms) != 1:
        return None
    monomial, pace = inner.size.terms[0]
    atom = monomial.single
    if not isinstance(atom, Minimum | Maximum) or abs(pace) != 1:
        return None
    if isinstance(inner, IsNonNegative):
        every = isinstance(atom, Minimum) == (pace == 1)
        parts = [at_least(each * pace + inner.size.constant, 0) for each in atom.parts]
        return conjunction(parts) if every else disjunction(parts)
    value, sign = -inner.size.constant * pace, 1 if isinstance(atom, Minimum) else -1
    numbers = [each for each in atom.parts if each.is_constant]
    others = [each for each in atom.parts if not each.is_constant]
    if len(numbers) != 1 or len(others) != 1:
        return None
    room = (numbers[0].constant - value) * sign
    found = FALSE if room < 0 else equal(others[0], value) if room else at_least((others[0] - value) * sign, 0)
    return negation(found) if inner is not condition else found


def _not(part: Formula) -> Formula:
    if not isinstance(part, IsZero):
        return negation(part)
    fits = _fits(part.size)
    if fits is not None:
        return negation(fits)
    size = _congruent(part.size)
    low, high = size.bounds()
    if low == 0:
        return _non_negative(size - 1)
    return _non_negative(-size - 1) if high == 0 else unequal(size, 0)


def _congruent(size: Dim) -> Dim:
    """``x % 16`` for ``(x + 8) % 16 - 8``: one is 0 where the other is."""
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if len(size.terms) > 1 or not isinstance(atom, Remainder) or abs(coefficient) != 1:
            break
        whole, divisor = atom.parts
        value = -size.constant * coefficient
        if divisor.is_constant and 0 <= value < divisor.constant and not whole.atom and len(whole.terms) == 1:
            return _of_factor(whole, divisor.constant, value, size)
        if divisor.is_constant and whole.constant and 0 <= value < divisor.constant:
            other = (whole - whole.constant) % divisor - (value - whole.constant) % divisor.constant
            return min(size, other, key=lambda each: len(str(each)))
    return size


def _of_factor(whole: Dim, divisor: int, value: int, size: Dim) -> Dim:
    """``x % 3 - 1`` for ``(2*x + 1) % 3``: one is 0 where the other is, for the factor has an inverse."""
    ((monomial, factor),) = whole.terms
    if gcd(factor, divisor) != 1:
        return size
    rest = (value - whole.constant) * pow(factor, -1, divisor) % divisor
    return of_monomial(monomial) % divisor - rest


def _zero(size: Dim) -> Formula:
    factors = _factors(size)
    return equal(size, 0) if factors is None else disjunction(equal(each, 0) for each in factors)


def _non_negative(size: Dim) -> Formula:
    if size.bounds()[1] == 0:
        return _zero(size)
    factors = _factors(size + 1) if size.constant == -1 else None
    return at_least(size, 0) if factors is None else conjunction(at_least(each, 1) for each in factors)


def _factors(size: Dim) -> list[Dim] | None:
    """What a product multiplies, where none of it is negative and there is more than one."""
    if size.constant or len(size.terms) != 1:
        return None
    monomial = size.terms[0][0]
    factors = [of_atom(atom) for atom, _ in monomial.factors]
    is_product = len(factors) > 1 and all(each.lower is not None and each.lower >= 0 for each, _ in monomial.factors)
    return factors if is_product else None


def _fits(size: Dim) -> Formula | None:
    """``x % m == x`` for a positive number m, as what it means: x lies from 0 to m - 1."""
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if isinstance(atom, Remainder) and coefficient in (1, -1):
            whole, divisor = atom.parts
            is_itself = (of_atom(atom) - whole) * coefficient is size
            if is_itself and divisor.is_constant and divisor.constant > 0:
                return conjunction((at_least(whole, 0), less_than(whole, divisor)))
    return None
