"""The shape dialect on plain tuples, written from MLIR's own description of it and from nothing of ours.

A shape is a tuple of extents, an error is None. Of a type that has no error state (extent tensors, index) an error is
undefined behavior: the machine stops there, as it does where an assertion fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, TypeVar

import numpy as np

Extents = tuple[int, ...]
Value = TypeVar("Value")


class Anything:
    """A result that the dialect leaves open."""

    def __repr__(self) -> str:
        return "anything"


ANYTHING = Anything()


class Stopped(Exception):
    """Undefined behavior, or an assertion that fails: ``place`` is "shape.meet 2" for the second one of the text."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


class Machine:
    """Runs one program; ``error_free``: its shapes are extent tensors and its sizes are of type index.

    ``in_order``: assertions stop the program where they stand. They need not: an operation that does not use what an
    assertion's witness guards may run before it.
    """

    def __init__(self, *, error_free: bool, in_order: bool = True) -> None:
        self.error_free = error_free
        self.in_order = in_order
        self._seen = Counter[str]()

    def _at(self, op: str) -> str:
        self._seen[op] += 1
        return f"{op} {self._seen[op]}"

    def _result(self, place: str, value: Value | None) -> Value | None:
        if value is None and self.error_free:
            raise Stopped(place)
        return value

    def broadcast(self, *shapes: Extents | None) -> Extents | None:
        return self._result(self._at("shape.broadcast"), joined(*shapes))

    def meet(self, a: Extents | None, b: Extents | None) -> Extents | None:
        return self._result(self._at("shape.meet"), a if a is not None and a == b else None)

    def any(self, *shapes: Any) -> Any:
        """ANYTHING where the shapes differ."""
        self._at("shape.any")
        return shapes[0] if len(set(shapes)) == 1 else ANYTHING

    def concat(self, a: Extents | None, b: Extents | None) -> Extents | None:
        return self._result(self._at("shape.concat"), None if a is None or b is None else a + b)

    def split_at(self, shape: Extents | None, index: int) -> tuple[Extents | None, Extents | None]:
        place = self._at("shape.split_at")
        if shape is None or not -len(shape) <= index <= len(shape):
            self._result(place, None)
            return None, None
        cut = len(shape) + index if index < 0 else index
        return shape[:cut], shape[cut:]

    def greater(self, a: Extents | None, b: Extents | None) -> Extents | None:
        self._at("shape.max")
        if a is None or b is None or len(a) != len(b):
            return None
        return tuple(np.maximum(a, b).tolist())

    def rank(self, shape: Extents | None) -> int | None:
        return self._result(self._at("shape.rank"), None if shape is None else len(shape))

    def num_elements(self, shape: Extents | None) -> int | None:
        return self._result(self._at("shape.num_elements"), None if shape is None else prod(shape))

    def get_extent(self, shape: Extents | None, index: int) -> int | None:
        place = self._at("shape.get_extent")
        there = shape is not None and 0 <= index < len(shape)
        return self._result(place, shape[index] if shape is not None and there else None)

    def reduce(self, shape: Extents | None, initial: int, step: Callable[[int, int, int], int]) -> int | None:
        place = self._at("shape.reduce")
        if shape is None:
            return self._result(place, None)
        for index, extent in enumerate(shape):
            initial = step(index, extent, initial)
        return initial

    def add(self, a: int | None, b: int | None) -> int | None:
        return self._result(self._at("shape.add"), None if a is None or b is None else a + b)

    def size_to_index(self, size: int | None) -> int:
        place = self._at("shape.size_to_index")
        if size is None:
            raise Stopped(place)
        return size

    def to_extent_tensor(self, shape: Extents | None, length: int | None = None) -> Extents:
        place = self._at("shape.to_extent_tensor")
        if shape is None or length not in (None, len(shape)):
            raise Stopped(place)
        return shape

    def from_extent_tensor(self, extents: Extents) -> Extents:
        self._at("shape.from_extent_tensor")
        return extents

    def is_broadcastable(self, *shapes: Extents | None) -> bool:
        self._at("shape.is_broadcastable")
        return joined(*shapes) is not None

    def shape_eq(self, *shapes: Extents | None) -> bool:
        self._at("shape.shape_eq")
        return len(set(shapes)) == 1

    def cstr_broadcastable(self, *shapes: Extents | None) -> None:
        self._assertion("shape.cstr_broadcastable", joined(*shapes) is not None)

    def cstr_eq(self, *shapes: Extents | None) -> None:
        self._assertion("shape.cstr_eq", len(set(shapes)) == 1)

    def cstr_require(self, condition: bool) -> None:
        self._assertion("shape.cstr_require", condition)

    def asserts(self, condition: bool) -> None:
        self._assertion("cf.assert", condition)

    def _assertion(self, op: str, holds: bool) -> None:
        place = self._at(op)
        if not holds and (self.in_order or op == "cf.assert"):
            raise Stopped(place)


@lru_cache(maxsize=1 << 14)
def joined(*shapes: Extents | None) -> Extents | None:
    """Return numpy's broadcast of shapes; None where it does not, or where one is an error."""
    given = [shape for shape in shapes if shape is not None]
    if len(given) != len(shapes):
        return None
    try:
        return np.broadcast_shapes(*given)
    except ValueError:
        return None


def all_shapes(largest_rank: int, largest_extent: int) -> Iterator[Extents]:
    """Return every shape up to a rank and an extent, by rank."""
    for rank in range(largest_rank + 1):
        yield from product(range(largest_extent + 1), repeat=rank)
