"""Which sizes are known to broadcast together."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.language.atoms import BroadcastExtent
from shapesolve.language.dims import ONE, Dim
from shapesolve.language.formulas import Formula, broadcast_parts, equal
from shapesolve.proving.reasons import NOTHING, Why, joined
from shapesolve.proving.trail import Trail

Decide = Callable[[Formula], Why | None]


class KnownBroadcasts:
    """Pairs of sizes that are known to be compatible. Pairwise is enough: all that are not 1 are then equal."""

    def __init__(self, trail: Trail, decide: Decide) -> None:
        self._trail = trail
        self._decide = decide
        self._pairs: dict[Dim, dict[Dim, Why]] = {}

    def learn(self, parts: tuple[Dim, ...], why: Why) -> None:
        """The sizes are compatible. A broadcast extent among them whose parts agree stands for its parts."""
        members: list[tuple[Dim, Why]] = []
        for part in parts:
            joint = broadcast_parts(part)
            inner = self.all_compatible(joint) if len(joint) > 1 else None
            members.extend([(part, NOTHING)] if inner is None else [(each, inner) for each in joint])
        for index, (a, why_a) in enumerate(members):
            for b, why_b in members[index + 1 :]:
                self._pair(a, b, joined(why, why_a, why_b))

    def _pair(self, a: Dim, b: Dim, why: Why) -> None:
        if a is b:
            return
        for x, y in ((a, b), (b, a)):
            there = self._pairs.get(x)
            if there is None:
                there = dict[Dim, Why]()
                self._trail.put(self._pairs, x, there)
            if y not in there:
                self._trail.put(there, y, why)

    def all_compatible(self, parts: tuple[Dim, ...]) -> Why | None:
        """Why sizes are pairwise compatible; pairwise is enough, and joins are taken apart."""
        members: dict[Dim, Why] = {}
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
        whys: list[Why] = []
        items = list(members.items())
        for index, (a, why_a) in enumerate(items):
            for b, why_b in items[index + 1 :]:
                why = self._compatible_pair(a, b)
                if why is None:
                    return None
                whys.append(joined(why, why_a, why_b))
        return joined(*whys)

    def extent(self, joint: BroadcastExtent, is_not_one: Callable[[Dim], Why | None]) -> tuple[Dim, Why] | None:
        """The part that a broadcast extent is, where the parts agree and one of them is known not to be 1."""
        for part in joint.parts:
            not_one = is_not_one(part)
            if not_one is not None:
                agree = self.all_compatible(joint.parts)
                if agree is not None:
                    return part, joined(not_one, agree)
        return None

    def _compatible_pair(self, a: Dim, b: Dim) -> Why | None:
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
