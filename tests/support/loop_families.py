"""Pairs of loop programs by what was done to a check or to the loop around it, as compilers do it, right or wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from support.loop_programs import KINDS, Branch, Carried, Check, Drawing, Loop, Program, Read, Statement, Sum

Pair = tuple[Program, Program]
SEQUENTIAL = ("scf.for", "scf.while")


def pair_of(family: str, seed: int) -> Pair:
    """The pair of a family that a seed draws."""
    return FAMILIES[family](Changes(random.Random(f"{family} {seed}")))


class Changes:
    """Draws loops, and what becomes of them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._drawing = Drawing(chance)

    def number(self, *names: str) -> Sum:
        """A name, or a number near it."""
        some = names or ("d", "e", "n")
        return Sum(self.chance.choice((0, 0, 0, 1, -1)), ((1, self.chance.choice(some)),))

    def check(self, *names: str) -> Check:
        return Check(self.number(*names), self.number("d", "d", "e", "n"))

    def loop(self, *body: Statement, name: str = "i", kinds: tuple[str, ...] = KINDS[:4]) -> Loop:
        lower = Sum(self.chance.choice((0, 0, 0, 1)))
        step = self.chance.choice((1, 1, 1, 1, 2))
        return Loop(self.chance.choice(kinds), name, lower, self.number("n", "n", "d", "e"), step, body)

    def around(self, *body: Statement) -> Program:
        """A program, perhaps with something before and behind."""
        before = (self.check(),) if self.chance.random() < 0.2 else ()
        behind = (self.chance.choice((self.check(), Read(self.number()))),) if self.chance.random() < 0.3 else ()
        return (*before, *body, *behind)

    def body(self) -> tuple[Statement, ...]:
        """A check and a read in some order, perhaps one of them alone."""
        both = [self.check("i"), Read(self.number("i"))]
        self.chance.shuffle(both)
        return tuple(both if self.chance.random() < 0.7 else both[:1])

    def random(self) -> Pair:
        """A random program and one related to it."""
        program = self._drawing.program()
        return program, self._drawing.related(program)


def at(statement: Check, name: str, value: Sum) -> Check:
    """A check with a number for a name."""
    return Check(_at(statement.less, name, value), _at(statement.more, name, value))


def _at(total: Sum, name: str, value: Sum) -> Sum:
    constant, terms = total.constant, list[tuple[int, str]]()
    for sign, term in total.terms:
        if term == name:
            constant += sign * value.constant
            terms += [(sign * inner, each) for inner, each in value.terms]
        else:
            terms.append((sign, term))
    return Sum(constant, tuple(terms))


def _hoisted(draw: Changes) -> Pair:
    """A check of the body before the loop: of the last iteration, or the first; guarded or not; kept or not."""
    check, read = draw.check("i"), Read(draw.number("i"))
    loop = draw.loop(check, read)
    last = Sum(loop.upper.constant - 1, loop.upper.terms)
    outside: Statement = at(check, "i", draw.chance.choice((last, last, loop.lower)))
    if draw.chance.random() < 0.6:
        outside = Branch(loop.lower, loop.upper, (outside,))
    rest = draw.chance.choice(((read,), (check, read), (read,)))
    source, target = (loop,), (outside, replace(loop, body=rest))
    return draw.around(*source), target


def _sunk(draw: Changes) -> Pair:
    """A check before a loop, or behind it, in its body."""
    read = Read(draw.number("i"))
    check = draw.check("i")
    loop = draw.loop(read)
    last = Sum(loop.upper.constant - 1, loop.upper.terms)
    outside = at(check, "i", draw.chance.choice((last, last, loop.lower)))
    within = draw.chance.choice(((check, read), (read, check), (outside, read)))
    source = draw.chance.choice(((outside, loop), (loop, outside), (Branch(loop.lower, loop.upper, (outside,)), loop)))
    return source, (replace(loop, body=within),)


def _moved(draw: Changes) -> Pair:
    """The parts of a body in another order, or in two loops instead of one."""
    body = (*draw.body(), draw.chance.choice((draw.check("i"), Read(draw.number("i")))))
    loop = draw.loop(*body)
    others = list(body)
    draw.chance.shuffle(others)
    split = draw.chance.randint(1, max(1, len(body) - 1))
    parts = (replace(loop, body=body[:split]), replace(loop, name="j", body=_renamed(body[split:])))
    choice = draw.chance.random()
    if choice < 0.4 or not body[split:]:
        return (loop,), (replace(loop, body=tuple(others)),)
    return ((loop,), parts) if choice < 0.7 else (parts, (loop,))


