"""Vectors of sizes and numbers to run a function on."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from typing import Any

from fuzz.buffer_ops import declared, holds_integers
from fuzz.machine import Array, Unsupported, signed, width_of

SIZES = (0, 1, 2, 3, 4, 5, 6, 8)
SMALL = (0, 1, 2, 3, 4, -1, -2, 5, 7)
EDGES = {8: (127, -128, 126, 100, -100, 64), 32: (2**31 - 1, -(2**31), 65536, 256, 128), 64: (255, 256, 1000, -1000)}
CLAIM = re.compile(r"(?P<name>\w+)\[0\] (?:% (?P<by>\d+) )?(?P<relation>>=|<=|==|!=) (?P<number>\d+)")


def satisfies(claim: str, extent: int) -> bool:
    """What the claims that the generator writes say of the first extent."""
    found = CLAIM.fullmatch(claim)
    if found is None:
        return False  # another claim: no vectors are tried
    left, right = extent % int(found["by"]) if found["by"] else extent, int(found["number"])
    return {">=": left >= right, "<=": left <= right, "==": left == right, "!=": left != right}[found["relation"]]


def vectors(
    types: Sequence[Any], claims: Sequence[str | None], chance: random.Random, count: int, large: bool = False
) -> list[list[Any]]:
    """Arguments for these types that satisfy what is claimed of them; the first vectors are the plain ones."""
    found: list[list[Any]] = []
    for number in range(count):
        plain = (0, 1, 2, 3)[number] if number < 4 else None
        base = chance.choice(SIZES)
        vector = [_argument(type, chance, plain, base) for type in types]
        if all(
            claim is None or satisfies(claim, argument.shape[0]) for claim, argument in zip(claims, vector, strict=True)
        ):
            found.append(vector)
    return found


def _argument(type: Any, chance: random.Random, plain: int | None, base: int) -> Any:
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
