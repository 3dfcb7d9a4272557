"""Propagation through atoms: selects, minimums and maximums, divisions, broadcasts, and sizes that are or are not 0.

The normal form of ``(a*b) // b`` stays a quotient, for ``b`` may be 0. Where it cannot, the quotient is ``a``: without
this every reshape of a product would leave non-linear arithmetic to z3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from shapesolve.solver.propagation.bounds import known_division
from shapesolve.solver.propagation.intervals import Intervals
from shapesolve.solver.propagation.rewriting import Simplifier
from shapesolve.solver.propagation.trail import NOTHING, Justification, Trail, merge
from shapesolve.symbolic.atoms import Atom, BroadcastExtent, Choice, Maximum, Minimum, Quotient, Remainder
from shapesolve.symbolic.dims import ONE, ZERO, Dim, floordiv, of_monomial
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import broadcast_parts, equal, negation
from shapesolve.symbolic.limits import TooLarge
from shapesolve.symbolic.normal_forms import split_multiples
from shapesolve.symbolic.visitors import With

MOST_REMAINDERS = 4
"""Most remainders by sizes that are written as what a quotient leaves, to show that a sum of them is 0."""


class KnownAtoms:
    """Rewrite rules for the atoms of formulas, derived from known facts.

    Args:
        differs: Returns the justification that a size is not 0, or None.
        decided: Returns the justification of a claim, or None.
    """

    def __init__(
        self,
        trail: Trail,
        simplifier: Simplifier,
        intervals: Intervals,
        differs: Callable[[Dim], Justification | None],
        decided: Callable[[Formula], Justification | None],
    ) -> None:
        self._trail = trail
        self._simplifier = simplifier
        self._intervals = intervals
        self._differs = differs
        self._decided = decided
        self._is_settling = False
        self._passed: set[Atom] = set()
        """Atoms of which nothing was known when as much was written as ``_passed_at`` says."""
        self._passed_at = -1

    def learn(self, formula: Formula) -> bool:
        """Add a rewrite rule for an atom in the formula. Return whether there was one to add."""
        known = self._simplifier.atoms
        divisions, choices, bounded = divisions_within(formula), choices_within(formula), bounded_within(formula)
        if not divisions and not choices and not bounded:  # most formulas: a look, no search
            return False
        return (
            any(self._learn_bounded(each) for each in bounded if each not in known)
            or any(self._learn_multiples(each) for each in divisions_by_sizes(formula) if each not in known)
            or any(self._learn_select(each) for each in choices if self._may_have_rule(each))
            or any(self._learn_small_dividend(each) for each in divisions if self._may_have_rule(each))
        )

    def _may_have_rule(self, atom: Choice | Quotient | Remainder) -> bool:
        """Return whether an atom has no rule, and facts were learned since the last search for one."""
        if self._passed_at != self._trail.version:
            self._passed.clear()
            self._passed_at = self._trail.version
        return atom not in self._passed and atom not in self._simplifier.atoms

    def _record_failure(self, atom: Choice | Quotient | Remainder, version: int) -> None:
        """Record that no rule was found for the atom, unless facts were learned since the search began."""
        if self._passed_at == version == self._trail.version:
            self._passed.add(atom)

    def _learn_bounded(self, atom: Minimum | Maximum) -> bool:
        """Add a rule for a minimum or maximum with a number, by the bounds of the other operand."""
        number, size = sorted(atom.parts, key=lambda each: not each.is_constant)
        room = size - number if isinstance(atom, Maximum) else number - size
        for larger, value in ((room, size), (-room, number)):
            bound = self._intervals.least(larger)
            if bound is not None and bound[0] >= 0:
                self._simplifier.rewrite_atom(atom, value, bound[1])
                return True
        return False

    def _learn_multiples(self, division: Quotient | Remainder) -> bool:
        """Take whole multiples out of a division by a size that is known not to be 0."""
        nonzero = self._differs(division.parts[1])
        value = None if nonzero is None else take_out_multiples(division)
        if nonzero is None or value is None:
            return False
        self._simplifier.rewrite_atom(division, value, nonzero)
        return True

    def _learn_select(self, choice: Choice) -> bool:
        """Add a rule for a select whose condition is decided. Selects in the condition are not settled recursively."""
        if self._is_settling:
            return False
        condition, a, b = choice.parts
        version = self._trail.version
        self._is_settling = True
        try:
            for holds, value in ((condition, a), (negation(condition), b)):
                why = self._decided(holds)
                if why is not None:
                    self._simplifier.rewrite_atom(choice, value, why)
                    return True
        finally:
            self._is_settling = False
        self._record_failure(choice, version)
        return False

    def _learn_small_dividend(self, division: Quotient | Remainder) -> bool:
        """Add a rule for a division whose dividend is known to be smaller than its divisor."""
        version = self._trail.version
        known = known_division(division, lambda size: self._intervals.non_negative(size, 1))
        if known is None:
            self._record_failure(division, version)
            return False
        self._simplifier.rewrite_atom(division, *known)
        return True


@lru_cache(maxsize=4096)
def divisions_by_sizes(formula: Formula) -> tuple[Quotient | Remainder, ...]:
    """Return the divisions in a formula, innermost first, by a symbolic divisor of a part of the dividend."""
    return tuple(
        each
        for each in divisions_within(formula)
        if not each.parts[1].is_constant and take_out_multiples(each) is not None
    )


@lru_cache(maxsize=4096)
def divisions_within(formula: Formula) -> tuple[Quotient | Remainder, ...]:
    """Return all divisions in a formula, innermost first."""
    return tuple(each for each in _atoms(formula) if isinstance(each, Quotient | Remainder))


@lru_cache(maxsize=4096)
def choices_within(formula: Formula) -> tuple[Choice, ...]:
    """Return all selects in a formula, innermost first."""
    return tuple(each for each in _atoms(formula) if isinstance(each, Choice))


@lru_cache(maxsize=4096)
def bounded_within(formula: Formula) -> tuple[Minimum | Maximum, ...]:
    """Return all minimums and maximums with a number in a formula, innermost first: ``max(1, n)``."""
    return tuple(
        each
        for each in _atoms(formula)
        if isinstance(each, Minimum | Maximum) and len(each.parts) == 2 and any(part.is_constant for part in each.parts)
    )


@lru_cache(maxsize=4096)
def _atoms(formula: Formula) -> tuple[Atom, ...]:
    found: dict[Atom, None] = {}
    _collect(formula, found)
    return tuple(found)


def _collect(node: object, found: dict[Atom, None]) -> None:
    if isinstance(node, Dim):
        for atom in node.atoms():
            _collect(atom, found)
    elif isinstance(node, Formula | Atom) and node not in found:
        for part in node.parts:
            _collect(part, found)
        if isinstance(node, Atom):
            found[node] = None


def take_out_multiples(division: Quotient | Remainder) -> Dim | None:
    """Return a division by a nonzero divisor with whole multiples taken out; None if there are none."""
    a, b = division.parts
    whole, rest = split_multiples(a, b)
    if whole is ZERO:
        return None
    return whole + rest // b if isinstance(division, Quotient) else rest % b


Decide = Callable[[Formula], Justification | None]

_NO_PAIRS: Mapping[Dim, Justification] = {}


class KnownBroadcasts:
    """Pairs of sizes that are known to be compatible. Pairwise is enough: all that are not 1 are then equal."""

    def __init__(self, trail: Trail, decide: Decide) -> None:
        self._trail = trail
        self._decide = decide
        self._pairs: dict[Dim, dict[Dim, Justification]] = {}

    def learn(self, parts: tuple[Dim, ...], why: Justification) -> None:
        """Learn that sizes are compatible. A broadcast extent among them whose parts agree stands for its parts."""
        members: list[tuple[Dim, Justification]] = []
        for part in parts:
            joint = broadcast_parts(part)
            inner = self.all_compatible(joint) if len(joint) > 1 else None
            members.extend([(part, NOTHING)] if inner is None else [(each, inner) for each in joint])
        for index, (a, why_a) in enumerate(members):
            for b, why_b in members[index + 1 :]:
                if a is not b and b not in self._pairs.get(a, _NO_PAIRS):
                    self._pair(a, b, merge(why, why_a, why_b))

    def _pair(self, a: Dim, b: Dim, why: Justification) -> None:
        for x, y in ((a, b), (b, a)):
            there = self._pairs.get(x)
            if there is None:
                there = dict[Dim, Justification]()
                self._trail.put(self._pairs, x, there)
            if y not in there:
                self._trail.put(there, y, why)

    def all_compatible(self, parts: tuple[Dim, ...]) -> Justification | None:
        """Return the justification that sizes are compatible, or None. Broadcast extents are split into their parts.

        Pairwise compatibility is enough.
        """
        members: dict[Dim, Justification] = {}
        for part in parts:
            joint = broadcast_parts(part)
            if len(joint) == 1:
                members.setdefault(part, NOTHING)
                continue
            inner = self.all_compatible(joint)
            if inner is None:
                members.setdefault(part, NOTHING)
            else:
                members.update({each: inner for each in joint if each not in members})
        whys: dict[int, Justification] = {}  # by identity: pair after pair is known for the same reason
        items = [(size, why) for size, why in members.items() if size is not ONE]
        for index, (a, why_a) in enumerate(items[:-1]):
            whys[id(why_a)] = why_a
            known = self._pairs.get(a, _NO_PAIRS)
            for b, why_b in items[index + 1 :]:
                why = known.get(b)
                if why is None:
                    why = self._compatible_pair(a, b)
                if why is None:
                    return None
                whys[id(why)] = why
                whys[id(why_b)] = why_b
        return merge(*whys.values())

    def extent(
        self, joint: BroadcastExtent, is_not_one: Callable[[Dim], Justification | None]
    ) -> tuple[Dim, Justification] | None:
        """Return the part that a broadcast extent equals if the parts agree and one is known not to be 1."""
        for part in joint.parts:
            not_one = is_not_one(part)
            if not_one is not None:
                agree = self.all_compatible(joint.parts)
                if agree is not None:
                    return part, merge(not_one, agree)
        return None

    def _compatible_pair(self, a: Dim, b: Dim) -> Justification | None:
        if a is b or a is ONE or b is ONE:
            return NOTHING
        known = self._pairs.get(a, {}).get(b)
        if known is not None:
            return known
        for x, y in ((a, b), (b, a)):
            inner = broadcast_parts(x)
            if len(inner) > 1 and any(y is each for each in inner):
                # broadcast(y, ...) is 1, y, or a part that clashes with y; the last is excluded by the parts' own pairs
                why = self.all_compatible(inner)
                if why is not None:
                    return why
        for option in (equal(a, b), equal(a, 1), equal(b, 1)):
            why = self._decide(option)
            if why is not None:
                return why
        return None


class Zeros:
    """Sizes known to be 0 or not: by their bounds, by disequalities, and by broadcasts."""

    def __init__(self, trail: Trail, simplifier: Simplifier, intervals: Intervals, broadcasts: KnownBroadcasts) -> None:
        self._trail = trail
        self._simplifier = simplifier
        self._intervals = intervals
        self._broadcasts = broadcasts
        self._nonzero: dict[Dim, Justification] = {}

    def learn_nonzero(self, size: Dim, why: Justification) -> None:
        """Learn that a size is not 0."""
        self._trail.put(self._nonzero, size, why)

    def zero(self, size: Dim) -> Justification | None:
        """Return the justification that a size is 0, or None."""
        low = self._intervals.least(size)
        if low is not None and low[0] == 0:
            high = self._intervals.most(size)
            if high is not None and high[0] == 0:
                return merge(low[1], high[1])
        why = self._by_broadcast(size) or self._by_both_sides(size)
        return NOTHING if why is None and _is_zero_by_division(size) else why

    def _by_both_sides(self, size: Dim) -> Justification | None:
        """Justify that a size is 0 by its being neither negative nor positive."""
        above = self._intervals.non_negative(size)
        below = self._intervals.non_negative(-size) if above is not None else None
        return None if above is None or below is None else merge(above, below)

    def _by_broadcast(self, size: Dim) -> Justification | None:
        """Justify that a broadcast extent minus a part is 0 by this part not being 1."""
        for monomial, coefficient in size.terms:
            atom = monomial.single
            if not isinstance(atom, BroadcastExtent):
                continue
            value = self._broadcasts.extent(atom, self.is_not_one)
            if value is not None:
                rest = size + (value[0] - of_monomial(monomial)) * coefficient
                simple, more = self._simplifier.size(rest)
                why = NOTHING if simple.is_constant and simple.constant == 0 else None
                if why is None and simple.variables != size.variables:
                    why = self.zero(simple)
                if why is not None:
                    return merge(value[1], more, why)
        return None

    def differs(self, size: Dim) -> Justification | None:
        """Return the justification that a size is not 0, or None."""
        for side in (size, -size):
            known = self._nonzero.get(side)
            if known is not None:
                return known
        low = self._intervals.least(size)
        if low is not None and low[0] > 0:
            return low[1]
        high = self._intervals.most(size)
        if high is not None and high[0] < 0:
            return high[1]
        return self._intervals.non_negative(size - 1, 1)

    def is_not_one(self, size: Dim) -> Justification | None:
        """Return the justification that a size is not 1, or None."""
        if size.is_constant:
            return NOTHING if size.constant != 1 else None
        return self.differs(size - 1)


def _is_zero_by_division(size: Dim) -> bool:
    """Return whether a size is 0 because every remainder ``a % b`` is ``a - b*(a//b)``, also where ``b`` is 0."""
    divisions = [each for each in size.atoms() if isinstance(each, Remainder) and not each.parts[1].is_constant]
    if not divisions or len(divisions) > MOST_REMAINDERS:
        return False
    try:
        for each in divisions:
            dividend, divisor = each.parts
            size = With(each, dividend - divisor * floordiv(dividend, divisor)).size(size)
    except TooLarge:
        return False
    return size is ZERO
