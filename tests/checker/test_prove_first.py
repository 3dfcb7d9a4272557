"""Test that under a deadline, counterexamples are shrunk only after every claim is decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shapesolve.checker import check
from shapesolve.checker.check import trace_of
from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.deadline import NEVER, Deadline
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver import refutation
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Refuted

TEXT = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %k = tensor.dim %b, %c0 : tensor<?xf32>
  %product = arith.muli %n, %m : index
  %small = arith.cmpi slt, %product, %c7 : index
  cf.assert %small, "small"
  %same = arith.cmpi eq, %k, %n : index
  cf.assert %same, "same"
  %again = arith.cmpi eq, %n, %k : index
  cf.assert %again, "again"
  return
}
"""


def in_order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with the names of decided claims, and "shrunk" for each search for small sizes."""
    done: list[str] = []

    def judging(self: Prover, claim: Any, *, name: str = "claim", **given: Any) -> object:
        done.append(name)
        return judge(self, claim, name=name, **given)

    def shrinking(*given: Any, **named: Any) -> object:
        done.append("shrunk")
        return smallest(*given, **named)

    judge: Callable[..., object] = Prover.verdict_on
    smallest: Callable[..., object] = refutation.smallest
    monkeypatch.setattr(Prover, "verdict_on", judging)
    monkeypatch.setattr(refutation, "smallest", shrinking)
    return done


def found(deadline: Deadline) -> tuple[CheckedObligation, ...]:
    """The checked obligations on the program."""
    program = read_text(TEXT, "f.mlir")
    options = Options(deadline=deadline)
    return check.check_trace(trace_of(program, program.functions["f"], options), options).checked_obligations


def test_all_claims_are_judged_before_sizes_are_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    done = in_order(monkeypatch)
    judged = [each.obligation.identity for each in found(Deadline.after(1000))]
    assert done[: len(judged)] == judged
    assert "shrunk" not in done[: len(judged)]
    assert done.count("shrunk") == 2


def test_the_sizes_are_those_that_are_found_without_a_deadline() -> None:
    hurried, leisurely = found(Deadline.after(1000)), found(NEVER)
    assert [_answer(each) for each in hurried] == [_answer(each) for each in leisurely]
    assert [each.verdict.word for each in hurried][-3:] == ["refuted", "refuted", "proved"]


def _answer(checked_obligation: CheckedObligation) -> tuple[object, ...]:
    verdict = checked_obligation.verdict
    if not isinstance(verdict, Refuted):
        return (checked_obligation.obligation.identity, verdict.word)
    return (
        checked_obligation.obligation.identity,
        dict(verdict.sizes),
        verdict.smallest,
        verdict.always,
        verdict.needs,
    )


def test_verdicts_stand_where_no_time_is_left_to_make_sizes_small(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: Callable[..., object] = check._check_all
    runs: list[str] = []

    def only_once(trace: Any, options: Options, *given: Any) -> object:
        runs.append("run")
        return judged(trace, options if len(runs) == 1 else Options(deadline=Deadline.after(-1)), *given)

    monkeypatch.setattr(check, "_check_all", only_once)
    verdicts = [each.verdict for each in found(Deadline.after(1000))]
    assert len(runs) == 2
    assert [each.word for each in verdicts][-3:] == ["refuted", "refuted", "proved"]
