"""Test of requirements on data: data provenance, the requirement, and a count apart from failures of sizes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from shapesolve import prune
from shapesolve.checker.report import Report
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.data_flow import data_provenance, unknown_contents_reason
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reasons import WEIGHTS, DataDependence, merged
from shapesolve.reports.check_json import check_document
from shapesolve.reports.check_text import summary
from shapesolve.reports.finding_line import report_lines
from shapesolve.reports.sarif import message

LOOK_UP = """
#id = affine_map<(d0) -> (d0)>
func.func @f(%ids: tensor<?xi64>, %table: tensor<100xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %rows = arith.constant 100 : i64
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%ids : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: i64, %out: f32):
    %below = arith.cmpi slt, %in, %rows : i64
    cf.assert %below, "too large"
    %above = arith.cmpi sge, %in, %zero : i64
    cf.assert %above, "too small"
    %at = arith.index_cast %in : i64 to index
    %v = tensor.extract %table[%at] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def checked(text: str, *assumptions: str) -> Report:
    return check_program(read_text(text), Options(execute=False, assumptions=assumptions))


def test_data_requirements_are_printed_once_and_counted_apart() -> None:
    report = checked(LOOK_UP)
    diagnosis = diagnose(report)
    (function,) = diagnosis.functions
    (finding,) = function.findings
    assert all(each.is_about_data for each in finding.checked_obligations)
    sentence = "depends on the data of %ids: needs 0 <= x <= 99 for each element x"
    assert finding.data is not None
    assert (finding.data.text, finding.data.covered) == (sentence, 2)
    assert summary(diagnosis).endswith("proved, 2 depend on data (1 finding)")
    assert message(function, finding).startswith(f"D{sentence[1:]}. Otherwise: the assertion")
    (document,) = json.loads(json.dumps(check_document([diagnosis], 3)))["files"]
    assert document["summary"]["undecided"] == document["summary"]["about_data"] == 2
    open_ones = [each for each in document["functions"][0]["obligations"] if each["verdict"] == "undecided"]
    assert [each["data"] is not None for each in open_ones] == [True, True]


def test_unfollowed_values_are_not_called_data() -> None:
    text = LOOK_UP.replace("ins(%ids", "ins(%computed").replace(
        "%e = tensor.empty",
        """%p = arith.index_cast %n : index to i64
  %s = arith.sitofp %p : i64 to f32
  %w = math.sin %s : f32
  %q = arith.fptosi %w : f32 to i64
  %computed = tensor.splat %q[%n] : tensor<?xi64>
  %e = tensor.empty""",
    )
    report = checked(text)
    judged = [each for each in report.checked_obligations if each.verdict.word == "undecided"]
    assert judged
    assert not any(each.is_about_data for each in judged)
    assert "depend" not in summary(diagnose(report))


POSITIONS = """%p = tensor.empty(%n) : tensor<?xi64>
  %last = arith.constant 99 : i64
  %places = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%p : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.minsi %j, %last : i64
    linalg.yield %k : i64
  } -> tensor<?xi64>
  %seen = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%places : tensor<?xi64>) outs(%p : tensor<?xi64>) {
  ^bb0(%in: i64, %o: i64):
    %below = arith.cmpi slt, %in, %rows : i64
    cf.assert %below, "a place too far"
    linalg.yield %in : i64
  } -> tensor<?xi64>
  %spread = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%p : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %one = tensor.extract %seen[%i] : tensor<?xi64>
    linalg.yield %one : i64
  } -> tensor<?xi64>
  %e = tensor.empty"""


def test_proofs_on_other_elements_add_no_need_of_data() -> None:
    report = checked(LOOK_UP.replace("%e = tensor.empty", POSITIONS))
    judged = [each for each in report.checked_obligations if each.verdict.word == "undecided"]
    assert len(judged) == 2 and all(each.is_about_data for each in judged)


def test_unfollowed_bounds_on_data_are_no_data() -> None:
    limit = """%p = arith.index_cast %n : index to i64
  %s = arith.sitofp %p : i64 to f32
  %w = math.sin %s : f32
  %q = arith.fptosi %w : f32 to i64
  %is_short = arith.cmpi slt, %p, %q : i64
  cf.assert %is_short, "too long"
  %e = tensor.empty"""
    text = LOOK_UP.replace("%e = tensor.empty", limit).replace(
        "    %below =",
        """    %near = arith.cmpi slt, %in, %p : i64
    cf.assert %near, "too far"
    %below =""",
    )
    judged = [each for each in checked(text).checked_obligations if each.verdict.word == "undecided"]
    assert len(judged) == 4 and not any(each.is_about_data for each in judged)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("%n", set[str]()),
        ("%e", set[str]()),
        ("%small", set[str]()),
        ("%large", {"the weights"}),
        ("%sum", {"%x", "the weights"}),
        ("%most", {"%x"}),
        ("%picked", {"%x", "%c"}),
    ],
)
def test_requirements_on_data_name_the_arguments_that_it_comes_from(name: str, expected: set[str]) -> None:
    program = read_text("""
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f(%x: tensor<?xf32>, %c: i1, %y: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %small = arith.constant dense<[1, 2]> : tensor<2xi64>
  %large = arith.constant dense_resource<__elided__> : tensor<300xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %large : tensor<?xf32>, tensor<300xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %one = tensor.empty() : tensor<f32>
  %most = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%one : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %picked = scf.if %c -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  } else {
    scf.yield %e : tensor<?xf32>
  }
  return
}
""")
    found = {value.name: whose for value, whose in data_provenance(program).items()}
    assert found[name] == expected


