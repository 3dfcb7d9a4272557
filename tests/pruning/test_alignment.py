"""Test of output verification along aligned traces.

A removed claim is proved while the output is interpreted; where the traces cannot be aligned, it is proved in the
original, with the same outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
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
from shapesolve.pruning.trace_alignment import PrunedEntry, TraceAlignment, align_traces
from shapesolve.rewriting.checks import Fold, RewriteError
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


@pytest.mark.slow
@pytest.mark.parametrize("text", [ASSERTIONS, REGIONS])
def test_removals_are_proved_in_one_walk(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    marked = counting(monkeypatch, OutputVerifier, "check_removed")
    rounds = counting(monkeypatch, pruning, "prune_once")
    found = pruned(text)
    assert [each.removed for each in found.checks].count(True) in (1, 2)
    assert not marked
    assert len(rounds) == 1


@pytest.mark.slow
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


def aligned(
    before: str, left: str, gone: dict[int, str], chosen: Mapping[int, int] = MappingProxyType({})
) -> TraceAlignment | None:
    """The alignment of two texts, where the operations of these numbers are gone, which have these names.

    ``chosen`` are the operands that some of them were folded to.
    """
    programs = [read_text(text, "model.mlir") for text in (before, left)]
    old, new = (operations(each) for each in programs)
    assert {number: old[number].name for number in gone} == gone
    stays = [op for op in old if op.number not in gone]
    first, second = (trace_of(each, each.functions["f"], Options()) for each in programs)
    folds = {number: Fold(Alternative(0, old[number].operands[each]), "") for number, each in chosen.items()}
    return align_traces(
        first, second, dict(zip(new, stays, strict=True)), dict(zip(stays, new, strict=True)), gone.keys(), folds
    )


SECOND = '  %q = arith.cmpi eq, %e, %d : index\n  cf.assert %q, "second"\n'
WITHOUT = ASSERTIONS.replace(SECOND, "")
GONE = {8: "arith.cmpi", 9: "cf.assert"}


def test_the_claim_of_a_check_stands_where_it_stood() -> None:
    found = aligned(ASSERTIONS, WITHOUT, GONE)
    assert found is not None
    ((position, claim),) = found.removed_claims
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
    assert aligned(before, left, gone) is None


CHOSEN = """
func.func @f(%n: index, %m: index, %s: i1) -> tensor<?xf32> {
  %size = arith.select %s, %n, %m : index
  %fine = arith.cmpi sge, %size, %n : index
  cf.assert %fine, "fine"
  %made = tensor.empty(%size) : tensor<?xf32>
  return %made : tensor<?xf32>
}"""
FOLDED = CHOSEN.replace("  %size = arith.select %s, %n, %m : index\n", "").replace("%size", "%m")
FOLD = {2: "arith.select"}


def test_claims_on_a_folded_choice_are_those_on_what_was_chosen() -> None:
    found = aligned(CHOSEN, FOLDED, FOLD, {2: 2})
    assert found is not None
    assert not found.removed_claims
    assert {op.name for op in found.choosing} == {"cf.assert", "tensor.empty"}


@pytest.mark.parametrize(
    ("left", "chosen"),
    [
        (FOLDED, {2: 1}),
        (FOLDED, {}),
        (FOLDED.replace("empty(%m)", "empty(%n)"), {2: 2}),
        (FOLDED.replace("sge", "sgt"), {2: 2}),
    ],
    ids=["another operand", "no operand", "another result", "another claim"],
)
def test_choices_are_not_taken_for_what_was_not_chosen(left: str, chosen: dict[int, int]) -> None:
    assert aligned(CHOSEN, left, FOLD, chosen) is None


@pytest.mark.parametrize(("sizes", "expected"), [("%n", 1), ("%m", 2)])
def test_more_is_looked_for_only_if_claims_on_folded_choices_are_open(
    sizes: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = counting(monkeypatch, pruning, "prune_once")
    found = pruned(f"""
func.func @f(%n: index, %m: index, %s: i1) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  cf.assert %s, "switch"
  %p = arith.cmpi sge, {sizes}, %c0 : index
  cf.assert %p, "size"
  %size = arith.select %s, %n, %m : index
  %made = tensor.empty(%size) : tensor<?xf32>
  return %made : tensor<?xf32>
}}""")
    assert "tensor.empty(%n)" in found.text
    assert len(rounds) == expected
