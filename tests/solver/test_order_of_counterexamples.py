"""Counterexamples that are called smallest are first in the order that docs/json.md states, by brute force."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product

import pytest

from shapesolve import prove
from shapesolve.solver.verdicts import Refuted

LARGEST = {1: 300, 2: 70, 3: 22}
"""The largest size that brute force tries, by the number of sizes."""


def size(rng: random.Random, names: str) -> str:
    """Return a size in the syntax that Python and the size language share."""
    one, other = rng.choice(names), rng.choice(names)
    return rng.choice(
        (
            one,
            f"{rng.randint(2, 5)}*{one}",
            f"({one}//{rng.randint(2, 6)})",
            f"({one} % {rng.randint(2, 6)})",
            f"{one}*{other}",
            f"({one}//{rng.randint(1, 4)})*({other}//{rng.randint(1, 4)})",
            f"(({one} + {rng.randint(1, 9)})//{rng.randint(2, 4)})",
            f"max({one}, {other})",
            f"min({one}, {other})",
        )
    )


def relation(rng: random.Random, names: str) -> str:
    terms = [size(rng, names) for _ in range(rng.randint(1, 2))]
    right = rng.choice((str(rng.randint(0, 80)), size(rng, names)))
    return f"{rng.choice((' + ', ' - ')).join(terms)} {rng.choice(('<=', '<', '>=', '==', '!='))} {right}"


def place(sizes: tuple[int, ...]) -> tuple[object, ...]:
    return sizes.count(0), sizes.count(1), max(sizes), sum(sizes), sizes


@cache
def ordered(count: int) -> tuple[list[tuple[object, ...]], list[tuple[int, ...]]]:
    """Return all sizes that brute force tries, in the order that is tested, and the place of each."""
    sizes = sorted(product(range(LARGEST[count]), repeat=count), key=place)
    return [*map(place, sizes)], sizes


def selection(names: str, shown: str, condition: str) -> Callable[[list[tuple[int, ...]]], Iterator[tuple[int, ...]]]:
    """Return a filter by Python's own arithmetic for sizes of the names that are ``shown``, where the others are 0."""
    hidden = "".join(f", {name}=0" for name in names if name not in shown)
    text = f"lambda tried{hidden}: (each for each in tried for [{', '.join(shown)}] in [each] if {condition})"
    return eval(text, {"max": max, "min": min})


def compare(rng: random.Random) -> bool | None:
    """Return whether the sizes for a random claim were called smallest, and compare these; None if not refuted."""
    names = "abc"[: rng.randint(1, 3)]
    claim, facts = relation(rng, names), [relation(rng, names) for _ in range(rng.randint(0, 2))]
    verdict = prove(claim, facts)
    if not isinstance(verdict, Refuted) or verdict.free:
        return None
    sizes: Mapping[str, object] = {str(each): number for each, number in verdict.sizes.items()}
    shown = "".join(name for name in names if name in sizes)
    found = tuple(int(str(sizes[name])) for name in shown)
    known = " and ".join(["True", *(f"({each})" for each in facts)])
    failing = selection(names, shown, f"{known} and not ({claim})")
    assert [*failing([found])] == [found]  # what is not shown does not occur, or has cancelled out
    if not verdict.smallest:
        return False
    places, tried = ordered(len(shown))
    if any("==" in each for each in facts):  # sizes that facts fix do not count
        allowed = selection(names, shown, known)(tried)
        if any(len(set(column)) == 1 for column in zip(*allowed, strict=True)):
            return None
    before = next(failing(tried[: bisect_left(places, place(found))]), None)
    assert before is None, (claim, facts, found, before)
    return True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "wanted"), [(34, 60), *(pytest.param(seed, 1_000, marks=pytest.mark.exhaustive) for seed in range(35, 45))]
)
def test_the_smallest_counterexample_is_first_in_the_order(seed: int, wanted: int) -> None:
    rng = random.Random(seed)
    smallest, small = 0, 0
    while smallest < wanted:
        outcome = compare(rng)
        smallest += outcome is True
        small += outcome is False
    assert small <= wanted // 50


def test_the_least_maximum_comes_first() -> None:
    verdict = prove("(a//4)*(b//4) <= 256")
    assert isinstance(verdict, Refuted)
    assert {str(name): number for name, number in verdict.sizes.items()} == {"a": 64, "b": 68}
    assert verdict.smallest


def test_the_order_holds_where_every_size_fails() -> None:
    verdict = prove("b <= 4", ["a + 8 == b"])
    assert isinstance(verdict, Refuted)
    assert verdict.always
    assert {str(name): number for name, number in verdict.sizes.items()} == {"a": 2, "b": 10}
