"""Limits on the growth of an expression from a text: a short text must not cost much time or memory."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.symbolic.atoms import Quotient, Remainder
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.limits import MAX_CHARACTERS, MAX_DEGREE

MAX_POWER = MAX_DEGREE
"""The largest exponent of a size, and the largest degree of a product."""

MAX_BITS = 256
"""Largest number of binary digits of a number, and its largest exponent."""

_MAX_TERMS = 2_000


def oversize_product_reason(a: Dim, b: Dim) -> str:
    """Return the reason for which a product is too large to compute, or an empty text."""
    if len(a.terms) * len(b.terms) > _MAX_TERMS:
        return "this product has too many terms"
    if _degree(a) + _degree(b) > MAX_POWER:
        return f"the degree of this product is larger than {MAX_POWER}"
    return ""


def oversize_reason(size: Dim) -> str:
    """Return the reason for which a size is too large to use, or an empty text."""
    if any(number.bit_length() > MAX_BITS for number in _numbers(size)):
        return "the numbers in this expression grow too large"
    if len(str(size)) > MAX_CHARACTERS:
        return "the normal form of this expression is too long"
    return ""


def _degree(size: Dim) -> int:
    return max((monomial.degree for monomial, _ in size.terms), default=0)


def _numbers(size: Dim) -> Iterator[int]:
    """Yield the numbers that arithmetic may have produced: at the top level and in divisions."""
    yield size.constant
    yield from (coefficient for _, coefficient in size.terms)
    for atom in size.atoms():
        if isinstance(atom, Quotient | Remainder):
            for part in atom.parts:
                yield part.constant
                yield from (coefficient for _, coefficient in part.terms)
