"""Why something is known: the numbers of the facts behind it, as a tree that is only flattened when somebody asks.

A fact that follows from ten thousand others costs one pair here, not a set of ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterable

Why = int | tuple["Why", ...]
"""The number of a fact, or several of these."""

NOTHING: tuple[Why, ...] = ()
"""Known without any fact."""


def joined(*whys: Why) -> Why:
    """All of these together."""
    if len(whys) == 2:
        one, other = whys
        return one if other == NOTHING else other if one == NOTHING else whys
    kept = [why for why in whys if why != NOTHING]
    if not kept:
        return NOTHING
    return kept[0] if len(kept) == 1 else tuple(kept)


def facts_of(why: Why) -> frozenset[int]:
    """The numbers of all facts in a tree."""
    found: set[int] = set()
    seen: set[int] = set()
    stack: list[Why] = [why]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            found.add(item)
        elif id(item) not in seen:
            seen.add(id(item))
            stack.extend(item)
    return frozenset(found)


def all_of(whys: Iterable[Why]) -> Why:
    """All of these together."""
    return joined(*whys)
