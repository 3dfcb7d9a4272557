"""Conditions with the case of empty tensors told apart: ``a[1] == b[0]``, unless ``a[0]`` or ``b[1]`` is 0."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.records import value_record
from shapesolve.simplification.comparisons import canonical
from shapesolve.simplification.readable import readable_claim
from shapesolve.solver.budgets import BRIEF
from shapesolve.solver.entailment import entails
from shapesolve.solver.polynomials import decompose
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import Formula, IsZero, Or
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, disjunction

MOST_NAMED = 3
_LONGEST = 300
"""Characters of a condition; a longer one is not taken apart."""


@value_record
class UnlessEmpty:
    """A condition that holds where another does, or where one of some extents is 0.

    Attributes:
        sufficient: The other condition: it suffices.
        extents: The extents.
    """

    sufficient: Formula
    extents: tuple[Variable, ...]

    @property
    def text(self) -> str:
        """The whole condition: ``a[1] == b[0] (unless a[0] or b[1] is 0)``."""
        condition = readable_claim(self.sufficient)
        return f"{condition} (unless {self.exception})" if self.extents else condition

    @property
    def exception(self) -> str:
        """The case of empty tensors: ``a[0] or b[1] is 0``; empty where none of them can be 0."""
        names = [each.text for each in self.extents]
        if not names:
            return ""
        if len(names) > MOST_NAMED + 1:
            return f"one of {', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more sizes is 0"
        return f"{', '.join(names[:-1])}{' or ' if names[1:] else ''}{names[-1]} is 0"


def unless_empty(condition: Formula, known: Sequence[Formula] = ()) -> UnlessEmpty | None:
    """Return a condition with the case of empty tensors told apart, or None if it has no such case.

    Extents that are at least 1 by what is known are not named.
    """
    if len(str(condition)) > _LONGEST:
        return None
    parts = [_split(each) for each in conjuncts(canonical(decompose(condition)))]
    first = parts[0] if parts else None
    if first is None:
        return None
    rests: list[Formula] = []
    for part in parts:
        if part is None or set(part[1]) != set(first[1]):
            return None
        rests.append(part[0])
    return UnlessEmpty(conjunction(rests), tuple(each for each in first[1] if not _is_positive(each, known)))


def _is_positive(extent: Variable, known: Sequence[Formula]) -> bool:
    return bool(known) and entails(at_least(of_atom(extent), 1), known, budget=BRIEF)


def _split(condition: Formula) -> tuple[Formula, tuple[Variable, ...]] | None:
    """Return an alternative without its cases of empty tensors, and the extents that are 0 in these."""
    if not isinstance(condition, Or):
        return None
    extents = {each: extent for each in condition.parts if (extent := _empty_extent(each)) is not None}
    rest = [each for each in condition.parts if each not in extents]
    if not rest or not extents or disjunction(rest).variables == frozenset(extents.values()):
        return None
    return disjunction(rest), tuple(extents.values())


def _empty_extent(condition: Formula) -> Variable | None:
    """Return the extent that a condition says to be 0, or None if it says anything else."""
    if not isinstance(condition, IsZero):
        return None
    for size in (condition.size, -condition.size):
        if isinstance(size.atom, Variable):
            return size.atom if size.atom.lower == 0 and size.atom.upper != 1 else None  # a bit is no extent
    return None
