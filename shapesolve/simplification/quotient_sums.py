"""Sums with quotients and remainders as their shortest text: ``a - a % 2 - a//2`` is ``a//2``.

Division rounds down, so that ``A % d == A - d*(A//d)`` holds for all integers A and d; here d is a positive number. The
normal form of sizes writes ``2*(a//2)`` as ``a - a % 2``, which is good for comparing them and bad for reading them. No
solver is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.symbolic.atoms import Quotient, Remainder
from shapesolve.symbolic.dims import Dim, of_atom, variable

_MOST_TERMS = 12
"""Terms of a sum that is shortened; the trials grow with their square."""


def shortest_sum_text(size: Dim) -> str:
    """Return the text of a size with quotients instead of remainders where that is shorter."""
    text = str(size)
    if "%" not in text or len(size.terms) > _MOST_TERMS:
        return text
    best: Dim = size
    while True:
        shorter: Dim = min(_exchanged(best), key=_length, default=best)
        if _length(shorter) >= _length(best):
            return str(best)
        best = shorter


def _length(size: Dim) -> int:
    return len(str(size))


def _exchanged(size: Dim) -> Iterator[Dim]:
    """Yield sums whose text is that of an equal size with a quotient instead of one remainder."""
    for monomial, coefficient in size.terms:
        atom = monomial.single
        if isinstance(atom, Remainder) and atom.parts[1].is_constant and atom.parts[1].constant > 0:
            whole, divisor = atom.parts
            count = -coefficient * divisor.constant
            rest = size - coefficient * of_atom(atom) + coefficient * whole
            quotient = whole // divisor
            for other, times in rest.terms:
                if isinstance(other.single, Quotient) and other.single is quotient.atom:
                    count, rest = count + times, rest - times * quotient
            yield rest + _multiple(count, quotient)


def _multiple(count: int, quotient: Dim) -> Dim:
    """Return a multiple of a quotient that is printed as one: the normal form would make it a remainder."""
    return count * quotient if -1 <= count <= 1 else count * variable(f"({quotient})", None, None)
