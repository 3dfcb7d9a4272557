"""Small changes to a text of MLIR: another constant, another predicate, operands swapped, a check dropped."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

CONSTANT = re.compile(r"(arith\.constant )(-?\d+)( : (?:index|i8|i32|i64))")
PREDICATE = re.compile(r"(arith\.cmpi )(\w+)(,)")
OPERANDS = re.compile(r"(arith\.\w+ |arith\.cmpi \w+, )(%[\w#]+), (%[\w#]+)( : )")
BINARY = re.compile(r"arith\.(addi|subi|muli|maxsi|minsi|maxui|minui|divsi|divui|remsi|floordivsi|ceildivsi)\b")
CHECK = re.compile(r"^\s*cf\.assert .*\n", re.MULTILINE)
DIMENSION = re.compile(r"\b(dim(?:ension)? ?= ?|dim\(|axis = )(\d)")
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
OPERATIONS = ("addi", "subi", "muli", "maxsi", "minsi", "maxui", "minui", "divsi", "floordivsi", "ceildivsi")


def _constant(found: re.Match[str], chance: random.Random) -> str:
    value = int(found[2])
    return f"{found[1]}{chance.choice((value + 1, value - 1, 0, 1, 2, -value))}{found[3]}"


def _wider(found: re.Match[str], chance: random.Random) -> str:
    return f"{found[1]}{int(found[2]) + chance.choice((1, -1))}{found[3]}"


CHANGES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], random.Random], str]], ...] = (
    (CONSTANT, _constant),
    (CONSTANT, _wider),
    (PREDICATE, lambda found, chance: f"{found[1]}{chance.choice(PREDICATES)}{found[3]}"),
    (OPERANDS, lambda found, chance: f"{found[1]}{found[3]}, {found[2]}{found[4]}"),
    (BINARY, lambda found, chance: f"arith.{chance.choice(OPERATIONS)}"),
    (CHECK, lambda found, chance: ""),
    (DIMENSION, lambda found, chance: f"{found[1]}{chance.choice((0, 1, 2))}"),
)


def changed(text: str, chance: random.Random, count: int = 1) -> str:
    """The text with so many changes; it need not be valid any more."""
    for _ in range(count):
        pattern, make = chance.choice(CHANGES)
        places = list(pattern.finditer(text))
        if places:
            found = chance.choice(places)
            text = text[: found.start()] + make(found, chance) + text[found.end() :]
    return text
