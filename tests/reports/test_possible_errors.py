"""`check` says which results are error values for some sizes, as `shape-of` does."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page

TYPES = "!shape.shape, !shape.shape -> !shape.shape"
BROADCAST = f'shape.broadcast %a, %b {{error = "these do not broadcast"}} : {TYPES}'


def printed(text: str) -> str:
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=100))
    return stream.getvalue()


def test_a_result_that_may_be_an_error() -> None:
    text = printed(f"""func.func @f(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {{
  %0 = {BROADCAST}
  return %0 : !shape.shape
}}""")
    assert 'returns    result 0 is an error unless broadcastable(a, b): "these do not broadcast"' in text


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ("%c, %b", '"the batches differ"'),  # what is equal broadcasts
        ("%c, %e", '"the batches differ; or these do not broadcast"'),
        ("%e, %b", '"these do not broadcast"'),
    ],
)
def test_the_words_are_those_of_the_operations_that_may_fail(others: str, words: str) -> None:
    text = printed(f"""func.func @f(%a: !shape.shape, %b: !shape.shape, %e: !shape.shape) -> !shape.shape {{
  %c = shape.meet %a, %b, error = "the batches differ" : {TYPES}
  %d = {BROADCAST.replace("%a, %b", others)}
  return %d : !shape.shape
}}""")
    said = " ".join(text.split()).partition("result 0 is an error unless ")[2]
    assert said.partition(': "')[2].startswith(f"{words[1:]} ")


MET = f'shape.meet %a, %b, error = "the batches differ" : {TYPES}'
CALLEE = f"""func.func private @met(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {{
  %m = {MET}
  return %m : !shape.shape
}}"""
YIELDED = {
    "a branch": f"""scf.if %c -> !shape.shape {{
    %m = {MET}
    scf.yield %m : !shape.shape
  }} else {{
    scf.yield %a : !shape.shape
  }}""",
    "a value from outside": f"""{MET}
  %r = scf.if %c -> !shape.shape {{
    scf.yield %a : !shape.shape
  }} else {{
    scf.yield %0 : !shape.shape
  }}""",
    "an assumption": f"""shape.assuming %w -> !shape.shape {{
    %m = {MET}
    shape.assuming_yield %m : !shape.shape
  }}""",
    "a callee": "func.call @met(%a, %b) : (!shape.shape, !shape.shape) -> !shape.shape",
}


@pytest.mark.parametrize("body", YIELDED.values(), ids=YIELDED)
def test_the_words_come_out_of_regions_and_callees(body: str) -> None:
    arguments = "%c: i1, %w: !shape.witness, %a: !shape.shape, %b: !shape.shape"
    result = "%r" if "%r = " in body else "%0"
    text = f"func.func @f({arguments}) -> !shape.shape {{\n  %0 = {body}\n  return {result} : !shape.shape\n}}\n"
    said = " ".join(printed(text + CALLEE * ("@met" in body)).split())
    assert ': "the batches differ"' in said.partition("result 0 is an error unless ")[2]


MEET = """func.func @f(%n: index, %a: !shape.size, %b: !shape.size) -> (index, !shape.size) {
  %0 = shape.meet %a, %b, error = "batch sizes differ" : !shape.size, !shape.size -> !shape.size
  return %n, %0 : index, !shape.size
}"""
ALWAYS = """func.func @f() -> !shape.size {
  %a = shape.const_size 1
  %b = shape.const_size 2
  %0 = shape.meet %a, %b : !shape.size, !shape.size -> !shape.size
  return %0 : !shape.size
}"""


def test_possible_errors_are_in_json_and_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "meet.mlir"
    path.write_text(MEET)
    assert main(["check", str(path), "--no-execute", "--json"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["files"][0]["functions"]
    assert function["returned_errors"] == []
    (error,) = function["possible_errors"]
    assert error["location"]["line"] == 2
    assert {key: error[key] for key in error.keys() - {"location"}} == {
        "result": 1,
        "op": "shape.meet",
        "error_message": "batch sizes differ",
        "unless": "a == b",
    }
    assert main(["check", str(path), "--no-execute", "--sarif", "-"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("possible-error", "note")
    assert result["message"]["text"] == '"batch sizes differ": result 1 of @f is an error unless a == b.'
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2


def test_certain_outcomes_are_no_possible_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "always.mlir"
    path.write_text(ALWAYS)
    assert main(["check", str(path), "--no-execute", "--json"]) == 1
    (function,) = json.loads(capsys.readouterr().out)["files"][0]["functions"]
    assert len(function["returned_errors"]) == 1 and function["possible_errors"] == []
    path.write_text(MEET)
    assert main(["check", str(path), "--no-execute", "--json", "--assume", "a == b"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["files"][0]["functions"]
    assert function["possible_errors"] == []


def test_no_error_where_a_check_rules_it_out() -> None:
    text = printed(f"""func.func @f(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {{
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  %0 = shape.assuming %w -> !shape.shape {{
    %1 = {BROADCAST}
    shape.assuming_yield %1 : !shape.shape
  }}
  return %0 : !shape.shape
}}""")
    assert "cstr_broadcastable needs broadcastable(a, b)" in text
    assert "an error" not in text


SIZES_DIFFER = """func.func @f(%a: !shape.size, %b: !shape.size) -> !shape.size {{
  %m = shape.size_to_index %a : !shape.size
  %n = shape.size_to_index %b : !shape.size
  %fine = arith.cmpi {condition}, %m, %n : index
  cf.assert %fine, "as the caller demands"
  %0 = shape.meet %a, %b, error = "sizes differ" : !shape.size, !shape.size -> !shape.size
  return %0 : !shape.size
}}"""


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("ne", 'nothing to suggest: where a != b, result 0 is always an error: "sizes differ"'),
        ("ult", 'nothing to suggest: where b > a, result 0 is always an error: "sizes differ"'),
        ("ule", "safe with  --assume 'b >= a'"),
    ],
)
def test_a_condition_under_which_a_result_is_always_an_error_is_no_way_out(condition: str, found: str) -> None:
    text = printed(SIZES_DIFFER.format(condition=condition))
    assert found in text
    assert ("--assume" in text) == found.startswith("safe with")


def test_a_contract_under_which_a_result_is_always_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "differ.mlir"
    path.write_text(SIZES_DIFFER.format(condition="ne"))
    assert main(["contract", str(path)]) == 1
    text = capsys.readouterr().out
    assert 'in every safe call result 0 is always an error: "sizes differ"' in text
    assert "check with" not in text
