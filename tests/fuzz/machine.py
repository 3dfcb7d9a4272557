"""A concrete interpreter of MLIR, written from the dialects' descriptions and from nothing of ours.

A module is parsed by MLIR itself and every operation becomes one Python closure over a list of values, so that trying a
program on one more vector of sizes costs microseconds. Nothing of the registry or of the engine is imported.

Integers are Python numbers in the signed range of their type (i1: 0 or 1), floats are not computed (None), tensors and
buffers are `Array`. What is not defined by the dialects (poison, contents that were never written, 64-bit arithmetic
that wraps) ends a run with `ExternalEffect`: such a run says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from shapesolve.ir import bindings

Place = tuple[int, int]
Env = list[Any]
Step = Callable[[Env], None]
Handler = Callable[["Compiler", Any], Step]

DYNAMIC = -(2**63)
FUEL = 20_000
"""Largest number of operations that one run may execute."""
LARGEST = 4096
"""Largest number of elements of an array whose contents are tracked."""
MOST_INDICES = 100_000
"""Largest number of elements of an array that is iterated over."""
HANDLERS: dict[str, Handler] = {}


class Ending(Enum):
    """The ending of a run."""

    RETURNED = "returned"
    ABORTED = "aborted"
    UNDEFINED = "undefined"
    OUTSIDE = "outside"


class Licence(Enum):
    """The behavior where a declared extent is not the computed one."""

    STOP = "the run ends: behavior is undefined"
    COMPUTED = "the program goes on with the computed extent"
    DECLARED = "the program goes on with the declared extent"


@dataclass
class Choice:
    """The licence of the runs that follow, and whether they made use of it."""

    chosen: Licence = Licence.STOP
    used: bool = False


LICENCE = Choice()


class Stop(Exception):
    """A run ends here."""

    def __init__(self, ending: Ending, place: Place, words: str) -> None:
        super().__init__(words)
        self.ending = ending
        self.place = place
        self.words = words


class Unsupported(Exception):
    """An operation that this interpreter does not know; the program is not tried."""


@dataclass(frozen=True)
class Run:
    """Outcome of a run: ending, location, message, and returned values (extents of arrays, integers, None)."""

    ending: Ending
    place: Place = (0, 0)
    words: str = ""
    results: tuple[tuple[int, ...] | int | None, ...] = ()

    @property
    def says(self) -> tuple[Ending, str, tuple[object, ...]]:
        """Return what an observer sees: places differ between texts of the same program."""
        return self.ending, self.words if self.ending is Ending.ABORTED else "", self.results


class Array:
    """A tensor, or a view of a buffer: ``data`` is shared by the views of one buffer, None where it holds floats."""

    __slots__ = ("data", "offset", "shape", "strides")

    def __init__(
        self,
        shape: Sequence[int],
        data: list[Any] | None = None,
        offset: int = 0,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.data = data
        self.offset = offset
        self.strides = row_major(self.shape) if strides is None else strides

    def position(self, indices: Sequence[int]) -> int:
        """Return the index of an element in ``data``."""
        return self.offset + sum(index * stride for index, stride in zip(indices, self.strides, strict=True))

    def elements(self) -> list[Any] | None:
        """The contents in row-major order."""
        if self.data is None:
            return None
        return [self.data[self.position(indices)] for indices in every_index(self.shape)]


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense array."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def every_index(shape: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Yield all index tuples of a shape, in row-major order."""
    if math.prod(shape) > MOST_INDICES:
        raise outside("too many elements")
    if 0 in shape:
        return
    if not shape:
        yield ()
        return
    for first in range(shape[0]):
        for rest in every_index(shape[1:]):
            yield (first, *rest)


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Registers what makes the closure of an operation."""

    def register(handler: Handler) -> Handler:
        for name in names:
            assert name not in HANDLERS, name
            HANDLERS[name] = handler
        return handler

    return register


def place_of(op: Any) -> Place:
    """Line and column of an operation, both counted from 1."""
    location = op.location
    return (location.start_line, location.start_col) if hasattr(location, "start_line") else (0, 0)


def width_of(type: Any) -> int:
    """Bits of an integer type; index has 64. 0 for anything else."""
    text = str(type)
    if text == "index":
        return 64
    digits = text[1:]
    return int(digits) if text[0] in "i" and digits.isdigit() else 0


def bits(value: int, width: int) -> int:
    """Return the unsigned value of a number."""
    return value & ((1 << width) - 1)


def signed(value: int, width: int) -> int:
    """The number of these low bits: signed, but i1 is 0 or 1."""
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


@dataclass
class Block:
    """A compiled block. ``leave`` says what its terminator does: the next block with its arguments, or values."""

    arguments: tuple[int, ...]
    steps: list[Step]
    leave: Callable[[Env], tuple[Block | None, tuple[Any, ...]]]


@dataclass
class Function:
    """A compiled function."""

    argument_types: list[Any]
    result_types: list[Any]
    entry: Block | None = None
    size: int = 0
    name: str = ""
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()

    @property
    def admits(self) -> tuple[str, ...]:
        """The statements about the arguments of a call."""
        return self.requires + self.assumes


@dataclass
class Machine:
    """A compiled module. ``reached`` holds the watched places that the last run came by."""

    functions: dict[str, Function]
    reached: set[Place] = field(default_factory=set[Place])
    fuel: int = 0

    def run(self, name: str, arguments: Sequence[Any]) -> Run:
        """Call a function of the module on integers and arrays."""
        self.fuel = FUEL
        self.reached.clear()
        try:
            values = self.call(self.functions[name], list(arguments))
        except Stop as stop:
            return Run(stop.ending, stop.place, stop.words)
        except RecursionError:
            return Run(Ending.OUTSIDE, words="calls are nested too deeply")
        except (TypeError, AttributeError) as error:  # None, that is data that is not followed, used as a number
            return Run(Ending.OUTSIDE, words=f"depends on data that is not followed: {error}")
        return Run(Ending.RETURNED, results=tuple(_seen(value) for value in values))

    def call(self, function: Function, arguments: list[Any]) -> tuple[Any, ...]:
        """The results of a compiled function."""
        env: Env = [None] * function.size
        assert function.entry is not None
        return self.follow(function.entry, env, tuple(arguments))

    def follow(self, block: Block, env: Env, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Run blocks from this one on, until a terminator leaves the region with values."""
        following: Block | None = block
        while following is not None:
            for slot, value in zip(following.arguments, arguments, strict=True):
                env[slot] = value
            self.fuel -= 1 + len(following.steps)
            if self.fuel < 0:
                raise Stop(Ending.OUTSIDE, (0, 0), "it runs for too long")
            for step in following.steps:
                step(env)
            following, arguments = following.leave(env)
        return arguments


