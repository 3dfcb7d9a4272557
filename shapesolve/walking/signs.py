"""Sums that are at least 0 wherever another one is: what tells that a number falls, or never rises, in a loop."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from shapesolve.language.atoms import Choice, Maximum, Minimum, Quotient, Variable
from shapesolve.language.dims import Dim, of_atom
from shapesolve.language.formulas import Formula


def plain_terms(size: Dim) -> Iterator[tuple[Variable, int]]:
    """The variables that are terms of a sum, with their factors."""
    for monomial, factor in size.terms:
        variable = monomial.single
        if isinstance(variable, Variable):
            yield variable, factor


_MOST_SPLITS = 4
"""Choices, least and greatest ones that are looked at case by case, one inside of the other."""


def is_natural(size: Dim, premise: Dim, splits: int = _MOST_SPLITS) -> bool:
    """Whether a size is at least 0 wherever another one is. Only what is seen at once is found."""
    for monomial, factor in size.terms if splits else ():
        atom = monomial.single
        if isinstance(atom, Choice):
            cases = (_where(size, atom.parts[0], holds) for holds in (True, False))
            return all(is_natural(each, premise, splits - 1) for each in cases)
        if isinstance(atom, Minimum | Maximum):
            rest = size - of_atom(atom) * factor
            found = (is_natural(rest + part * factor, premise, splits - 1) for part in atom.parts)
            return all(found) if isinstance(atom, Minimum) == (factor > 0) else any(found)
    return _is_natural_sum(size, premise)


def _where(size: Dim, condition: Formula, holds: bool) -> Dim:
    """The size where a condition holds, or does not, in all of its terms that choose by that."""
    for monomial, factor in size.terms:
        atom = monomial.single
        if isinstance(atom, Choice) and atom.parts[0] is condition:
            _, then, otherwise = atom.parts
            size = size + ((then if holds else otherwise) - of_atom(atom)) * factor
    return size


def _is_natural_sum(size: Dim, premise: Dim) -> bool:
    least, times = _below(size)
    least = least + (times - 1)  # a whole number that is more than -1
    if _has_no_sign(least):
        return True
    factors = dict(plain_terms(least))
    for variable, pace in plain_terms(premise):
        factor = factors.get(variable, 0)
        if factor * pace > 0 and _has_no_sign(least * abs(pace) - premise * abs(factor)):
            return True
    return False


def _below(size: Dim) -> tuple[Dim, int]:
    """A sum that is at most a multiple of a size, without quotients by numbers; and which multiple."""
    divided = [
        (of_atom(atom), *atom.parts, factor)
        for monomial, factor in size.terms
        if isinstance(atom := monomial.single, Quotient) and atom.parts[1].is_constant and atom.parts[1].constant > 0
    ]
    times = lcm(*(divisor.constant for _, _, divisor, _ in divided))
    least = size * times
    for quotient, whole, divisor, factor in divided:
        bound = whole if factor < 0 else whole - divisor + 1
        least = least + (bound * (times // divisor.constant) - quotient * times) * factor
    return least, times


def _has_no_sign(size: Dim) -> bool:
    low = size.bounds()[0]
    return low is not None and low >= 0
