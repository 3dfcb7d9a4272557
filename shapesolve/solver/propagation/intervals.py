"""Interval propagation: bounds of expressions from known bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from shapesolve.solver.propagation.bounds import Bound, division_bounds, is_never_negative_beyond, is_sum_of_squares
from shapesolve.solver.propagation.trail import NOTHING, Justification, Trail, merge
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Maximum,
    Minimum,
    Monomial,
    Quotient,
    Variable,
    common_monomial,
    multiply_bounds,
)
from shapesolve.symbolic.dims import Dim, of_monomial, weighted_sum
from shapesolve.symbolic.limits import TooLarge

MAX_STEPS = 12
"""Largest number of known bounds that are tried to bound one expression."""

Known = tuple[int, Justification]


class Intervals:
    """Known lower bounds ``expression >= number``. An upper bound is a lower bound of the negated expression."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self._least: dict[Dim, Known] = {}
        self._holding: dict[Monomial, dict[Dim, None]] = {}  # the bounded expressions that hold a monomial
        self._computed: dict[Dim, Known | None] = {}
        """Lower bounds that were computed when as much was known as ``_computed_at`` says.

        Without them, the bound of nested divisions would be computed anew for each of the divisions.
        """
        self._computed_at = -1

    def learn(self, size: Dim, why: Justification) -> None:
        """Learn ``size >= 0``."""
        key = size - size.constant
        old = self._least.get(key)
        if old is not None and old[0] >= -size.constant:
            return
        self._trail.put(self._least, key, (-size.constant, why))
        for monomial, _ in key.terms:
            there = self._holding.get(monomial)
            if there is None:
                there = dict[Dim, None]()
                self._trail.put(self._holding, monomial, there)
            self._trail.put(there, key, None)

    # Bounds ------------------------------------------------------------------------------------------------------

    def least(self, size: Dim) -> Known | None:
        """Return a lower bound of an expression with its justification, or None."""
        if self._computed_at != self._trail.version:
            self._computed.clear()
            self._computed_at = self._trail.version
        try:
            return self._computed[size]
        except KeyError:
            found = self._computed[size] = self._compute_least(size)
            return found

    def _compute_least(self, size: Dim) -> Known | None:
        key = size - size.constant
        known = self._least.get(key)
        total, whys = size.constant, NOTHING
        for monomial, coefficient in key.terms:
            bound = self._monomial_least(monomial) if coefficient > 0 else self._monomial_most(monomial)
            if bound is None:
                total = None
                break
            total += coefficient * bound[0]
            whys = merge(whys, bound[1])
        if known is not None and (total is None or known[0] + size.constant > total):
            return known[0] + size.constant, known[1]
        return None if total is None else (total, whys)

    def most(self, size: Dim) -> Known | None:
        """Return an upper bound of an expression with its justification, or None."""
        found = self.least(-size)
        return None if found is None else (-found[0], found[1])

    def _monomial_least(self, monomial: Monomial) -> Known | None:
        known = self._least.get(of_monomial(monomial))
        if known is None and monomial.single is not None:
            known = self._atom_least(monomial.single)
        elif known is None:
            known = self._product_least(monomial)
        intrinsic = monomial.bounds()[0]
        if intrinsic is not None and (known is None or intrinsic >= known[0]):
            return intrinsic, NOTHING
        return known

    def _monomial_most(self, monomial: Monomial) -> Known | None:
        found = self._least.get(-of_monomial(monomial))
        known = None if found is None else (-found[0], found[1])
        if known is None and monomial.single is not None:
            known = self._atom_most(monomial.single)
        elif known is None:
            known = self._product_most(monomial)
        intrinsic = monomial.bounds()[1]
        if intrinsic is not None and (known is None or intrinsic <= known[0]):
            return intrinsic, NOTHING
        return known

    def _product_least(self, monomial: Monomial) -> Known | None:
        found, whys = self._product(monomial)
        return None if found[0] is None else (found[0], whys)

    def _product_most(self, monomial: Monomial) -> Known | None:
        found, whys = self._product(monomial)
        return None if found[1] is None else (found[1], whys)

    def _product(self, monomial: Monomial) -> tuple[tuple[int | None, int | None], Justification]:
        """Return the bounds of a product, computed from those of its factors."""
        total: tuple[int | None, int | None] = (1, 1)
        whys: list[Justification] = []
        for atom, power in monomial.factors:
            single = Monomial.of(((atom, 1),))
            low, high = self._monomial_least(single), self._monomial_most(single)
            whys += [bound[1] for bound in (low, high) if bound is not None]
            between = (None if low is None else low[0], None if high is None else high[0])
            for _ in range(power):
                total = multiply_bounds(total, between)
        return total, merge(*whys)

    def _atom_least(self, atom: Atom) -> Known | None:
        match atom:
            case Variable():
                return None
            case Quotient(parts=(a, b)) if b.is_constant:
                bound = self.least(a)
                return None if bound is None else (bound[0] // b.constant, bound[1])
            case Maximum(parts=parts):
                bounds = [bound for bound in map(self.least, parts) if bound is not None]
                return max(bounds, key=lambda bound: bound[0]) if bounds else None
            case BroadcastExtent(parts=parts):
                return _extreme(min, [*map(self.least, parts), (1, NOTHING)])
            case Minimum(parts=parts):
                return _extreme(min, [*map(self.least, parts)])
            case Choice(parts=(_, a, b)):
                return _extreme(min, [self.least(a), self.least(b)])
            case _:
                return None

    def _atom_most(self, atom: Atom) -> Known | None:
        match atom:
            case Quotient(parts=(a, b)) if b.is_constant:
                bound = self.most(a)
                return None if bound is None else (bound[0] // b.constant, bound[1])
            case Maximum(parts=parts):
                return _extreme(max, [*map(self.most, parts)])
            case BroadcastExtent(parts=parts):
                return _extreme(max, [*map(self.most, parts), (1, NOTHING)])
            case Minimum(parts=parts):
                bounds = [bound for bound in map(self.most, parts) if bound is not None]
                return min(bounds, key=lambda bound: bound[0]) if bounds else None
            case Choice(parts=(_, a, b)):
                return _extreme(max, [self.most(a), self.most(b)])
            case _:
                return None

    # Proving -----------------------------------------------------------------------------------------------------

    def non_negative(self, size: Dim, steps: int = 2) -> Justification | None:
        """Return the justification of ``size >= 0``, or None if it is not found."""
        bound = self.least(size)
        if bound is not None and bound[0] >= 0:
            return bound[1]
        by_factor = self._by_common_factor(size, steps)
        if by_factor is not None or steps == 0:
            return by_factor
        by_extreme = self._by_extreme(size, steps)
        if by_extreme is not None:
            return by_extreme
        by_known = self._by_known(size, steps)
        if by_known is not None:
            return by_known
        try:
            by_slack = self._by_slack(size)
            return self._by_divisions(size, steps) if by_slack is None else by_slack
        except TooLarge:
            return None

    def _by_common_factor(self, size: Dim, steps: int) -> Justification | None:
        """Justify ``N*(M - 1) >= 0`` by both factors being non-negative."""
        if size.constant or len(size.terms) < 2:
            return None
        factor = common_monomial(monomial for monomial, _ in size.terms)
        if not factor.factors:
            return None
        sign = self.least(of_monomial(factor))
        if sign is None or sign[0] < 0:
            return None
        cofactor = weighted_sum((monomial.cofactor(factor), coefficient) for monomial, coefficient in size.terms)
        why = self.non_negative(
            cofactor, min(1, steps)
        )  # with more, this and `_by_known` might call each other forever
        return None if why is None else merge(sign[1], why)

    def _by_extreme(self, size: Dim, steps: int) -> Justification | None:
        """Take a max or min apart: ``c >= max(a, b)`` needs both, ``max(a, b) >= c`` either."""
        for monomial, coefficient in size.terms:
            atom = monomial.single
            if not isinstance(atom, Minimum) or isinstance(atom, BroadcastExtent):
                continue
            rest = size - of_monomial(monomial) * coefficient
            options = [rest + part * coefficient for part in atom.parts]
            all_needed = isinstance(atom, Maximum) == (coefficient < 0)
            whys = [self.non_negative(option, steps - 1) for option in options]
            if all_needed:
                found = [why for why in whys if why is not None]
                return merge(*found) if len(found) == len(options) else None
            return next((why for why in whys if why is not None), None)
        return None

    def _by_slack(self, size: Dim) -> Justification | None:
        """Substitute for every atom its bound plus a slack variable; or prove that the size is a sum of squares."""
        if is_sum_of_squares(size):
            return NOTHING
        bounds: dict[Atom, Bound] = {}
        whys: list[Justification] = []
        waiting = list(dict.fromkeys(size.atoms()))
        for atom in waiting:  # grows by what bounds them
            if len(waiting) > MAX_STEPS:
                return None
            found = self._difference(atom, bounds) or self._number(atom)
            if found is not None:
                bound, why = found
                bounds[atom] = bound
                whys.append(why)
                if bound[0] is not None and bound[0] not in waiting:
                    waiting.append(bound[0])
        return merge(*whys) if is_never_negative_beyond(size, bounds) else None

    def _number(self, atom: Atom) -> tuple[Bound, Justification] | None:
        known = self._monomial_least(Monomial.of(((atom, 1),)))
        return None if known is None else ((None, known[0]), known[1])

    def _difference(self, atom: Atom, bounds: Mapping[Atom, Bound]) -> tuple[Bound, Justification] | None:
        """Return a bound ``atom >= other + number``, the other one bounded by no atom that this one bounds."""
        for key in islice(reversed(self._holding.get(Monomial.of(((atom, 1),)), {})), MAX_STEPS):
            other = _subtracted(key, atom)
            known = self._least.get(key)
            if other is None or known is None:
                continue
            beyond: Atom | None = other
            while beyond is not None and beyond is not atom:
                beyond = bounds[beyond][0] if beyond in bounds else None
            if beyond is None:
                return (other, known[0]), known[1]
        return None

    def _by_divisions(self, size: Dim, steps: int) -> Justification | None:
        """Substitute a bound for a quotient or remainder.

        Times the divisor, the rest is compared with the dividend minus the divisor.
        """
        for monomial, coefficient in size.terms:
            for bound in division_bounds(monomial, coefficient, lambda part: self.non_negative(part, 0)):
                rest = size - of_monomial(monomial) * coefficient
                why = self.non_negative(rest * bound.scale + bound.value + (bound.scale - 1), steps - 1)
                if why is not None:
                    return merge(bound.justification, why)
        return None

    def _by_known(self, size: Dim, steps: int) -> Justification | None:
        """Subtract a known bound that shares a monomial, and bound the difference."""
        tried = 0
        for monomial, coefficient in size.terms:
            for key in list(islice(reversed(self._holding.get(monomial, {})), MAX_STEPS)):
                share = dict(key.terms)[monomial]
                if share * coefficient < 0 or coefficient % share:
                    continue
                tried += 1
                if tried > MAX_STEPS:
                    return None
                factor = coefficient // share
                known = self._least.get(key)
                if known is None:
                    continue
                why = self.non_negative(size - key * factor + known[0] * factor, steps - 1)
                if why is not None:
                    return merge(known[1], why)
        return None


def _subtracted(key: Dim, atom: Atom) -> Atom | None:
    """Return the subtracted atom if a size is the difference of two, else None."""
    if len(key.terms) != 2:
        return None
    (first, one), (second, other) = key.terms
    if one + other or abs(one) != 1:
        return None
    larger, smaller = (first, second) if one > 0 else (second, first)
    return smaller.single if larger.single is atom else None


def _extreme(choose: Callable[[Iterable[int]], int], bounds: list[Known | None]) -> Known | None:
    """Return the least or the greatest bound, if all are known; it rests on all of them."""
    known = [bound for bound in bounds if bound is not None]
    if len(known) != len(bounds):
        return None
    return choose(bound for bound, _ in known), merge(*(why for _, why in known))
