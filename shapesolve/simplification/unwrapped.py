"""Conditions on sums that wrap around, as ones that are enough: the sum does not wrap, and is what it has to be.

``(m*n + 2147483648) % 4294967296 >= 2147483648`` asks where a wrapped product is not negative; that is where
``0 <= m*n <= 2147483647``, and for some larger products. Readers know the former.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.simplification.arithmetic import are_contradictory
from shapesolve.simplification.simplify import reading_cost
from shapesolve.solver import budgets
from shapesolve.solver.entailment import not_implied
from shapesolve.solver.propagation.bounds import centered
from shapesolve.symbolic.atoms import Remainder
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula, Or
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts
from shapesolve.symbolic.visitors import With, atoms_within, sizes_within

_LEAST_MODULUS = 2**15
"""Half of what the narrowest integers count to that sizes are held in: an even sum is stated by its half."""
_MOST_SUMS = 4
_LARGEST_FACTOR = 2**16
"""Largest number that a size is multiplied by; products by larger ones wrap on purpose, as those of a hash do."""
_LONGER = 24
"""Characters that it may have more than the condition: it has to be easier to read."""
_LONGEST = 300
"""Characters of a condition; a longer one is not taken apart."""


def wraps(condition: Formula) -> bool:
    """Return whether a condition speaks of a sum that wraps around."""
    return _wrapping_sum(condition) is not None


def tells_wrapping(condition: Formula) -> bool:
    """Return whether a condition speaks of a sum that wraps around, or has a case for each time that it does."""
    cases = (each for each in conjuncts(condition) if isinstance(each, Or))
    return wraps(condition) or any(
        abs(each.constant) >= _LEAST_MODULUS for case in cases for each in sizes_within(case)
    )


def unwrapped(condition: Formula, known: Sequence[Formula] = (), ordinary: Sequence[Formula] = ()) -> Formula | None:
    """Return a condition without wrapping that suffices where what is known holds; None if none is easy to read.

    It holds for some sizes, ``ordinary`` ones.
    """
    if len(str(condition)) > _LONGEST:
        return None
    changed, ranges = condition, list[Formula]()
    for _ in range(_MOST_SUMS):
        wrap = _wrapping_sum(changed)
        if wrap is None:
            break
        modulus = wrap.parts[1].constant
        _, exact = centered(wrap.parts[0], modulus)
        if any(abs(factor) > _LARGEST_FACTOR for _, factor in exact.terms):
            return None
        if 4 * exact.constant > 3 * modulus:
            exact -= modulus  # a small number is subtracted from an integer without a sign
        changed, *ranges = (With(wrap, exact).formula(each) for each in (changed, *ranges))
        ranges += [at_least(exact, 0), at_least(modulus - 1, exact)]
    if not ranges or wraps(changed):
        return None
    found = conjunction(not_implied([*conjuncts(changed), *ranges], known, budgets.BRIEF))
    is_easy = reading_cost(found) <= reading_cost(condition) + _LONGER
    return found if is_easy and not are_contradictory([found, *ordinary], known) else None


def _wrapping_sum(condition: Formula | Dim) -> Remainder | None:
    """Return an innermost sum in a condition that is taken modulo what some integers count to."""
    for atom in atoms_within(condition):
        if isinstance(atom, Remainder) and atom.parts[1].is_constant:
            modulus = atom.parts[1].constant
            if modulus >= _LEAST_MODULUS and modulus.bit_count() == 1:
                return _wrapping_sum(atom.parts[0]) or atom
    return None
