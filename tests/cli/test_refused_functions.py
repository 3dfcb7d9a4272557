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


@pytest.mark.parametrize("name", ["shape-of", "contract", "prune"])
def test_a_program_without_its_refused_functions_is_not_written(name: str, tmp_path: Path, command: Command) -> None:
    path, output = tmp_path / "a.mlir", tmp_path / "out.mlir"
    path.write_text(UNKNOWN_OP + SAME.format(name="f"))
    result = command(name, str(path), "-o", str(output))
    assert result.code == 2
    assert "my.op" in result.err
    assert not output.exists()
