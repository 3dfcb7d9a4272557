"""Conditions, compared by brute force."""

from __future__ import annotations

from itertools import product

from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction


def same_at_small_sizes(before: list[Formula], after: list[Formula], known: list[Formula], largest: int) -> bool:
    """Return whether conditions say the same of all sizes from 0 to the largest for which the known ones hold."""
    one, other, there = conjunction(before), conjunction(after), conjunction(known)
    variables = sorted(one.variables | other.variables | there.variables, key=lambda each: each.text)
    for sizes in product(range(largest + 1), repeat=len(variables)):
        values = dict(zip(variables, sizes, strict=True))
        if holds(there, values) and holds(one, values) != holds(other, values):
            return False
    return True
