"""Means to write random programs: typed values in scope, and lines of MLIR."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

INTEGERS = ("index", "i8", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64")
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
Extent = int | None


@dataclass(frozen=True)
class Shaped:
    """A tensor or memref type; None is `?`."""

    container: str
    extents: tuple[Extent, ...]
    element: str = "f32"

    def __str__(self) -> str:
        spelled = "".join(f"{'?' if extent is None else extent}x" for extent in self.extents)
        return f"{self.container}<{spelled}{self.element}>"

    @property
    def rank(self) -> int:
        return len(self.extents)

    @property
    def open(self) -> int:
        """The number of extents that are `?`."""
        return sum(extent is None for extent in self.extents)


Type = str | Shaped


def tensor(*extents: Extent, element: str = "f32") -> Shaped:
    """A tensor type."""
    return Shaped("tensor", extents, element)


class Nothing(Exception):
    """Error that no value in scope fits; another statement is tried."""


@dataclass(frozen=True)
class Callee:
    """A private function that may be called."""

    name: str
    arguments: tuple[Type, ...]
    results: tuple[Type, ...]


class Writer:
    """One function in the making."""

    def __init__(self, chance: random.Random, callees: Sequence[Callee] = ()) -> None:
        self.chance = chance
        self.callees = callees
        self.lines: list[str] = []
        self.scope: dict[Type, list[str]] = {}
        self.depth = 0
        self.left = 0
        self.checks = 0
        self.weighted: Sequence[tuple[float, Callable[[Writer], None]]] = ()
        self._names = 0

    def name(self, stem: str = "v") -> str:
        """A new name."""
        self._names += 1
        return f"%{stem}{self._names}"

    def line(self, text: str) -> None:
        """One line, indented."""
        self.lines.append("  " * (self.depth + 1) + text)

    def define(self, name: str, type: Type) -> str:
        """Bring a value into scope."""
        self.scope.setdefault(type, []).append(name)
        return name

    def emit(self, text: str, type: Type, stem: str = "v") -> str:
        """``%v1 = text``, in scope."""
        name = self.name(stem)
        self.line(f"{name} = {text}")
        return self.define(name, type)

    @contextmanager
    def inside(self, *arguments: tuple[str, Type]) -> Generator[None]:
        """A region: what is defined in it is not in scope behind it."""
        before = {type: list(names) for type, names in self.scope.items()}
        self.depth += 1
        for name, type in arguments:
            self.define(name, type)
        yield
        self.depth -= 1
        self.scope = before

    # Choosing --------------------------------------------------------------------------------------------------------

    def pick(self, type: Type) -> str:
        """A value of a type; recent ones more often."""
        names = self.scope.get(type)
        if not names:
            raise Nothing
        if len(names) > 4 and self.chance.random() < 0.4:
            return self.chance.choice(names[-4:])
        return self.chance.choice(names)

    def shaped(self, fits: Callable[[Shaped], bool]) -> tuple[str, Shaped]:
        """A shaped value whose type fits."""
        types = [each for each in self.scope if isinstance(each, Shaped) and fits(each) and self.scope[each]]
        if not types:
            raise Nothing
        type = self.chance.choice(types)
        return self.pick(type), type

    def number_buffer(self) -> tuple[str, Shaped]:
        """A buffer of rank 1 with integers that are used as sizes."""
        return self.shaped(
            lambda type: type.container == "memref" and type.rank == 1 and type.element in ("index", "i32")
        )

    def tensors(self) -> tuple[str, Shaped]:
        """A tensor of floats that has a dimension."""
        return self.shaped(lambda type: type.container == "tensor" and type.element == "f32" and type.rank >= 1)

    def one_of(self, *choices: str) -> str:
        """One of some words."""
        return self.chance.choice(choices)

    def maybe(self, probability: float) -> bool:
        """Return whether something happens."""
        return self.chance.random() < probability

    def integer_type(self) -> str:
        """An integer type of which there is a value; index half of the time."""
        if self.maybe(0.55):
            return "index"
        return self.chance.choice([each for each in INTEGERS if self.scope.get(each)])

    # Common pieces ---------------------------------------------------------------------------------------------------

    def constant(self, value: int, type: str = "index") -> str:
        """A constant."""
        return self.emit(f"arith.constant {value} : {type}", type, "c")

    def extent(self, value: str, type: Shaped, axis: int) -> str:
        """The extent of a dimension."""
        dialect = "memref" if type.container == "memref" else "tensor"
        position = self.name("c")
        self.line(f"{position} = arith.constant {axis} : index")
        return self.emit(f"{dialect}.dim {value}, {position} : {type}", "index", "d")

    def size(self) -> tuple[str, int | None]:
        """A size in a list: a number, or an operand."""
        if self.maybe(0.25):
            number = self.chance.choice((0, 1, 2, 3, 4))
            return str(number), number
        return self.pick("index"), None

    def operands(self, sizes: Sequence[tuple[str, int | None]]) -> str:
        """Those of some sizes that are operands."""
        return ", ".join(text for text, number in sizes if number is None)

    def loosened(self, extents: Sequence[Extent]) -> tuple[Extent, ...]:
        """Extents that an operation could state: some are left open, and seldom one is claimed."""
        return tuple(None if extent is not None and self.maybe(0.3) else extent for extent in extents)

    def compare(self, left: str, right: str, type: str, predicate: str = "") -> str:
        """A comparison."""
        return self.emit(
            f"arith.cmpi {predicate or self.chance.choice(COMPARISONS)}, {left}, {right} : {type}", "i1", "p"
        )

    def check(self, condition: str) -> None:
        """An assertion with a message."""
        self.checks += 1
        self.line(f'cf.assert {condition}, "check {self.checks}"')
