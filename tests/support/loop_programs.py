"""Programs of loops over two tensors' sizes and a number, as trees: their MLIR text, and what they do when run.

The interpreter knows no solver. Nothing is returned: what can differ is whether a check fails, and whether an element
is read that is not there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, product

SIZES = ("d", "e", "n")
"""The extents of ``%x`` and ``%y``, and ``%n``."""

KINDS = ("scf.for", "scf.parallel", "scf.forall", "scf.while", "tensor.generate", "linalg.generic")


@dataclass(frozen=True)
class Sum:
    """A constant and names, each with a sign."""

    constant: int
    terms: tuple[tuple[int, str], ...] = ()

    def at(self, values: dict[str, int]) -> int:
        return self.constant + sum(sign * values[name] for sign, name in self.terms)


@dataclass(frozen=True)
class Check:
    """``cf.assert`` that one number is less than another."""

    less: Sum
    more: Sum


@dataclass(frozen=True)
class Read:
    """``tensor.extract`` from ``%x``: undefined where nothing is there."""

    place: Sum


@dataclass(frozen=True)
class Branch:
    """``scf.if`` one number is less than another."""

    less: Sum
    more: Sum
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Carried:
    """A number that a loop carries, and what every iteration adds to it."""

    name: str
    initial: Sum
    by: Sum


@dataclass(frozen=True)
class Loop:
    """A loop of some kind; those over tensors begin at 0, go one step at a time, and end at an extent.

    An ``scf.for`` may carry a number.
    """

    kind: str
    name: str
    lower: Sum
    upper: Sum
    step: int
    body: tuple[Statement, ...]
    carried: Carried | None = None


Statement = Check | Read | Branch | Loop
Program = tuple[Statement, ...]


class _Stopped(Exception):
    pass


def behavior(program: Program, sizes: dict[str, int]) -> str:
    """Return whether a program returns, aborts, or does something undefined."""
    try:
        _run(program, dict(sizes))
    except _Stopped as stopped:
        return str(stopped)
    return "returns"


def _run(program: Program, values: dict[str, int]) -> None:
    for each in program:
        match each:
            case Check():
                if not each.less.at(values) < each.more.at(values):
                    raise _Stopped("aborts")
            case Read():
                if not 0 <= each.place.at(values) < values["d"]:
                    raise _Stopped("undefined")
            case Branch():
                if each.less.at(values) < each.more.at(values):
                    _run(each.body, values)
            case Loop():
                inner = dict(values)
                if each.carried is not None:
                    inner[each.carried.name] = each.carried.initial.at(values)
                for number in range(each.lower.at(values), each.upper.at(values), each.step):
                    _run(each.body, inner | {each.name: number})
                    if each.carried is not None:
                        inner[each.carried.name] += each.carried.by.at(values)


def all_sizes(largest: int) -> Iterator[dict[str, int]]:
    """Yield all sizes up to a maximum, and numbers from -1 on."""
    for each in product(range(largest + 1), range(largest + 1), range(-1, largest + 1)):
        yield dict(zip(SIZES, each, strict=True))


# Chance ---------------------------------------------------------------------------------------------------------------


class Drawing:
    """Draws programs, and changes them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._names = (f"i{number}" for number in count())

    def program(self) -> Program:
        """A few statements, one of them a loop."""
        return (*self._statements((), 1, 0), self._loop((), 0), *self._statements((), 1, 0))

    def related(self, program: Program) -> Program:
        """The program with a few things changed, or with a check that its first loop needs before it."""
        for _ in range(self._chance.choice((1, 1, 2))):
            program = self._changed(program, ())
        return program

    def _statements(self, names: tuple[str, ...], most: int, depth: int) -> tuple[Statement, ...]:
        return tuple(self._statement(names, depth) for _ in range(self._chance.randint(0, most)))

    def _statement(self, names: tuple[str, ...], depth: int) -> Statement:
        chosen = self._chance.random()
        if chosen < 0.35:
            return Read(self._sum(names))
        if chosen < 0.7 or depth > 1:
            return Check(self._sum(names), self._sum(names))
        if chosen < 0.8:
            return Branch(self._sum(names), self._sum(names), self._body(names, depth + 1))
        return self._loop(names, depth + 1)

    def _body(self, names: tuple[str, ...], depth: int) -> tuple[Statement, ...]:
        return (self._statement(names, depth), *self._statements(names, 2, depth))

    def _loop(self, names: tuple[str, ...], depth: int) -> Loop:
        kind, name = self._chance.choice(KINDS), next(self._names)
        body = self._body((*names, name), depth)
        if kind in KINDS[4:]:
            extent = "d" if kind == "linalg.generic" else self._chance.choice("de")
            return Loop(kind, name, Sum(0), Sum(0, ((1, extent),)), 1, body)
        lower = Sum(self._chance.choice((0, 0, 0, 1, 2)))
        step = self._chance.choice((1, 1, 1, 2, 3))
        return Loop(kind, name, lower, self._sum(names, at_least=1), step, body)

    def _sum(self, names: tuple[str, ...], at_least: int = 0) -> Sum:
        usual = self._chance.random() < 0.6
        if usual and names and not at_least:
            return Sum(self._chance.choice((0, 0, 1, -1)), ((1, self._chance.choice(names)),))
        some = [*names, *SIZES]
        terms = tuple((self._chance.choice((1, 1, -1)), self._chance.choice(some)) for _ in range(max(at_least, 1)))
        return Sum(self._chance.choice((0, 0, 1, -1, 2)), terms)

    def _changed(self, program: Program, names: tuple[str, ...]) -> Program:
        place = self._chance.randrange(len(program)) if program else 0
        before, here, after = program[:place], program[place : place + 1], program[place + 1 :]
        chosen = self._chance.random()
        if not here or chosen < 0.15:
            return (*before, self._statement(names, 1), *here, *after)
        (one,) = here
        if isinstance(one, Branch) and chosen < 0.6:
            return (*before, replace(one, body=self._changed(one.body, names)), *after)
        if isinstance(one, Loop):
            if chosen < 0.6:
                return (*before, replace(one, body=self._changed(one.body, (*names, one.name))), *after)
            if chosen < 0.7:
                return (
                    (*before, replace(one, upper=replace(one.upper, constant=one.upper.constant - 1)), *after)
                    if one.kind in KINDS[:4]
                    else program
                )
            if chosen < 0.8 and one.kind in KINDS[:4]:
                return (*before, replace(one, kind=self._chance.choice(KINDS[:4])), *after)
        if isinstance(one, Read) and chosen < 0.55:  # what it needs is checked before
            top = Check(one.place, Sum(0, ((1, "d"),)))
            bottom = Check(Sum(-1), one.place)
            return (*before, *self._chance.choice(((top, bottom, one), (top, one), (one, top))), *after)
        if isinstance(one, Check) and chosen < 0.4:
            return (*before, replace(one, less=replace(one.less, constant=one.less.constant - 1)), *after)
        if chosen < 0.7 and len(program) > 1:
            return (*before, *after)
        others = list(program)
        self._chance.shuffle(others)
        return tuple(others)


