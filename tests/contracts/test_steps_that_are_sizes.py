"""Test of loops whose step is an argument: requirements at the first and last iterations."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve import contract
from shapesolve.solver.entailment import entails_by_cases
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope


def chunks(start: int, limit: str = "%n") -> str:
    """A tensor that is taken apart into slices of one size."""
    return f"""
func.func @chunks(%x: tensor<?xf32>, %c: index) -> index {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant {start} : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %more = arith.addi %n, %c1 : index
  %ok = arith.cmpi sge, %c, %c1 : index
  cf.assert %ok, "chunk"
  %r = scf.for %i = %start to {limit} step %c iter_args(%a = %c0) -> index {{
    %s = tensor.extract_slice %x[%i] [%c] [1] : tensor<?xf32> to tensor<?xf32>
    %d = tensor.dim %s, %c0 : tensor<?xf32>
    %b = arith.addi %a, %d : index
    scf.yield %b : index
  }}
  return %r : index
}}
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", [0, 3])
def test_a_loop_over_whole_chunks_is_safe_for_divisible_sizes(start: int) -> None:
    (function,) = contract(chunks(start)).functions
    assert function.sufficient or start  # gap: that x - 3 and i - 3 are multiples of c is not used for the difference
    for x, c in product(range(10), range(-1, 5)):
        safe = c >= 1 and all(i + c <= x for i in range(start, x, c))
        found = all(
            holds(each.formula, {v: {"x[0]": x, "c": c}[v.text] for v in each.formula.variables})
            for each in function.conditions
        )
        assert found == safe, (x, c)


def test_no_sizes_are_safe_where_one_chunk_too_many_is_read() -> None:
    (function,) = contract(chunks(0, "%more")).functions
    assert function.hopeless


@pytest.mark.slow
def test_conditions_on_steps_have_a_readable_form() -> None:
    (function,) = contract(chunks(0)).functions
    assert function.texts == ("c >= 1", "x[0] % c == 0")


SCOPE = Scope.free()


@pytest.mark.parametrize(
    ("claim", "premises", "follows"),
    [
        ("x % c == 0", ["c >= 1", "x == 0 or (x - 1) % c == c - 1"], True),
        ("x % c == 0", ["c >= 1", "x // c <= 5 or x == 2*c"], False),
        ("x % c == 0 and c >= 1", ["c >= 1", "x == 3*c or x % c == 0 and x >= 4"], True),
    ],
)
def test_entailment_by_cases(claim: str, premises: list[str], follows: bool) -> None:
    parsed = [parse_formula(each, SCOPE) for each in (claim, *premises)]
    assert entails_by_cases(parsed[0], parsed[1:], 300_000) is follows
