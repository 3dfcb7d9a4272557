"""Chains of operations on many arguments, nearly all of which have to agree."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from shapesolve import check
from shapesolve.diagnosis.suggestions import suggestions
from shapesolve.simplification.simplify import shortest, sufficient_bound
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import compatible, conjunction
from shapesolve.symbolic.normal_forms import broadcast_extent
from shapesolve.symbolic.scope import Scope

MANY = 60


def program(arguments: int, operations: int) -> str:
    matrix = "tensor<?x?xf32>"
    lines = [f"func.func @f({', '.join(f'%a{i}: {matrix}' for i in range(arguments))}) -> {matrix} {{"]
    for i in range(operations):
        total = f"%v{i - 1}" if i else "%a0"
        lines.append(f"  %v{i} = tosa.add {total}, %a{(i + 1) % arguments} : ({matrix}, {matrix}) -> {matrix}")
    return "\n".join([*lines, f"  return %v{operations - 1} : {matrix}", "}"])


@pytest.mark.sweep
def test_every_operation_on_many_arguments_is_decided() -> None:
    (function,) = check(program(MANY, 2 * MANY), execute=False).functions
    words = [each.verdict.word for each in function.checked_obligations]
    assert words == ["refuted"] * (MANY - 1) + ["proved"] * (MANY + 1)


@pytest.mark.exhaustive
def test_the_suggestion_for_many_arguments_is_one_condition_for_each_column() -> None:
    (function,) = check(program(MANY, 2 * MANY), execute=False).functions
    found = suggestions(function)
    assert found.exact and len(found.assumptions) == 2
    again = check(program(MANY, 2 * MANY), assume=found.assumptions, execute=False)
    assert {each.verdict.word for each in again.checked_obligations} == {"proved"}


def test_no_bound_of_1_is_suggested_for_many_sizes() -> None:
    assert sufficient_bound(compatible(variable(f"n{i}") for i in range(MANY)), ()) is None


def test_joined_compatibility_is_equivalent() -> None:
    a, b, c, d = sizes = [variable(name) for name in "abcd"]
    others = [compatible((variable(f"a_long_name_{i}"), variable(f"another_name_{i}"))) for i in range(150)]
    joint = broadcast_extent(a, b)
    for conditions, most in (
        ([compatible((a, b)), compatible((joint, c)), compatible((broadcast_extent(joint, c), d))], 1),
        ([compatible((a, b)), compatible((b, c)), compatible((joint, d))], 2),
        ([compatible((a, b, c)), compatible((joint, d))], 2),  # a and b may be 1 where c is not
        ([compatible((joint, c)), compatible((a, b))], 2),
        ([compatible((a, b)), compatible((joint, broadcast_extent(c, d)))], 2),
    ):
        found = [each for each in shortest([*conditions, *others], (), Scope.free()) if each not in others]
        assert len(found) <= most
        variables = [next(iter(each.variables)) for each in sizes]
        for numbers in product(range(4), repeat=4):
            values = dict(zip(variables, numbers, strict=True))
            assert holds(conjunction(found), values) == holds(conjunction(conditions), values)


@pytest.mark.slow
def test_a_short_chain_is_one_condition_for_each_column_too() -> None:
    (function,) = check(program(6, 5), execute=False).functions
    assert len(suggestions(function).assumptions) == 2


def test_pairs_that_are_compatible_are_put_together_and_mean_the_same() -> None:
    sizes = [variable(each) for each in "abcd"]
    without = [compatible((sizes[i], sizes[j])) for i, j in combinations(range(4), 2) if (i, j) != (0, 3)]
    found = shortest(without, [], Scope.free())
    assert len(found) == 2
    for numbers in product((0, 1, 2, 3), repeat=4):
        model = {next(iter(each.variables)): number for each, number in zip(sizes, numbers, strict=True)}
        assert holds(conjunction(found), model) == holds(conjunction(without), model)
