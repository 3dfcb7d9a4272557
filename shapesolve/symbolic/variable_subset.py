"""Some of the variables of a function, for thousands of sets of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from itertools import compress
from typing import Any, cast

from shapesolve.symbolic.atoms import Variable


class VariableSubset(Set[Variable]):
    """Variables among given ones, which take a byte for each of these instead of some fifty for each of its own.

    Results of set operations are frozensets.
    """

    __slots__ = ("_among", "_chosen")

    def __init__(self, among: dict[Variable, int], variables: Collection[Variable]) -> None:
        """Args: all variables with their positions, in order, and those of them that are chosen."""
        self._among = among
        self._chosen = bytes(map(frozenset(variables).__contains__, among))

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> frozenset[Any]:
        return frozenset(it)

    def __contains__(self, variable: object) -> bool:
        position = self._among.get(cast("Variable", variable))
        return position is not None and bool(self._chosen[position])

    def __iter__(self) -> Iterator[Variable]:
        return compress(self._among, self._chosen)

    def __len__(self) -> int:
        return self._chosen.count(1)

    def __hash__(self) -> int:
        return self._hash()

    def __repr__(self) -> str:
        return repr(frozenset(self))
