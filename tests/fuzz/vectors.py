"""Vectors of sizes and numbers to run a function on."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import declared, holds_integers
from fuzz.machine import Array, Unsupported, signed, width_of

SIZES = (0, 1, 2, 3, 4, 5, 6, 8)
GREAT = (2**31 - 1, 2**31, 2**32 + 3, 2**24 + 1, 2**24 + 2, 2**16, 65505, 65520, 2049, 257, 300, 127, 128, 255, 256)
"""Extents at which narrower integers wrap around, and narrower floats round."""
SMALL = (0, 1, 2, 3, 4, -1, -2, 5, 7)
EDGES = {8: (127, -128, 126, 100, -100, 64), 32: (2**31 - 1, -(2**31), 65536, 256, 128), 64: (255, 256, 1000, -1000)}


def vectors(types: Sequence[Any], chance: random.Random, count: int, *, large: bool = False) -> list[list[Any]]:
    """Arguments for these types; the first vectors are the plain ones.

    ``large``: some extents of floats are so large that narrower integers wrap, which nobody could execute.
    """
    found: list[list[Any]] = []
    for number in range(count):
        plain = (0, 1, 2, 3)[number] if number < 4 else None
        base = chance.choice(SIZES)
        found.append([_argument(type, chance, plain, base, large=large and plain is None) for type in types])
    return found


def _argument(type: Any, chance: random.Random, plain: int | None, base: int, *, large: bool) -> Any:
    width = width_of(type)
    if width:
        return _number(width, chance, plain, base)
    if not getattr(type, "has_rank", True):
        raise Unsupported(str(type))
    if not hasattr(type, "shape"):
        return None
    extents = declared(type)
    if None in extents and len(extents) > 2:
        base = min(base, 4)
    shape = tuple(_extent(chance, plain, base) if each is None else each for each in extents)
    if large and not holds_integers(type) and None in extents and chance.random() < 0.08:
        place = chance.choice([axis for axis, each in enumerate(extents) if each is None])
        shape = (*shape[:place], chance.choice(GREAT), *shape[place + 1 :])
    if not holds_integers(type):
        return Array(shape)
    inner = width_of(type.element_type)
    return Array(shape, [_number(inner, chance, plain, base) for _ in range(math.prod(shape))])


def _extent(chance: random.Random, plain: int | None, base: int) -> int:
    if plain is not None:
        return plain
    kind = chance.random()
    if kind < 0.35:
        return base
    return max(0, base + chance.choice((-1, 1))) if kind < 0.5 else chance.choice(SIZES)


def _number(width: int, chance: random.Random, plain: int | None, base: int) -> int:
    if width == 1:
        return chance.randrange(2)
    if plain is not None:
        return plain
    kind = chance.random()
    if kind < 0.3:
        return base
    if kind < 0.8:
        return chance.choice(SMALL)
    return signed(chance.choice(EDGES.get(width, SMALL)) + chance.choice((-1, 0, 1)), width)


def fresh(vector: Sequence[Any]) -> list[Any]:
    """The same arguments with buffers of their own: a run may write to them."""
    return [Array(each.shape, each.elements()) if isinstance(each, Array) else each for each in vector]
