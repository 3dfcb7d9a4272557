"""Comparisons of one sum with numbers, joined: ``N >= 2 and N != 1`` is ``N >= 2``, ``N == 0 or N >= 2`` is ``N != 1``.

Nothing is asked of a solver: the sum is taken for any integer within the bounds that it has anyway.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from shapesolve.language.dims import Dim
from shapesolve.language.formula_kinds import And, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.language.formulas import at_least, conjunction, disjunction, equal, negation, unequal


def joined_bounds(formula: Formula) -> Formula:
    """The formula with such comparisons joined wherever they stand side by side."""
    if isinstance(formula, And):
        return conjunction(joined(joined_bounds(part) for part in formula.parts))
    if isinstance(formula, Or):
        negated = joined(negation(joined_bounds(part)) for part in formula.parts)
        return disjunction(negation(part) for part in negated)
    return formula


def joined(parts: Iterable[Formula]) -> list[Formula]:
    """What all of the parts say, with the comparisons of one sum in the place of the first of them."""
    groups: dict[Dim | Formula, list[Formula]] = {}
    for part in parts:
        compared = _compared(part)
        groups.setdefault(part if compared is None else compared, []).append(part)
    return [
        each
        for key, group in groups.items()
        for each in (_as_few(key, group) if isinstance(key, Dim) else dict.fromkeys(group))
    ]


def _compared(part: Formula) -> Dim | None:
    """The sum that a part compares with a number, its leading coefficient positive."""
    inner = part.parts[0] if isinstance(part, Not) else part
    if not isinstance(inner, IsZero | IsNonNegative):
        return None
    return bound_of(inner.size)[0]


def bound_of(size: Dim) -> tuple[Dim, int, int]:
    """``size >= 0`` as ``(bare, 1, low)`` for ``bare >= low`` or ``(bare, -1, high)`` for ``bare <= high``."""
    bare = size - size.constant
    if bare.terms[0][1] > 0:
        return bare, 1, -size.constant
    return -bare, -1, size.constant


@dataclass(slots=True)
class _Range:
    """The numbers that a sum may be; None: there is no end."""

    low: int | None
    high: int | None
    excluded: set[int] = field(default_factory=set[int])

    def take(self, part: Formula) -> None:
        inner = part.parts[0] if isinstance(part, Not) else part
        assert isinstance(inner, IsZero | IsNonNegative)
        _, direction, number = bound_of(inner.size)
        if isinstance(part, Not):
            self.excluded.add(number)
            return
        if isinstance(part, IsZero) or direction == 1:
            self.low = number if self.low is None else max(self.low, number)
        if isinstance(part, IsZero) or direction == -1:
            self.high = number if self.high is None else min(self.high, number)

    def tighten(self) -> None:
        while self.low is not None and self.low in self.excluded:
            self.excluded.discard(self.low)
            self.low += 1
        while self.high is not None and self.high in self.excluded:
            self.excluded.discard(self.high)
            self.high -= 1

    def allows(self, number: int) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    @property
    def is_empty(self) -> bool:
        return self.low is not None and self.high is not None and self.low > self.high


def _as_few(size: Dim, group: list[Formula]) -> list[Formula]:
    """The comparisons of one sum as few as possible."""
    kept = list(dict.fromkeys(group))
    if len(kept) < 2:
        return kept
    low, high = size.bounds()
    found = _Range(low, high)
    for part in kept:
        found.take(part)
    found.tighten()
    if found.is_empty:
        return kept
    if found.low is not None and found.low == found.high:
        return [equal(size, found.low)]
    bounds = [at_least(size, found.low)] if found.low is not None and found.low != low else []
    bounds += [at_least(found.high, size)] if found.high is not None and found.high != high else []
    fewer = [*bounds, *(unequal(size, each) for each in sorted(found.excluded) if found.allows(each))]
    is_chain = len(fewer) == len(bounds) == 2
    return fewer if len(fewer) < len(kept) + is_chain else kept
