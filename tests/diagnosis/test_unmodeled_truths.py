"""Requirements do not name truth values that stand for what is not modeled; what is left suffices."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.cli.main import main
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.diagnosis.unmodeled_truths import without_unmodeled_truths
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.finding_line import report_lines
from shapesolve.solver.entailment import holds
from shapesolve.solver.verdicts import Undecided
from shapesolve.symbolic.atoms import UnmodeledTruth
from shapesolve.symbolic.dims import of_atom, variable
from shapesolve.symbolic.formulas import at_least, either, equal, negation

LOAD = """func.func @f(%m: memref<?x?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %v = vector.load %m[%i, %j] : memref<?x?xf32>, vector<4xf32>
  return %v : vector<4xf32>
}"""
MASKED = """func.func @f(%m: memref<?xf32>, %p: vector<3xi1>, %v: vector<3xf32>) {
  %c2 = arith.constant 2 : index
  vector.transfer_write %v, %m[%c2], %p {in_bounds = [true]} : vector<3xf32>, memref<?xf32>
  return
}"""
SCAN = """!h = !torch.vtensor<[3],f32>
!x = !torch.vtensor<[?,3],f32>
func.func @f(%h: !h, %x: !x) {
  %y = torch.operator "onnx.Scan"(%h, %x) {torch.onnx.num_scan_inputs = 1 : si64} : (!h, !x) -> !h {
  ^bb0(%a: !h, %b: !h):
    torch.operator_terminator %a : !h
  }
  return
}"""
OUTSIDE = """func.func @f(%m: memref<7xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<7xf32>, vector<8xf32>
  return %v : vector<8xf32>
}"""


def _checked(text: str) -> tuple[FunctionReport, CheckedObligation]:
    (function,) = check_program(read_text(text, "m.mlir"), Options(execute=False)).functions
    (undecided,) = (each for each in function.checked_obligations if isinstance(each.verdict, Undecided))
    return function, undecided


@pytest.mark.parametrize(
    ("text", "condition"),
    [(LOAD, "0 <= i < m[0] and 0 <= j <= m[1] - 4"), (MASKED, "m[0] >= 5"), (SCAN, "x[0] >= 1"), (OUTSIDE, "false")],
    ids=["load", "masked write", "no parts", "outside"],
)
def test_requirements_name_sizes_and_indices_only(text: str, condition: str) -> None:
    function, undecided = _checked(text)
    need = Requirements(function).for_people(undecided)
    assert need.condition == condition
    assert not need.is_exact  # what is not modeled may let other sizes pass


def test_a_line_says_that_the_condition_is_enough() -> None:
    (line,) = report_lines(diagnose(check_program(read_text(MASKED, "m.mlir"), Options(execute=False))))
    assert line.message.startswith("vector.transfer_write is safe if m[0] >= 5; not decided: ")


def test_reduced_condition_holds_where_numpy_reads_a_whole_vector() -> None:
    _, undecided = _checked(LOAD)
    left = without_unmodeled_truths(undecided.obligation.claim)
    seen = set[bool]()
    for rows, columns, i, j in product(range(4), range(7), range(-2, 5), range(-2, 7)):
        buffer = np.zeros((rows, columns))
        whole = i >= 0 and j >= 0 and buffer[i : i + 1, j : j + 4].shape == (1, 4)
        assert holds(left, {"m[0]": rows, "m[1]": columns, "i": i, "j": j}) == whole, (rows, columns, i, j)
        seen.add(whole)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("text", "statement", "reason"),
    [
        (LOAD, "the machine allows access beyond the end of %m", "what the machine does beyond the end of a buffer"),
        (MASKED, "the mask leaves out what lies outside of %m", "which elements its mask selects is not followed"),
        (SCAN, "the runtime scans no parts", "whether a scan may have no parts depends on the runtime"),
    ],
    ids=["load", "masked write", "no parts"],
)
def test_claims_say_in_words_what_is_not_modeled(
    text: str, statement: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(text)
    assert main(["explain", "--no-execute", str(file), "--json"]) == 3
    (found,) = (each for each in json.loads(capsys.readouterr().out)["obligations"] if each["verdict"] == "undecided")
    for key in ("claim", "readable_claim", "raised"):
        condition, _, words = found[key].rpartition(" or ")
        assert condition
        assert words.strip("()") == statement
    (why,) = found["unmodeled"]
    assert why.startswith(reason)


def test_both_cases_of_a_truth_value_are_required() -> None:
    truth = equal(of_atom(UnmodeledTruth.of("the machine allows it", 0, 1)), 1)
    n = variable("n")
    left = without_unmodeled_truths(either(truth, at_least(n, 3), at_least(n, 5)))
    assert [holds(left, {"n": each}) for each in range(7)] == [False] * 5 + [True] * 2
    assert str(truth) == "the machine allows it"
    assert str(negation(truth)) == "not (the machine allows it)"


def test_an_element_of_the_program_is_no_unmodeled_truth() -> None:
    _, undecided = _checked("""func.func @f(%n: index) {
  %c = "my.op"() : () -> tensor<2xi1>
  %c1 = arith.constant 1 : index
  %b = tensor.extract %c[%c1] : tensor<2xi1>
  %big = arith.cmpi sge, %n, %c1 : index
  %either = arith.ori %b, %big : i1
  cf.assert %either, "neither"
  return
}""")
    assert without_unmodeled_truths(undecided.obligation.claim) is undecided.obligation.claim


def test_truth_values_of_the_program_stay() -> None:
    function, undecided = _checked("""func.func @f(%x: tensor<?xf32>, %n: index) {
  %c = "my.op"() : () -> i1
  %c1 = arith.constant 1 : index
  %big = arith.cmpi sge, %n, %c1 : index
  %either = arith.ori %c, %big : i1
  cf.assert %either, "neither"
  return
}""")
    assert "%c == 1" in Requirements(function).text(undecided)
