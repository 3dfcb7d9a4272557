"""Rewrites of the benchmark: those proved compute the same where they run, and their mutants are refuted."""

from __future__ import annotations

import sys
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import pytest

from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ScalarType, ShapedType
from shapesolve.ir.reader import read_text

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

benchmark: Any = import_module("rewrites")
RULES: tuple[Any, ...] = benchmark.RULES
BY_NAME = {each.name: each for each in RULES}
SAMPLE = (
    "slice across both parts of a concatenation",
    "slice takes away interior padding",
    "slice of a transpose",
    "transpose of a padded tensor",
    "transpose of a transpose composes",
    "reverse of a concatenation",
    "reverse of a dimension that is a unit",
    "reshape there and back of two dynamic extents",
    "slice of what was updated at the same place",
    "interior padding of a tensor with at most one element",
    "dynamic slice at a place that is too far is the last slice",
    "product with a transposed left matrix",
)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_rule_is_proved_and_its_mutants_are_refuted(name: str) -> None:
    found = benchmark.judged(BY_NAME[name], with_mutants=True)
    assert (found.sizes, found.elements) == ("proved", "proved"), found.why
    assert found.refuted == found.mutants > 0, found.why


def run(text: str) -> Execution:
    """Execute a program where every dynamic extent is 9, on small numbers."""
    (function,) = read_text(text).functions.values()
    call: list[TensorInput] = []
    for number, argument in enumerate(function.arguments):
        type = argument.type
        assert isinstance(type, ShapedType)
        assert isinstance(type.element, ScalarType)
        extents = tuple(9 if each is None else each for each in type.extents or ())
        values = tuple((7 * place + 5 * number) % 13 - 6 for place in range(prod(extents)))
        call.append(
            TensorInput(extents, floats=values) if type.element.kind == "float" else TensorInput(extents, values)
        )
    (found,) = execute_many(text, "f", [call], runtime_checks=False)
    return found


EXECUTED = [each for each in RULES if not each.ideal and not each.requires and each.arguments.count("i1") == 0]


@pytest.mark.parametrize("rule", EXECUTED[::4], ids=lambda each: each.name)
def test_both_programs_return_the_same_where_they_run(rule: Any) -> None:
    before, after = map(run, rule.pair(list(rule.instances)[-1]))
    assert before.outcome is after.outcome is Outcome.RETURNED, (before, after)
    assert before.result_extents == after.result_extents
    assert before.result_values == after.result_values


@pytest.mark.parametrize(
    "name", ["reshape of a broadcast scalar", "product with one", "negation twice", "sum with zero"]
)
def test_a_rule_without_mutants_is_proved(name: str) -> None:
    assert benchmark.judged(BY_NAME[name], with_mutants=False).elements == "proved"


@pytest.mark.exhaustive
@pytest.mark.parametrize("rule", [each for each in RULES if each.ideal], ids=lambda each: each.name)
def test_what_is_right_over_the_reals_only_is_not_proved(rule: Any) -> None:
    pair = rule.pair(next(rule.instances))
    assert benchmark.verdicts(benchmark.compared(pair, ()))[1] != "proved"
