"""``shapesolve shape-of`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.library_programs import BINARY, USE, library_text, written

from shapesolve.cli.main import main
from shapesolve.ir.reader import read_text

PROGRAM = """func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %s: !shape.shape, %n: index) -> tensor<?x4xf32> {
  %w = shape.cstr_eq %s, %s : !shape.shape, !shape.shape
  %x = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
"""


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["shape-of", *arguments]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_shape_of_prints_the_shape_of_each_value_and_its_condition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(tmp_path, PROGRAM, "model.mlir")
    text = output(capsys, model)
    assert "%x  [broadcast(a[0], b[0]), 4]" in text
    assert "returns    [2*broadcast(a[0], b[0]), 4]" in text
    assert "(line 3: tosa.add [tosa-add-broadcast])" in text
    assert "%s  s" in text and "%n  n" in text


def test_elements_of_a_tensor_of_unknown_length_have_the_names_of_assumptions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = """func.func @f(%t: tensor<?xindex>, %i: index, %x: tensor<?xf32>) -> f32 {
  %p = tensor.extract %t[%i] : tensor<?xindex>
  %v = tensor.extract %x[%p] : tensor<?xf32>
  return %v : f32
}"""
    text = output(capsys, written(tmp_path, program, "model.mlir"))
    assert "%t  [t[0]]" in text
    assert "%p  t.values[i]" in text
    assert "0 <= t.values[i] < x[0]   (line 3" in text


EACH_KIND = """
func.func @f(%a: tensor<?x?xf32>, %u: tensor<*xf32>, %s: tensor<2xindex>, %z: tensor<f32>)
    -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %less = arith.cmpi slt, %n, %m : index
  cf.assert %less, "wide"
  %half = arith.floordivsi %n, %c1 : index
  %r = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %x = "my.op"(%a) : (tensor<?x?xf32>) -> tensor<?xf32>
  %p = tensor.cast %z : tensor<f32> to tensor<*xf32>
  return %u : tensor<*xf32>
}

func.func private @g(tensor<?xf32>) -> tensor<?xf32>

func.func @h() {
  return
}
"""


EXPECTED = """\
@f
   %a     [a[0], a[1]]
   %u     u
   %s     [2]
   %z     []
   %c0    0
   %c1    1
   %n     a[0]
   %m     a[1]
   %half  a[0]
   %r     [s.values[0], s.values[1]]
   %x     [%x[0]]
   %p     []
   returns    u
   provided   a[1] > a[0]   (line 9: cf.assert [cf-assert-condition])
              s.values[0] >= 0   (line 11: tensor.reshape [tensor-reshape-negative-size])
              s.values[1] >= 0   (line 11: tensor.reshape [tensor-reshape-negative-size])
              a[0]*a[1] == s.values[0]*s.values[1]   (line 11: tensor.reshape
              [tensor-reshape-elements])
   unknown    my.op is not modeled: no rule describes it (line 12)

@h
"""


def test_shape_of_prints_values_in_program_order_then_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output lists every value in program order, the results, and the conditions for returning them."""
    monkeypatch.setenv("COLUMNS", "100")
    text = output(capsys, written(tmp_path, EACH_KIND, "model.mlir"))
    assert text == EXPECTED


def test_assumptions_simplify_the_shapes_that_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(tmp_path, PROGRAM, "model.mlir")
    assert "returns    [2*a[0], 4]" in output(capsys, model, "--assume", "a[0] == b[0]")
    assert "%y  [10, 4]" in output(capsys, model, "--assume", "a[0] == b[0]", "-a", "b[0] == 5", "-v")
    text = output(capsys, model, "--shape", "a=[B, 4]", "--shape", "b=[B, 4]")
    assert "returns    [2*B, 4]" in text and "provided" not in text


def test_shape_of_one_value_prints_it_alone_or_suggests_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(tmp_path, PROGRAM, "model.mlir")
    for name in ("%x", "x"):
        assert output(capsys, model, name) == "@f\n   %x  [broadcast(a[0], b[0]), 4]\n"
    assert "no value `%xx` has a shape; did you mean %x" in output(capsys, model, "%xx", code=2)


def test_shape_of_as_json_has_values_results_and_refinements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(tmp_path, PROGRAM, "model.mlir")
    out = str(tmp_path / "out.mlir")
    document = json.loads(output(capsys, model, "--json", "--assume", "a[0] == 5", "--assume", "b[0] == 5", "-o", out))
    assert (document["format"], document["version"]) == ("shapesolve-shapes", 2)
    (function,) = document["functions"]
    assert function["results"] == ["[10, 4]"]
    (y,) = [each for each in function["values"] if each["name"] == "%y"]
    assert y["shape"] == "[10, 4]" and y["op"] == "tosa.concat" and y["line"] == 4
    (known,) = y["known"]
    assert (known["extent"], known["number"]) == (0, 10)
    assert set(known["because"]) == {"--assume: a[0] == 5", "--assume: b[0] == 5"}
    assert [each["after"] for each in document["refinements"]] == ["tensor<5x4xf32>", "tensor<10x4xf32>"]
    assert "tensor<10x4xf32>" in Path(out).read_text(encoding="utf-8")


