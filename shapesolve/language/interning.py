"""Tables of what there is once: equal terms are one object, for as long as somebody has it."""

from __future__ import annotations

from typing import TypeVar
from weakref import KeyedRef

K = TypeVar("K")
V = TypeVar("V")


class Interned(dict[K, "KeyedRef[K, V]"]):
    """Weak references to terms by what they are made of.

    Terms are looked up by the million, so this is a dictionary: ``get`` gives a reference, or None, and the reference
    gives the term, or None where nobody has it any more.
    """

    __slots__ = ("__weakref__",)

    def found(self, key: K) -> V | None:
        """The term that is made of this, if there is one."""
        kept = self.get(key)
        return None if kept is None else kept()

    def keep(self, key: K, term: V) -> V:
        """The term, which is the one of its kind from now on."""
        self[key] = KeyedRef(term, self._drop, key)
        return term

    def _drop(self, gone: KeyedRef[K, V]) -> None:
        if self.get(gone.key) is gone:
            del self[gone.key]
