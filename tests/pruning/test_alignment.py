"""Test of output verification along aligned traces.

A removed claim is proved while the output is interpreted; where the traces cannot be aligned, it is proved in the
original, with the same outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from shapesolve.checker.check import trace_of
from shapesolve.ir.program import Operation, Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning import output_verification, prune_once
from shapesolve.pruning import prune as pruning
from shapesolve.pruning.decisions import Decisions
from shapesolve.pruning.output_verification import OutputVerifier
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import PruneResult
from shapesolve.pruning.trace_alignment import PrunedEntry, RemovedClaim, align_traces
from shapesolve.rewriting.checks import RewriteError
from shapesolve.trace.events import Alternative

ASSERTIONS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %s: i1) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %p = arith.cmpi eq, %d, %e : index
  cf.assert %p, "first"
  %sum = arith.addi %d, %e : index
  %q = arith.cmpi eq, %e, %d : index
  cf.assert %q, "second"
  cf.assert %s, "switch"
  return %sum : index
}"""

CHOICES = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %negative = arith.cmpi slt, %d, %c0 : index
  %size = arith.select %negative, %c0, %d : index
  %fine = arith.cmpi sge, %size, %c0 : index
  cf.assert %fine, "fine"
  return %size : index
}"""

REGIONS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %w: !shape.witness) -> (tensor<?xindex>, tensor<?xindex>) {
  %x = shape.shape_of %a : tensor<?xf32> -> tensor<?xindex>
  %y = shape.shape_of %b : tensor<?xf32> -> tensor<?xindex>
  %first = shape.cstr_broadcastable %x, %y : tensor<?xindex>, tensor<?xindex>
  %r = shape.assuming %first -> (tensor<?xindex>) {
    %both = shape.broadcast %x, %y : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    shape.assuming_yield %both : tensor<?xindex>
  }
  %second = shape.cstr_broadcastable %y, %x : tensor<?xindex>, tensor<?xindex>
  %q = shape.assuming %second -> (tensor<?xindex>) {
    shape.assuming_yield %y : tensor<?xindex>
  }
  return %r, %q : tensor<?xindex>, tensor<?xindex>
}"""


def pruned(text: str, **options: Any) -> PruneResult:
    return prune_program(read_text(text, "model.mlir"), Options(**options))


def operations(program: Program) -> list[Operation]:
    return list(program.operation.walk())


def not_seen(*_: object) -> None:
    """The answer where two traces differ, and where nothing is known of the original."""


def counting(monkeypatch: pytest.MonkeyPatch, where: object, name: str) -> list[str]:
    """Return a list that grows with a name for each call of a function."""
    function: Callable[..., Any] = getattr(where, name)
    calls: list[str] = []

    def counted(*given: Any, **named: Any) -> Any:
        calls.append(name)
        return function(*given, **named)

    monkeypatch.setattr(where, name, counted)
    return calls


