"""Hash-consing: terms with the same parts are the same object."""

from __future__ import annotations

from typing import Self, TypeVar
from weakref import KeyedRef

K = TypeVar("K")
V = TypeVar("V")


class Interned(dict[K, "KeyedRef[K, V]"]):
    """Hash-consing table: weak references to terms by their parts.

    Terms are looked up by the million, so this is a dictionary: ``get`` gives a reference, or None, and the reference
    gives the term, or None if it was collected.
    """

    __slots__ = ("__weakref__",)

    def found(self, key: K) -> V | None:
        """Return the term with this key if it is alive."""
        kept = self.get(key)
        return None if kept is None else kept()

    def keep(self, key: K, term: V) -> V:
        """Register a term as the only one with this key, and return it."""
        self[key] = KeyedRef(term, self._drop, key)
        return term

    def _drop(self, gone: KeyedRef[K, V]) -> None:
        if self.get(gone.key) is gone:
            del self[gone.key]


class HashConsed:
    """Term of which there is one object in a process: a copy is the term itself, and so is what a pickle of it gives.

    In another process a pickle gives the term in normal form there.
    """

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> str | tuple[object, ...]:
        from shapesolve.symbolic.pickling import reduced  # it imports every kind of term

        return reduced(self)
