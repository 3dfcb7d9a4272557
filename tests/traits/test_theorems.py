"""Every theorem is decided afresh, and checked against plain evaluation on small sizes."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from math import prod
from pathlib import Path

import numpy
import pytest

from shapesolve.errors import InputError
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.evaluation import evaluate_shape, holds
from shapesolve.symbolic.shapes import broadcast, unranked
from shapesolve.traits.theorems.catalogue import CATALOGUE, page, theorem_named
from shapesolve.traits.theorems.statement import Result, Topic, decide

THEOREMS = tuple(CATALOGUE.values())
PAGE = Path(__file__).parents[2] / "docs" / "theorems.md"

MOST = 3000
"""Assignments that one claim is evaluated on."""

Value = int | tuple[int, ...]


@cache
def result_of(name: str) -> Result:
    return decide(CATALOGUE[name])


def test_there_are_enough_and_each_has_its_own_name() -> None:
    modules = {theorem.topic for theorem in THEOREMS}
    assert modules == set(Topic)
    assert len(THEOREMS) >= 25
    assert len({theorem.words + theorem.symbols for theorem in THEOREMS}) == len(THEOREMS)


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.covers("rfc.result_size")
@pytest.mark.covers("rfc.widening")
def test_it_comes_out_as_expected(name: str) -> None:
    result = result_of(name)
    assert (result.word, result.instance) == (result.theorem.expected.value, result.theorem.instance)


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_a_refuted_one_really_fails_at_its_instance(name: str) -> None:
    result = result_of(name)
    for claim, verdict in zip(result.theorem.state(), result.verdicts, strict=True):
        if isinstance(verdict, Refuted):
            assert verdict.smallest
            assert all(holds(each, verdict.sizes) for each in claim.assuming)
            assert not holds(claim.goal, verdict.sizes)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [t.name for t in THEOREMS if not t.instance])
def test_no_small_sizes_break_a_proved_one(name: str) -> None:
    put_to_the_test = 0
    for claim in CATALOGUE[name].state():
        variables = claim.goal.variables.union(*(each.variables for each in claim.assuming))
        for sizes in _assignments(variables):
            if all(holds(each, sizes) for each in claim.assuming):
                assert holds(claim.goal, sizes), sizes
                put_to_the_test += 1
    assert put_to_the_test


def _assignments(variables: frozenset[Variable]) -> list[dict[Variable, Value]]:
    """Yield all assignments of small sizes and shapes, or a sample of many."""
    ordered = sorted(variables, key=lambda each: each.text)
    choices = [_values(variable) for variable in ordered]
    if prod(map(len, choices)) <= MOST:
        return [dict(zip(ordered, values, strict=True)) for values in product(*choices)]
    source = random.Random(20)
    return [{v: source.choice(values) for v, values in zip(ordered, choices, strict=True)} for _ in range(MOST)]


def _values(variable: Variable) -> list[Value]:
    if isinstance(variable, ShapeSymbol):
        return [shape for rank in range(3) for shape in product((0, 1, 2), repeat=rank)]
    least = 0 if variable.lower is None else variable.lower
    most = 3 if variable.upper is None else min(variable.upper, least + 3)
    return list(range(least, most + 1))


def test_broadcast_is_numpys() -> None:
    """`broadcast-is-numpys` and its kin speak of the broadcast that NumPy computes."""
    symbols = [unranked(name) for name in "ab"]
    shapes = [shape for rank in range(4) for shape in product((0, 1, 2), repeat=rank)]
    for first, second in product(shapes, repeat=2):
        sizes = {symbols[0].symbol: first, symbols[1].symbol: second}
        try:
            expected = numpy.broadcast_shapes(first, second)
        except ValueError:
            expected = None
        assert evaluate_shape(broadcast(*symbols), sizes) == expected


@pytest.mark.slow
def test_the_documentation_is_up_to_date() -> None:
    expected = page([result_of(name) for name in CATALOGUE])
    assert PAGE.read_text(encoding="utf-8") == expected, "run: shapesolve theorems --markdown"


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(InputError, match="did you mean `compatible-is-transitive`"):
        theorem_named("compatible-is-transitiv")
