"""Test of error values: the author's message comes first, and a result that is always an error is reported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from shapesolve import check
from shapesolve.cli.main import main
from shapesolve.diagnosis.suggestions import suggestions
from shapesolve.guards.entry_guards import prune_at_entry
from shapesolve.ir.reader import read_text
from shapesolve.options import Options

MEETS = """
func.func @f(%a: !shape.size, %b: !shape.size) -> index {
  %m = shape.meet %a, %b, error = "batch sizes differ" : !shape.size, !shape.size -> !shape.size
  %i = shape.size_to_index %m : !shape.size
  return %i : index
}"""
TWO = """
func.func @f(%a: !shape.shape, %b: !shape.shape, %c: !shape.shape) -> tensor<?xindex> {
  %m = shape.meet %a, %b, error = "a is b" : !shape.shape, !shape.shape -> !shape.shape
  %w = shape.const_witness true
  %n = shape.assuming %w -> (!shape.shape) {
    %k = shape.broadcast %m, %c {error = "c fits"} : !shape.shape, !shape.shape -> !shape.shape
    shape.assuming_yield %k : !shape.shape
  }
  %i = shape.to_extent_tensor %n : !shape.shape -> tensor<?xindex>
  return %i : tensor<?xindex>
}"""
SPARED = """
func.func @f(%a: !shape.size, %s: !shape.shape) -> index {
  %m = shape.meet %a, %a, error = "never" : !shape.size, !shape.size -> !shape.size
  %c1 = shape.const_size 1
  %e = shape.get_extent %s, %c1 : !shape.shape, !shape.size -> !shape.size
  %k = shape.add %m, %e : !shape.size, !shape.size -> !shape.size
  %i = shape.size_to_index %k : !shape.size
  return %i : index
}"""


@pytest.mark.process
@pytest.mark.parametrize(
    "text, message",
    [
        (MEETS, '"batch sizes differ": the size is an error'),
        (TWO, '"a is b" or "c fits": the shape is an error'),
        (
            SPARED,
            "the size is an error of shape.get_extent in line 5",
        ),  # of its two sources only the one without words may be an error
    ],
)
def test_the_words_of_the_author_come_first(text: str, message: str) -> None:
    assert [each.obligation.message for each in check(text).checked_obligations] == [message]


@pytest.mark.process
def test_every_output_has_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "meets.mlir"
    path.write_text(MEETS)
    for command in (["check"], ["explain"], ["check", "--json"], ["check", "--sarif", "-"], ["contract"]):
        at_line = ":4" if command == ["explain"] else ""
        assert main([command[0], f"{path}{at_line}", *command[1:]]) in (0, 1)
        assert "batch sizes differ" in " ".join(capsys.readouterr().out.split()), command


def test_the_entry_says_them() -> None:
    assert 'cf.assert %2, "batch sizes differ: a == b"' in (prune_at_entry(read_text(MEETS), Options()).text or "")


ALWAYS = """
func.func @f(%t: tensor<?xf32>, %a: !shape.size) -> (!shape.size, !shape.size, !shape.shape) {
  %s = shape.shape_of %t : tensor<?xf32> -> !shape.shape
  %c1 = shape.const_size 1
  %x = shape.get_extent %s, %c1 : !shape.shape, !shape.size -> !shape.size
  %m = shape.meet %a, %c1, error = "one" : !shape.size, !shape.size -> !shape.size
  return %x, %m, %s : !shape.size, !shape.size, !shape.shape
}"""


def test_a_result_that_is_always_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = check(ALWAYS)
    assert report.exit_code == 1 and not report.checked_obligations
    assert [each.position for each in report.functions[0].errors] == [0]
    assert [each.position for each in check(ALWAYS, assume=["a >= 2"]).functions[0].errors] == [0, 1]
    assert not check(ALWAYS, assume=["a == 1", "a == 2"]).functions[0].errors, "there is no call"
    path = tmp_path / "always.mlir"
    path.write_text(ALWAYS)
    assert main(["check", str(path)]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "error: result 0 of @f is an error in every call" in output and "[returned-error]" in output
    assert main(["check", "--json", str(path)]) == 1
    (function,) = json.loads(capsys.readouterr().out)["files"][0]["functions"]
    assert [each["result"] for each in function["returned_errors"]] == [0]
    assert main(["check", str(path), "--sarif", "-"]) == 1
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == ["returned-error", "possible-error"]


def test_shape_of_shows_errors_of_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "always.mlir"
    path.write_text(ALWAYS)
    assert main(["shape-of", str(path)]) == 1
    assert "returns    invalid, 1 (invalid where a != 1), [t[0]]" in capsys.readouterr().out


@pytest.mark.process
def test_a_negative_size_is_refused() -> None:
    text = "func.func @f() -> !shape.size {\n  %c = shape.const_size -1\n  return %c : !shape.size\n}"
    report = check(text)
    assert report.exit_code == 1
    assert report.checked_obligations[0].obligation.message == "-1 is no size: a size is at least 0"


DISTRUSTED = {
    "div": (
        "(%a: !shape.size, %b: !shape.size)",
        "%0 = shape.div %a, %b : !shape.size, !shape.size -> !shape.size",
    ),
    "eq": (
        "(%s: !shape.shape, %t: !shape.shape)",
        "%w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape",
    ),
    "broadcast": (
        "(%v: !shape.value_shape, %u: !shape.value_shape)",
        """%s = shape.shape_of %v : !shape.value_shape -> !shape.shape
        %t = shape.shape_of %u : !shape.value_shape -> !shape.shape
        %w = shape.cstr_broadcastable %s, %t : !shape.shape, !shape.shape""",
    ),
    "split": (
        "(%s: !shape.shape, %k: !shape.size)",
        """%h, %t = "shape.split_at"(%s, %k) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
        %w = shape.cstr_eq %h, %t : !shape.shape, !shape.shape""",
    ),
    "require": (
        "(%s: !shape.shape, %t: !shape.shape)",
        """%p = shape.is_broadcastable %s, %t : !shape.shape, !shape.shape
        %w = shape.cstr_require %p, "they broadcast"
        shape.assuming %w {
          %q = shape.shape_eq %s, %t : !shape.shape, !shape.shape
          %x = shape.cstr_require %q, "they are equal"
          shape.assuming %x {}
        }""",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTRUSTED)
def test_what_is_needed_of_arguments_that_may_be_errors_is_suggested_and_suffices(name: str) -> None:
    arguments, body = DISTRUSTED[name]
    text = f"func.func @f{arguments} {{\n{body}\nreturn\n}}"
    distrusted = Options(execute=False, distrust=True)
    (function,) = check(text, options=distrusted).functions
    suggested = suggestions(function)
    assert suggested.assumptions and not suggested.inexpressible
    under = check(text, options=replace(distrusted, assumptions=suggested.assumptions))
    assert {each.verdict.word for each in under.checked_obligations} == {"proved"}


def test_the_size_of_an_error_is_not_any_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.mlir"
    path.write_text("""