def test_shape_of_output_writes_the_refined_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(tmp_path, PROGRAM, "model.mlir")
    assume = ("--assume", "a[0] == 5", "--assume", "b[0] == 5")
    assert main(["shape-of", model, "-o", "-", *assume]) == 0
    captured = capsys.readouterr()
    assert "tensor<10x4xf32>" in str(read_text(captured.out).executable)
    assert "2 types refined" in captured.err
    assert "it is never overwritten" in output(capsys, model, "-o", model, "--force", code=2)
    taken = written(tmp_path, "mine", "taken.mlir")
    assert "--force replaces it" in output(capsys, model, "-o", taken, code=2)
    assert Path(taken).read_text(encoding="utf-8") == "mine"
    assert "for all sizes" in output(capsys, model, "-o", str(tmp_path / "x.mlir"), "--max-size", "9", code=2)


def test_a_library_gives_the_shape_of_an_operation_without_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(tmp_path, USE, "model.mlir")
    library = written(tmp_path, library_text(BINARY, "my.op = @binary"))
    text = output(capsys, model, "--library", library)
    assert "%r  [a[0], a[1]]" in text
    assert "my.op [my-op-v1]" in text
    text = output(capsys, model)
    assert "my.op is not modeled: no rule describes it (line 2)" in text


def test_unknown_ranks_and_contradictions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(
        tmp_path,
        """func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<?xindex> {
  %s = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>
  %t = shape.shape_of %b : tensor<*xf32> -> tensor<?xindex>
  %r = shape.broadcast %s, %t : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  return %r : tensor<?xindex>
}
""",
        "model.mlir",
    )
    text = output(capsys, model)
    assert "%a  a" in text
    assert "%r  [rank(broadcast(a, b))]" in text
    contradicted = written(tmp_path, PROGRAM, "other.mlir")
    assert main(["shape-of", contradicted, "--assume", "n == 1", "--assume", "n == 2"]) == 3
    text = capsys.readouterr().out
    assert "the precondition admits no input" in text


IRREDUCIBLE = """func.func @f(%start: i1, %again: i1, %n: index) -> (tensor<?xf32>, index) {
  %x = tensor.empty(%n) : tensor<?xf32>
  cf.cond_br %start, ^left, ^right
^left:
  cf.cond_br %again, ^right, ^end
^right:
  cf.cond_br %again, ^left, ^end
^end:
  return %x, %n : tensor<?xf32>, index
}
"""


def test_results_of_control_flow_that_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = written(tmp_path, IRREDUCIBLE, "model.mlir")
    assert "returns    ?, index" in output(capsys, model)
    assert json.loads(output(capsys, model, "--json"))["functions"][0]["results"] == ["?", "?"]


CERTAIN = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %s = arith.addi %m, %n : index
  %l = arith.cmpi slt, %s, %m : index
  cf.assert %l, "it shrinks"
  return %s : index
}
"""


def test_a_function_of_which_every_call_fails_is_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(tmp_path, CERTAIN, "model.mlir")
    assert main(["shape-of", model]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        'EVERY CALL FAILS: none of the sizes that are allowed gets past line 7: cf.assert: the assertion "it' in shown
    )
    assert 'provided never: the assertion "it shrinks" fails (line 7: cf.assert [cf-assert-condition])' in shown
    assert main(["shape-of", "--json", model]) == 1
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert function["fails_for_all_sizes"] in function["where"] and function["fails_for_all_sizes"]["line"] == 7
    assert function["returned_errors"] == []
    assert main(["shape-of", model, "%s"]) == 0, "one value was asked for, and it has a size"


def test_a_check_that_never_passes_on_one_way_fails_only_some_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guarded = CERTAIN.replace("  cf.assert %l", "  scf.if %c {\n  cf.assert %l").replace("  return", "  }\n  return")
    model = written(tmp_path, guarded.replace("%b: tensor<?xf32>)", "%b: tensor<?xf32>, %c: i1)"), "model.mlir")
    assert "EVERY CALL FAILS" not in output(capsys, model)


def test_equal_operands_of_any_are_said_behind_what_assumes_them_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document: `%s0 = shape.any [2,?], [?,3] // [2,3]`."""
    text = """func.func @f(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>) -> !shape.shape {
  %s = shape.shape_of %a : tensor<2x?xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<?x3xf32> -> !shape.shape
  %w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape
  %r = shape.assuming %w -> (!shape.shape) {
    %m = shape.any %s, %t : !shape.shape, !shape.shape -> !shape.shape
    shape.assuming_yield %m : !shape.shape
  }
  return %r : !shape.shape
}
"""
    shown = output(capsys, written(tmp_path, text, "model.mlir"))
    assert "returns    [2, 3] where b[0] == 2 and a[1] == 3" in shown
