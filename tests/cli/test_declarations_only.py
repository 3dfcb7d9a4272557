"""Files in which no function has a body: nothing is checked, which every command says with exit code 3."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Command

DECLARED = """\
func.func private @read(%path: index) -> tensor<?xf32>
func.func private @both(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
"""
BODY = """\
func.func private @read(%path: index) -> tensor<?xf32>
func.func @same(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.fixture
def declared(tmp_path: Path) -> str:
    path = tmp_path / "declared.mlir"
    path.write_text(DECLARED)
    return str(path)


@pytest.mark.parametrize(
    "words",
    [
        "check",
        "check -q",
        "contract",
        "shape-of",
        "sizes",
        "prune -o -",
        "prune --at-entry -o -",
        "prune --harden -o -",
    ],
)
def test_a_file_of_declarations_has_nothing_to_check(words: str, declared: str, command: Command) -> None:
    result = command(*words.split(), declared)
    assert result.code == 3
    assert "no function has a body" in result.out + result.err


def test_files_of_declarations_have_nothing_to_compare(declared: str, command: Command) -> None:
    result = command("refine", declared, declared)
    assert (result.code, result.out) == (3, "nothing was compared: no function has a body\n")


def test_nothing_is_explained(declared: str, command: Command) -> None:
    result = command("explain", f"{declared}:1")
    assert result.code == 3
    assert "was checked: no function has a body" in result.out


@pytest.mark.process
def test_a_pass_over_declarations_is_not_compared(declared: str, command: Command) -> None:
    result = command("validate", "--pipeline", "builtin.module(symbol-dce)", declared)
    assert result.code == 3
    assert "no function has a body" in result.out


def test_documents_say_it(declared: str, command: Command) -> None:
    (run,) = json.loads(command("check", declared, "--sarif", "-").out)["runs"]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("note", "nothing was checked: no function has a body")
    checked = json.loads(command("check", declared, "--json", "-").out)
    assert (checked["exit_code"], checked["files"][0]["functions"]) == (3, [])
    assert json.loads(command("refine", declared, declared, "--json").out)["exit_code"] == 3


@pytest.mark.parametrize("words", ["check", "contract", "shape-of", "prune -o -"])
def test_a_body_beside_declarations_keeps_its_verdict(words: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "body.mlir"
    path.write_text(BODY)
    result = command(*words.split(), str(path))
    assert result.code == 0
    assert "no function has a body" not in result.out + result.err


def test_one_file_of_declarations_leaves_a_check_of_several_open(
    tmp_path: Path, declared: str, command: Command
) -> None:
    path = tmp_path / "body.mlir"
    path.write_text(BODY)
    result = command("check", "-q", str(path), declared)
    assert result.code == 3
    assert "1 check of sizes: 1 proved" in result.out
