"""Test that requirements are not shortened once the time is up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shapesolve.checker.check import check_function
from shapesolve.deadline import Deadline
from shapesolve.diagnosis import requirements
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.simplification.simplify import shortest_and_inexpressible
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.scope import Scope

TEXT = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tosa.add %r, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}
"""


def test_a_requirement_is_not_shortened_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(condition: list[Formula], known: list[Formula], scope: Scope) -> object:
        asked.append(condition)
        return shortest_and_inexpressible(condition, known, scope)

    monkeypatch.setattr(requirements, "shortest_and_inexpressible", counted)
    program = read_text(TEXT, "late.mlir")
    report = check_function(program, program.functions["f"], Options(execute=False))
    refuted = [each for each in report.checked_obligations if isinstance(each.verdict, Refuted)]
    assert len(refuted) == 2
    assert all(Requirements(report).for_people(each).text for each in refuted)
    assert asked
    asked.clear()
    late = Requirements(replace(report, deadline=Deadline.after(0)))
    assert all(late.for_people(each).text for each in refuted)
    assert not asked
