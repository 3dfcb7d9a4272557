"""Shorter equivalents guessed from the parts of a condition.

``T == max(0, min(256, P + T) - P)`` is ``P + T <= 256`` where ``T >= 1`` and ``P <= 256``: a comparison of what a
minimum is taken of. ``(B*T) % (8*B) == 0`` is ``T % 8 == 0`` where ``B >= 1``: a common factor is canceled.
``(H - H % 2)*(W - W % 2) == H*W`` is ``H % 2 == 0 and W % 2 == 0`` where both exceed 0: no rounding loses anything.
Where they may be 0, it is a condition on the parts all the same, which may be somewhat longer than what it says.

The guesses need not be equivalent: whoever takes one proves that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from shapesolve.simplification.zeros import zero_of_parts
from shapesolve.symbolic.atoms import Atom, BroadcastExtent, MinMax, Quotient, Remainder
from shapesolve.symbolic.dims import ZERO, Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, is_zero, negation
from shapesolve.symbolic.normal_forms import split_multiples

_MOST_GUESSES = 16

_WORTH = 12
"""Characters that a condition on the parts of a product or remainder may be longer."""


def guesses_from_parts(condition: Formula) -> list[Formula]:
    """Return conditions on parts of a comparison, or of an alternative, that are easier to read, the shortest first."""
    if isinstance(condition, Or):
        own = [(each, guess) for each in condition.parts for guess in guesses_from_parts(each)]
        return [disjunction(guess if part is each else part for part in condition.parts) for each, guess in own]
    compared = condition.parts[0] if isinstance(condition, Not) else condition
    if not isinstance(compared, IsZero | IsNonNegative):
        return []
    found = dict.fromkeys((*_extreme_guesses(compared.size), *_rounding_guesses(compared), *_factor_guesses(compared)))
    parts = zero_of_parts(compared.size) if isinstance(compared, IsZero) else None
    guesses = [(each, 0) for each in found] + ([] if parts is None else [(parts, _WORTH)])
    given = [(guess if condition is compared else negation(guess), worth) for guess, worth in guesses]
    length = len(str(condition))
    readable = dict.fromkeys(guess for guess, worth in given if len(str(guess)) < length + worth)
    return sorted(readable, key=lambda each: len(str(each)))[:_MOST_GUESSES]


def _extreme_guesses(size: Dim) -> Iterator[Formula]:
    """Compare what a minimum or maximum is taken of."""
    for atom in _nested(size):
        if isinstance(atom, MinMax) and not isinstance(atom, BroadcastExtent):
            for a, b in combinations(atom.parts, 2):
                yield at_least(a, b)
                yield at_least(b, a)
                yield equal(a, b)


def _nested(size: Dim) -> Iterator[Atom]:
    """Return the atoms of a size and of what its extremes and divisions are taken of."""
    for atom in size.atoms():
        yield atom
        if isinstance(atom, MinMax | Quotient | Remainder):
            for part in atom.parts:
                yield from _nested(part)


def _rounding_guesses(compared: IsZero | IsNonNegative) -> Iterator[Formula]:
    """Guess that an equality of products holds where no factor was rounded."""
    if isinstance(compared, IsZero) and not compared.size.is_linear:
        rests = [each for each in compared.size.atoms() if isinstance(each, Remainder) and each.parts[1].is_constant]
        yield conjunction(equal(of_atom(each), 0) for each in dict.fromkeys(rests))


def _factor_guesses(compared: IsZero | IsNonNegative) -> Iterator[Formula]:
    """Cancel a common factor of a remainder that is compared with 0."""
    atom = compared.size.atom if isinstance(compared, IsZero) else None
    if not isinstance(atom, Remainder):
        return
    number, divisor = atom.parts
    if number.constant or divisor.constant or len(divisor.terms) != 1:
        return
    for factor in {each for monomial, _ in divisor.terms for each, _ in monomial.factors}:
        (shorter, rest), (divided, left) = (split_multiples(each, of_atom(factor)) for each in (number, divisor))
        if rest is ZERO and left is ZERO:
            yield is_zero(shorter % divided)
