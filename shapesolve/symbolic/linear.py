"""Linear structure of sizes: signs by quotient and remainder, coefficients of a variable, and solved equations."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from shapesolve.symbolic.atoms import Atom, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim, dim, floordiv, of_atom, variable
from shapesolve.symbolic.formula_kinds import Formula, IsZero
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.symbolic.visitors import rebuilt_sum


def is_non_negative_by_intervals(size: Dim) -> bool:
    """Return whether interval arithmetic shows a size to be at least 0, as it stands or split by division.

    The normal form writes ``7 * (a // 7)`` as ``a - a % 7``. So it subtracts in a product such as
    ``32 * (a // 7) * (b // 7)``, and interval arithmetic needs ``a`` and ``b`` split to see that the rest is not
    negative.
    """
    return any(low is not None and low >= 0 for low in (size.bounds()[0], _in_parts(size).bounds()[0]))


def _in_parts(size: Dim) -> Dim:
    """Return the size with every variable that it divides by one constant split into fresh quotient and remainder."""
    divisors: dict[Variable, set[int]] = {}
    for atom in size.atoms():
        divided = _divided(atom)
        if divided is not None:
            divisors.setdefault(divided[0], set()).add(divided[1])
    parts = {each: _parts(each, *by) for each, by in divisors.items() if len(by) == 1}

    def part(atom: Atom) -> Dim:
        if isinstance(atom, Variable) and atom in parts:
            quotient, remainder = parts[atom]
            (divisor,) = divisors[atom]
            return divisor * quotient + remainder
        divided = _divided(atom)
        if divided is None or divided[0] not in parts:
            return of_atom(atom)
        return parts[divided[0]][isinstance(atom, Remainder)]

    return rebuilt_sum(size, part)


def _divided(atom: Atom) -> tuple[Variable, int] | None:
    """Return the variable and the positive constant that an atom is a quotient or a remainder of, or None."""
    if not isinstance(atom, Quotient | Remainder):
        return None
    dividend, divisor = atom.parts
    single = dividend.atom
    if not isinstance(single, Variable) or not divisor.is_constant or divisor.constant < 1:
        return None
    return single, divisor.constant


def _parts(whole: Variable, divisor: int) -> tuple[Dim, Dim]:
    """Return variables with the bounds of the quotient and of the remainder."""
    by = dim(divisor)
    bounds = [None if each is None else floordiv(each, by).constant for each in (whole.lower, whole.upper)]
    return variable(f"{whole.name} // {divisor}", *bounds), variable(f"{whole.name} % {divisor}", 0, divisor - 1)


def offset_and_stride(size: Dim, number: Variable) -> tuple[Dim, int] | None:
    """Write a size as ``offset + stride * number``.

    Returns:
        The offset, which does not depend on ``number``, and the stride; None if there is no such form or the stride is
            0.
    """
    pace = sum(coefficient for monomial, coefficient in size.terms if monomial.single is number)
    rest = size - of_atom(number) * pace
    return (rest, pace) if pace and number not in rest.variables else None


def equations(definition: Formula) -> Iterator[tuple[Variable, Dim]]:
    """Yield the variables that a definition determines, each with its value in terms of the others."""
    for part in conjuncts(definition):
        if not isinstance(part, IsZero):
            continue
        for monomial, coefficient in part.size.terms:
            variable = monomial.single
            if isinstance(variable, Variable) and abs(coefficient) == 1:
                size = of_atom(variable) - part.size * coefficient
                if variable not in size.variables:
                    yield variable, size


Range = tuple[Dim, Dim, Dim]
"""The first number, the first that is not reached, and the step."""


def polynomial_content(size: Dim) -> int:
    """Return the content of a polynomial: the greatest common divisor of its coefficients and its constant."""
    return gcd(size.constant, *(coefficient for _, coefficient in size.terms))
