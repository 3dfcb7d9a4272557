"""Size expressions without a common factor, for comparisons with zero."""

from __future__ import annotations

from shapesolve.language.dims import Dim, dim, of_monomial
from shapesolve.language.monomials import common_factor


def primitive(size: Dim) -> Dim:
    """The expression without a common factor and with a positive leading coefficient, as far as that can be had."""
    for _ in range(8):  # each step may rewrite quotients, and so bring a new factor or sign out
        if size.is_constant:
            break
        factor = common_factor(size.terms)
        if size.constant % factor:
            break
        better = scaled_down(size, factor) if factor > 1 else _oriented(size)
        if better is size:
            break
        size = better
    return size


def _oriented(size: Dim) -> Dim:
    if size.terms[0][1] > 0:
        return size
    other = -size
    return other if not other.terms or other.terms[0][1] > 0 or str(other) < str(size) else size


def scaled_down(size: Dim, factor: int) -> Dim:
    """The expression divided by a common factor of its coefficients; the constant is rounded down."""
    total = dim(size.constant // factor)
    for monomial, coefficient in size.terms:
        total = total + of_monomial(monomial) * (coefficient // factor)
    return total
