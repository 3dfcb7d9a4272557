"""Test that every command has a function that returns data and agrees with the command line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

import shapesolve
from shapesolve import InputError, Options
from shapesolve.cli.arguments import make_parser
from shapesolve.cli.main import main
from shapesolve.ir import bindings

DOUBLE = """
func.func @double(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %da = tensor.dim %a, %c0 : tensor<?xf32>
  %db = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %da, %db : index
  cf.assert %same, "sizes differ"
  %e = tensor.empty(%da) : tensor<?xf32>
  return %e : tensor<?xf32>
}
"""
WITHOUT_CHECK = DOUBLE.replace('  cf.assert %same, "sizes differ"\n', "")
FOUR = """
func.func @four() -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c4) : tensor<?xf32>
  %f = linalg.copy ins(%e : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %f : tensor<?xf32>
}
"""
SUM = """
func.func @sum(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.add"(%x, %y) : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "tosa.add"(%y, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<4xf32>
}
"""

#: Commands that are no question about a program, or are functions of another name.
ELSEWHERE = {
    "rules": "rule",
    "certify": None,
    "theorems": None,
    "baseline": None,
    "init": None,
    "test": None,
    "lsp": None,
    "mcp": None,
    "serve": None,
    "hunt": None,
    "completion": None,
    "man": None,
}


def commands() -> list[str]:
    (chosen,) = (each for each in make_parser("")._actions if isinstance(each, argparse._SubParsersAction))
    return sorted(chosen.choices)


@pytest.mark.parametrize("command", [each for each in commands() if each not in ELSEWHERE])
def test_every_command_is_a_function(command: str) -> None:
    name = command.replace("-", "_")
    assert name in shapesolve.__all__
    assert callable(getattr(shapesolve, name))


def test_refine_refutes_a_lost_check_unless_allowed() -> None:
    (same,) = shapesolve.refine(DOUBLE, DOUBLE, execute=False)
    assert same.word == "proved"
    (lost,) = shapesolve.refine(DOUBLE, WITHOUT_CHECK, execute=False)
    assert lost.word == "refuted"
    (allowed,) = shapesolve.refine(DOUBLE, WITHOUT_CHECK, execute=False, allow_lost_checks=True)
    assert allowed.word == "proved"
    (assumed,) = shapesolve.refine(DOUBLE, WITHOUT_CHECK, assume=["a[0] == b[0]"], execute=False)
    assert assumed.word == "proved"


@pytest.mark.slow
def test_refine_says_what_the_command_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "source.mlir", tmp_path / "target.mlir"
    source.write_text(DOUBLE, encoding="utf-8")
    target.write_text(WITHOUT_CHECK, encoding="utf-8")
    code = main(["refine", str(source), str(target), "--no-execute", "--json"])
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    (found,) = shapesolve.refine(source, target, execute=False)
    assert (found.word, found.exit_code) == (function["verdict"], code)


def test_prune_removes_nothing_as_if_arithmetic_wrapped() -> None:
    with pytest.raises(InputError, match="does not wrap around"):
        shapesolve.prune(DOUBLE, options=Options(check_wraps=True))


def test_refine_of_functions_that_do_not_match() -> None:
    with pytest.raises(InputError):
        shapesolve.refine(DOUBLE, FOUR)


def test_refine_takes_live_modules() -> None:
    with bindings.new_context():
        module = bindings.ir().Module.parse(DOUBLE)
        (found,) = shapesolve.refine(module, WITHOUT_CHECK, execute=False)
    assert found.word == "refuted"


def test_shape_of_gives_symbolic_shapes_by_value_name() -> None:
    found = shapesolve.shape_of(DOUBLE, shapes=["a=[N]"])
    shapes = {each.name: each.shape for each in found["double"]}
    assert shapes["%a"] == "[N]" and shapes["%e"] == "[N]" and shapes["%da"] == "N"
    with pytest.raises(InputError, match="no function"):
        shapesolve.shape_of(DOUBLE, functions=["nothing"])


def test_refine_types_keeps_signatures_unless_asked() -> None:
    inside = shapesolve.refine_types(FOUR)
    assert [(each.value, each.after) for each in inside.refinements] == [("%f", "tensor<4xf32>")]
    assert "func.func @four() -> tensor<?xf32>" in inside.text
    assert "func.func @four() -> tensor<4xf32>" in shapesolve.refine_types(FOUR, signatures=True).text
    nothing = shapesolve.refine_types(DOUBLE, options=Options(functions=("double",)))
    assert not nothing.refinements


def test_verify_rejects_a_wrong_sum_and_accepts_a_right_one(tmp_path: Path) -> None:
    judged = shapesolve.verify(SUM, profile="mlir-22")
    assert [each.outcome for each in judged.operations] == ["accepted", "rejected"]
    assert judged.exit_code == 1
    path = tmp_path / "sum.mlir"
    path.write_text(SUM, encoding="utf-8")
    assert [each.outcome for each in shapesolve.verify(path).operations] == ["accepted", "rejected"]
    with pytest.raises(InputError):
        shapesolve.verify(SUM, profile="mlir-99")


def test_facts_of_text_are_what_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stated = DOUBLE.replace("%a: tensor<?xf32>", '%a: tensor<?xf32> {shapesolve.shape = "[n]"}', 1)
    assert stated != DOUBLE
    text = shapesolve.facts(stated)
    path = tmp_path / "double.mlir"
    path.write_text(stated)
    assert main(["facts", str(path)]) == 0
    assert capsys.readouterr().out == text != ""
    assert shapesolve.facts(DOUBLE) == ""


def test_reduce_returns_a_smaller_program_that_still_fails() -> None:
    small = shapesolve.reduce(DOUBLE, lambda text: "tensor<" in text)
    assert "tensor<" in small and len(small) < len(DOUBLE)
    with pytest.raises(shapesolve.InputError, match="not one to keep"):
        shapesolve.reduce(DOUBLE, lambda text: False)
    with pytest.raises(TypeError, match="whether to keep"):
        shapesolve.reduce(DOUBLE, "grep")  # pyright: ignore[reportArgumentType]
