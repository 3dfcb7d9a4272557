"""Tests of the memory that random programs on buffers leave, against an interpreter of such programs."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from elements.random_memory import SIZE, Step, drawn, filled_otherwise, left_by, program, related
from elements.test_loops import compared

pytestmark = pytest.mark.slow


def differ(source: Sequence[Step], target: Sequence[Step], chooser: random.Random) -> bool:
    """Return whether two programs leave other memory for some of several arguments."""
    for holds in (False, True) * 6:
        given = [chooser.randrange(2**32) for _ in range(SIZE)]
        if left_by(source, given, holds=holds) != left_by(target, given, holds=holds):
            return True
    return False


def check_pairs(seed: int, number: int) -> tuple[int, int]:
    """Return how many of as many random pairs are proved with contents, and how many are wrong."""
    chooser = random.Random(seed)
    proved = wrong = 0
    for _ in range(number):
        source = drawn(chooser)
        target = related(source, chooser)
        if chooser.random() < 0.2:
            source, target = filled_otherwise(source, chooser)
        if chooser.random() < 0.5:
            source, target = target, source
        texts = program(source), program(target)
        is_wrong = differ(source, target, chooser)
        found = compared(*texts)
        is_proved = found.word == "proved" and not found.not_compared
        assert not (is_proved and is_wrong), "\n// ----\n".join(texts)
        assert not (found.word == "refuted" and not is_wrong), "\n// ----\n".join(texts)
        proved, wrong = proved + is_proved, wrong + is_wrong
    return proved, wrong


def test_verdicts_are_those_of_an_interpreter() -> None:
    proved, wrong = check_pairs(1, 60)
    assert proved >= 10
    assert wrong >= 10


@pytest.mark.exhaustive
def test_many_verdicts_are_those_of_an_interpreter() -> None:
    proved, wrong = check_pairs(2, 1500)
    assert proved >= 300
    assert wrong >= 300
