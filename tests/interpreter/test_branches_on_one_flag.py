"""Test that a value that many branches on one flag change stays small, and is the value of a run."""

from __future__ import annotations

import pytest

from shapesolve.checker.check import check_function
from shapesolve.domain.join import join
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.dims import Dim, dims, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, equal, negation

N, M = dims("N M")
FLAG = equal(variable("c", 0, 1), 1)


def _joined(condition: Formula, a: Dim, b: Dim) -> Dim:
    found = join(condition, a, b)
    assert isinstance(found, Dim)
    return found


def test_selects_by_the_condition_of_a_join_are_decided() -> None:
    first = _joined(FLAG, N + 1, N)
    assert _joined(FLAG, first + 1, first) is _joined(FLAG, N + 2, N)
    assert _joined(negation(FLAG), 2 * first - M, first) is _joined(negation(FLAG), 2 * N - M, N + 1)
    assert _joined(FLAG, first, _joined(negation(FLAG), M, first)) is _joined(FLAG, N + 1, M)
    assert _joined(FLAG, first, first) is first


def test_selects_by_other_conditions_stay() -> None:
    inner = _joined(at_least(M, 3), N, M)
    assert str(_joined(FLAG, inner, N)) == "select(c == 1, select(M >= 3, N, M), N)"


@pytest.mark.slow
def test_forty_branches_on_one_flag_are_followed() -> None:
    blocks = "".join(
        f"""
^b{number}(%x{number}: index):
  %g{number} = arith.cmpi sge, %x{number}, %n : index
  cf.assert %g{number}, "it never falls"
  cf.cond_br %c, ^l{number}, ^b{number + 1}(%x{number} : index)
^l{number}:
  %y{number} = arith.addi %x{number}, %one : index
  cf.br ^b{number + 1}(%y{number} : index)"""
        for number in range(40)
    )
    program = read_text(
        f"""func.func @f(%a: tensor<?xf32>, %c: i1) -> index {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %zero : tensor<?xf32>
  cf.br ^b0(%n : index){blocks}
^b40(%end: index):
  %most = arith.addi %n, %one : index
  %forty = arith.constant 40 : index
  %sum = arith.addi %n, %forty : index
  %e = arith.select %c, %sum, %n : index
  %k = arith.cmpi eq, %e, %end : index
  cf.assert %k, "each adds one, or none does"
  return %end : index
}}""",
        "f.mlir",
    )
    report = check_function(program, program.functions["f"], Options(execute=False))
    verdicts = [each.verdict for each in report.checked_obligations if each.obligation.op.name == "cf.assert"]
    assert len(verdicts) == 41
    assert all(isinstance(each, Proved) for each in verdicts)