def _seen(value: Any) -> tuple[int, ...] | int | None:
    return value.shape if isinstance(value, Array) else value if isinstance(value, int) else None


class Compiler:
    """Makes the closures of one module."""

    def __init__(self, module: Any, watched: Iterable[Place] = ()) -> None:
        self.machine = Machine({})
        self._watched = frozenset(watched)
        self._slots: dict[Any, int] = {}
        self.function: Function | None = None
        bodies: list[tuple[Function, Any]] = []
        for op in module.body.operations:
            if op.operation.name == "func.func":
                regions = op.regions[0].blocks
                name = op.attributes["sym_name"].value
                claims = (_claims(op, f"shapesolve.{word}") for word in ("requires", "ensures", "assume"))
                function = Function(list(op.type.inputs), list(op.type.results), None, 0, name, *claims)
                self.machine.functions[name] = function
                if len(regions):
                    bodies.append((function, op.regions[0]))
        for function, region in bodies:
            self._slots = {}
            self.function = function
            function.entry = self.region(region)
            function.size = len(self._slots)

    def slot(self, value: Any) -> int:
        """The place of an SSA value in the list of values."""
        return self._slots.setdefault(value, len(self._slots))

    def slots(self, values: Iterable[Any]) -> tuple[int, ...]:
        """The places of several values."""
        return tuple(self.slot(value) for value in values)

    def region(self, region: Any) -> Block:
        """The first block of a region, compiled with all others."""
        live = list(region.blocks)
        compiled = [Block(self.slots(block.arguments), [], _nothing) for block in live]
        for block, mine in zip(live, compiled, strict=True):
            operations = list(block.operations)
            for op in operations:
                if op is operations[-1] and op.operation.name in TERMINATORS:
                    mine.leave = TERMINATORS[op.operation.name](self, op, lambda target: compiled[live.index(target)])
                else:
                    mine.steps.extend(self.steps(op))
        return compiled[0]

    def steps(self, op: Any) -> list[Step]:
        """The closures of an operation."""
        name = op.operation.name
        handler = HANDLERS.get(name)
        if handler is None:
            raise Unsupported(name)
        step = handler(self, op)
        place = place_of(op)
        if place in self._watched:
            reached = self.machine.reached

            def come_by(env: Env) -> None:
                reached.add(place)

            return [come_by, step]
        return [step]

    def inline(self, region: Any) -> Callable[[Env, tuple[Any, ...]], tuple[Any, ...]]:
        """A region as a function of the values around it and of its arguments."""
        block = self.region(region)
        machine = self.machine
        return lambda env, arguments: machine.follow(block, env, arguments)


def _claims(op: Any, name: str) -> tuple[str, ...]:
    if name not in op.attributes:
        return ()
    stated = op.attributes[name]
    return tuple(each.value for each in stated) if hasattr(stated, "__len__") else (stated.value,)


Leaving = Callable[[Compiler, Any, Callable[[Any], Block]], Callable[[Env], tuple[Block | None, tuple[Any, ...]]]]
TERMINATORS: dict[str, Leaving] = {}


def _nothing(env: Env) -> tuple[Block | None, tuple[Any, ...]]:
    return None, ()


def compiled(text: str, watched: Iterable[Place] = ()) -> Machine:
    """A module's text, parsed by MLIR and compiled. Raises Unsupported, and MLIR's own error for what is not valid."""
    context = bindings.new_context()
    handler = context.attach_diagnostic_handler(_swallow)
    try:
        with context:
            return Compiler(bindings.ir().Module.parse(text), watched).machine
    except (AttributeError, KeyError, IndexError, AssertionError, ValueError) as error:
        raise Unsupported(f"a form that is not known: {type(error).__name__} {error}") from None
    finally:
        handler.detach()


def _swallow(diagnostic: Any) -> bool:
    return True


BROKEN_FLAG = "what a flag promises does not hold"
"""The result is poison, which `check` demands never to be and which, unused, is no undefined behavior."""


def undefined(place: Place, words: str) -> Stop:
    """Undefined behavior."""
    return Stop(Ending.UNDEFINED, place, words)


def outside(words: str) -> Stop:
    """Return the stop at a behavior that the description leaves open."""
    return Stop(Ending.OUTSIDE, (0, 0), words)
