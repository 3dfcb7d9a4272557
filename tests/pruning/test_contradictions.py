"""Tests of pruning where checks contradict the assumptions: the removed checks, and no repeated search for them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import gone, prune

from shapesolve.checker.check import trace_of
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning import output_verification, prune_once
from shapesolve.pruning.prune import prune_program

SIZES = {"n": "n", "m": "m", "n * m": "product", "n + m": "sum"}
Claim = tuple[str, str, int]
"""A size, a comparison, a number."""


def program(assumed: Sequence[Claim], checks: Sequence[Claim]) -> str:
    """A function of two sizes with checks named by their numbers."""
    facts = ", ".join(f'"{size} {relation} {number}"' for size, relation, number in assumed)
    names = {"==": "eq", "!=": "ne", ">=": "sge", "<": "slt"}
    arguments = (f'%{name}: tensor<?xf32> {{shapesolve.shape = "[{size}]"}}' for name, size in ("an", "bm"))
    lines = [
        line
        for position, (size, relation, number) in enumerate(checks)
        for line in (
            f"  %k{position} = arith.constant {number} : index",
            f"  %p{position} = arith.cmpi {names[relation]}, %{SIZES[size]}, %k{position} : index",
            f'  cf.assert %p{position}, "{position}"',
        )
    ]
    return "\n".join(
        [
            f"func.func @f({', '.join(arguments)}) attributes {{shapesolve.assume = [{facts}]}} {{",
            "  %c0 = arith.constant 0 : index",
            "  %n = tensor.dim %a, %c0 : tensor<?xf32>",
            "  %m = tensor.dim %b, %c0 : tensor<?xf32>",
            "  %product = arith.muli %n, %m : index",
            "  %sum = arith.addi %n, %m : index",
            *lines,
            "  return",
            "}",
        ]
    )


def test_consequences_of_an_assumption_and_a_kept_check_go_behind_a_contradiction() -> None:
    checks = [("n", "==", 4), ("m", "==", 5), ("n * m", "==", 20)]
    for assumed in ([("n", "==", 4)], [("n", "==", 4), ("m", "==", 4)], [("m", "==", 4), ("n", "==", 4)]):
        result = prune(program(assumed, checks))
        assert gone(result) == ["0", "2"]
        assert [check.verdict for check in result.kept] == ["refuted"]


def test_consequences_of_kept_checks_go_behind_a_contradiction() -> None:
    result = prune(program([("n", "==", 4)], [("n", "==", 4), ("n", "==", 5), ("n", ">=", 5)]))
    assert gone(result) == ["0", "2"]


claims = st.tuples(st.sampled_from(sorted(SIZES)), st.sampled_from(["==", "!=", ">=", "<"]), st.integers(0, 6))
facts = st.tuples(st.sampled_from(["n", "m"]), st.sampled_from(["==", ">="]), st.integers(1, 5))


@examples(40)
@given(st.lists(facts, min_size=1, max_size=2), st.lists(claims, min_size=2, max_size=6))
def test_the_same_runs_pass_and_nothing_is_left_to_prune(assumed: list[Claim], checks: list[Claim]) -> None:
    result = prune(program(assumed, checks))
    left = [checks[int(check.message)] for check in result.kept]
    for n, m in product(range(8), repeat=2):
        if all(holds(each, n, m) for each in assumed):
            assert all(holds(each, n, m) for each in left) == all(holds(each, n, m) for each in checks)


def holds(claim: Claim, n: int, m: int) -> bool:
    """Return whether a claim holds for two sizes."""
    size = {"n": n, "m": m, "n * m": n * m, "n + m": n + m}[claim[0]]
    return {"==": size == claim[2], "!=": size != claim[2], ">=": size >= claim[2], "<": size < claim[2]}[claim[1]]


CHOICE = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) attributes {shapesolve.assume = ["a[0] == 4"]} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %four = arith.cmpi eq, %n, %c4 : index
  cf.assert %four, "goes"
  %q = arith.divui %n, %m : index
  %chosen = arith.select %four, %q, %c5 : index
  %five = arith.cmpi eq, %n, %c5 : index
  cf.assert %five, "contradicts"
  %less = arith.cmpi ult, %chosen, %c4 : index
  cf.assert %less, "behind"
  return
}
"""
"""A choice is settled, so that the program that is left does not say what this one said, event for event."""


