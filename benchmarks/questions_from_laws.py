"""Questions made of laws: valid as they stand, or with something changed and sizes found that break them.

Nothing of ours decides what the right answer is. A law is a theorem, tried on a grid of sizes beside; a changed one is
kept where the grid has sizes that break it; and a claim about sizes in a small box is decided by trying all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Literal

import numpy as np
from plain_terms import NEVER, Term, names, on_arrays, size, term

MOST_POINTS = 60_000
"""Largest number of assignments that are tried for one question."""

Truth = Literal["valid", "invalid", "contradictory"]
Law = Callable[["Maker"], "Draft"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim and the facts it is said to follow from."""

    facts: tuple[Term, ...]
    goal: Term
    box: int | None = None
    """Upper bound of all sizes, so that enumeration decides the claim, which may be true or false; None if there is
    none."""


def follows(goal: Term, *facts: Term) -> Draft:
    """The goal follows from the facts."""
    return Draft(facts, goal)


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """A question with its right answer."""

    family: str
    number: int
    facts: tuple[Term, ...]
    goal: Term
    truth: Truth

    @property
    def name(self) -> str:
        return f"{self.family} {self.number}"

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.facts))} |- {self.goal}"


class Maker:
    """Random numbers and terms for laws; names of sizes are those of a style."""

    def __init__(self, random: Random, names: str) -> None:
        self.random = random
        self._names = names.split()
        self._next = 0

    def begin(self) -> None:
        """A new question."""
        self._next = 0

    def size(self) -> Term:
        """A size that the question does not have yet."""
        self._next += 1
        return size(self._names[self._next - 1])

    def sizes(self, count: int) -> list[Term]:
        """Several of them."""
        return [self.size() for _ in range(count)]

    def number(self, low: int, high: int) -> int:
        """A number, both ends included."""
        return self.random.randint(low, high)

    def one_of(self, *given: int) -> int:
        """Return a random number from some."""
        return self.random.choice(given)

    def some(self) -> Term:
        """A term that is not negative, of one new size."""
        each = self.size()
        forms = (each, each, each + self.number(1, 9), self.number(2, 6) * each, self.number(2, 4) * each + 1)
        return self.random.choice(forms)

    def choose(self, *drafts: Draft) -> Draft:
        """Return a random element of several."""
        return self.random.choice(drafts)


@dataclass(frozen=True, slots=True)
class Style:
    """Laws in the style of some tool. ``at_least``: what its users know of every size."""

    name: str
    count: int
    names: str
    laws: Sequence[Law]
    changed: float = 0.35
    at_least: int = 0


def made(style: Style, seed: int) -> list[PlainQuestion]:
    """The questions of a style for a seed, the same in every run."""
    maker = Maker(Random(f"{style.name} {seed}"), style.names)
    order: list[Law] = []
    found: list[PlainQuestion] = []
    seen: set[str] = set()
    while len(found) < style.count:
        if not order:
            order = list(style.laws)
            maker.random.shuffle(order)
        maker.begin()
        draft = _with_bounds(order.pop()(maker), style.at_least)
        question = _decided(style, len(found), draft, maker.random)
        if str(question) not in seen and not _is_vacuous(question):
            seen.add(str(question))
            found.append(question)
    return found


def _is_vacuous(question: PlainQuestion) -> bool:
    """Return whether no tried sizes satisfy the facts of a law, which is then valid, but contradictory as well."""
    return question.truth == "valid" and _by_trying(question.facts, question.goal, None) == "contradictory"


def _with_bounds(draft: Draft, at_least: int) -> Draft:
    known = [size(name) >= at_least for name in names(draft.goal, *draft.facts)] if at_least else []
    return Draft((*known, *draft.facts), draft.goal, draft.box)


def _decided(style: Style, number: int, draft: Draft, random: Random) -> PlainQuestion:
    def question(facts: tuple[Term, ...], goal: Term, truth: Truth) -> PlainQuestion:
        return PlainQuestion(style.name, number, facts, goal, truth)

    if draft.box is not None:
        return question(draft.facts, draft.goal, _by_trying(draft.facts, draft.goal, draft.box))
    if _by_trying(draft.facts, draft.goal, None) == "invalid":
        raise AssertionError(f"{style.name}: {draft.goal} does not follow from {list(map(str, draft.facts))}")
    if random.random() < style.changed:
        for _ in range(12):
            goal = _changed(draft.goal, random)
            if _divisors_are_positive(goal) and _by_trying(draft.facts, goal, None) == "invalid":
                return question(draft.facts, goal, "invalid")
    return question(draft.facts, draft.goal, "contradictory" if draft.goal is NEVER else "valid")


def _by_trying(facts: Sequence[Term], goal: Term, box: int | None) -> Truth:
    used = names(goal, *facts)
    if box is None:
        box = max(2, min(300, int(MOST_POINTS ** (1 / max(1, len(used)))) - 1))
    axes = np.meshgrid(*[np.arange(box + 1, dtype=np.int64)] * len(used), indexing="ij") if used else []
    words = on_arrays({name: axis.ravel() for name, axis in zip(used, axes, strict=True)})
    allowed = reduce(np.logical_and, (words.say(fact) for fact in facts), np.True_)
    if not np.any(allowed):
        return "contradictory"
    return "invalid" if np.any(allowed & ~words.say(goal)) else "valid"


# Changing --------------------------------------------------------------------------------------------------------

_OTHERS = {"min": "max", "max": "min", "<=": "<", "<": "<=", "+": "-", "//": "%", "%": "//"}


def _changed(whole: Term, random: Random) -> Term:
    """The claim with one thing in it changed: a number, an operator, or the order of a difference."""
    places = _count(whole)
    return _at(whole, random.randrange(places), random)[0]


def _count(node: Term) -> int:
    return 1 if node.kind in ("int", "size") else 1 + sum(_count(part) for part in node.parts)


def _at(node: Term, place: int, random: Random) -> tuple[Term, int]:
    """The node with its part at a place changed, counted from it on; -1 where that has happened."""
    if place == 0:
        return _other(node, random), -1
    place -= 1
    if node.kind in ("int", "size"):
        return node, place
    parts: list[Term] = []
    for part in node.parts:
        if place >= 0:
            part, place = _at(part, place, random)
        parts.append(part)
    return Term(node.kind, tuple(parts)), place


def _other(node: Term, random: Random) -> Term:
    if node.kind == "int":
        return term(max(0, node.parts[0] + random.choice((-1, 1, 1, 2))))
    if node.kind == "size":
        return node + random.choice((1, 2))
    if node.kind == "==" and random.random() < 0.5:
        return node.parts[0] <= node.parts[1] if random.random() < 0.5 else node.parts[1] <= node.parts[0]
    if node.kind in _OTHERS:
        return Term(_OTHERS[node.kind], node.parts)
    return node


def _divisors_are_positive(node: Term) -> bool:
    """Return whether every divisor is a positive number, or a size or product of sizes that the facts make positive."""
    if node.kind in ("int", "size"):
        return True
    if node.kind in ("//", "%"):
        by = node.parts[1]
        if not (by.kind in ("size", "*") or (by.kind == "int" and by.parts[0] > 0)):
            return False
        if by.kind == "*" and not all(part.kind == "size" for part in by.parts):
            return False
    return all(_divisors_are_positive(part) for part in node.parts)
