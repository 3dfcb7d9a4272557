"""Random programs on buffers, and what they leave in memory: views, copies, loops, branches, and buffers handed on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from shapesolve.records import record

SIZE = 6
_TYPE = f"memref<{SIZE}xi32>"
Memory = dict[str, list[int | None]]
"""The elements of each root; None where nothing was written yet."""


@record
class Buffer:
    """A root, or a view of one.

    Attributes:
        places: The places of its elements in the root.
        offset: That of its layout in the root; ``stride`` likewise.
    """

    name: str
    root: str
    places: tuple[int, ...]
    type: str
    offset: int = 0
    stride: int = 1

    def read(self, memory: Memory, index: int) -> int | None:
        """Return an element."""
        return memory[self.root][self.places[index]]

    def write(self, memory: Memory, index: int, value: int | None) -> None:
        """Change an element."""
        memory[self.root][self.places[index]] = value


@record
class Step:
    """An operation.

    Attributes:
        lines: Its text, where ``@`` begins the names of its own values.
        run: What it does to memory, given whether ``%p`` holds.
        result: The buffer that it makes, if it makes one.
        effect: Whether it may be left out, moved, or done again.
    """

    lines: tuple[str, ...]
    run: Callable[[Memory, bool], None] = lambda memory, holds: None
    result: Buffer | None = None
    effect: bool = True


A, R, T = (Buffer(name, name, tuple(range(SIZE)), _TYPE) for name in "art")


def view(operand: Buffer, name: str, first: int, size: int, stride: int, *, is_dynamic: bool) -> Step:
    """Return a view of every ``stride``-th element."""
    places = operand.places[first : first + (size - 1) * stride + 1 : stride]
    offset, step = operand.offset + first * operand.stride, operand.stride * stride
    is_dynamic = is_dynamic or "?" in operand.type
    layout = "strided<[?], offset: ?>" if is_dynamic else f"strided<[{step}]{f', offset: {offset}' if offset else ''}>"
    made = Buffer(name, operand.root, places, f"memref<{size}xi32, {layout}>", offset, step)
    taken = f"[%c{first}] [{size}] [%c{stride}]" if is_dynamic else f"[{first}] [{size}] [{stride}]"
    line = f"%{name} = memref.subview %{operand.name}{taken} : {operand.type} to {made.type}"
    return Step((line,), result=made, effect=False)


def cast(operand: Buffer, name: str) -> Step:
    """Return a cast that forgets the layout."""
    made = replace(operand, name=name, type=f"memref<{len(operand.places)}xi32, strided<[?], offset: ?>>")
    return Step((f"%{name} = memref.cast %{operand.name} : {operand.type} to {made.type}",), result=made, effect=False)


def handed_on(operand: Buffer, name: str, body: Sequence[Step]) -> Step:
    """Return a loop of two iterations that hands on a buffer, known as ``%<name>i`` inside."""
    made = replace(operand, name=name)

    def run(memory: Memory, holds: bool) -> None:
        for step in (*body, *body):
            step.run(memory, holds)

    begin = f"%{name} = scf.for @i = %c0 to %c2 step %c1 iter_args(%{name}i = %{operand.name}) -> ({operand.type}) {{"
    end = f"  scf.yield %{name}i : {operand.type}"
    return Step((begin, *_indented(body), end, "}"), run, made, effect=False)


def fill(target: Buffer, value: int) -> Step:
    """Return a fill with a number."""

    def run(memory: Memory, holds: bool) -> None:
        for index in range(len(target.places)):
            target.write(memory, index, value)

    return Step((f"linalg.fill ins(%k{value} : i32) outs(%{target.name} : {target.type})",), run)


def store(target: Buffer, index: int, value: int) -> Step:
    """Return a store of a number."""

    def run(memory: Memory, holds: bool) -> None:
        target.write(memory, index, value)

    return Step((f"memref.store %k{value}, %{target.name}[%c{index}] : {target.type}",), run)


def copy(source: Buffer, target: Buffer) -> Step:
    """Return a copy to a buffer that does not overlap the other one."""

    def run(memory: Memory, holds: bool) -> None:
        for index, value in enumerate([source.read(memory, index) for index in range(len(source.places))]):
            target.write(memory, index, value)

    return Step((f"memref.copy %{source.name}, %{target.name} : {source.type} to {target.type}",), run)


def copy_loop(source: Buffer, target: Buffer, *, is_reversed: bool) -> Step:
    """Return a copy element by element, in either direction."""
    count = len(source.places)

    def run(memory: Memory, holds: bool) -> None:
        for index in reversed(range(count)) if is_reversed else range(count):
            target.write(memory, index, source.read(memory, index))

    lines = (
        f"scf.for @i = %c0 to %c{count} step %c1 {{",
        f"  @j = arith.subi %c{count - 1}, @i : index" if is_reversed else "  @j = arith.addi @i, %c0 : index",
        f"  @x = memref.load %{source.name}[@j] : {source.type}",
        f"  memref.store @x, %{target.name}[@j] : {target.type}",
        "}",
    )
    return Step(lines, run)


def summed(source: Buffer, target: Buffer, place: int) -> Step:
    """Return a loop that adds all elements to one that stays in memory."""

    def run(memory: Memory, holds: bool) -> None:
        for index in range(len(source.places)):
            target.write(memory, place, _sum(target.read(memory, place), source.read(memory, index)))

    lines = (
        f"scf.for @i = %c0 to %c{len(source.places)} step %c1 {{",
        f"  @x = memref.load %{target.name}[%c{place}] : {target.type}",
        f"  @y = memref.load %{source.name}[@i] : {source.type}",
        "  @s = arith.addi @x, @y : i32",
        f"  memref.store @s, %{target.name}[%c{place}] : {target.type}",
        "}",
    )
    return Step(lines, run)


def added(source: Buffer, target: Buffer) -> Step:
    """Return an elementwise sum in place."""

    def run(memory: Memory, holds: bool) -> None:
        for index in range(len(source.places)):
            target.write(memory, index, _sum(source.read(memory, index), target.read(memory, index)))

    maps = "[affine_map<(d) -> (d)>, affine_map<(d) -> (d)>]"
    lines = (
        f'linalg.generic {{indexing_maps = {maps}, iterator_types = ["parallel"]}}'
        f" ins(%{source.name} : {source.type}) outs(%{target.name} : {target.type}) {{",
        "^bb0(@x: i32, @y: i32):",
        "  @s = arith.addi @x, @y : i32",
        "  linalg.yield @s : i32",
        "}",
    )
    return Step(lines, run)


def swapped(first: Buffer, second: Buffer, trips: int, index: int, value: int) -> Step:
    """Return a loop that stores to one of two buffers and hands both on exchanged."""

    def run(memory: Memory, holds: bool) -> None:
        for trip in range(trips):
            (second if trip % 2 else first).write(memory, index, value)

    lines = (
        f"@b:2 = scf.for @i = %c0 to %c{trips} step %c1 iter_args(@p = %{first.name}, @q = %{second.name})"
        f" -> ({first.type}, {first.type}) {{",
        f"  memref.store %k{value}, @p[%c{index}] : {first.type}",
        f"  scf.yield @q, @p : {first.type}, {first.type}",
        "}",
    )
    return Step(lines, run)


def conditional(body: Step) -> Step:
    """Return an operation that is executed where ``%p`` holds."""

    def run(memory: Memory, holds: bool) -> None:
        if holds:
            body.run(memory, holds)

    return Step(("scf.if %p {", *_indented([body]), "}"), run)


def repeated(body: Step, times: int) -> Step:
    """Return an operation that is executed several times."""

    def run(memory: Memory, holds: bool) -> None:
        for _ in range(times):
            body.run(memory, holds)

    return Step((f"scf.for @n = %c0 to %c{times} step %c1 {{", *_indented([body]), "}"), run)


def drawn(chooser: random.Random) -> list[Step]:
    """Return a random program; its buffers are filled first."""
    steps, buffers = [fill(R, chooser.randint(0, 3)), copy(A, T)], [A, R, T]
    for number in range(chooser.randint(2, 6)):
        step = (
            _drawn_maker(chooser, buffers, f"v{number}") if chooser.random() < 0.4 else drawn_effect(chooser, buffers)
        )
        steps.append(step)
        if step.result is not None:
            buffers.append(step.result)
    return steps


def _drawn_maker(chooser: random.Random, buffers: Sequence[Buffer], name: str) -> Step:
    operand = chooser.choice(buffers)
    match chooser.choice(("view", "view", "cast", "hand on")):
        case "view":
            stride = chooser.choice((1, 1, 2))
            size = chooser.randint(1, (len(operand.places) - 1) // stride + 1)
            first = chooser.randint(0, len(operand.places) - 1 - (size - 1) * stride)
            return view(operand, name, first, size, stride, is_dynamic=chooser.random() < 0.3)
        case "cast" if "?" not in operand.type:
            return cast(operand, name)
        case _:
            inside = [*buffers, replace(operand, name=f"{name}i")]
            return handed_on(operand, name, [_drawn_simple(chooser, inside)] if chooser.random() < 0.5 else [])


def drawn_effect(chooser: random.Random, buffers: Sequence[Buffer]) -> Step:
    """Return a random operation that writes to memory."""
    step = _drawn_simple(chooser, buffers)
    match chooser.choice(("simple", "simple", "simple", "if", "repeat", "swap")):
        case "if":
            return conditional(step)
        case "repeat":
            return repeated(step, chooser.randint(0, 2))
        case "swap":
            first = chooser.choice(buffers)
            second = chooser.choice([each for each in buffers if each.type == first.type])
            return swapped(first, second, chooser.randint(0, 3), chooser.randrange(len(first.places)), 1)
        case _:
            return step


def _drawn_simple(chooser: random.Random, buffers: Sequence[Buffer]) -> Step:
    target = chooser.choice(buffers)
    source = chooser.choice([each for each in buffers if len(each.places) == len(target.places)])
    place, is_apart = chooser.randrange(len(target.places)), not _overlap(source, target)
    match chooser.choice(("fill", "store", "store", "copy", "copy loop", "sum", "add")):
        case "fill":
            return fill(target, chooser.randint(0, 3))
        case "copy" if is_apart:
            return copy(source, target)
        case "copy" | "copy loop":
            return copy_loop(source, target, is_reversed=chooser.random() < 0.3)
        case "sum":
            return summed(chooser.choice(buffers), target, place)
        case "add" if is_apart or source.places == target.places:
            return added(source, target)
        case _:
            return store(target, place, chooser.randint(0, 3))


def related(steps: Sequence[Step], chooser: random.Random) -> list[Step]:
    """Return a program with one step left out, exchanged, repeated or made conditional, which often does not matter."""
    changed = list(steps)
    places = [place for place, step in enumerate(steps) if step.effect and place > 1]
    if not places:
        return changed
    place = chooser.choice(places)
    step = changed[place]
    match chooser.choice(("drop", "exchange", "other", "other", "wrap", "twice")):
        case "drop":
            del changed[place]
        case "exchange" if place + 1 < len(changed) and changed[place + 1].effect:
            changed[place], changed[place + 1] = changed[place + 1], step
        case "other" | "exchange":
            known = [A, R, T, *(each.result for each in changed[:place] if each.result is not None)]
            changed[place] = drawn_effect(chooser, known)
        case "wrap":
            changed[place] = conditional(step) if chooser.random() < 0.5 else repeated(step, chooser.randint(1, 2))
        case _:
            changed.insert(place, step)
    return changed


def filled_otherwise(steps: Sequence[Step], chooser: random.Random) -> tuple[list[Step], list[Step]]:
    """Return a program with one more fill, and the same for another view of that buffer."""
    buffers = [A, R, T, *(each.result for each in steps if each.result is not None)]
    first = chooser.choice(buffers)
    second = chooser.choice([each for each in buffers if each.root == first.root])
    value = chooser.randint(0, 3)
    return [*steps, fill(first, value)], [*steps, fill(second, value)]


def program(steps: Sequence[Step]) -> str:
    """Return the text of a program."""
    constants = [f"%c{each} = arith.constant {each} : index" for each in range(SIZE + 1)]
    constants += [f"%k{each} = arith.constant {each} : i32" for each in range(4)]
    lines = [*constants, f"%r = memref.alloc() : {_TYPE}", f"%t = memref.alloc() : {_TYPE}"]
    for number, step in enumerate(steps):
        lines += [line.replace("@", f"%s{number}_") for line in step.lines]
    body = "\n".join(f"  {line}" for line in (*lines, f"return %r : {_TYPE}"))
    return f"func.func @f(%a: {_TYPE}, %p: i1) -> {_TYPE} {{\n{body}\n}}"


def left_by(steps: Sequence[Step], given: Sequence[int], *, holds: bool) -> Memory:
    """Return what a program leaves in memory, if its argument holds some numbers."""
    memory: Memory = {"a": list(given), "r": [None] * SIZE, "t": [None] * SIZE}
    for step in steps:
        step.run(memory, holds)
    return {name: memory[name] for name in "ar"}


def _indented(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        yield from (f"  {line}".replace("@", "@in_") for line in step.lines)


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else (first + second) % 2**32


def _overlap(first: Buffer, second: Buffer) -> bool:
    return first.root == second.root and not set(first.places).isdisjoint(second.places)