_STATED = ' attributes {shapesolve.assume = ["a[0] == 4"]}'


@pytest.mark.parametrize(
    ("text", "assumed", "walks"),
    [
        (program([("n", "==", 4)], [("n", "==", 4), ("n", "==", 5), ("m", "==", 5)]), (), 2),
        (CHOICE, (), 4),
        (CHOICE.replace(_STATED, ""), ("a[0] == 4",), 4),
    ],
    ids=["checks alone", "a choice", "a choice, assumed by an option"],
)
def test_contradictory_facts_need_few_interpretations(
    text: str, assumed: tuple[str, ...], walks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def counting(*given: object, **kept: object) -> object:
        done.append("walk")
        return trace_of(*given, **kept)  # pyright: ignore[reportArgumentType]

    for module in (prune_once, output_verification):
        monkeypatch.setattr(module, "trace_of", counting)
    result = prune_program(read_text(text, "model.mlir"), Options(assumptions=assumed))
    assert result.removed
    assert len(done) == walks


@examples(20)
@given(st.lists(facts, min_size=1, max_size=2), st.lists(claims, min_size=2, max_size=5), st.booleans())
def test_it_does_not_matter_who_assumes(assumed: list[Claim], checks: list[Claim], chooses: bool) -> None:
    """An option's assumptions are recorded in the output, whose proof uses them as if the file had stated them."""
    asserted = program(assumed, checks)
    if chooses:
        chosen = "  %chosen = arith.select %p0, %k0, %n : index\n  %q = arith.divui %m, %chosen : index\n  return"
        asserted = asserted.replace("  return", chosen)
    texts = [f"{'a' if size == 'n' else 'b'}[0] {relation} {number}" for size, relation, number in assumed]
    stated = ", ".join(f'"{size} {relation} {number}"' for size, relation, number in assumed)
    named = asserted.replace(f" attributes {{shapesolve.assume = [{stated}]}}", "")
    by_file = prune(asserted)
    by_option = prune_program(read_text(named, "model.mlir"), Options(assumptions=tuple(texts)))
    assert gone(by_option) == gone(by_file)
    assert [check.verdict for check in by_option.kept] == [check.verdict for check in by_file.kept]


def test_output_of_a_never_admitted_call_is_proved_again() -> None:
    """Trusted, the call is never made; a guard behind a check goes as far as it follows where the call is doubted."""
    text = """
func.func @callee(%n: index, %m: index) attributes {shapesolve.requires = ["m >= 1"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %below = arith.cmpi sgt, %c0, %n : index
  cf.assert %below, "below"
  %none = arith.cmpi ult, %n, %c1 : index
  scf.if %none {
  }
  return
}
func.func @caller() {
  %c0 = arith.constant 0 : index
  call @callee(%c0, %c0) : (index, index) -> ()
  return
}"""
    result = prune(text, trust_ub=True)
    assert (result.counts["cf.assert"], result.counts["scf.if"]) == ((1, 1), (1, 0))


def test_a_check_goes_behind_a_branch_that_an_assumption_takes_and_that_always_fails() -> None:
    """Without the assumption, the check's place is reached past the branch; with it, it is unreachable."""
    text = """
func.func @fails() {
  %false = arith.constant false
  cf.assert %false, "always"
  return
}
func.func @f(%n: index, %x: tensor<?xf32>) attributes {shapesolve.assume = "n == x[0]"} {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %d : index
  scf.if %same {
    func.call @fails() : () -> ()
  }
  %more = arith.cmpi uge, %n, %d : index
  scf.if %more {
    %some = arith.cmpi ne, %c0, %n : index
    cf.assert %some, "some"
  }
  return
}"""
    for trust in (False, True):
        assert gone(prune(text, trust_ub=trust)) == ["", "", "some"]