def _renamed(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    counter = Sum(0, ((1, "j"),))
    return tuple(
        at(each, "i", counter) if isinstance(each, Check) else Read(_at(each.place, "i", counter))
        for each in body
        if isinstance(each, Check | Read)
    )


def _by(amount: int) -> Callable[[Changes], Pair]:
    def changed(draw: Changes) -> Pair:
        check, read = draw.check("i"), Read(draw.number("i"))
        harder = replace(check, less=replace(check.less, constant=check.less.constant + amount))
        rest = draw.chance.choice(((read,), ()))
        loop = draw.loop(check, *rest)
        return draw.around(loop), (replace(loop, body=(harder, *rest)),)

    return changed


def _trips(draw: Changes) -> Pair:
    """Other bounds, another step, or the first iteration apart."""
    loop = draw.loop(*draw.body())
    change, amount = draw.chance.random(), draw.chance.choice((1, -1))
    if change < 0.3:
        other = replace(loop, upper=replace(loop.upper, constant=loop.upper.constant + amount))
        return draw.around(loop), (other,)
    if change < 0.5:
        return draw.around(loop), (replace(loop, lower=Sum(loop.lower.constant + amount)),)
    if change < 0.7:
        return draw.around(loop), (replace(loop, step=3 - loop.step),)
    rest = replace(loop, lower=Sum(loop.lower.constant + loop.step))
    first = tuple(
        at(each, "i", loop.lower) if isinstance(each, Check) else Read(_at(each.place, "i", loop.lower))
        for each in loop.body
        if isinstance(each, Check | Read)
    )
    return (loop,), (Branch(loop.lower, loop.upper, first), rest)


def _nested(draw: Changes) -> Pair:
    """A check of the inner loop in the outer one, one changed, or the loops the other way round."""
    inner_check, outer_check = draw.check("i", "j", "j"), draw.check("i")
    read = Read(draw.number("i", "j"))
    inner = draw.loop(inner_check, read, name="j")
    outer = draw.loop(outer_check, inner)
    change = draw.chance.random()
    last = Sum(inner.upper.constant - 1, inner.upper.terms)
    if change < 0.35:
        hoisted = Branch(inner.lower, inner.upper, (at(inner_check, "j", last),))
        return (outer,), (replace(outer, body=(outer_check, hoisted, replace(inner, body=(read,)))),)
    if change < 0.6:
        return (outer,), (replace(outer, body=(outer_check, replace(inner, body=(read, inner_check)))),)
    if change < 0.8:
        return (outer,), (replace(outer, body=(inner, outer_check)),)
    alone = replace(outer, body=(replace(inner, body=(inner_check,)),))
    return (alone,), (replace(inner, body=(replace(outer, body=(inner_check,)),)),)


def _while(draw: Changes) -> Pair:
    """Return the pair with another kind of loop, and the same with a changed body."""
    loop = draw.loop(*draw.body(), kinds=SEQUENTIAL)
    other = replace(loop, kind=draw.chance.choice(("scf.while", "scf.for", "scf.while")))
    added = draw.chance.choice(((), (draw.check("i"),), (Check(Sum(-1), Sum(0, ((1, "i"),))),)))
    return draw.around(loop), (replace(other, body=draw.chance.choice(((*added, *loop.body), (*loop.body, *added)))),)


def _zero_trips(draw: Changes) -> Pair:
    """Loops that often do not run."""
    loop = draw.loop(*draw.body())
    low = Sum(draw.chance.choice((2, 3, 4)))
    loop = replace(loop, lower=low)
    check = draw.check()
    if draw.chance.random() < 0.5:
        return draw.around(loop, check), (check, loop)
    return (check, loop), (replace(loop, body=(check, *loop.body)),)


def _carried(draw: Changes) -> Pair:
    """Checks of a size that grows from iteration to iteration."""
    carried = Carried("c", draw.number("e", "n", "d"), draw.chance.choice((Sum(1), Sum(2), Sum(-1), draw.number("d"))))
    check = draw.check("c", "c", "i")
    read = Read(draw.number("i", "c"))
    loop = replace(draw.loop(check, read, kinds=("scf.for",)), carried=carried)
    change = draw.chance.random()
    if change < 0.3:
        return (loop,), (replace(loop, body=(read, check)),)
    if change < 0.6:
        harder = replace(check, less=replace(check.less, constant=check.less.constant + draw.chance.choice((1, -1))))
        return draw.around(loop), (replace(loop, body=(harder, read)),)
    if change < 0.8:
        return draw.around(loop), (replace(loop, body=(check, Check(read.place, Sum(0, ((1, "d"),))), read)),)
    first = at(check, "c", carried.initial)
    return (loop,), (Branch(loop.lower, loop.upper, (at(first, "i", loop.lower),)), replace(loop, body=(read,)))


FAMILIES: dict[str, Callable[[Changes], Pair]] = {
    "random": Changes.random,
    "hoisted": _hoisted,
    "sunk": _sunk,
    "moved": _moved,
    "strengthened": _by(1),
    "weakened": _by(-1),
    "trips": _trips,
    "nested": _nested,
    "while": _while,
    "zero trips": _zero_trips,
    "carried": _carried,
}
