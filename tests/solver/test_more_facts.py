"""Test that neither a further fact nor a larger budget loses a verdict."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from shapesolve import prove

HIDDEN = [
    ("(a*b) % b == 0", [], ["a == b + 3", "a % max(q, 1) == 0"]),
    ("a*b*c % (b*c) == 0", [], ["(b//9) == (b - c)", "b >= 1", "c == 1 or c == a"]),
    ("a*b*c % (a*c) == 0", [], ["(b - c) == a"]),
    ("(b*c) % a == 0", ["b % a == 0"], ["a == min(b, 8)", "b == 1 or b == q", "b >= 3"]),
    ("(a*b) % ((c + 1)*b) == (a % (c + 1))*b", ["b >= 1"], ["b == a*c"]),
]
"""Claims, the facts that prove them, and facts that replaced a size in them by what no strategy could divide."""

LAWS = [
    ("a == (a//b)*b + a % b", []),
    ("(a*b) % b == 0", []),
    ("(a//b)*b == a", ["a % b == 0"]),
    ("(a*c + b) % c == b", ["b < c"]),
    ("(a + b) % c == 0", ["a % c == 0", "b % c == 0"]),
    ("(a*c) % (b*c) == (a % b)*c", ["c >= 1"]),
    ("i*b + j < a*b", ["i < a", "j < b"]),
    ("a*b <= a*c", ["b <= c"]),
    ("(a//b)//c == a//(b*c)", []),
]
FACTS = [
    "{x} == {y} + 2",
    "{x} == 3*{y}",
    "{x} == {y}*{z}",
    "{x} % 4 == 0",
    "{x} <= {y}",
    "{x} == 1 or {x} == {y}",
    "{x} >= 2",
]


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "facts", "more"), HIDDEN)
def test_a_further_fact_does_not_hide_a_proof(claim: str, facts: list[str], more: list[str]) -> None:
    assert prove(claim, facts).is_proved
    assert prove(claim, [*facts, *more]).is_proved


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 12))])
def test_random_facts_lose_no_proof(seed: int) -> None:
    rng = random.Random(seed)
    for claim, facts in LAWS:
        names = sorted(set("".join(each for each in " ".join((claim, *facts)) if each.isalpha())))
        chosen = [{name: rng.choice([*names, "q"]) for name in "xyz"} for _ in range(2)]
        more = [rng.choice(FACTS).format(**each) for each in chosen]
        verdict = prove(claim, [*facts, *more])
        assert verdict.is_proved or verdict.is_unreachable, (claim, facts, more, str(verdict))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 12))])
def test_a_larger_budget_loses_no_verdict(seed: int) -> None:
    rng = random.Random(seed)
    for claim, facts in LAWS:
        fewer = rng.sample(facts, rng.randint(0, len(facts)))
        verdicts = [prove(claim, fewer, budget=budget) for budget in (300, 3_000, 300_000)]
        for less, more in pairwise(verdicts):
            assert less.is_undecided or more.word == less.word, (claim, fewer, str(less), str(more))
