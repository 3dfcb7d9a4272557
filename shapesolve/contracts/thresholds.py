"""Conditions on one size that hold up to a number: ``(n + 2**30 - 1) % 2**31 >= 2**30`` is ``n <= 2**30``.

The number is looked for by halving, and taken only where it is proved to mean the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.cases import each_part_follows
from shapesolve.language.atoms import ShapeSymbol, Variable
from shapesolve.language.dims import of_atom
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import Formula, at_least

_BUDGET = 100_000
_LONG = 16
"""Characters of a condition; shorter ones need no other form."""
_FIRST = 64
"""A size up to this one must satisfy the condition: nobody wants a limit below which nothing is known."""


def up_to(condition: Formula, known: Sequence[Formula]) -> Formula:
    """The condition as ``n <= number`` where ``known`` makes it the same, else as it is."""
    if len(condition.variables) != 1 or len(str(condition)) < _LONG:
        return condition
    (variable,) = condition.variables
    if isinstance(variable, ShapeSymbol):
        return condition
    most = _last(condition, variable, [each for each in known if each.variables == condition.variables])
    if most is None:
        return condition
    limit = at_least(most, of_atom(variable))
    same = each_part_follows(condition, [limit, *known], _BUDGET) and each_part_follows(
        limit, [condition, *known], _BUDGET
    )
    return limit if same and len(str(limit)) < len(str(condition)) else condition


def _last(condition: Formula, variable: Variable, known: Sequence[Formula]) -> int | None:
    """The last size that satisfies the condition, if it holds up to some size and not beyond."""

    def admitted(size: int) -> bool:
        return all(holds(each, {variable: size}) for each in known)

    first = max(variable.lower or 0, 0)
    good = next((size for size in range(first, first + _FIRST) if admitted(size)), None)
    bad = variable.upper
    if good is None or bad is None or bad <= good:
        return None
    if not holds(condition, {variable: good}) or holds(condition, {variable: bad}):
        return None
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(condition, {variable: middle}) else (good, middle)
    return good
