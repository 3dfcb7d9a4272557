"""Claims as alternatives: all parts of one of them hold, and none of these parts chooses between sizes.

What chooses is a minimum, a maximum, a broadcast, a choice, or a remainder by a large number of which the dividend
passes few multiples, as a signed number that is read without its sign does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

from shapesolve.language.atoms import Atom, BroadcastExtent, Choice, Maximum, Minimum, Quotient, Remainder
from shapesolve.language.dims import ONE, Dim
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import (
    FALSE,
    TRUE,
    And,
    Compatible,
    Formula,
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
from shapesolve.language.substitution import With
from shapesolve.proving.division_bounds import centered
from shapesolve.proving.extreme_cases import values_of

Alternative = tuple[Formula, ...]
"""Parts all of which hold."""

MOST = 96
"""A claim of more alternatives is not taken apart."""

_LEAST_MODULUS = 2**8
"""Remainders by smaller numbers are arithmetic of the program, not of its integers."""

_MOST_MULTIPLES = 3


def alternatives(
    claim: Formula, concerns: Callable[[Formula], bool], splits: Callable[[Atom], bool]
) -> list[Alternative] | None:
    """The alternatives of a claim; None where there are too many.

    Parts that are of no concern stay as they are, and only what ``splits`` is taken apart.
    """
    waiting, found = _spread(claim, concerns), list[Alternative]()
    while waiting:
        if len(waiting) + len(found) > MOST:
            return None
        parts = waiting.pop()
        several = _cases_of(parts, concerns, splits)
        if several is None:
            found.append(parts)
            continue
        for case in several:
            waiting += _spread(case, concerns)
    return found


def _spread(claim: Formula, concerns: Callable[[Formula], bool]) -> list[Alternative]:
    """The alternatives of a claim by its conjunctions and disjunctions alone."""
    if claim is FALSE:
        return []
    if not concerns(claim):
        return [(claim,)] if claim is not TRUE else [()]
    match claim:
        case Or(parts=parts):
            return [each for part in parts for each in _spread(part, concerns)]
        case And(parts=parts):
            spread = [_spread(part, concerns) for part in parts]
            joined = (tuple(dict.fromkeys(each for some in chosen for each in some)) for chosen in product(*spread))
            return [each for each in _first(joined) if conjunction(each) is not FALSE]
        case Compatible() | Not(parts=(Compatible(),)):
            return _spread(_of_pairs(claim), concerns)
        case _:
            return [(claim,)]


def _first(joined: Iterable[Alternative]) -> Iterable[Alternative]:
    """As many as are looked at, and one more, which makes them too many."""
    return [each for each, _ in zip(joined, range(MOST + 1), strict=False)]


def _of_pairs(claim: Formula) -> Formula:
    """That sizes broadcast together, or do not, as comparisons of two of them."""
    if isinstance(claim, Not):
        return negation(_of_pairs(claim.parts[0]))
    assert isinstance(claim, Compatible)
    sizes = claim.parts
    return conjunction(
        disjunction((equal(a, b), equal(a, 1), equal(b, 1))) for place, a in enumerate(sizes) for b in sizes[:place]
    )


def _cases_of(
    parts: Alternative, concerns: Callable[[Formula], bool], splits: Callable[[Atom], bool]
) -> list[Formula] | None:
    """What an alternative is in each case of something in it that chooses; None where nothing does."""
    for part in parts:
        if not concerns(part):
            continue
        for atom in atoms_within(part):
            cases = _values_of(atom) if splits(atom) else None
            if cases is None:
                continue
            return [conjunction((where, *map(With(atom, value).formula, parts))) for where, value in cases]
    return None


def _values_of(atom: Atom) -> list[tuple[Formula, Dim]] | None:
    """The values of an atom that chooses, each with the condition under which it is that; None of any other."""
    match atom:
        case Choice(parts=(condition, a, b)):
            return [(condition, a), (negation(condition), b)]
        case Minimum() | Maximum():
            return values_of(atom)
        case BroadcastExtent(parts=parts):
            return [(conjunction(equal(each, 1) for each in parts), ONE), *_broadcasts(parts)]
        case Remainder(parts=(a, b)):
            whole = multiples(a, b)
            return None if whole is None else [(where, a - b * number) for where, number in whole]
        case Quotient(parts=(a, b)):
            return multiples(a, b)
        case _:
            return None


def _broadcasts(parts: Sequence[Dim]) -> list[tuple[Formula, Dim]]:
    """Each part, with the condition under which it is the least that is not 1."""
    found: list[tuple[Formula, Dim]] = []
    for part in parts:
        is_least = (disjunction((equal(each, 1), at_least(each, part))) for each in parts)
        found.append((conjunction((unequal(part, 1), *is_least)), part))
    return found


def multiples(a: Dim, b: Dim) -> list[tuple[Formula, Dim]] | None:
    """How often a large number goes into a size that passes few multiples of it, and where."""
    if not b.is_constant or b.constant < _LEAST_MODULUS:
        return None
    whole, rest = centered(a, b.constant)
    low, high = rest.bounds()
    if low is None or high is None or high // b.constant - low // b.constant >= _MOST_MULTIPLES:
        return None
    numbers = range(low // b.constant, high // b.constant + 1)
    return [
        (conjunction((at_least(rest, b * each), less_than(rest, b * (each + 1)))), whole + each) for each in numbers
    ]
