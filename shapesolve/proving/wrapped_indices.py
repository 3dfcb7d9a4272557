"""Indices that count from the end where they are negative: ``0 <= select(i < 0, i + n, i) < n`` as ``-n <= i < n``."""

from __future__ import annotations

from shapesolve.language.atoms import Choice
from shapesolve.language.dims import Dim
from shapesolve.language.formula_kinds import And, Formula, IsNonNegative, Or
from shapesolve.language.formulas import at_least, conjunction, disjunction


def without_wrapping(formula: Formula) -> Formula:
    """The same, with both bounds of such an index said of the number itself."""
    if isinstance(formula, Or):
        return disjunction(map(without_wrapping, formula.parts))
    if not isinstance(formula, And):
        return formula
    parts = list(map(without_wrapping, formula.parts))
    for part in formula.parts:
        found = _wrapped(part)
        if found is None:
            continue
        lower, upper, bounds = part, at_least(found.length - 1, found.wrapped), found.bounds
        if any(each is lower for each in parts) and any(each is upper for each in parts):
            parts = [*(each for each in parts if each is not lower and each is not upper), *bounds]
    return conjunction(parts)


class _Wrapped:
    """A size that is ``index``, or that and ``length`` where it is negative."""

    def __init__(self, wrapped: Dim, index: Dim, length: Dim) -> None:
        self.wrapped = wrapped
        self.length = length
        self.bounds = (at_least(index, -length), at_least(length - 1, index))


def _wrapped(lower: Formula) -> _Wrapped | None:
    """The index that a formula says is at least 0."""
    atom = lower.size.atom if isinstance(lower, IsNonNegative) else None
    if not isinstance(lower, IsNonNegative) or not isinstance(atom, Choice):
        return None
    condition, a, b = atom.parts
    if condition is at_least(-1, b):
        return _Wrapped(lower.size, b, a - b)
    return _Wrapped(lower.size, a, b - a) if condition is at_least(a, 0) else None
