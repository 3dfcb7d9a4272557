"""Test that more facts never keep more checks: a larger least size, a further assumption, or shared names of sizes.

Most programs contradict the facts somewhere. Contradictory facts are left out, since nothing is pruned under them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program

RELATIONS = ["eq", "ne", "slt", "sle", "sgt", "sge"]
SIZES = [f"d{position}" for position in range(3)]
OPERATIONS = ["addi", "subi", "muli", "divsi", "remsi", "maxsi"]


@dataclass(frozen=True)
class Check:
    """A comparison of sizes, the first of which may be computed from two."""

    operation: str | None
    operands: tuple[str, str]
    relation: str
    other: str

    def lines(self, position: int) -> list[str]:
        """The operations that compute and assert it."""
        left, right = (f"%{name}" for name in self.operands)
        computed = [f"  %v{position} = arith.{self.operation} {left}, {right} : index"] if self.operation else []
        value = f"%v{position}" if self.operation else left
        return [
            *computed,
            f"  %p{position} = arith.cmpi {self.relation}, {value}, %{self.other} : index",
            f'  cf.assert %p{position}, "{position}"',
        ]


def program(checks: Sequence[Check], branch_from: int | None = None) -> str:
    """A function of three sizes with checks named by their numbers, the last ones in a branch."""
    lines = [each.lines(position) for position, each in enumerate(checks)]
    if branch_from is not None and branch_from < len(lines):
        inside = [f"  {line}" for each in lines[branch_from:] for line in each]
        lines = [*lines[:branch_from], ["  scf.if %b {", *inside, "  }"]]
    numbers = [f"  %k{number} = arith.constant {number} : index" for number in range(4)]
    sizes = [f"  %d{position} = tensor.dim %a, %k{position} : tensor<?x?x?xf32>" for position in range(3)]
    return "\n".join(
        [
            "func.func @f(%a: tensor<?x?x?xf32>, %b: i1) {",
            *numbers,
            *sizes,
            *(line for each in lines for line in each),
            "  return",
            "}",
        ]
    )


def kept(text: str, **options: Any) -> set[str] | None:
    """The messages of the checks that stay, each with its place; None where the facts contradict each other."""
    result = prune_program(read_text(text, "model.mlir"), Options(**options))
    if any("nothing is pruned" in note for note in result.notes):
        return None
    return {check.message for check in result.kept if check.op == "cf.assert"}


def require_fewer_kept(text: str, *, fewer: dict[str, Any], more: dict[str, Any]) -> None:
    """Require that more facts keep no check that fewer facts let go."""
    before, after = kept(text, **fewer), kept(text, **more)
    if before is not None and after is not None:
        assert after <= before, f"{sorted(after - before)} stay with {more}, and go with {fewer}:\n{text}"


values = st.sampled_from([*SIZES, *SIZES, *(f"k{number}" for number in range(4))])
checks = st.builds(
    Check,
    st.sampled_from([None, None, *OPERATIONS]),
    st.tuples(values, values),
    st.sampled_from(RELATIONS),
    values,
)
programs = st.builds(
    program, st.lists(checks, min_size=2, max_size=5), st.one_of(st.none(), st.none(), st.integers(1, 4))
)
claims = st.builds(
    "a[{}] {} {}".format,
    st.integers(0, 2),
    st.sampled_from(["==", ">=", "<=", "!="]),
    st.one_of(st.integers(0, 5).map(str), st.integers(0, 2).map("a[{}]".format)),
)


@pytest.mark.exhaustive
@examples(60)
@given(programs, st.sampled_from([(0, 1), (1, 2), (1, 5), (2, 3), (0, 4)]), st.booleans())
def test_larger_least_sizes_keep_no_more_checks(text: str, least: tuple[int, int], trust_ub: bool) -> None:
    fewer, more = ({"min_size": each, "trust_ub": trust_ub} for each in least)
    require_fewer_kept(text, fewer=fewer, more=more)


@pytest.mark.exhaustive
@examples(60)
@given(programs, st.lists(claims, min_size=1, max_size=3), st.integers(0, 2), st.integers(0, 2))
def test_monotonicity_under_further_assumptions(text: str, assumed: list[str], count: int, least: int) -> None:
    fewer = {"assumptions": tuple(assumed[:count]), "min_size": least}
    require_fewer_kept(text, fewer=fewer, more={**fewer, "assumptions": tuple(assumed)})


@pytest.mark.exhaustive
@examples(40)
@given(programs, st.sampled_from(["[n, n, m]", "[n, m, n]", "[n, n, n]"]), st.lists(claims, max_size=1))
def test_monotonicity_under_shared_names(text: str, names: str, assumed: list[str]) -> None:
    fewer = {"assumptions": tuple(assumed)}
    require_fewer_kept(text, fewer=fewer, more={**fewer, "shapes": (f"a={names}",)})


KNOWN = program(
    [
        Check("subi", ("k3", "d0"), "sgt", "d2"),
        Check(None, ("d0", "d0"), "eq", "d1"),
        Check("divsi", ("d0", "d0"), "eq", "d0"),
        Check(None, ("d2", "d2"), "slt", "k1"),
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("least", [2, 3, 1000])
def test_weaker_least_sizes_prove_behind_a_check_that_always_fails(least: int) -> None:
    assert kept(KNOWN, min_size=1) == {"0", "1", "3"}
    assert kept(KNOWN, min_size=least) == {"0", "1"}  # a[0] >= 2 leaves nothing but a[2] == 0


def test_stated_bounds_are_weakened_alike() -> None:
    stated = tuple(f"a[{position}] >= {bound}" for position, bound in enumerate((2, 3, 4)))
    assert kept(KNOWN, assumptions=stated) == {"0", "1"}


@pytest.mark.slow
@pytest.mark.parametrize("last", ["a[0] >= 2", "a[2] == 5", "a[0] == a[2] + 7"])
def test_a_further_assumption_is_left_out_where_a_check_contradicts_it(last: str) -> None:
    first = ("a[0] >= 1", "a[2] >= 1")
    assert kept(KNOWN, assumptions=first) == {"0", "1", "3"}
    for assumptions in ((*first, last), (last, *first)):
        left = kept(KNOWN, assumptions=assumptions)
        assert left is not None
        assert {"0", "1"} <= left <= {"0", "1", "3"}


BETWEEN_SIZES = program([Check(None, ("d0", "d0"), "eq", "k0"), Check(None, ("d0", "d0"), "ne", "d2")])


def test_an_equality_behind_a_check_that_always_fails_keeps_no_more() -> None:
    assert kept(BETWEEN_SIZES, min_size=2) == {"0"}
    require_fewer_kept(BETWEEN_SIZES, fewer={"min_size": 2}, more={"min_size": 2, "assumptions": ("a[0] == a[2]",)})


def with_sizes(body: str) -> str:
    """A function of three sizes and constants with a given body."""
    return program([]).replace("  return", body + "  return")


BRANCH_EITHER_WAY = with_sizes(
    """  %positive = arith.cmpi slt, %d0, %k1 : index
  cf.assert %positive, "empty"
  %unknown = arith.remui %d2, %k0 : index
  %le = arith.cmpi sle, %d1, %d0 : index
  scf.if %le {
    %p = arith.cmpi eq, %unknown, %d0 : index
    cf.assert %p, "inside"
  }
