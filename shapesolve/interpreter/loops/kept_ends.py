"""Ends that a carried number never passes, such as the length of a ring for an index that begins again there.

An end is the same in every iteration. If an iteration that begins at most there also ends at most there, then so do
all, by induction, where the first number does. The ends that are tried are the bounds of what the iteration yields, the
sizes that it chooses among, and the numbers that its conditions compare with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from shapesolve.interpreter.loops.iteration_spans import is_non_negative, where
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Choice, Maximum, Minimum, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero, Not
from shapesolve.symbolic.formulas import at_least, conjuncts, implies, negation

_MOST_ENDS = 6
"""The most ends that are tried for one number on one side."""

_MOST_SPLITS = 4
"""The most nested selects, minima and maxima that are split into cases."""


@value_record
class End:
    """A number that another one is at most (``side`` 1) or at least (-1), if it is so at first."""

    size: Dim
    side: int

    def keeps(self, first: Dim, now: Dim) -> Formula:
        """Return the invariant of a number that was ``first`` before the first iteration."""
        return implies(at_least(self._room(first), 0), at_least(self._room(now), 0))

    def is_kept(self, now: Dim, then: Dim, known: Sequence[Dim]) -> bool:
        """Return whether an iteration that begins within the end yields a number within it. Incomplete.

        ``known`` are sizes that are at least 0 in the iteration.
        """
        return _is_entailed(self._room(then), self._room(now), (self._room(now), *known), _MOST_SPLITS)

    def _room(self, number: Dim) -> Dim:
        return (self.size - number) * self.side


def kept_ends(now: Dim, then: Dim, known: Sequence[Dim], varying: frozenset[str]) -> Iterator[End]:
    """Yield the ends that a number keeps within, by what an iteration that begins with ``now`` yields.

    ``varying`` are the names of variables that may differ from iteration to iteration.
    """
    variable = now.atom
    if not isinstance(variable, Variable) or then is now:
        return
    changing = varying | {variable.name}
    for side in (1, -1):
        tried = dict.fromkeys(each for each in _candidates(variable, then, side) if each is not None)
        constant = (each for each in tried if not any(part.name in changing for part in each.variables))
        for size in islice(constant, _MOST_ENDS):
            end = End(size, side)
            if end.is_kept(now, then, known):
                yield end


def _candidates(variable: Variable, then: Dim, side: int) -> Iterator[Dim | None]:
    low, high = then.bounds()
    bound = high if side > 0 else low
    yield None if bound is None or bound in (variable.lower, variable.upper) else dim(bound)
    yield from _sizes_in(variable, then, side, _MOST_SPLITS)


def _sizes_in(variable: Variable, size: Dim, side: int, splits: int) -> Iterator[Dim | None]:
    """Yield what a size is made of: the cases of it, and the ends that the conditions of these cases give."""
    yield size
    for monomial, factor in size.terms if splits else ():
        atom = monomial.single
        if isinstance(atom, Choice):
            for holds in (True, False):
                case = where(size, atom.parts[0], holds)
                yield from _sizes_in(variable, case, side, splits - 1)
                for part in conjuncts(atom.parts[0] if holds else negation(atom.parts[0])):
                    yield _compared(variable, part, case, side)
        elif isinstance(atom, Minimum | Maximum):
            rest = size - of_atom(atom) * factor
            for part in atom.parts:
                yield from _sizes_in(variable, rest + part * factor, side, splits - 1)


def _compared(variable: Variable, part: Formula, case: Dim, side: int) -> Dim | None:
    """Return the end that a condition gives for the number itself, or for the case that is chosen where it holds."""
    if isinstance(part, Not) and isinstance(part.parts[0], IsZero):
        size = part.parts[0].size
        factor = _factor(size, variable)
        return of_atom(variable) - size * factor if abs(factor) == 1 else None
    if isinstance(part, IsNonNegative) and _factor(part.size, variable) == -side:
        return case + part.size * side
    return None


def _factor(size: Dim, variable: Variable) -> int:
    return next((factor for monomial, factor in size.terms if monomial.single is variable), 0)


def _is_entailed(size: Dim, room: Dim, known: Sequence[Dim], splits: int) -> bool:
    """Return whether a size is at least 0 wherever all of ``known`` are, of which ``room`` is one. Incomplete."""
    for monomial, factor in size.terms if splits else ():
        atom = monomial.single
        if isinstance(atom, Choice):
            return all(
                _is_entailed(
                    where(size, atom.parts[0], holds),
                    room,
                    (*known, *_premises(atom.parts[0] if holds else negation(atom.parts[0]), room)),
                    splits - 1,
                )
                for holds in (True, False)
            )
        if isinstance(atom, Minimum | Maximum):
            rest = size - of_atom(atom) * factor
            found = (_is_entailed(rest + part * factor, room, known, splits - 1) for part in atom.parts)
            return all(found) if isinstance(atom, Minimum) == (factor > 0) else any(found)
    return any(is_non_negative(size, premise) for premise in known)


def _premises(condition: Formula, room: Dim) -> Iterator[Dim]:
    """Yield sizes that are at least 0 where a condition holds, and where ``room`` is."""
    for part in conjuncts(condition):
        if isinstance(part, IsNonNegative):
            yield part.size
        elif isinstance(part, Not) and isinstance(part.parts[0], IsZero):
            apart = part.parts[0].size
            if apart is room or apart is -room:
                yield room - 1