# Text -----------------------------------------------------------------------------------------------------------------


def text_of(program: Program) -> str:
    """The program in MLIR."""
    writer = _Writer()
    writer.body(program, {"d": "%d", "e": "%e", "n": "%n"})
    lines = "\n".join(writer.lines)
    return f"""func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) {{
%c0 = arith.constant 0 : index
%z = arith.constant 0.0 : f32
%d = tensor.dim %x, %c0 : tensor<?xf32>
%e = tensor.dim %y, %c0 : tensor<?xf32>
{lines}
return }}"""


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._fresh = (f"%v{number}" for number in count())

    def body(self, program: Sequence[Statement], names: dict[str, str]) -> None:
        for each in program:
            match each:
                case Check():
                    self.lines.append(f'cf.assert {self._less(each, names)}, "less"')
                case Read():
                    place = self._sum(each.place, names)
                    self.lines.append(f"{next(self._fresh)} = tensor.extract %x[{place}] : tensor<?xf32>")
                case Branch():
                    self.lines.append(f"scf.if {self._less(each, names)} {{")
                    self.body(each.body, names)
                    self.lines.append("}")
                case Loop():
                    self._loop(each, names)

    def _constant(self, number: int) -> str:
        name = next(self._fresh)
        self.lines.append(f"{name} = arith.constant {number} : index")
        return name

    def _sum(self, total: Sum, names: dict[str, str]) -> str:
        found = self._constant(total.constant)
        for sign, term in total.terms:
            name = next(self._fresh)
            self.lines.append(f"{name} = arith.{'addi' if sign > 0 else 'subi'} {found}, {names[term]} : index")
            found = name
        return found

    def _less(self, total: Check | Branch, names: dict[str, str]) -> str:
        less, more, name = self._sum(total.less, names), self._sum(total.more, names), next(self._fresh)
        self.lines.append(f"{name} = arith.cmpi slt, {less}, {more} : index")
        return name

    def _loop(self, loop: Loop, names: dict[str, str]) -> None:
        lower, upper, step = self._sum(loop.lower, names), self._sum(loop.upper, names), self._constant(loop.step)
        counter = f"%{loop.name}"
        inner = names | {loop.name: counter}
        bounds = f"({counter}) = ({lower}) to ({upper}) step ({step})"
        match loop.kind:
            case "scf.for" if loop.carried is not None:
                self._carrying(f"{counter} = {lower} to {upper} step {step}", loop, loop.carried, inner)
            case "scf.for":
                self._around(f"scf.for {counter} = {lower} to {upper} step {step} {{", loop, inner, "}")
            case "scf.parallel":
                self._around(f"scf.parallel {bounds} {{", loop, inner, "}")
            case "scf.forall":
                self._around(f"scf.forall {bounds} {{", loop, inner, "}")
            case "scf.while":
                name, more, following = (next(self._fresh) for _ in range(3))
                head = f"""{name} = scf.while ({counter} = {lower}) : (index) -> index {{
{more} = arith.cmpi slt, {counter}, {upper} : index
scf.condition({more}) {counter} : index }} do {{ ^bb0({counter}: index):"""
                tail = f"{following} = arith.addi {counter}, {step} : index\nscf.yield {following} : index }}"
                self._around(head, loop, inner, tail)
            case "tensor.generate":
                head = f"{next(self._fresh)} = tensor.generate {upper} {{ ^bb0({counter}: index):"
                self._around(head, loop, inner, "tensor.yield %z : f32 } : tensor<?xf32>")
            case _:
                same = "affine_map<(a) -> (a)>"
                head = f"""{next(self._fresh)} = linalg.generic {{indexing_maps = [{same}],
iterator_types = ["parallel"]}} outs(%x : tensor<?xf32>) {{ ^bb0(%{next(self._fresh)[1:]}: f32):
{counter} = linalg.index 0 : index"""
                self._around(head, loop, inner, "linalg.yield %z : f32 } -> tensor<?xf32>")

    def _carrying(self, range: str, loop: Loop, carried: Carried, names: dict[str, str]) -> None:
        initial, by = self._sum(carried.initial, names), self._sum(carried.by, names)
        result, following = next(self._fresh), next(self._fresh)
        name = f"%{carried.name}"
        head = f"{result} = scf.for {range} iter_args({name} = {initial}) -> (index) {{"
        tail = f"{following} = arith.addi {name}, {by} : index\nscf.yield {following} : index }}"
        self._around(head, loop, names | {carried.name: name}, tail)

    def _around(self, head: str, loop: Loop, names: dict[str, str], tail: str) -> None:
        self.lines.append(head)
        self.body(loop.body, names)
        self.lines.append(tail)
