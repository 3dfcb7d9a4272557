"""Counterexamples that are called smallest are first in the order that docs/json.md states, by brute force."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
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


def compiled(names: str, claim: str, facts: list[str]) -> Callable[..., bool]:
    """Return whether sizes fail, by Python's own arithmetic."""
    text = " and ".join(["True", *(f"({each})" for each in facts), f"not ({claim})"])
    return eval(f"lambda {', '.join(names)}: {text}", {"max": max, "min": min})


def compare(rng: random.Random) -> bool | None:
    """Return whether the sizes for a random claim were called smallest, and compare these; None if not refuted."""
    names = "abc"[: rng.randint(1, 3)]
    claim, facts = relation(rng, names), [relation(rng, names) for _ in range(rng.randint(0, 2))]
    verdict = prove(claim, facts)
    if not isinstance(verdict, Refuted) or verdict.free:
        return None
    sizes: Mapping[str, object] = {str(each): number for each, number in verdict.sizes.items()}
    shown = "".join(name for name in names if name in sizes)
    fails = compiled(names, claim, facts)
    found = tuple(int(str(sizes[name])) for name in shown)
    # What is not shown does not occur, or has cancelled out.
    assert fails(**{name: 0 for name in names if name not in sizes}, **dict(zip(shown, found, strict=True)))
    if not verdict.smallest:
        return False
    rest = {name: 0 for name in names if name not in sizes}
    tried = list(product(range(LARGEST[len(shown)]), repeat=len(shown)))
    if any("==" in each for each in facts):  # sizes that facts fix do not count
        holds = compiled(names, "False", facts)
        allowed = [each for each in tried if holds(**rest, **dict(zip(shown, each, strict=True)))]
        if any(len(set(column)) == 1 for column in zip(*allowed, strict=True)):
            return None
    least = place(found)
    before = [each for each in tried if place(each) < least and fails(**rest, **dict(zip(shown, each, strict=True)))]
    assert not before, (claim, facts, found, before[0])
    return True


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "wanted"), [(34, 60), pytest.param(35, 10_000, marks=pytest.mark.exhaustive)])
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
