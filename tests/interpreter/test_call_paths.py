"""Test the limit on calls that are interpreted on several paths, by counting them."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.checker.report import FunctionReport
from shapesolve.interpreter import call_paths
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.solver.verdicts import Proved, Undecided

ADDS = """\
  %c1 = arith.constant 1 : index
  %s = arith.addi %n, %c1 : index
  return %s : index"""

ASKS = (
    """\
  %ok = arith.cmpi sge, %n, %x : index
  cf.assert %ok, "less"
"""
    + ADDS
)


def twice(depth: int, leaf: str, entry: str = "") -> str:
    """@f calls @p1, which calls @p2 twice with different arguments, and so on; %x is at most %n."""
    text = f"""func.func @f(%t: tensor<?xf32>, %x: index) -> index attributes {{shapesolve.assume = "x <= t[0]"}} {{
  %z = arith.constant 0 : index
  %n = tensor.dim %t, %z : tensor<?xf32>
  %r = call @p1(%x, %n) : (index, index) -> index
{entry}
  return %r : index
}}
"""
    for level in range(1, depth):
        text += f"""func.func private @p{level}(%x: index, %n: index) -> index {{
  %a = call @p{level + 1}(%x, %n) : (index, index) -> index
  %b = call @p{level + 1}(%x, %a) : (index, index) -> index
  return %b : index
}}
"""
    return text + f"func.func private @p{depth}(%x: index, %n: index) -> index {{\n{leaf}\n}}\n"


def report_of(text: str) -> FunctionReport:
    (function,) = check(text, execute=False).functions
    return function


def calls_interpreted(function: FunctionReport) -> int:
    trace = function.trace
    calls = [op for op in trace.reached if op.name == "func.call"]
    return sum(trace.reached[op] - trace.reused.get(op, 0) for op in calls)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [12, 30, 45])
def test_repeated_calls_are_bounded(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_paths, "MAX_REPEATED_PATHS", 50)
    function = report_of(twice(depth, ADDS))
    # The first path to each call, the repeated ones, and those that were reached and not followed.
    assert calls_interpreted(function) <= 2 * (2 * depth + 50)
    *_, last = function.checked_obligations
    assert isinstance(last.verdict, Undecided)
    assert "after 50 repeated calls" in last.verdict.reason
    assert any("--function F checks one alone" in each.reason for each in function.approximations)


def test_repeated_claims_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_paths, "MAX_REPEATED_CLAIMS", 20)
    function = report_of(twice(30, ASKS))
    asserts = [each for each in function.checked_obligations if each.obligation.op.name == "cf.assert"]
    assert 20 <= len(asserts) <= 22
    assert all(isinstance(each.verdict, Proved) for each in asserts)
    assert any(isinstance(each.verdict, Undecided) for each in function.checked_obligations)


def test_every_call_is_followed_below_the_limits() -> None:
    function = report_of(twice(6, ASKS))
    assert calls_interpreted(function) == 63
    assert all(isinstance(each.verdict, Proved) for each in function.checked_obligations)
    assert not function.approximations


def test_a_first_call_is_followed_beyond_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_paths, "MAX_REPEATED_PATHS", 10)
    text = twice(20, ADDS, "  %q = call @other(%x, %n) : (index, index) -> index")
    text += f"func.func private @other(%x: index, %n: index) -> index {{\n{ASKS}\n}}\n"
    asserts = [each for each in report_of(text).checked_obligations if each.obligation.op.name == "cf.assert"]
    assert [type(each.verdict) for each in asserts] == [Proved]


def test_iterations_of_loops_are_no_further_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_paths, "MAX_REPEATED_PATHS", 0)
    text = f"""func.func @f() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {{
    scf.for %j = %c0 to %c6 step %c1 {{
      %k = arith.addi %i, %j : index
      %r = func.call @g(%i, %k) : (index, index) -> index
    }}
  }}
  return
}}
func.func private @g(%x: index, %n: index) -> index {{
{ASKS}
}}
"""
    function = report_of(text)
    assert function.checked_obligations
    assert all(isinstance(each.verdict, Proved) for each in function.checked_obligations)


def test_nothing_is_pruned_that_was_not_followed_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The assertion holds on the paths that are followed and fails on later ones."""
    leaf = (
        """\
  %c30 = arith.constant 30 : index
  %ok = arith.cmpi slt, %n, %c30 : index
  cf.assert %ok, "large"
"""
        + ADDS
    )
    text = twice(6, leaf).replace("tensor<?xf32>", "tensor<4xf32>")
    assert "cf.assert" in prune_program(read_text(text), Options()).text
    monkeypatch.setattr(call_paths, "MAX_REPEATED_PATHS", 10)
    asserts = [each for each in report_of(text).checked_obligations if each.obligation.op.name == "cf.assert"]
    assert all(isinstance(each.verdict, Proved) for each in asserts)
    assert "cf.assert" in prune_program(read_text(text), Options()).text
