"""Random programs over tensors of unknown rank, and the same programs for one choice of ranks.

The same seed gives the same program. What a program means for a choice of ranks is what its instance does: the text in
which every argument of unknown rank has that rank, which the interpreter runs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

UNKNOWN = "tensor<*xf32>"
EXTENTS = "tensor<?xindex>"


@dataclass
class Unranked:
    """One function in the making; ``arguments`` are names and types."""

    chance: random.Random
    arguments: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    lines: list[str] = field(default_factory=list[str])
    scope: dict[str, list[str]] = field(default_factory=lambda: {EXTENTS: [], "index": [], "i1": []})
    names: int = 0

    def emit(self, text: str, type: str = "") -> str:
        """``%v1 = text``; in scope where a type is given."""
        self.names += 1
        name = f"%v{self.names}"
        self.lines.append(f"{name} = {text}")
        if type:
            self.scope[type].append(name)
        return name

    def shape(self) -> str:
        """A tensor of extents."""
        return self.chance.choice(self.scope[EXTENTS][-5:])

    def shapes(self) -> str:
        """Two or three tensors of extents, and their types."""
        count = self.chance.choice((2, 2, 3))
        return f"{', '.join(self.shape() for _ in range(count))} : {', '.join([EXTENTS] * count)}"

    def number(self) -> str:
        """An index."""
        if self.scope["index"] and self.chance.random() < 0.7:
            return self.chance.choice(self.scope["index"])
        return self.emit(f"arith.constant {self.chance.choice((0, 1, 2, 3))} : index")

    def argument(self) -> tuple[str, str]:
        """An argument that is a tensor."""
        return self.chance.choice([each for each in self.arguments if each[1] != "index"])


def _rank(w: Unranked) -> None:
    name, type = w.argument()
    w.emit(f"tensor.rank {name} : {type}", "index")


def _extent(w: Unranked) -> None:
    w.emit(f"shape.get_extent {w.shape()}, {w.number()} : {EXTENTS}, index -> index", "index")


def _count(w: Unranked) -> None:
    w.emit(f"shape.{w.chance.choice(('rank', 'num_elements'))} {w.shape()} : {EXTENTS} -> index", "index")


def _broadcast(w: Unranked) -> None:
    w.emit(f"shape.broadcast {w.shapes()} -> {EXTENTS}", EXTENTS)


def _concat(w: Unranked) -> None:
    w.emit(f"shape.concat {w.shape()}, {w.shape()} : {EXTENTS}, {EXTENTS} -> {EXTENTS}", EXTENTS)


def _constant(w: Unranked) -> None:
    extents = w.chance.choice(([], [1], [2], [1, 2], [0], [3, 1]))
    name = w.emit(f"shape.const_shape {extents} : tensor<{len(extents)}xindex>")
    w.emit(f"tensor.cast {name} : tensor<{len(extents)}xindex> to {EXTENTS}", EXTENTS)


def _element(w: Unranked) -> None:
    w.emit(f"tensor.extract {w.shape()}[{w.number()}] : {EXTENTS}", "index")


def _arithmetic(w: Unranked) -> None:
    operation = w.chance.choice(("addi", "subi", "muli", "maxsi", "minsi"))
    w.emit(f"arith.{operation} {w.number()}, {w.number()} : index", "index")


def _compared(w: Unranked) -> None:
    predicate = w.chance.choice(("eq", "ne", "sle", "sge", "slt"))
    w.emit(f"arith.cmpi {predicate}, {w.number()}, {w.number()} : index", "i1")


def _asked(w: Unranked) -> None:
    w.emit(f"shape.{w.chance.choice(('shape_eq', 'is_broadcastable'))} {w.shapes()}", "i1")


def _demanded(w: Unranked) -> None:
    w.emit(f"shape.{w.chance.choice(('cstr_eq', 'cstr_broadcastable'))} {w.shapes()}")


def _folded(w: Unranked) -> None:
    first = w.emit(f"arith.constant {w.chance.choice((0, 1))} : index")
    operation, by = w.chance.choice(("addi", "muli", "maxsi")), w.chance.choice(("%d", "%d", "%i"))
    w.emit(
        f"shape.reduce({w.shape()}, {first}) : {EXTENTS} -> index {{ ^bb0(%i: index, %d: index, %sum: index): "
        f"%x = arith.{operation} %sum, {by} : index shape.yield %x : index }}",
        "index",
    )


def _assertion(w: Unranked) -> None:
    if not w.scope["i1"]:
        _asked(w)
    w.lines.append(f'cf.assert {w.chance.choice(w.scope["i1"][-3:])}, "check {len(w.lines)}"')


STATEMENTS: tuple[tuple[float, Callable[[Unranked], None]], ...] = (
    (1.5, _rank),
    (2, _extent),
    (2, _count),
    (3, _broadcast),
    (1.5, _concat),
    (1, _constant),
    (1, _element),
    (2, _arithmetic),
    (3, _compared),
    (3, _asked),
    (2, _demanded),
    (0.7, _folded),
    (3, _assertion),
)


def program(seed: int) -> Unranked:
    """A function over tensors of unknown and of known rank."""
    made = Unranked(random.Random(f"unranked {seed}"))
    for number in range(made.chance.choice((1, 2, 2, 3))):
        known = made.chance.choice(("tensor<?xf32>", "tensor<?x?xf32>", "tensor<1x?xf32>"))
        type = UNKNOWN if made.chance.random() < 0.8 else known
        made.arguments.append((f"%a{number}", type))
        made.emit(f"shape.shape_of %a{number} : {type} -> {EXTENTS}", EXTENTS)
    if made.chance.random() < 0.4:
        made.arguments.append(("%n", "index"))
        made.scope["index"].append("%n")
    weights, statements = zip(*STATEMENTS, strict=True)
    for statement in made.chance.choices(statements, weights, k=made.chance.choice((3, 5, 8))):
        statement(made)
    _assertion(made)
    return made


def text(made: Unranked, ranks: Sequence[int] | None = None) -> str:
    """The program; with ``ranks``, one an argument, its instance: every operation stands in the same place."""
    types = dict(made.arguments)
    if ranks is not None:
        ranked = (f"tensor<{'?x' * rank}f32>" for rank in ranks)
        types = {name: new if old == UNKNOWN else old for (name, old), new in zip(made.arguments, ranked, strict=True)}
    lines = [f"func.func @main({', '.join(f'{name}: {type}' for name, type in types.items())}) {{"]
    for line in made.lines:
        used = re.search(r"%(a\d)\b", line)
        lines.append("  " + (line.replace(UNKNOWN, types[used[0]]) if used else line))
    return "\n".join([*lines, "  return", "}"])
