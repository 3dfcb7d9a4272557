"""What is known to be 0, and what is known not to be."""

from __future__ import annotations

from shapesolve.language.atoms import BroadcastExtent
from shapesolve.language.dims import Dim, of_monomial
from shapesolve.proving.intervals import Intervals
from shapesolve.proving.known_broadcasts import KnownBroadcasts
from shapesolve.proving.reasons import NOTHING, Why, joined
from shapesolve.proving.simplifier import Simplifier
from shapesolve.proving.trail import Trail


class Zeros:
    """Why sizes are 0 or are not: by their bounds, by what they were said not to be, by what broadcasts."""

    def __init__(self, trail: Trail, simplifier: Simplifier, intervals: Intervals, broadcasts: KnownBroadcasts) -> None:
        self._trail = trail
        self._simplifier = simplifier
        self._intervals = intervals
        self._broadcasts = broadcasts
        self._nonzero: dict[Dim, Why] = {}

    def learn_nonzero(self, size: Dim, why: Why) -> None:
        """A size is not 0."""
        self._trail.put(self._nonzero, size, why)

    def zero(self, size: Dim) -> Why | None:
        """Why a size is 0."""
        low = self._intervals.least(size)
        if low is not None and low[0] == 0:
            high = self._intervals.most(size)
            if high is not None and high[0] == 0:
                return joined(low[1], high[1])
        return self._by_broadcast(size) or self._by_both_sides(size)

    def _by_both_sides(self, size: Dim) -> Why | None:
        """Neither negative nor positive."""
        above = self._intervals.non_negative(size)
        below = self._intervals.non_negative(-size) if above is not None else None
        return None if above is None or below is None else joined(above, below)

    def _by_broadcast(self, size: Dim) -> Why | None:
        """A broadcast extent is its part that is not 1."""
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
                    return joined(value[1], more, why)
        return None

    def differs(self, size: Dim) -> Why | None:
        """Why a size is not 0."""
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

    def is_not_one(self, size: Dim) -> Why | None:
        """Why a size is not 1."""
        if size.is_constant:
            return NOTHING if size.constant != 1 else None
        return self.differs(size - 1)