GATHER = """
func.func @f(%x: tensor<?x?x?xf32> {shapesolve.shape = "[N, K, C]"},
             %ids: tensor<?x?xi32> {shapesolve.shape = "[N, W]"})
    -> tensor<?x?x?xf32> attributes {shapesolve.assume = ["C >= 2", "K >= 2"]} {
  %y = tosa.gather %x, %ids : (tensor<?x?x?xf32>, tensor<?x?xi32>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}
"""


def test_data_requirements_are_printed_under_assumptions() -> None:
    (finding,) = diagnose(checked(GATHER)).functions[0].findings
    assert finding.data and finding.data.text.endswith("needs 0 <= x < K for each element x")
    (finding,) = diagnose(checked(GATHER.replace('"C >= 2", ', ""))).functions[0].findings
    assert finding.data and finding.data.text.endswith("needs C == 0 or 0 <= x < K for each element x")


def test_reasons_of_data_come_together_whatever_the_values_on_the_way_are_called() -> None:
    of_one = [_dependence({"%ids"}, "%5"), _dependence({"%ids"}, "%ids")]
    assert str(merged(of_one)) == "depends on the data of %ids"
    named = replace(_dependence({"%ids", "%mask"}, "%5"), before="linalg.generic: ")
    assert str(named) == "linalg.generic: depends on the data of %ids and %mask, in %5"
    of_more = [named, _dependence({WEIGHTS, "%x"})]
    assert str(merged(of_more)) == "depends on the data of %ids, %mask, %x and the weights"
    many = _dependence({f"%{each}" for each in "abcdef"}, "%9")
    assert str(merged([many, many])) == "depends on the data of %a, %b, %c and 3 more arguments"


def _dependence(origins: set[str], value: str = "") -> DataDependence:
    found = unknown_contents_reason(frozenset(origins), value)
    assert isinstance(found, DataDependence)
    return found


def test_a_reason_that_begins_with_other_words_is_still_one_of_data() -> None:
    program = """
func.func @f(%m: memref<?xf32>, %s: memref<2xindex>) -> memref<?x?xf32> {
  %0 = memref.reshape %m(%s) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
"""
    (function,) = checked(program).functions
    assert len(function.checked_obligations) == 3 and all(each.is_about_data for each in function.checked_obligations)
    assert [each.reason for each in function.approximations] == ["the new shape depends on the data of %s"]


TWICE = """
!ids = !torch.vtensor<[2,3],si64>
!row = !torch.vtensor<[3],si64>
!table = !torch.vtensor<[?,4],f32>
!out = !torch.vtensor<[3,4],f32>
func.func @f(%ids: !ids, %table: !table) -> !out {
  %false = torch.constant.bool false
  %m1 = torch.constant.int -1
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %a = torch.aten.select.int %ids, %0, %0 : !ids, !torch.int, !torch.int -> !row loc("model.py":8:0)
  %b = torch.aten.select.int %ids, %0, %1 : !ids, !torch.int, !torch.int -> !row loc("model.py":8:0)
  %c = torch.aten.index_select %table, %0, %a : !table, !torch.int, !row -> !out loc("model.py":9:0)
  %d = torch.aten.index_select %table, %0, %b : !table, !torch.int, !row -> !out loc("model.py":9:0)
  %e = torch.aten.add.Tensor %c, %d, %1 : !out, !out, !torch.int -> !out
  return %e : !out
}
"""


@pytest.mark.parametrize(("line", "count"), [(8, 1), (7, 2)])
def test_repeated_needs_of_one_line_are_one_finding(line: int, count: int) -> None:
    text = TWICE.replace('"model.py":8:0', f'"model.py":{line}:0', 1)
    program = replace(read_text(text), level="torch")
    diagnosis = diagnose(check_program(program, Options(execute=False)))
    (function,) = diagnosis.functions
    found = [each for each in function.findings if each.data is not None]
    assert len(found) == count
    assert sum(len(each.checked_obligations) for each in found) == 2
    assert [each.data.covered for each in found if each.data is not None] == ([2] if count == 1 else [1, 1])
    needed = "depends on the data of ids: needs 0 <= x < table[0]"
    sentence = f"{needed} for each element x of the result of torch.aten.select.int (line {line})"
    assert report_lines(diagnosis)[0].message == f"torch.aten.index_select {sentence}"


LOADS = """func.func @f(%table: memref<?xf32>, %ids: memref<?xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %ids, %c0 : memref<?xindex>
  %none = arith.cmpi sgt, %n, %c0 : index
  cf.assert %none, "no ids"
  %id = memref.load %ids[%c0] : memref<?xindex>
  %v = memref.load %table[%id] : memref<?xf32>
  return %v : f32
}"""


def test_ways_out_of_claims_about_data_are_true() -> None:
    with_check = "prune --harden puts a check before it"
    assert with_check in checked(LOADS).text()
    assert prune(LOADS, harden=True).written
    gather = checked(LOOK_UP).text()
    assert with_check not in gather
    stated = "0 <= ids.values <= 99"
    assert f"if callers guarantee it: --assume '{stated}'" in gather
    assert summary(diagnose(checked(LOOK_UP, stated))).endswith("6 proved")
    assert "check --fail-on refuted leaves it out of the exit code" in checked(LOADS).text()
