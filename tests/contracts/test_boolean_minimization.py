"""Short forms of conditions: the same by brute force, and what people would write."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.conditions_compared import same_at_small_sizes
from support.examples import examples

from shapesolve import contract
from shapesolve.simplification import boolean_minimization
from shapesolve.simplification.boolean_minimization import shorter
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

BROADCAST = "select(a == 1, max(a, b), a)"


def read(*texts: str) -> list[Formula]:
    scope = Scope.free()
    return [parse_formula(each, scope) for each in texts]


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (["n == 0 or (a >= n and n >= 1)"], ["a >= n"]),
        (["max(a, b) == 1 or max(a, b) == 4", "compatible(a, b)", "a >= 1", "b >= 1"], None),
        ([f"{BROADCAST} <= 0 or {BROADCAST} == select(b == 1, max(a, b), b)"], None),
        (["a <= 0 or (a + n >= 1 and n <= 0)"], ["a == 0 or n == 0"]),
        (["select(a > b, a - b, b - a) <= 2"], ["a <= b + 2", "b <= a + 2"]),
        (["a == b or (a == 1 and b >= 2) or (b == 1 and a != 1)"], ["a == b or b == 1 or (a == 1 and b >= 2)"]),
    ],
)
def test_shorter_conditions_are_equivalent(long: list[str], short: list[str] | None) -> None:
    given = read(*long)
    found = shorter(given, [])
    assert sum(len(str(each)) for each in found) < sum(len(str(each)) for each in given)
    assert same_at_small_sizes(given, found, [], 9)
    if short is not None:
        assert same_at_small_sizes(read(*short), found, [], 9)
        assert sum(len(str(each)) for each in found) <= sum(map(len, short)) + 4


@pytest.mark.parametrize("long", [["x >= n", "n != x or n == 0"], ["(x >= n and n != x) or n <= 0"]])
def test_one_condition_instead_of_two(long: list[str]) -> None:
    assert [str(each) for each in shorter(read(*long), [])] == ["n == 0 or x >= n + 1"]


def test_known_facts_shorten_the_formula() -> None:
    (given,) = read("a == b or (a == 1 and b >= 1)")
    (known,) = read("a >= 2")
    assert [str(each) for each in shorter([given], [known])] == ["a == b"]


def test_short_conditions_stay() -> None:
    given = read("a % 4 == 0", "b >= 1", "compatible(a, b)")
    assert shorter(given, []) == given


ATOMS = (
    "a == b",
    "a == 1",
    "b == 1",
    "a >= 2",
    "b >= n",
    "n % 3 == 0",
    "max(a, b) == n",
    "a == 0",
    "n != 4",
    "a*b >= n",
)


@pytest.mark.slow
@examples(40)
@given(st.lists(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=3), min_size=1, max_size=4))
def test_minimized_conditions_are_equivalent(clauses: list[list[str]]) -> None:
    before = read(*(" or ".join(f"({each})" for each in clause) for clause in clauses))
    assert same_at_small_sizes(before, shorter(before, []), [], 7)


def test_conditions_that_differ_in_names_alone_are_made_shorter_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Formula] = []
    literals = boolean_minimization._literals

    def counted(whole: Formula, *rest: Any) -> Any:
        built.append(whole)
        return literals(whole, *rest)

    monkeypatch.setattr(boolean_minimization, "_literals", counted)
    for a, b, n in ("ka", "kb", "kn"), ("qx", "qy", "qz"), ("la", "lb", "lc"):
        (found,) = shorter(read(f"{n} == 0 or ({a} >= {n} and {n} >= 1)", f"{b} >= 7")[:1], [])
        assert found == read(f"{a} >= {n}")[0]
    assert len(built) == 1


DIVIDED_ON_ONE_PATH = """func.func @f(%x: tensor<?xf32>, %f: i1) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %v = scf.if %f -> index {
    %d = tensor.dim %x, %c0 : tensor<?xf32>
    %q = arith.divsi %c3, %d : index
    scf.yield %q : index
  } else {
    %t = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
    scf.yield %c3 : index
  }
  %w = arith.remsi %v, %v : index
  return %w : index
}"""


def test_no_condition_divides_by_a_flag_that_may_be_0() -> None:
    """A remainder by 0 is the dividend here, so `(x[0] - 3) % f == 0` would be right, and nobody could read it."""
    (found,) = contract(DIVIDED_ON_ONE_PATH).functions
    assert found.conditions
    assert not any("% f" in each.text for each in found.conditions)
