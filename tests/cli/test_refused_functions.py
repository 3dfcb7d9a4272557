"""Files of which MLIR refuses some functions: the others are checked, and the exit code is 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.refused_functions import SAME, UNKNOWN_OP, WRONG_TYPE

from .conftest import Command


def check_of(path: Path, text: str, command: Command) -> tuple[int, str, str]:
    path.write_text(text)
    result = command("check", str(path), "--no-execute")
    return result.code, result.out, result.err


def test_check_reports_refused_functions_and_checks_the_others(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.mlir"
    code, out, err = check_of(path, UNKNOWN_OP + SAME.format(name="f") + WRONG_TYPE, command)
    assert code == 2
    assert f"{path}:3:" in err
    assert f"{path}:11:" in err
    assert "1 check of sizes: 1 proved; REFUSED BY MLIR, so not checked: @unknown, @typed" in out
    document = json.loads(command("check", str(path), "--no-execute", "--json", "-").out)
    assert document["exit_code"] == 2
    assert [each["exit_code"] for each in document["files"]] == [2, 2, 0]


def test_a_private_function_that_refused_code_calls_is_left_out(tmp_path: Path, command: Command) -> None:
    helper = SAME.format(name="helper").replace("func.func", "func.func private")
    refused = UNKNOWN_OP.replace(
        "%0 = my.op", "%1 = func.call @helper(%x) : (tensor<?xf32>) -> tensor<?xf32>\n  %0 = my.op"
    )
    code, out, _ = check_of(tmp_path / "a.mlir", refused + helper + SAME.format(name="f"), command)
    assert code == 2
    assert "@helper is not checked" in out
    assert "1 check of sizes: 1 proved" in out


def test_the_contract_of_a_refused_function_is_left_out(tmp_path: Path, command: Command) -> None:
    """Its declaration has other names: `arg0` would be the first argument."""
    head = "func.func @unknown(%x: tensor<?xf32>, %arg0: tensor<?xf32>) -> tensor<?xf32>"
    stated = 'attributes {shapesolve.requires = ["NAME[0] == 3"]}'
    refused = f'{head} {stated} {{\n  %0 = "no.such"(%x) : () -> tensor<?xf32>\n  return %0 : tensor<?xf32>\n}}\n'
    caller = """func.func @caller(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<?xf32> {
  %0 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %2 = func.call @unknown(%0, %1) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
"""
    for name in ("x", "arg0"):
        text = refused.replace("NAME", name) + caller + SAME.format(name="f")
        code, out, _ = check_of(tmp_path / "a.mlir", text, command)
        assert code == 2
        assert "3 checks of sizes: 3 proved; REFUSED BY MLIR, so not checked: @unknown" in out


def test_only_refused_functions_leave_nothing_to_check(tmp_path: Path, command: Command) -> None:
    code, out, err = check_of(tmp_path / "a.mlir", UNKNOWN_OP, command)
    assert code == 2
    assert "my.op" in err
    assert not out


@pytest.mark.parametrize(
    ("arguments", "answered"),
    [
        (("shape-of",), "%0  [x[0]]"),
        (("contract",), "@f"),
        (("sizes",), "@f"),
        (("facts",), "[f."),
        (("explain",), "tosa-add-broadcast  proved"),
        (("verify",), "1 accepted by mlir-22; REFUSED BY MLIR, so not checked: @unknown"),
    ],
)
def test_commands_that_read_answer_the_other_functions(
    arguments: tuple[str, ...], answered: str, tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(UNKNOWN_OP + SAME.format(name="f"))
    result = command(*arguments, str(path))
    assert result.code == 2
    assert f"{path}:3:" in result.err
    assert "my.op" in result.err
    assert answered in result.out


def test_verify_shows_a_refused_function_as_it_is_written(tmp_path: Path, command: Command) -> None:
    """Its operations with the trait are not verified, though they are read under other names."""
    path = tmp_path / "a.mlir"
    sums = "  %s = tosa.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>"
    wrong = f"func.func @wrong(%x: tensor<2xf32>, %y: tensor<3xf32>) {{\n{sums}\n  return\n}}\n"
    refused = wrong.replace("@wrong", "@refused").replace("tosa.add %x, %y", "tosa.add %x, %z")
    path.write_text(wrong + refused)
    result = command("verify", str(path))
    assert result.code == 2
    assert f"{path}:6:21: use of undeclared SSA value name" in result.err
    assert sums.replace("%y", "%z").strip() in result.err
    assert "0 accepted" not in result.out
    assert "1 rejected by mlir-22; REFUSED BY MLIR, so not checked: @refused" in result.out
    assert json.loads(command("verify", str(path), "--json").out)["exit_code"] == 2


@pytest.mark.parametrize("name", ["shape-of", "contract", "prune"])
def test_a_program_without_its_refused_functions_is_not_written(name: str, tmp_path: Path, command: Command) -> None:
    path, output = tmp_path / "a.mlir", tmp_path / "out.mlir"
    path.write_text(UNKNOWN_OP + SAME.format(name="f"))
    result = command(name, str(path), "-o", str(output))
    assert result.code == 2
    assert "my.op" in result.err
    assert "hint: MLIR refuses only @unknown: this command needs the whole program" in result.err
    assert not output.exists()


def test_a_comparison_of_whole_programs_says_what_stops_it(tmp_path: Path, command: Command) -> None:
    source, target = tmp_path / "a.mlir", tmp_path / "b.mlir"
    source.write_text(SAME.format(name="f"))
    target.write_text(UNKNOWN_OP + SAME.format(name="f") + WRONG_TYPE)
    result = command("refine", str(source), str(target))
    assert result.code == 2
    assert "hint: MLIR refuses only @unknown, @typed: " in result.err
    assert "correct or remove them" in result.err
    only_refused = command("prune", str(_written(tmp_path / "c.mlir", UNKNOWN_OP)), "-o", str(tmp_path / "d.mlir"))
    assert only_refused.code == 2
    assert "refuses only" not in only_refused.err


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
