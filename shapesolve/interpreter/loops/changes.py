"""Bounds of a number that a loop carries, by its change in one iteration.

A number that each iteration changes by at least ``l`` and at most ``h`` is after K of them between K*l and K*h from
where it began. The change may be a select by data, the result of an inner loop, of which only bounds are known, or a
sum of few bits: that does not wrap around as long as these ends fit its type, by induction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd

from shapesolve.interpreter.loops.iteration_spans import cases_of, is_non_negative, plain_terms
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Remainder
from shapesolve.symbolic.derivations import unrecorded
from shapesolve.symbolic.dims import ZERO, Dim, dim, of_atom, remainder
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, equal, implies
from shapesolve.symbolic.linear import polynomial_content
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.trace.events import Enter, Event, Fact, Leave, Source

_GREATEST_CHANGE = 1 << 32
"""The greatest change in one iteration of which a bound is derived; beyond it, the bound says nothing of any size."""


@value_record
class Change:
    """The bounds of a change in one iteration, both the same in every iteration.

    Attributes:
        least: The least change, or None if unknown.
        most: The greatest change, or None if unknown.
        words: The ends of the numbers that the changed number has to stay between, for else it wraps around.
    """

    least: Dim | None
    most: Dim | None
    words: tuple[tuple[int, int], ...] = ()


def premises(goes_on: Formula) -> list[Dim]:
    """Return sizes that are at least 0 while the loop continues."""
    return [ZERO, *(each.size for each in conjuncts(goes_on) if isinstance(each, IsNonNegative))]


def is_at_most(size: Dim, other: Dim, goes_on: Formula) -> bool:
    """Return whether a size is seen to be at most another one while the loop continues. Incomplete."""
    atom = size.atom
    if isinstance(atom, Remainder) and all(is_non_negative(part, ZERO) for part in atom.parts):
        return is_at_most(atom.parts[0], other, goes_on)  # not always the divisor: it may be 0
    return any(is_non_negative(other - size, premise) for premise in premises(goes_on))


def kept_by(change: Dim, goes_on: Formula, first: Dim, now: Dim) -> Iterator[Formula]:
    """Yield invariants, for all values of its variables, of a number that changes only if the loop continues."""
    with unrecorded():
        known = premises(goes_on)
        rises, falls = (any(is_non_negative(each, premise) for premise in known) for each in (change, -change))
    if rises:
        yield at_least(now, first)
    if falls:
        yield at_least(first, now)
    with unrecorded():
        unit = gcd(*(polynomial_content(case) for case in cases_of(change)))
    if unit > 1:
        yield equal(remainder(now - first, unit), 0)


def bounded_change(change: Dim, now: Dim, facts: Sequence[Formula], varying: frozenset[str]) -> Change:
    """Return the bounds of a change of the number ``now``, by what is known in the iteration.

    ``varying`` are the names of variables that may differ from iteration to iteration.
    """
    least: list[Dim | None] = []
    most: list[Dim | None] = []
    words: dict[tuple[int, int], None] = {}
    for case in cases_of(change):
        step, word = _without_wraparound(case, now)
        if word is not None:
            words[word] = None
        least.append(_lower_bound(step, facts, varying))
        below = _lower_bound(-step, facts, varying)
        most.append(None if below is None else -below)
    return Change(_common(minimum, least), _common(maximum, most), tuple(words))


def within_reach(change: Change, rounds: Dim, first: Dim, now: Dim) -> Iterator[Formula]:
    """Yield the bounds of a number after some iterations, of which each changes it between two bounds."""
    least, most = change.least, change.most
    ends = [] if least is None else [at_least(now, first + rounds * least)]
    ends += [] if most is None else [at_least(first + rounds * most, now)]
    if not change.words:
        yield from ends
    elif least is not None and most is not None:
        low, high = first + rounds * minimum(0, least), first + rounds * maximum(0, most)
        fits = [at_least(low, bottom) for bottom, _ in change.words] + [at_least(top, high) for _, top in change.words]
        yield implies(conjunction(fits), equal(now, low) if least is most is ZERO else conjunction(ends))


def is_closer(together: Change, one: Change, other: Change, sign: int) -> bool:
    """Return whether the bounds of a sum (or difference) of two numbers say more than those of each."""
    if together.words or one.words or other.words:
        return False
    ends = (other.least, other.most) if sign > 0 else (other.most, other.least)
    sides = ((together.least, one.least, ends[0], 1), (together.most, one.most, ends[1], -1))
    for end, mine, its, is_more in sides:
        if end is None:
            continue
        if mine is None or its is None:
            return True
        low, _ = ((end - mine - its * sign) * is_more).bounds()
        if low is not None and low > 0:
            return True
    return False


def inner_invariants(events: Sequence[Event], entered: Iterable[int]) -> list[Formula]:
    """Return what is known of inner loops in every iteration, of which the regions begin at these events."""
    found: list[Formula] = []
    for begin in entered:
        depth = 0
        for event in events[begin:]:
            match event:
                case Enter():
                    depth += 1
                case Leave():
                    depth -= 1
                    if depth == 0:
                        break
                case Fact(formula=formula, source=Source.INVARIANT) if depth == 1:
                    found += conjuncts(formula)
                case _:
                    pass
    return found


def _without_wraparound(change: Dim, now: Dim) -> tuple[Dim, tuple[int, int] | None]:
    """Return a change without a remainder that keeps the number within some bits, and the ends of these numbers."""
    for monomial, coefficient in change.terms:
        atom = monomial.single
        if coefficient == 1 and isinstance(atom, Remainder) and atom.parts[1].is_constant:
            whole, divisor = atom.parts
            step = change - of_atom(atom) + whole
            shift = whole - (now + step)
            if shift.is_constant and divisor.constant > 0:
                return step, (-shift.constant, divisor.constant - 1 - shift.constant)
    return change, None


def _lower_bound(size: Dim, facts: Sequence[Formula], varying: frozenset[str]) -> Dim | None:
    """Return a lower bound of a size that is the same in every iteration, or None."""
    if not any(each.name in varying for each in size.variables):
        return size
    for variable, pace in plain_terms(size):
        if variable.name not in varying:
            continue
        for fact in facts:
            if not isinstance(fact, IsNonNegative):
                continue
            factor = dict(plain_terms(fact.size)).get(variable)
            if factor is not None and factor * pace > 0 and pace % factor == 0:
                bound = size - fact.size * (pace // factor)
                if not any(each.name in varying for each in bound.variables):
                    return bound
    low, _ = size.bounds()
    return dim(low) if low is not None and abs(low) <= _GREATEST_CHANGE else None


def _common(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    known = [end for end in ends if end is not None]
    return extreme(*known) if len(known) == len(ends) else None