func.func @f(%m: !shape.size, %n: !shape.size) {
  %i = shape.size_to_index %m : !shape.size
  %j = shape.size_to_index %n : !shape.size
  return
}""")
    assert main(["check", "--no-execute", "--distrust", str(path)]) == 1
    places = [line.strip() for line in capsys.readouterr().out.splitlines() if "fails at" in line]
    assert places == ["fails at   m = invalid   (for any n)", "fails at   n = invalid   (for any m)"]


def test_a_shape_that_is_an_error_for_all_sizes_is_invalid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broadcast.mlir"
    path.write_text("""
func.func @f(%s: !shape.shape) -> !shape.shape {
  %a = shape.const_shape [4, 2] : !shape.shape
  %b = shape.const_shape [4, 3] : !shape.shape
  %m = shape.broadcast %a, %b, %s : !shape.shape, !shape.shape, !shape.shape -> !shape.shape
  return %m : !shape.shape
}""")
    assert main(["shape-of", str(path)]) == 1
    shapes = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if "  " in line.strip())
    assert shapes["%m"] == shapes["returns"] == "invalid"
    assert main(["shape-of", "--distrust", str(path)]) == 1
    assert "%m  invalid" in capsys.readouterr().out


def test_a_value_whose_shape_does_not_conform_is_shown_with_its_condition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document: "If both the value and shape are known, then the shape of value is conformant with shape"."""
    path = tmp_path / "f.mlir"
    path.write_text("""
func.func @f(%t: tensor<?x?xf32>, %u: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %u : tensor<?x4xf32> -> tensor<2xindex>
  %v = shape.with_shape %t, %s : tensor<?x?xf32>, tensor<2xindex>
  %r = shape.value_of %v : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""")
    assert main(["shape-of", str(path), "%v"]) == 0
    assert "%v  [u[0], 4] where t[0] == u[0] and t[1] == 4" in capsys.readouterr().out


def test_the_words_of_an_error_that_a_callee_returns_are_shown() -> None:
    text = """
func.func private @common(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (index, !shape.shape) {
  %n = arith.constant 1 : index
  %s = shape.shape_of %a : tensor<?xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<?xf32> -> !shape.shape
  %m = shape.broadcast %s, %t {error = "no common shape"} : !shape.shape, !shape.shape -> !shape.shape
  return %n, %m : index, !shape.shape
}
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %n, %s = func.call @common(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> (index, !shape.shape)
  %count = shape.num_elements %s : !shape.shape -> !shape.size
  %i = shape.size_to_index %count : !shape.size
  return %i : index
}"""
    (obligation,) = check(text, options=Options(execute=False)).refuted
    assert obligation.obligation.authors_messages == ("no common shape",)
