"""Dictionaries that can go back: every write is remembered while a mark is set."""

from __future__ import annotations

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
        """Another number whenever something was written or undone."""

    @property
    def depth(self) -> int:
        """How many marks are set."""
        return len(self._marks)

    def put(self, where: dict[K, V], key: K, value: V) -> None:
        """``where[key] = value``, undone by `back`."""
        self.version += 1
        if self._marks:
            self._writes.append((where, key, where.get(key, _ABSENT)))
        where[key] = value

    def drop(self, where: dict[K, V], key: K) -> None:
        """``del where[key]`` if it is there, undone by `back`."""
        if key in where:
            self.version += 1
            if self._marks:
                self._writes.append((where, key, where[key]))
            del where[key]

    def mark(self) -> None:
        """Remember this point."""
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
