"""Operations that are declared to carry a trait, through every command."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy
import pytest

import shapesolve
from shapesolve.checker.report import Report
from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted

TWO = """\
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = "my.op"(%a, %b) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def _check(text: str, *carriers: str, assumptions: tuple[str, ...] = ()) -> Report:
    return shapesolve.check(text, options=Options(carriers=carriers, execute=False, assumptions=assumptions))


@pytest.mark.slow
def test_the_result_and_the_claim_are_those_of_numpy() -> None:
    """At all small static sizes a program is proved exactly where numpy broadcasts, with numpy's result extents."""
    for a, b, c in product(range(4), repeat=3):
        first, second = f"tensor<{a}x{b}xf32>", f"tensor<{c}xf32>"
        text = f"""\
func.func @f(%a: {first}, %b: {second}) -> tensor<?x?xf32> {{
  %0 = "my.op"(%a, %b) : ({first}, {second}) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
"""
        try:
            expected: tuple[int, ...] | None = numpy.broadcast_shapes((a, b), (c,))
        except ValueError:
            expected = None
        checked_obligation = _check(text, "my.op").checked_obligations[0]
        assert isinstance(checked_obligation.verdict, Proved if expected is not None else Refuted), (a, b, c)
        if expected is not None:
            shapes = shapesolve.shape_of(text, options=Options(carriers=("my.op",)))["f"]
            assert next(each.shape for each in shapes if each.name == "%0") == str(list(expected))


@pytest.mark.parametrize(
    ("trait", "assumption"),
    [
        ("Broadcastable", "compatible(a[1], b[0])"),
        ("SameOperandsAndResultShape", None),
        ("SameOperandsShape", None),
        ("Elementwise", None),
    ],
)
def test_each_trait_has_its_claim(trait: str, assumption: str | None) -> None:
    refuted = _check(TWO, f"my.op={trait}")
    assert any(
        isinstance(each.verdict, Refuted) and each.obligation.clause == "C2" for each in refuted.checked_obligations
    )
    if assumption is not None:
        proved = _check(TWO, f"my.op={trait}", assumptions=(assumption,))
        assert all(isinstance(each.verdict, Proved) for each in proved.checked_obligations)


def _one(types: str, result: str) -> str:
    names = [f"%{letter}" for letter in "abcd"]
    each = types.split(", ")
    arguments = ", ".join(f"{name}: {type}" for name, type in zip(names, each, strict=False))
    used = ", ".join(names[: len(each)])
    return f"""\
func.func @f({arguments}) -> {result} {{
  %0 = "my.op"({used}) : ({types}) -> {result}
  return %0 : {result}
}}
"""


@pytest.mark.parametrize(
    ("trait", "types", "result", "clauses"),
    [
        ("SameOperandsAndResultShape", "tensor<2xf32>, tensor<2xf32>", "tensor<2xf32>", ""),
        ("SameOperandsAndResultShape", "tensor<2xf32>, tensor<3xf32>", "tensor<2xf32>", "C2"),
        ("SameOperandsAndResultShape", "tensor<2xf32>, tensor<2xf32>", "tensor<3xf32>", "T2"),
        ("SameOperandsAndResultShape", "tensor<2xf32>, f32", "tensor<2xf32>", "C1"),
        ("SameOperandsAndResultShape", "vector<2xf32>, vector<3xf32>", "vector<2xf32>", "C2"),
        ("SameOperandsShape", "tensor<2xf32>, tensor<2xf32>", "tensor<7xf32>", ""),
        ("SameOperandsShape", "tensor<2xf32>, tensor<2x1xf32>", "tensor<7xf32>", "C2"),
        ("Elementwise", "tensor<2xf32>, f32", "tensor<2xf32>", ""),
        ("Elementwise", "tensor<2xf32>, tensor<3xf32>, f32", "tensor<2xf32>", "C2"),
        ("Elementwise", "f32, f32", "tensor<2xf32>", "C1"),
        ("Elementwise", "tensor<2xf32>, f32", "f32", "C1"),
        ("Elementwise", "f32, f32", "f32", ""),
        ("as-operand-1", "tensor<2xf32>, tensor<3xf32>", "tensor<3xf32>", ""),
        ("as-operand-1", "tensor<2xf32>, tensor<3xf32>", "tensor<2xf32>", "T2"),
        ("as-operand-2", "tensor<2xf32>, tensor<3xf32>", "tensor<2xf32>", "C1"),
        ("Broadcastable", "tensor<2xf32>, vector<2xf32>", "tensor<2xf32>", ""),
        ("Broadcastable", "tensor<2xf32>, memref<2xf32>", "tensor<2xf32>", "C1"),
        ("Broadcastable", "tensor<3xf32>, tensor<3xf32>", "tensor<1x3xf32>", "T1"),
        ("Broadcastable", "tensor<1xf32>, tensor<1xf32>", "tensor<4xf32>", "T2"),
    ],
)
def test_static_instances_of_a_trait_break_the_expected_clauses(
    trait: str, types: str, result: str, clauses: str
) -> None:
    report = _check(_one(types, result), f"my.op={trait}")
    refuted = {each.obligation.clause for each in report.checked_obligations if isinstance(each.verdict, Refuted)}
    assert refuted == set(clauses.split())
    assert all(isinstance(each.verdict, Proved | Refuted) for each in report.checked_obligations)


