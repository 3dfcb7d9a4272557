"""Tests of `shapesolve.symbolic.variable_subset`: it answers as a frozenset does."""

from __future__ import annotations

from itertools import combinations

from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.variable_subset import VariableSubset

ALL = [Variable.of(name) for name in "abcd"]
OTHER = Variable.of("e")
SETS = [frozenset(chosen) for count in range(len(ALL) + 1) for chosen in combinations(ALL, count)]
PLACES = {each: place for place, each in enumerate(ALL)}


def test_it_answers_as_a_frozenset() -> None:
    for chosen in SETS:
        subset = VariableSubset(PLACES, chosen)
        assert subset == chosen and chosen == subset and hash(subset) == hash(VariableSubset(PLACES, chosen))
        assert len(subset) == len(chosen) and list(subset) == [each for each in ALL if each in chosen]
        assert OTHER not in subset and "a" not in subset
        for other in (*SETS, frozenset({OTHER}), frozenset({OTHER, *chosen})):
            assert (other <= subset, subset <= other) == (other <= chosen, chosen <= other)
            assert (other & subset, subset - other, other - subset) == (other & chosen, chosen - other, other - chosen)
            assert (subset == other) == (chosen == other)
