"""Taking whole multiples out of divisions by sizes, where the divisor is known not to be 0.

The normal form of ``(a*b) // b`` stays a quotient, for ``b`` may be 0. Where it cannot, the quotient is ``a``: without
this every reshape of a product would leave non-linear arithmetic to the solver.
"""

from __future__ import annotations

from functools import lru_cache

from shapesolve.language.atoms import Atom, Choice, Maximum, Minimum, Quotient, Remainder
from shapesolve.language.dims import ZERO, Dim
from shapesolve.language.division import whole_multiples
from shapesolve.language.formulas import Formula


@lru_cache(maxsize=4096)
def divisions_by_sizes(formula: Formula) -> tuple[Quotient | Remainder, ...]:
    """The divisions in a formula, innermost first, whose divisor is no number and divides a part of the dividend."""
    return tuple(
        each for each in divisions_within(formula) if not each.parts[1].is_constant and taken_out(each) is not None
    )


@lru_cache(maxsize=4096)
def divisions_within(formula: Formula) -> tuple[Quotient | Remainder, ...]:
    """All divisions in a formula, innermost first."""
    return tuple(each for each in _atoms(formula) if isinstance(each, Quotient | Remainder))


@lru_cache(maxsize=4096)
def choices_within(formula: Formula) -> tuple[Choice, ...]:
    """All choices in a formula, innermost first."""
    return tuple(each for each in _atoms(formula) if isinstance(each, Choice))


@lru_cache(maxsize=4096)
def bounded_within(formula: Formula) -> tuple[Minimum | Maximum, ...]:
    """All sizes in a formula that are kept at least, or at most, a number, innermost first: ``max(1, n)``."""
    return tuple(
        each
        for each in _atoms(formula)
        if isinstance(each, Minimum | Maximum) and len(each.parts) == 2 and any(part.is_constant for part in each.parts)
    )


@lru_cache(maxsize=4096)
def _atoms(formula: Formula) -> tuple[Atom, ...]:
    found: dict[Atom, None] = {}
    _collect(formula, found)
    return tuple(found)


def _collect(node: object, found: dict[Atom, None]) -> None:
    if isinstance(node, Dim):
        for atom in node.atoms():
            _collect(atom, found)
    elif isinstance(node, Formula | Atom) and node not in found:
        for part in node.parts:
            _collect(part, found)
        if isinstance(node, Atom):
            found[node] = None


def taken_out(division: Quotient | Remainder) -> Dim | None:
    """What a division is where its divisor is not 0; None where the divisor divides no part of the dividend."""
    a, b = division.parts
    whole, rest = whole_multiples(a, b)
    if whole is ZERO:
        return None
    return whole + rest // b if isinstance(division, Quotient) else rest % b