"""
)


def test_a_branch_that_is_skipped_under_some_assumptions_keeps_no_more() -> None:
    """With a[0] == a[1] it is entered, with a[1] >= 1 it is not: the check before it contradicts one of them."""
    assert kept(BRANCH_EITHER_WAY, min_size=1) == {"empty"}
    assert kept(BRANCH_EITHER_WAY, min_size=1, assumptions=("a[0] == a[1]",)) == {"empty"}


WITNESSES_BEFORE_BRANCH = with_sizes(
    """  %empty = arith.cmpi eq, %d0, %k0 : index
  %v = shape.cstr_require %empty, "empty"
  shape.assuming %v {
  }
  %small = arith.cmpi ule, %d2, %k1 : index
  %w = shape.cstr_require %small, "small"
  shape.assuming %w {
  }
  %same = arith.cmpi eq, %d0, %d1 : index
  scf.if %same {
    %p = arith.cmpi uge, %d2, %k2 : index
    cf.assert %p, "inside"
    %below = arith.subi %d2, %k1 : index
    %q = arith.divui %d0, %below : index
    vector.print %q : index
  }
"""
)


def test_a_branch_that_only_a_witness_excludes_keeps_its_checks() -> None:
    """With 1x1x1 it is entered, if what does not use the witness runs first, and divides by 0 without its check."""
    assert kept(WITNESSES_BEFORE_BRANCH, min_size=1) == {"inside"}


SKIPPED_LOOP = with_sizes(
    """  %p = arith.cmpi eq, %k0, %d1 : index
  cf.assert %p, "empty"
  scf.for %i = %k1 to %d1 step %k1 {
    %q = arith.cmpi sge, %k3, %d2 : index
    cf.assert %q, "inside"
  }
"""
)


@pytest.mark.parametrize("least", [0, 2])
def test_a_loop_that_a_check_excludes_keeps_no_checks(least: int) -> None:
    assert kept(SKIPPED_LOOP, min_size=least) == {"empty"}


NEVER_REACHED = with_sizes(
    """  %rest = arith.remui %d1, %d0 : index
  %le = arith.cmpi sle, %d0, %d1 : index
  scf.if %le {
    %two = arith.cmpi eq, %d1, %k2 : index
    cf.assert %two, "two"
    %p = arith.cmpi sle, %rest, %k1 : index
    cf.assert %p, "rest"
  }
"""
)


def test_a_check_proved_from_a_condition_that_goes_is_verified_as_never_reached() -> None:
    assert kept(NEVER_REACHED, min_size=1, assumptions=("a[1] == a[0] + 2",)) == {"two"}


FOLDED = program(
    [
        Check(None, ("k2", "k2"), "eq", "d0"),
        Check("maxsi", ("k2", "d1"), "slt", "d1"),
        Check("divsi", ("d0", "d2"), "sgt", "k1"),
        Check("remsi", ("d0", "d1"), "sge", "v2"),
    ]
)


def test_checks_go_at_once_that_go_once_a_value_is_folded() -> None:
    options = Options(min_size=1, trust_ub=True, shapes=("a=[n, n, m]",))
    once = prune_program(read_text(FOLDED, "model.mlir"), options)
    assert not prune_program(read_text(once.text, "model.mlir"), options).removed
