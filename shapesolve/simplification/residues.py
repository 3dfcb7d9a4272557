"""Conditions on one size as bounds of its remainder: ``(h + 3)//4 == 2*((h + 7)//8)`` as ``(h + 3) % 8 <= 3``.

Strides and pools round sizes, and what joins them is true for the same remainders again and again. The remainder is
guessed from the sizes up to a limit; whoever takes a guess proves that it is equivalent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, unequal
from shapesolve.symbolic.visitors import has_division

_LIMIT = 256
"""Largest size that a condition is guessed from."""

_MOST_PERIOD = 64

_LONGEST = 600
"""Characters of a condition that is evaluated."""


def remainder_condition(conditions: Sequence[Formula], known: Sequence[Formula]) -> Formula | None:
    """Return a condition on a remainder that the conditions on one size together may mean; None without one."""
    whole = conjunction(conditions)
    if len(whole.variables) != 1 or len(str(whole)) > _LONGEST or not any(map(has_division, conditions)):
        return None
    (only,) = whole.variables
    if type(only) is not Variable or only.lower is None or only.lower < 0:
        return None
    about = [each for each in known if each.variables == whole.variables]
    possible = (n for n in range(only.lower, _LIMIT + 1) if all(holds(each, {only: n}) for each in about))
    truth = {n: holds(whole, {only: n}) for n in possible}
    for period in range(2, _MOST_PERIOD + 1):
        found = _of_period(only, truth, period)
        if found is not None:
            return found
    return None


def _of_period(only: Variable, truth: Mapping[int, bool], period: int) -> Formula | None:
    """Return a condition on the remainder by a period, with the small sizes that it is not true for told apart."""
    residues: dict[int, bool] = {}
    start = 0
    for n in sorted(truth, reverse=True):
        if residues.setdefault(n % period, truth[n]) != truth[n]:
            start = n + 1
            break
    regular = [n for n in truth if n >= start]
    if len(residues) < period or len(regular) < 2 * period + len(truth) // 2 or len(set(residues.values())) == 1:
        return None
    base = _in_residues(only, [each for each in range(period) if residues[each]], period)
    odd = [n for n in sorted(truth) if truth[n] != residues[n % period]]
    if base is None:
        return None
    if not odd:
        return base
    small = [n for n in sorted(truth) if n <= odd[-1]]
    changes = [n for n, before in zip(small[1:], small, strict=False) if truth[n] != truth[before]]
    if len(changes) > 1:
        return None
    size, last = of_atom(only), odd[-1]
    if truth[small[0]]:
        rest = conjunction((at_least(size, last + 1), base)) if changes else base
        return disjunction((at_least((changes or [last + 1])[0] - 1, size), rest))
    rest = disjunction((at_least(last, size), base)) if changes else base
    return conjunction((at_least(size, (changes or [last + 1])[0]), rest))


def _in_residues(only: Variable, residues: Sequence[int], period: int) -> Formula | None:
    """Return that a remainder is one of some that follow each other, the first after the last; None for others."""
    size, chosen = of_atom(only), set(residues)
    starts = [each for each in residues if (each - 1) % period not in chosen]
    if len(starts) != 1:
        return None
    start, count = starts[0], len(residues)
    if count == 1:
        return equal(size % period, start)
    if count == period - 1:
        return unequal(size % period, (start - 1) % period)
    if start + count == period:
        return at_least(size % period, start)
    return at_least(count - 1, (size + (period - start) % period) % period)
