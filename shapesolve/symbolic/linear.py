"""Whether a size is never negative, where the intervals of its terms do not say so.

The normal form writes ``7 * (a // 7)`` as ``a - a % 7``. So it subtracts in a product such as
``32 * (a // 7) * (b // 7)``, and interval arithmetic does not see that this leaves something.

Sizes that are a multiple of a number and a rest.

What a definition says that a variable is.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.symbolic.atoms import Atom, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim, dim, floordiv, of_atom, variable
from shapesolve.symbolic.formula_kinds import Formula, IsZero
from shapesolve.symbolic.formulas import conjuncts
from shapesolve.symbolic.visitors import rebuilt_sum


def never_negative(size: Dim) -> bool:
    """Whether the bounds of a size, or of it in terms of quotients and remainders, are at least 0."""
    return any(low is not None and low >= 0 for low in (size.bounds()[0], _in_parts(size).bounds()[0]))


def _in_parts(size: Dim) -> Dim:
    """The size with every variable that it divides by one constant written as quotient and remainder: both unknowns."""
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
    """The variable and the positive constant that an atom is a quotient or a remainder of."""
    if not isinstance(atom, Quotient | Remainder):
        return None
    dividend, divisor = atom.parts
    single = dividend.atom
    if not isinstance(single, Variable) or not divisor.is_constant or divisor.constant < 1:
        return None
    return single, divisor.constant


def _parts(whole: Variable, divisor: int) -> tuple[Dim, Dim]:
    """Unknowns with the bounds of the quotient and of the remainder."""
    by = dim(divisor)
    bounds = [None if each is None else floordiv(each, by).constant for each in (whole.lower, whole.upper)]
    return variable(f"{whole.name} // {divisor}", *bounds), variable(f"{whole.name} % {divisor}", 0, divisor - 1)


def offset_and_stride(size: Dim, number: Variable) -> tuple[Dim, int] | None:
    """The rest, and by how much a size grows with a number; None where it is no such sum."""
    pace = sum(coefficient for monomial, coefficient in size.terms if monomial.single is number)
    rest = size - of_atom(number) * pace
    return (rest, pace) if pace and number not in rest.variables else None


def equations(definition: Formula) -> Iterator[tuple[Variable, Dim]]:
    """The variables of which a definition says what they are, each by the others."""
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
