"""Test of the number of interpretations and checks of a program: no more than the result needs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shapesolve.checker.check import trace_of
from shapesolve.checker.obligation_checker import never
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning import output_verification, prune_once
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.recheck import recheck
from shapesolve.pruning.undefined_operations import recheck_to_fixpoint
from shapesolve.solver.verdicts import Proved
from shapesolve.trace.events import Obligation, Trace

SLICE = """
func.func @f(%x: tensor<1x128xi64>, %t: tensor<?xf32> {shapesolve.shape = "[T]"}) -> tensor<1x?xi64>
    attributes {shapesolve.assume = ["T <= 128"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %from = arith.constant dense<0> : tensor<2xi64>
  %by = arith.constant dense<1> : tensor<2xi64>
  %size = tensor.dim %t, %c0 : tensor<?xf32>
  %wide = arith.index_cast %size : index to i64
  %least = arith.minsi %wide, %c128 : i64
  %fine = arith.cmpi sle, %least, %c128 : i64
  cf.assert %fine, "fine"
  %to = tensor.from_elements %c1, %least : tensor<2xi64>
  %part = stablehlo.real_dynamic_slice %x, %from, %to, %by
      : (tensor<1x128xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x?xi64>
  return %part : tensor<1x?xi64>
}
"""
"""The end of the slice is at most 128 by its normal form; once the minimum is taken away, that follows from a fact."""


def counted_walks(monkeypatch: pytest.MonkeyPatch) -> list[UndefinedOps]:
    """Return a list that grows with the possibly undefined operations of each walk."""
    walked: list[UndefinedOps] = []

    def counting(*given: object, **kept: object) -> object:
        undefined_ops = given[3] if len(given) > 3 else NO_UNDEFINED_OPS
        assert isinstance(undefined_ops, UndefinedOps)
        walked.append(undefined_ops)
        return trace_of(*given, **kept)  # pyright: ignore[reportArgumentType]

    for module in (prune_once, output_verification):
        monkeypatch.setattr(module, "trace_of", counting)
    return walked


def test_claims_missing_in_the_original_are_judged_in_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the slice would be possibly undefined, and interpreted once more."""
    walked = counted_walks(monkeypatch)
    found = prune_program(read_text(SLICE, "model.mlir"), Options())
    assert "minsi" not in found.text
    assert "assert" not in found.text
    assert walked == [NO_UNDEFINED_OPS, NO_UNDEFINED_OPS]  # the original, and what is left of it


LEANING = """
func.func @f(%t: tensor<?xf32>, %four: tensor<4xf32>, %n: index, %by: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %part = arith.divui %n, %by : index
  PLACE
  %element = tensor.extract TENSOR
  %positive = arith.cmpi sge, %c4, %c1 : index
  cf.assert %positive, "positive"
  %again = arith.divui %part, %c4 : index
  return %element, %again : f32, index
}
"""
"""The element is at a place that was computed with what may be undefined."""

OPEN = LEANING.replace("PLACE", "").replace("TENSOR", "%t[%part] : tensor<?xf32>")
BELOW_FOUR = """%low = arith.cmpi ult, %part, %c4 : index
  cf.assert %low, "low"
"""
SAFE = LEANING.replace("PLACE", BELOW_FOUR).replace("TENSOR", "%four[%part] : tensor<4xf32>")


@pytest.mark.parametrize(("program", "left"), [(OPEN, 2), (SAFE, 1)])
def test_demands_on_arbitrary_values_are_presumed_undecided(program: str, left: int) -> None:
    """The trace already marks the requirement as open; a later proof of it does not count."""
    read = read_text(program, "model.mlir")
    function = read.functions["f"]

    def interpret(undefined_ops: UndefinedOps) -> Trace:
        return trace_of(read, function, Options(), undefined_ops)

    (divided,) = (op for op in function.operation.walk() if op.name == "arith.divui" and op.location.line == 6)
    given = UndefinedOps(frozenset((divided,)))
    trace = interpret(replace(given, assumes_undefined=True))
    assert {op.name for op in trace.assumed_undefined} == {"tensor.extract"}
    found = recheck_to_fixpoint(
        interpret, lambda trace, may_hold: recheck(trace, Options(), should_check=may_hold), given
    )
    assert len(found.undefined_ops.ops) == left
    same = interpret(found.undefined_ops)
    assert [str(each) for each in found.trace.events] == [str(each) for each in same.events]


def test_a_program_is_not_walked_again_for_what_leans_on_an_arbitrary_value(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = counted_walks(monkeypatch)
    found = prune_program(read_text(OPEN, "model.mlir"), Options())
    assert "assert" not in found.text
    assert [len(each.ops) for each in walked[:2]] == [0, 2]  # the division, and the element in the plain walk


CLAMPED = """
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %fine = arith.cmpi sge, %n, %c0 : index
  cf.assert %fine, "negative"
  %least = arith.maxsi %n, %c0 : index
  %clamped = arith.minsi %least, %c5 : index
  return %clamped : index
}
"""
"""Once the maximum is taken away, it might be seen that the minimum is one of its operands, but it is not."""


def test_what_a_fold_may_lead_to_is_asked_in_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise all of it would be checked once more to see that nothing else folds."""
    checked: list[object] = []
    baseline = prune_once._baseline

    def counting(*given: object, **named: object) -> object:
        checked.append(given)
        return baseline(*given, **named)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(prune_once, "_baseline", counting)
    found = prune_program(read_text(CLAMPED, "model.mlir"), Options())
    assert "maxsi" not in found.text
    assert "minsi" in found.text
    assert len(checked) == 1


CHECKS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = tensor.dim %a, %c0 : tensor<?xf32>
  %y = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %x, %y : index
  cf.assert %same, "first"
  cf.assert %same, "second"
  cf.assert %same, "third"
  return
}
"""


def test_nothing_is_judged_behind_the_last_obligation_that_is_worth_it() -> None:
    program = read_text(CHECKS, "model.mlir")
    trace = trace_of(program, program.functions["f"], Options())
    checks = [each for each in trace.obligations if each.op.name == "cf.assert"]
    assert len(checks) == 3

    def is_second(obligation: Obligation) -> bool:
        return obligation is checks[1]

    whole = recheck(trace, Options(), should_check=is_second, ask=False, compares=never)
    early = recheck(trace, Options(), should_check=is_second, ask=False, compares=never, ends_early=True)
    assert checks[2].op in whole.checked_obligations
    assert checks[2].op not in early.checked_obligations
    assert [each.verdict.word for each in early.checks(checks[1].op)] == ["proved"]
    assert isinstance(whole.checks(checks[1].op)[0].verdict, Proved)


def test_nothing_is_judged_where_nothing_is_worth_it() -> None:
    program = read_text(CHECKS, "model.mlir")
    trace = trace_of(program, program.functions["f"], Options())
    found = recheck(trace, Options(), should_check=never, ask=False, compares=never, ends_early=True)
    assert not any(isinstance(each.verdict, Proved) for each in found.all)
