"""Counterexamples that are called smallest are first in the order that docs/json.md states, by brute force."""

from __future__ import annotations

import random
from itertools import product

from shapesolve import prove
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

LARGEST = 40


def claim(rng: random.Random) -> str:
    divided = [f"({name}//{rng.randint(1, 4)})" for name in "ab"]
    size = rng.choice(("{}*{}", "{} + 2*{}", "3*{} - {}", "{}*{} % 5")).format(*divided)
    return f"{size} {rng.choice(('<=', '!=', '=='))} {rng.randint(0, 30)}"


def rank(sizes: tuple[int, ...]) -> tuple[int, int, tuple[tuple[bool, int], ...]]:
    """Return the place of sizes in the order: least size (2 at most), bound, and then size after size."""
    floor = min(2, *sizes)
    bound = max(1, (max(sizes) - 1).bit_length())
    return -floor, bound, tuple((size < 2, size if size >= 2 else -size) for size in sizes)


def test_the_smallest_counterexample_is_first_in_the_order() -> None:
    rng = random.Random(34)
    compared = 0
    for _ in range(400):
        text = claim(rng)
        verdict = prove(text)
        if not isinstance(verdict, Refuted) or not verdict.smallest:
            continue
        found = tuple(int(str(verdict.sizes[name])) for name in "ab" if name in verdict.sizes)
        formula = parse_formula(text, Scope.free())
        named = sorted(formula.variables, key=lambda each: each.text)
        if len(named) < 2 or verdict.free or max(found) > LARGEST // 2:
            continue
        failing = [
            sizes
            for sizes in product(range(LARGEST), repeat=2)
            if not holds(formula, dict(zip(named, sizes, strict=True)))
        ]
        assert found == min(failing, key=rank), (text, found)
        compared += 1
    assert compared > 100
