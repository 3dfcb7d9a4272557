"""Test that the answer to a query does not depend on earlier queries."""

from __future__ import annotations

import random

import pytest

from shapesolve import Refuted, prove
from shapesolve.solver.entailment import counterexample

pytestmark = pytest.mark.slow

QUESTIONS: list[tuple[str, list[str]]] = [
    ("c % b == 0", ["(a*c) % b == 0", "a % b == 1", "b >= 2"]),
    ("(a*c) % b == ((a % b)*(c % b)) % b", ["b >= 1"]),
    ("(a*c) // (b*d) == (a // b)*(c // d)", ["a % b == 0", "c % d == 0", "b >= 1", "d >= 1"]),
    ("((a*d + b)*e + c) // e % d == b", ["b < d", "c < e"]),
    ("((a*d + b)*e + c) // e % d == b + 1", ["b < d", "c < e"]),
    ("a // b // c == a // (b*c)", ["b >= 1", "c >= 1"]),
    ("a*b != 2021", ["a >= 2", "b >= 2"]),
    ("a*a*a + b*b*b != 1729", []),
    ("a*b <= 1000", ["a <= 100", "b <= 11"]),
    ("(a + b) // c <= a // c + b // c", ["c >= 1"]),
    ("a*a + b*b + c*c >= a*b + b*c + c*a", []),
    ("a*a % 7 != 3", []),
]


def _answer(goal: str, facts: list[str]) -> tuple[str, object]:
    verdict = prove(goal, facts)
    sizes = {each.name: size for each, size in verdict.sizes.items()} if isinstance(verdict, Refuted) else None
    return verdict.word, sizes


@pytest.mark.parametrize("seed", [1, 2])
def test_verdicts_and_sizes_are_the_same_in_every_order(seed: int) -> None:
    alone = {goal: _answer(goal, facts) for goal, facts in QUESTIONS}
    shuffled = list(QUESTIONS)
    random.Random(seed).shuffle(shuffled)
    for goal, facts in shuffled:
        counterexample(f"a*{seed} + b % 3 == c // 2 * a", facts)
        assert _answer(goal, facts) == alone[goal]
