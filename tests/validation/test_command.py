"""``shapesolve validate`` with the installed MLIR: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shapesolve.cli.main import main

pytestmark = pytest.mark.process

EXAMPLES = Path(__file__).parents[2] / "examples"
FALSE_WITNESS = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %w = shape.const_witness false
  %r = shape.assuming %w -> (tensor<?xf32>) { shape.assuming_yield %a : tensor<?xf32> }
  return %r : tensor<?xf32>
}
"""
ASSERTED = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %n2 = tensor.dim %b, %c0 : tensor<?xf32>
  %e = arith.cmpi eq, %m, %n : index
  cf.assert %e, "the sizes differ"
  return %n2 : index
}
"""


def validated(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["validate", *arguments])
    result = capsys.readouterr()
    return code, result.out, result.err


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "broken.mlir"
    path.write_text(FALSE_WITNESS)
    return str(path)


@pytest.fixture
def asserted(tmp_path: Path) -> str:
    path = tmp_path / "asserted.mlir"
    path.write_text(ASSERTED)
    return str(path)


def test_passes_that_refine_their_input_exit_with_0(asserted: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = validated(capsys, asserted, "-p", "builtin.module(func.func(cse),canonicalize,cse)")
    assert code == 0
    assert out.startswith(f"{asserted}: proved: every pass refines its input\n")
    assert "3: 2 changed nothing, 1 proved" in " ".join(out.split())


def test_the_wrong_pass_is_named_and_executed(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = validated(capsys, broken, "-p", "builtin.module(cse,func.func(canonicalize),cse)")
    assert code == 1
    assert out.startswith(f"{broken}: canonicalize (pass 2 of 3) does not refine its input\n")
    output = " ".join(out.split())
    assert "source aborts at line 3: shape.assuming: the witness" in output
    assert "target returns" in output
    assert "the target returned a tensor of size 2" in output


def test_end_to_end_compares_the_ends(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = validated(capsys, broken, "-p", "builtin.module(cse,canonicalize)", "--end-to-end")
    assert code == 1
    assert out.startswith(f"{broken}: the whole pipeline does not refine its input\n")


def test_lost_checks_may_be_allowed(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = validated(capsys, broken, "-p", "builtin.module(canonicalize)", "--allow-lost-checks")
    assert code == 3
    given = (broken, "-p", "builtin.module(canonicalize)", "--allow-lost-checks", "--shapes-only")
    assert validated(capsys, *given)[0] == 0


def test_assumptions_name_the_arguments_of_the_file_in_every_step(
    asserted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pipeline = "builtin.module(cse,func.func(canonicalize),remove-dead-values,cse)"
    code, _, err = validated(capsys, asserted, "-p", pipeline, "--assume", "a[0] == b[0]")
    assert (code, err) == (0, "")


def test_a_pass_that_gives_up_is_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "unknown.mlir"
    path.write_text(
        'func.func @f(%a: index) -> index {\n  %0 = "my.op"(%a) : (index) -> index\n  return %0 : index\n}\n'
    )
    code, out, _ = validated(capsys, str(path), "-p", "builtin.module(one-shot-bufferize,cse,canonicalize)")
    assert code in (0, 3)
    path.write_text(
        'func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = "my.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>\n'
        "  return %0 : tensor<?xf32>\n}\n"
    )
    code, out, _ = validated(capsys, str(path), "-p", "builtin.module(one-shot-bufferize,cse,canonicalize)")
    assert code == 3
    assert "not settled: one-shot-bufferize (pass 1 of 3) gave up" in out
    assert "2 not run" in " ".join(out.split())


@pytest.mark.parametrize(
    ("pipeline", "words"),
    [
        (
            "builtin.module(cse,func.func(canonicalizee))",
            "--pipeline:1:30: 'canonicalizee' does not refer to a registered",
        ),
        ("builtin.module(canonicalize{foo=1})", "no such option foo"),
        ("builtin.module(", "--pipeline:1:15: a bracket is not closed"),
        ("builtin.module(func.func(one-shot-bufferize))", "restricted to 'builtin.module'"),
        ("builtin.module()", "there is no pass in it"),
        ("canonicalize", "write builtin.module(...) around it"),
    ],
)
def test_a_pipeline_that_does_not_parse_exits_with_2(
    pipeline: str, words: str, asserted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = validated(capsys, asserted, "-p", pipeline)
    assert (code, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_one_unusable_file_loses_nothing(
    broken: str, asserted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.mlir"
    bad.write_text("func.func @f( {\n")
    code, out, err = validated(capsys, broken, str(bad), asserted, "-p", "builtin.module(canonicalize)", "--no-execute")
    assert code == 2
    assert f"{bad}:1:14: expected non-function type" in err
    assert f"{broken}: canonicalize (pass 1 of 1) does not refine its input" in out
    assert f"{asserted}: " in out


def test_validate_as_json_has_the_standing_of_each_pass(
    broken: str, asserted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = validated(capsys, broken, asserted, "-p", "builtin.module(cse,canonicalize)", "--json")
    document = json.loads(out)
    assert document["format"] == "shapesolve-validate"
    assert document["exit_code"] == code == 1
    first, second = document["files"]
    assert [each["standing"] for each in first["passes"]] == ["unchanged", "refuted"]
    assert first["passes"][1]["before"].count("shape.assuming ") == 1
    assert "shape.assuming" not in first["passes"][1]["after"]
    assert second["counts"] == {"unchanged": 1, "proved": 1}


def test_a_file_that_cannot_be_used_stands_in_the_json(
    asserted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "missing.mlir")
    code, out, err = validated(capsys, missing, asserted, "-p", "builtin.module(cse)", "--json")
    failed, whole = json.loads(out)["files"]
    error = {"where": missing, "message": "there is no such file", "excerpt": ""}
    assert failed == {"file": missing, "exit_code": 2, "error": error}
    assert (whole["file"], code) == (asserted, 2)
    assert err == f"error: {missing}: there is no such file\n"


@pytest.mark.slow
def test_upstream_passes_on_the_examples_are_proved(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLES / name) for name in ("linear.mlir", "transformer.mlir", "transformer_stablehlo.mlir")]
    pipeline = "builtin.module(func.func(canonicalize),cse,symbol-dce)"
    code, out, _ = validated(capsys, *files, "-p", pipeline, "--shapes-only")
    assert code == 0
    assert out.count(": proved: every pass refines its input") == 2
    assert out.count(": nothing to prove: every output is the same program as its input") == 1


def test_an_exchange_for_counterparts_is_not_called_the_same_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sum.mlir"
    path.write_text("func.func @f(%a: i32) -> i32 {\n%0 = arith.addi %a, %a : i32\nreturn %0 : i32\n}\n")
    code, out, _ = validated(capsys, str(path), "-p", "builtin.module(convert-arith-to-llvm)")
    assert (code, out.count(": nothing to prove: every output reads as the same program as its input")) == (0, 1)
