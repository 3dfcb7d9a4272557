"""Programs with calls: the same verdicts as after MLIR's inliner, and findings in the names of whoever calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product

import pytest
from support.predicted_outcomes import predicted
from support.upstream_passes import after_passes

from shapesolve.checker.check import check_function
from shapesolve.checker.report import Report
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.diagnosis.requirements import CalleeRequirement
from shapesolve.domain.values import Tensor
from shapesolve.interpreter.inputs import scope_of
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_json import check_document
from shapesolve.reports.sarif import sarif_document
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula, parse_size
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Obligation

QUIET = Options(execute=False, functions=("main",))

HELPER = """\
func.func private @helper(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = arith.remsi %n, %c2 : index
  %even = arith.cmpi eq, %r, %c0 : index
  cf.assert %even, "even"
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %big = arith.cmpi sge, %d, %n : index
  cf.assert %big, "large enough"
  return %r : index
}
func.func private @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = arith.addf %x, %y : tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func private @middle(%y: tensor<?xf32>, %k: index) -> index {
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sge, %k, %c1 : index
  %r = scf.if %some -> index {
    %k1 = arith.addi %k, %c1 : index
    %h = func.call @helper(%y, %k1) : (tensor<?xf32>, index) -> index
    scf.yield %h : index
  } else {
    scf.yield %k : index
  }
  return %r : index
}
"""

MAINS = {
    "plain": """\
func.func @main(%arg0: tensor<?xf32>, %arg1: index) {
  %c1 = arith.constant 1 : index
  %m = arith.addi %arg1, %c1 : index
  %h = func.call @helper(%arg0, %m) : (tensor<?xf32>, index) -> index
  return
}
""",
    "nested, in a branch": """\
func.func @main(%arg0: tensor<?xf32>, %arg1: index) -> index {
  %c4 = arith.constant 4 : index
  %m = func.call @middle(%arg0, %arg1) : (tensor<?xf32>, index) -> index
  %small = arith.cmpi slt, %arg1, %c4 : index
  %r = scf.if %small -> index {
    %h = func.call @helper(%arg0, %c4) : (tensor<?xf32>, index) -> index
    scf.yield %h : index
  } else {
    scf.yield %m : index
  }
  return %r : index
}
""",
    "in loops": """\
func.func @main(%arg0: tensor<?xf32>, %arg1: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %arg2 = %c0 to %arg1 step %c2 {
    %h = func.call @helper(%arg0, %arg2) : (tensor<?xf32>, index) -> index
  }
  scf.for %arg2 = %c0 to %c2 step %c1 {
    %h = func.call @middle(%arg0, %arg2) : (tensor<?xf32>, index) -> index
  }
  return
}
""",
    "of several tensors": """\
