"""Random shapes, sizes and tensors of places, from a seed."""

from __future__ import annotations

from math import prod
from random import Random
from typing import Any


class Dice:
    """Random shapes and numbers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def size(self, most: int = 4) -> int:
        return self.random.choice([0, 1, 1, *range(2, most + 1), *range(2, most + 1)])

    def shape(self, rank: int | None = None, least: int = 0, most: int = 3) -> list[int]:
        rank = self.random.randint(least, most) if rank is None else rank
        return [self.size() for _ in range(rank)]

    def sometimes(self, chance: float = 0.25) -> bool:
        return self.random.random() < chance

    def axis(self, shape: list[int]) -> int:
        rank = max(len(shape), 1)
        return self.random.randint(-rank, rank - 1)

    def axes(self, shape: list[int]) -> list[int]:
        rank = len(shape)
        chosen = self.random.sample(range(rank), self.random.randint(0, rank)) if rank else []
        return [each - rank if self.sometimes() else each for each in chosen]

    def flag(self) -> bool:
        return self.sometimes(0.5)

    def broadcasting(self, shape: list[int]) -> list[int]:
        """A shape that broadcasts with another, mostly."""
        found = [1 if self.sometimes() else each for each in shape[self.random.randint(0, len(shape)) :]]
        return self.disturbed(found)

    def disturbed(self, shape: list[int], chance: float = 0.25) -> list[int]:
        """The shape, or one with another extent."""
        found = list(shape)
        if found and self.sometimes(chance):
            found[self.random.randrange(len(found))] = self.size()
        return found

    def factored(self, count: int) -> list[int]:
        """Sizes that multiply to a number."""
        sizes: list[int] = []
        for _ in range(self.random.randint(0, 3)):
            divisors = [each for each in range(1, count + 1) if count % each == 0] or [0, 1, 2]
            sizes.append(self.random.choice(divisors))
            count = count // sizes[-1] if sizes[-1] else 0
        sizes.insert(self.random.randint(0, len(sizes)), count)
        return sizes

    def places(self, shape: list[int], extent: int) -> dict[str, Any]:
        """A tensor of integers, mostly places of an extent."""
        wild = self.sometimes(0.15)
        low, high = (-extent - 1, extent) if wild else (0, max(extent - 1, 0))
        return {"t": shape, "v": [self.random.randint(low, high) for _ in range(prod(shape))]}


def t(shape: list[int]) -> dict[str, Any]:
    """A tensor of floats."""
    return {"t": shape}