@pytest.mark.parametrize("text", [ASSERTIONS, REGIONS])
def test_removals_are_proved_in_one_walk(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    marked = counting(monkeypatch, OutputVerifier, "check_removed")
    rounds = counting(monkeypatch, pruning, "prune_once")
    found = pruned(text)
    assert [each.removed for each in found.checks].count(True) in (1, 2)
    assert not marked
    assert len(rounds) == 1


@pytest.mark.parametrize("text", [ASSERTIONS, REGIONS, CHOICES])
@pytest.mark.parametrize("options", [{}, {"trust_ub": True}, {"assumptions": ("a[0] == b[0]",)}])
def test_the_outcome_is_the_same_where_the_traces_are_not_compared(
    text: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = pruned(text, **options)
    monkeypatch.setattr(output_verification, "align_traces", not_seen)
    monkeypatch.setattr(prune_once, "proved_in_original", not_seen)
    marked = counting(monkeypatch, OutputVerifier, "check_removed")
    assert pruned(text, **options) == seen
    assert marked


@pytest.mark.parametrize("text", [ASSERTIONS, REGIONS])
def test_removals_not_proved_in_the_walk_are_asked_with_marks(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = pruned(text)
    monkeypatch.setattr(PrunedEntry, "holds", property(not_seen))
    marked = counting(monkeypatch, OutputVerifier, "check_removed")
    assert pruned(text) == seen
    assert marked == (["check_removed"] if text == REGIONS else [])  # the other was judged as it would be again


def test_original_is_not_judged_again_without_new_open_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = counting(monkeypatch, OutputVerifier, "check_removed")
    found = pruned(CHOICES)
    assert "select" not in found.text
    assert "assert" not in found.text
    assert not marked


def test_a_choice_that_comes_down_to_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    decide = prune_once.decide

    def mistaken(program: Program, evidence: Any) -> Decisions:
        decisions = decide(program, evidence)
        for number, shortcut in decisions.folds.items():
            decisions.folds[number] = replace(
                shortcut, alternative=Alternative(0, operations(program)[number].operands[1])
            )
        return decisions

    monkeypatch.setattr(prune_once, "decide", mistaken)
    with pytest.raises(RewriteError, match="does not come down to what would be left of it"):
        pruned(CHOICES)


@pytest.mark.parametrize("message", ["switch", "first"])
def test_a_check_that_does_not_follow_is_found(message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decide = prune_once.decide

    def wrong(program: Program, evidence: Any) -> Decisions:
        decisions = decide(program, evidence)
        decisions.proved.update(op.number for op in operations(program) if op.attributes.get("msg") == message)
        return decisions

    monkeypatch.setattr(prune_once, "decide", wrong)
    with pytest.raises(RewriteError, match=r"cf\.assert does not follow from what is left"):
        pruned(ASSERTIONS)


def removed_claims(before: str, left: str, gone: dict[int, str]) -> list[RemovedClaim] | None:
    """The alignment of two texts, where the operations of these numbers are gone, which have these names."""
    programs = [read_text(text, "model.mlir") for text in (before, left)]
    old, new = (operations(each) for each in programs)
    assert {number: old[number].name for number in gone} == gone
    stays = [op for op in old if op.number not in gone]
    first, second = (trace_of(each, each.functions["f"], Options()) for each in programs)
    return align_traces(
        first, second, dict(zip(new, stays, strict=True)), dict(zip(stays, new, strict=True)), gone.keys()
    )


SECOND = '  %q = arith.cmpi eq, %e, %d : index\n  cf.assert %q, "second"\n'
WITHOUT = ASSERTIONS.replace(SECOND, "")
GONE = {8: "arith.cmpi", 9: "cf.assert"}


def test_the_claim_of_a_check_stands_where_it_stood() -> None:
    found = removed_claims(ASSERTIONS, WITHOUT, GONE)
    assert found is not None
    ((position, claim),) = found
    assert str(claim.claim) == "a[0] == b[0]"
    assert claim.op.attributes["msg"] == "second"
    program = read_text(WITHOUT, "model.mlir")
    before = trace_of(program, program.functions["f"], Options()).events[:position]
    assert any(getattr(each, "claim", None) is claim.claim for each in before)  # behind the first check


@pytest.mark.parametrize(
    ("before", "left", "gone"),
    [
        (ASSERTIONS, WITHOUT.replace('cf.assert %p, "first"', 'cf.assert %s, "first"'), GONE),
        (ASSERTIONS, WITHOUT.replace("tensor.dim %b, %c0 : tensor<?xf32>", "arith.addi %d, %d : index"), GONE),
        (ASSERTIONS, WITHOUT.replace("arith.addi %d, %e", "arith.addi %d, %d"), GONE),
        (ASSERTIONS, WITHOUT, {8: "arith.cmpi", 10: "cf.assert"}),
    ],
    ids=["another claim", "another value", "another result", "another check"],
)
def test_traces_that_differ_are_not_aligned(before: str, left: str, gone: dict[int, str]) -> None:
    assert removed_claims(before, left, gone) is None