func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
  %s = func.call @sum(%arg0, %arg1) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t = func.call @sum(%s, %arg2) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %t : tensor<?xf32>
}
""",
}


def checked(text: str) -> Report:
    return check_program(read_text(text), QUIET)


def main_of(text: str):
    program = read_text(text)
    return check_function(program, program.functions["main"], QUIET)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAINS)
def test_a_call_is_what_the_inliner_makes_of_it(name: str) -> None:
    with_calls = main_of(HELPER + MAINS[name])
    inlined_text = after_passes(HELPER + MAINS[name], "inline{default-pipeline=}")
    assert "call @" not in inlined_text
    inlined = main_of(inlined_text)
    ours, theirs = (
        sorted((j.obligation.op.name, str(j.obligation.claim), j.verdict.word) for j in report.checked_obligations)
        for report in (with_calls, inlined)
    )
    assert ours == theirs
    variables = with_calls.trace.input_variables
    assert [v.name for v in variables] == [v.name for v in inlined.trace.input_variables]
    for chosen in product(range(5), repeat=len(variables)):
        fail, other = (
            {
                str(each).partition(" at ")[0]
                for each in predicted(report.trace, dict(zip(names, chosen, strict=True))).failures
            }
            for report, names in ((with_calls, variables), (inlined, inlined.trace.input_variables))
        )
        assert fail == other, chosen


@pytest.mark.slow
@pytest.mark.parametrize("name", MAINS)
def test_the_contract_of_a_caller_is_that_of_the_inlined_program(name: str) -> None:
    text = HELPER + MAINS[name]
    texts = [
        contracts_of_program(read_text(each), QUIET).functions[0]
        for each in (text, after_passes(text, "inline{default-pipeline=}"))
    ]
    assert sorted(texts[0].texts) == sorted(texts[1].texts)
    assert texts[0].exact == texts[1].exact


def needs(report: Report) -> Mapping[Obligation, CalleeRequirement]:
    (function,) = diagnose(report).functions
    return function.callee_requirements


def test_a_failure_in_a_callee_is_reported_in_the_names_of_both() -> None:
    report = checked(HELPER + MAINS["plain"])
    assert [*needs(report).values()] == [
        CalleeRequirement("helper", "n % 2 == 0", (("n", "%arg1 + 1"),)),
        CalleeRequirement("helper", "x[0] >= n", (("n", "%arg1 + 1"), ("x[0]", "%arg0[0]"))),
    ]
    assert [[each.function.name for each in o.calls] for o in needs(report)] == [["helper"], ["helper"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", MAINS)
def test_a_need_at_what_is_given_is_the_claim(name: str) -> None:
    """The requirement of a callee at a call fails exactly where the claim is reached and fails, by brute force."""
    program = read_text(HELPER + MAINS[name])
    report = check_program(program, QUIET)
    (function,) = report.functions
    scope = scope_of(function.trace)
    variables = function.trace.input_variables
    tried = 0
    for obligation, need in needs(report).items():
        given = dict(need.guard)
        try:
            sizes = {its: parse_size(text, scope) for its, text in given.items()}
        except Exception:
            continue
        alone = check_function(program, program.functions[need.function], QUIET).trace
        shapes = {
            argument.name.lstrip("%"): value.shape
            for argument, value in zip(alone.function.arguments, alone.inputs, strict=True)
            if isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        }
        inside = Scope.closed({v.name: sizes[v.name] for v in alone.input_variables if v.name in sizes}, {
            its: RankedShape.of([sizes.get(f"{its}[{i}]", each) for i, each in enumerate(shape.dims)])
            for its, shape in shapes.items()
        })  # fmt: skip
        condition = parse_formula(need.condition, inside)
        (failing,) = [j.verdict for j in function.checked_obligations if j.obligation is obligation]
        assert isinstance(failing, Refuted)
        assert not holds(condition, failing.sizes)
        for chosen in product(range(6), repeat=len(variables)):
            at = dict(zip(variables, chosen, strict=True))
            if holds(condition, at):
                # The claim holds where it is reached; where it is not, nothing is said.
                failures = predicted(function.trace, at).failures
                assert obligation not in [each.obligation for each in failures]
            tried += 1
    assert tried or name == "in loops"


@pytest.mark.slow
def test_calls_are_in_the_reports_for_programs() -> None:
    report = checked(HELPER + MAINS["nested, in a branch"])
    (file,) = json.loads(json.dumps(check_document([diagnose(report)], 1)))["files"]
    nested = [each for each in file["functions"][0]["obligations"] if len(each["calls"]) == 2]
    assert [each["function"] for each in nested[0]["calls"]] == ["middle", "helper"]
    assert all(each["location"]["line"] for each in nested[0]["calls"])
    refuted = [each for each in nested if each["callee_needs"]]
    assert refuted[0]["callee_needs"]["function"] == "middle"
    assert {each["name"] for each in refuted[0]["callee_needs"]["given"]} <= {"k", "y[0]"}
    (run,) = json.loads(json.dumps(sarif_document([diagnose(report)])))["runs"]
    texts = [each["message"]["text"] for each in run["results"]]
    assert any("@middle needs" in text and "this call gives" in text for text in texts)
    related = [each["message"]["text"] for result in run["results"] for each in result["relatedLocations"]]
    assert "calls @middle" in related and "calls @helper" in related


def test_two_calls_that_fail_are_two_findings() -> None:
    text = (
        HELPER
        + """\
func.func @main(%arg0: tensor<?xf32>, %arg1: index) {
  %a = func.call @helper(%arg0, %arg1) : (tensor<?xf32>, index) -> index
  %c7 = arith.constant 7 : index
  %b = func.call @helper(%arg0, %c7) : (tensor<?xf32>, index) -> index
  return
}
"""
    )
    (run,) = sarif_document([diagnose(checked(text))])["runs"]  # pyright: ignore[reportGeneralTypeIssues]
    texts = [each["message"]["text"] for each in run["results"]]
    assert any("@helper needs n % 2 == 0; this call gives n = %arg1." in each for each in texts)
    assert any("@helper needs n % 2 == 0; this call gives n = 7." in each for each in texts)
