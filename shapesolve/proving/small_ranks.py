"""Shapes of unknown rank made ranked: small ranks first, every extent a fresh size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import of_atom
from shapesolve.language.shapes import RankedShape
from shapesolve.language.substitution import Instantiation

MOST_CHOICES = 150
LARGEST_RANK = 12


def small_ranks(symbols: Sequence[Variable]) -> Iterator[dict[Variable, int]]:
    """Ranks for the symbols, by ascending sum, then ascending largest rank; not all of them."""
    count = 0
    for total in range(LARGEST_RANK * len(symbols) + 1):
        for ranks in sorted(_of_sum(total, len(symbols)), key=lambda ranks: (max(ranks), ranks)):
            if count == MOST_CHOICES:
                return
            count += 1
            yield dict(zip(symbols, ranks, strict=True))


def _of_sum(total: int, count: int) -> Iterator[tuple[int, ...]]:
    if count == 1:
        if total <= LARGEST_RANK:
            yield (total,)
        return
    for first in range(min(total, LARGEST_RANK) + 1):
        for others in _of_sum(total - first, count - 1):
            yield (first, *others)


class Ranking:
    """Ranks given to shapes of unknown rank, the sizes that are their extents, and the way back."""

    def __init__(self, ranks: Mapping[Variable, int]) -> None:
        self.extents = {
            symbol: tuple(Variable.of(f"{symbol.name}[{number}]") for number in range(rank))
            for symbol, rank in ranks.items()
        }
        shapes = {
            symbol: cast("RankedShape", RankedShape.of(map(of_atom, extents)))
            for symbol, extents in self.extents.items()
        }
        self.substitution = Instantiation({}, shapes)

    @property
    def variables(self) -> Iterable[Variable]:
        """The extents of all shapes, in order."""
        for extents in self.extents.values():
            yield from extents

    def shapes_of(self, model: Mapping[Variable, int | tuple[int, ...]]) -> dict[Variable, tuple[int, ...]]:
        """The shapes that a model for the extents describes; 0 for an extent that is not in it."""
        return {
            symbol: tuple(cast("int", model.get(extent, 0)) for extent in extents)
            for symbol, extents in self.extents.items()
        }
