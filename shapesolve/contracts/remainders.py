"""Conditions that are about remainders by numbers alone, as what each remainder is.

``(x % 2)*(y % 3) == 2`` is ``x % 2 == 1 and y % 3 == 2``, ``x % 2 + y % 3 == 0`` is ``x % 2 == 0 and y % 3 == 0``. All
values that the remainders may have are looked at, so that the form is the same whatever the sizes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from shapesolve.contracts.costs import cost
from shapesolve.language.atoms import Remainder
from shapesolve.language.dims import dim, of_atom
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    conjunction,
    disjunction,
    equal,
    unequal,
)
from shapesolve.language.substitution import With

_MOST = 256
"""Combinations of values that are looked at."""
_WORTH = 12
"""Characters that a form may be longer: that each remainder is said for itself is worth that."""


def of_each_remainder(condition: Formula) -> Formula:
    """The condition as one on each remainder in it, where that is as short; else as it is."""
    atoms = _remainders(condition)
    if atoms is None:
        return condition
    good: list[tuple[int, ...]] = []
    bad: list[tuple[int, ...]] = []
    for chosen in product(*(range(atom.parts[1].constant) for atom in atoms)):
        there = _at(condition, atoms, chosen)
        if there is not TRUE and there is not FALSE:
            return condition
        (good if there is TRUE else bad).append(chosen)
    forms: list[Formula] = []
    several = _independent(good)
    if several:
        forms.append(conjunction(_among(atom, own) for atom, own in zip(atoms, several, strict=True)))
    several = _independent(bad)
    if several:
        others = (set(range(atom.parts[1].constant)) - own for atom, own in zip(atoms, several, strict=True))
        forms.append(disjunction(_among(atom, own) for atom, own in zip(atoms, others, strict=True) if own))
    shorter = [each for each in forms if cost([each]) <= cost([condition]) + _WORTH]
    return min(shorter, key=lambda each: cost([each]), default=condition)


def _remainders(condition: Formula) -> list[Remainder] | None:
    """The remainders that a condition is about, if there are several and it is about nothing else."""
    found = [each for each in dict.fromkeys(atoms_within(condition)) if isinstance(each, Remainder)]
    inside = {inner for each in found for part in each.parts for inner in atoms_within(part)}
    outermost = [each for each in found if each not in inside]
    if len(outermost) < 2 or any(not each.parts[1].is_constant or each.parts[1].constant < 2 for each in outermost):
        return None
    return outermost if prod(each.parts[1].constant for each in outermost) <= _MOST else None


def _at(condition: Formula, atoms: Sequence[Remainder], values: Iterable[int]) -> Formula:
    """What a condition comes to where atoms have these values."""
    for atom, value in zip(atoms, values, strict=True):
        condition = With(atom, dim(value)).formula(condition)
    return condition


def _independent(points: Sequence[tuple[int, ...]]) -> list[set[int]]:
    """The values of each coordinate, if the points are all of their combinations; else nothing."""
    several = [set(own) for own in zip(*points, strict=True)]
    return several if prod(map(len, several)) == len(points) else []


def _among(atom: Remainder, values: set[int]) -> Formula:
    """That a remainder is one of some values."""
    size, count = of_atom(atom), atom.parts[1].constant
    others = set(range(count)) - values
    if len(values) > 1 and len(others) == 1:
        return unequal(size, min(others))
    low, high = min(values), max(values)
    if high - low + 1 == len(values):
        lower = at_least(size, low) if low else TRUE
        return equal(size, low) if low == high else conjunction((lower, at_least(high, size)))
    return disjunction(equal(size, each) for each in sorted(values))
