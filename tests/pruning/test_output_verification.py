"""Test that output verification finds faults of the earlier stages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning import prune_once
from shapesolve.pruning.decisions import Decisions, Evidence
from shapesolve.pruning.prune import prune_program
from shapesolve.rewriting.checks import RewriteError
from shapesolve.rewriting.rewriter import Rewriter

CHECKS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %s: i1) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %p = arith.cmpi eq, %d, %e : index
  cf.assert %p, "first"
  %q = arith.cmpi eq, %e, %d : index
  cf.assert %q, "second"
  %fine = arith.cmpi sge, %d, %c0 : index
  %r:2 = scf.if %fine -> (tensor<?xf32>, index) {
    %sum = arith.addi %d, %e : index
    scf.yield %a, %sum : tensor<?xf32>, index
  } else {
    %twice = arith.addi %d, %d : index
    scf.yield %b, %twice : tensor<?xf32>, index
  }
  cf.assert %s, "switch"
  return %r#0, %r#1 : tensor<?xf32>, index
}"""


def pruned(text: str = CHECKS) -> str:
    """The text after pruning."""
    return prune_program(read_text(text, "model.mlir"), Options()).text


def deciding_also(change: Callable[[Program, Decisions], None]) -> Callable[[Program, Evidence], Decisions]:
    """`decide`, with a fault put in once."""
    decide = prune_once.decide
    left = [change]

    def wrong(program: Program, evidence: Evidence) -> Decisions:
        decisions = decide(program, evidence)
        if left:
            left.pop()(program, decisions)
        return decisions

    return wrong


def number_of(program: Program, message: str) -> int:
    """The number of the assertion that says this."""
    return next(op.number for op in program.operation.walk() if op.attributes.get("msg") == message)


def test_without_a_fault_the_second_check_and_the_guard_go() -> None:
    text = pruned()
    assert re.findall(r'"(\w+)"', text) == ["first", "switch"]
    assert "return %a, %sum" in text


def test_a_check_that_was_not_proved_is_not_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        prune_once, "decide", deciding_also(lambda program, found: found.proved.add(number_of(program, "switch")))
    )
    with pytest.raises(RewriteError, match=r"cf\.assert does not follow from what is left: refuted"):
        pruned()


def test_two_checks_do_not_prove_each_other_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        prune_once, "decide", deciding_also(lambda program, found: found.proved.add(number_of(program, "first")))
    )
    with pytest.raises(RewriteError, match="does not follow from what is left"):
        pruned()


NOT_ASKED_FOR = """
func.func @g(%s: i1) {
  cf.assert %s, "elsewhere"
  return
}"""


def test_a_check_that_nothing_comes_to_is_not_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        prune_once, "decide", deciding_also(lambda program, found: found.proved.add(number_of(program, "elsewhere")))
    )
    with pytest.raises(RewriteError, match=r"cf\.assert would go, and was not judged again"):
        prune_program(read_text(CHECKS + NOT_ASKED_FOR, "model.mlir"), Options(functions=("f",)))


def test_a_guard_that_goes_the_wrong_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def flip(program: Program, found: Decisions) -> None:
        found.taken = {number: not truth for number, truth in found.taken.items()}

    monkeypatch.setattr(prune_once, "decide", deciding_also(flip))
    with pytest.raises(RewriteError, match="does not follow from what is left"):
        pruned()


def test_a_branch_taken_from_the_wrong_side_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    open_guard = Rewriter._open_guard

    def swapped(self: Rewriter, number: int, truth: bool) -> None:
        open_guard(self, number, not truth)

    monkeypatch.setattr(Rewriter, "_open_guard", swapped)
    with pytest.raises(RewriteError):
        pruned()


def test_results_in_the_wrong_order_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    erase_marked = Rewriter.erase_marked

    def swapped(self: Rewriter) -> None:
        erase_marked(self)
        addition = next(live for live in self.live.values() if live.name == "arith.addi")
        division = next(live for live in self.live.values() if live.name == "tensor.dim")
        returned = next(live for live in self.live.values() if live.name == "func.return")
        addition.results[0].replace_all_uses_except(division.results[0], [addition, returned][:1])

    monkeypatch.setattr(Rewriter, "erase_marked", swapped)
    with pytest.raises(RewriteError, match=r"func\.return has other operands"):
        pruned()


def test_a_check_lost_on_the_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    erase_marked = Rewriter.erase_marked

    def careless(self: Rewriter) -> None:
        erase_marked(self)
        lost: Bindings = next(live for live in self.live.values() if live.name == "cf.assert")
        self._erase(lost)

    monkeypatch.setattr(Rewriter, "erase_marked", careless)
    with pytest.raises(RewriteError, match=r"cf\.assert is lost"):
        pruned()


def test_assumptions_that_are_not_written_down_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(*ignored: Any) -> bool:
        return False

    monkeypatch.setattr(prune_once, "record", forgetful)
    program = read_text(CHECKS, "model.mlir")
    with pytest.raises(RewriteError, match="assumptions"):
        prune_program(program, Options(assumptions=("a[0] == b[0]",)))


def test_a_value_that_is_still_used_is_never_erased() -> None:
    from shapesolve.ir import bindings
    from shapesolve.ir.reader import parsed_text

    program = read_text(CHECKS, "model.mlir")
    rewriter = Rewriter(parsed_text(bindings.new_context(), CHECKS), program)
    with pytest.raises(RewriteError, match=r"tensor\.dim would be erased, and is still used"):
        rewriter.erase_unused(next(op.number for op in program.operation.walk() if op.name == "tensor.dim"))


def test_another_module_than_the_one_that_was_read_is_refused() -> None:
    from shapesolve.ir import bindings
    from shapesolve.ir.reader import parsed_text

    program = read_text(CHECKS, "model.mlir")
    with pytest.raises(RewriteError, match="not those that were read"):
        Rewriter(
            parsed_text(bindings.new_context(), CHECKS.replace("arith.addi %d, %d", "arith.muli %d, %d")),
            replace(program),
        )


BOUNDED_BY_WHAT_GOES = """
func.func @stated(%a: tensor<?x?xf32>) attributes {shapesolve.requires = ["a[1] != 3", "a[0] == a[1]"]} {
  return
}
func.func @counted(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %some = arith.cmpi sge, %n, %c0 : index
  %r = scf.if %some -> (index) {
    scf.yield %n : index
  } else {
    %m = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    scf.yield %c0 : index
  }
  return %r : index
}
"""


def test_assumptions_are_the_same_though_what_bounded_all_sizes_is_gone() -> None:
    result = prune_program(read_text(BOUNDED_BY_WHAT_GOES), Options())
    assert "get_dimension_size" not in result.text