@pytest.mark.parametrize(
    ("types", "result", "is_mixed"),
    [
        ("tensor<2xf32>, vector<2xf32>", "tensor<2xf32>", True),
        ("tensor<2xf32>, tensor<2xf32>", "vector<2xf32>", True),
        ("vector<2xf32>, vector<2xf32>", "vector<2xf32>", False),
    ],
)
def test_it_is_said_that_mlir_refuses_a_tensor_beside_a_vector(types: str, result: str, is_mixed: bool) -> None:
    text = _one(types, result)
    (function,) = _check(text, "my.op=Broadcastable").functions
    words = "a tensor beside a vector is taken as the trait's page says; every version of MLIR refuses it (verify)"
    assert (words in function.trace.modeling_texts) == is_mixed
    (operation,) = shapesolve.verify(text, carriers=["my.op"]).operations
    assert (operation.outcome == "rejected") == is_mixed


@pytest.mark.process
def test_a_declaration_is_listed_as_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    words = "my.op carries Broadcastable (--carrier)"
    assert main(["check", str(path), "--carrier", "my.op", "--no-execute"]) == 1
    assert words in capsys.readouterr().out
    assert main(["check", str(path), "--carrier", "my.op", "--no-execute", "--json"]) == 1
    (function,) = json.loads(capsys.readouterr().out)["files"][0]["functions"]
    assert words in function["model_assumptions"]
    for command in (["prune", str(path), "-o", "-"], ["contract", str(path)], ["explain", f"{path}:2"]):
        main([*command, "--carrier", "my.op"])
        captured = capsys.readouterr()
        assert words in captured.out + captured.err, command


@pytest.mark.process
def test_no_declaration_is_needed_where_the_dialect_has_the_trait() -> None:
    report = shapesolve.check(TWO.replace("my.op", "test.broadcastable"))
    assert [type(each.verdict) for each in report.checked_obligations] == [Refuted]
    assert not any("carries" in words for each in report.functions for words in each.trace.modeling_texts)


def test_the_file_says_it_itself() -> None:
    text = 'module attributes {shapesolve.carriers = ["my.op"]} {\n' + TWO + "}\n"
    report = _check(text)
    assert [type(each.verdict) for each in report.checked_obligations] == [Refuted]
    assert "my.op carries Broadcastable (shapesolve.carriers)" in report.functions[0].trace.modeling_texts
    (operation,) = shapesolve.verify(text).operations
    assert operation.outcome == "accepted"


def test_checks_that_follow_from_the_trait_are_pruned(tmp_path: Path) -> None:
    text = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = "my.op"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %m = tensor.dim %0, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "the operation keeps the size"
  return %0 : tensor<?xf32>
}
"""
    options = Options(carriers=("my.op=as-operand-0",))
    assert "cf.assert" not in shapesolve.prune(text, options=options).text
    assert "cf.assert" in shapesolve.prune(text, options=Options(carriers=("my.op=as-operand-1",))).text
    assert "cf.assert" in shapesolve.prune(text).text


def test_a_lowering_is_compared_with_its_carrier() -> None:
    source = TWO.replace("tensor<?xf32>", "tensor<4xf32>").replace("%a: tensor<?x?xf32>", "%a: tensor<3x4xf32>")
    source = source.replace("(tensor<?x?xf32>,", "(tensor<3x4xf32>,")
    target = """\
func.func @f(%a: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %a : tensor<3x4xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""
    (compared,) = shapesolve.refine(source, target, options=Options(carriers=("my.op",), execute=False))
    assert compared.findings
    assert not any(isinstance(each.verdict, Refuted) for each in compared.findings)
    other = "  %c1 = arith.constant 1 : index\n  %1 = tensor.empty(%c1, %c1) : tensor<?x?xf32>\n  return %1"
    wrong = target.replace("  return %0", other)
    (refuted,) = shapesolve.refine(source, wrong, options=Options(carriers=("my.op",), execute=False))
    assert any(isinstance(each.verdict, Refuted) for each in refuted.findings)


@pytest.mark.parametrize(
    ("carriers", "words"),
    [
        (("my.op=Foo",), "nothing is known of a trait `Foo`; known are Broadcastable"),
        (("my.op=as-operand",), "nothing is known of a trait `as-operand`"),
        (("op",), "does not have the form my.op or my.op=TRAIT"),
        (("my.op=",), "does not have the form my.op or my.op=TRAIT"),
        (("tosa.add",), "tosa.add has a rule already"),
        (("my.op", "my.op=Elementwise"), "my.op carries Elementwise here, and Broadcastable by --carrier"),
    ],
)
def test_a_bad_declaration_of_a_trait_is_an_input_error(carriers: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        _check(TWO, *carriers)


def test_verify_judges_one_trait_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    assert main(["verify", str(path), "--carrier", "my.op=Elementwise"]) == 2
    assert "verify judges the trait Broadcastable alone" in capsys.readouterr().err
    assert main(["verify", str(path), "--carrier", "my.op=Broadcastable"]) == 0
