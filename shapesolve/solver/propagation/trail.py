"""Dictionaries with backtracking, and justifications of what is known.

A justification is a tree of the numbers of facts, flattened only on demand: a fact that follows from ten thousand
others costs one pair, not a set of ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_ABSENT: Any = object()


class Trail:
    """Records writes to dictionaries so that `back` can undo them up to the last `mark`."""

    def __init__(self) -> None:
        self._writes: list[tuple[dict[Any, Any], Any, Any]] = []
        self._marks: list[int] = []
        self.version = 0
        """Counter that changes with every write and undo."""

    @property
    def depth(self) -> int:
        """The number of marks."""
        return len(self._marks)

    def put(self, where: dict[K, V], key: K, value: V) -> None:
        """Set ``where[key] = value``, undone by `back`."""
        self.version += 1
        if self._marks:
            self._writes.append((where, key, where.get(key, _ABSENT)))
        where[key] = value

    def drop(self, where: dict[K, V], key: K) -> None:
        """Delete ``where[key]`` if it is there, undone by `back`."""
        if key in where:
            self.version += 1
            if self._marks:
                self._writes.append((where, key, where[key]))
            del where[key]

    def mark(self) -> None:
        """Mark the current state."""
        self._marks.append(len(self._writes))

    def keep(self) -> None:
        """Forget the last mark, and keep what was written since."""
        self._marks.pop()
        if not self._marks:
            self._writes.clear()

    def back(self) -> None:
        """Undo every write since the last mark, and forget the mark."""
        self.version += 1
        mark = self._marks.pop()
        while len(self._writes) > mark:
            where, key, old = self._writes.pop()
            if old is _ABSENT:
                del where[key]
            else:
                where[key] = old


Justification = int | tuple["Justification", ...]
"""The number of a fact, or several of these."""

NOTHING: tuple[Justification, ...] = ()
"""Justification of a formula that holds without any fact."""


def merge(*whys: Justification) -> Justification:
    """Return the union of justifications."""
    if len(whys) == 2:
        one, other = whys
        return one if other == NOTHING else other if one == NOTHING else whys
    kept = [why for why in whys if why != NOTHING]
    if not kept:
        return NOTHING
    return kept[0] if len(kept) == 1 else tuple(kept)


def facts_of(why: Justification) -> frozenset[int]:
    """Return the numbers of all facts in a justification."""
    return frozenset(each_fact_of(why))


def each_fact_of(why: Justification) -> Iterator[int]:
    """Yield the numbers of the facts in a justification, some of them more than once."""
    seen: set[int] = set()
    stack: list[Justification] = [why]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            yield item
        elif id(item) not in seen:
            seen.add(id(item))
            stack.extend(item)
