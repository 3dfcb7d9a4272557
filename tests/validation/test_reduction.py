"""Findings made small, the files of a finding, and ``shapesolve reduce``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.reducer import reduce

pytestmark = pytest.mark.process

BROKEN = """\
func.func @f(%a: tensor<?x7xf32>, %b: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %x = arith.addf %a, %b : tensor<?x7xf32>
  %w = shape.const_witness false
  %r = shape.assuming %w -> (tensor<?x7xf32>) { shape.assuming_yield %x : tensor<?x7xf32> }
  return %r : tensor<?x7xf32>
}
"""


@pytest.mark.exhaustive
def test_a_finding_is_saved_and_reduced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "model.mlir", tmp_path / "out"
    path.write_text(BROKEN)
    code = main(["validate", str(path), "-p", "builtin.module(cse,canonicalize)", "--no-execute", "--save", str(out)])
    folder = out / "model-02-canonicalize"
    assert code == 1
    assert f"saved in {folder}" in capsys.readouterr().out
    assert (folder / "before.mlir").read_text() == BROKEN
    small = (folder / "reduced.mlir").read_text()
    assert "shape.assuming" in small
    assert "addf" not in small
    assert "7" not in small
    assert "assuming" not in (folder / "after.mlir").read_text()
    line = (folder / "pass.txt").read_text().strip()
    assert main(["validate", str(folder / "reduced.mlir"), "-p", line, "--no-execute"]) == 1
    assert "reduced.mlir" in (folder / "reproduce.sh").read_text()


def test_right_passes_save_no_files(tmp_path: Path) -> None:
    path, out = tmp_path / "model.mlir", tmp_path / "out"
    path.write_text(BROKEN)
    assert main(["validate", str(path), "-p", "builtin.module(cse)", "--save", str(out)]) == 0
    assert not out.exists()


def keeping(word: str) -> str:
    """Return a command that succeeds on files with a word."""
    return f'"{sys.executable}" -c "import sys; sys.exit(\'{word}\' not in open(sys.argv[1]).read())"'


def test_reduce_keeps_what_a_command_accepts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, small = tmp_path / "model.mlir", tmp_path / "small.mlir"
    path.write_text(BROKEN)
    assert main(["reduce", str(path), "--keep", keeping("addf"), "-o", str(small)]) == 0
    assert "addf" in small.read_text()
    assert "shape." not in small.read_text()
    assert "lines" in capsys.readouterr().err


def test_reduce_refuses_a_command_that_fails_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(BROKEN)
    assert main(["reduce", str(path), "--keep", keeping("mulf")]) == 2
    assert "does not exit with 0 on the program itself" in capsys.readouterr().err


def test_the_command_may_name_the_place_of_the_file(tmp_path: Path) -> None:
    path, small = tmp_path / "model.mlir", tmp_path / "small.mlir"
    path.write_text(BROKEN)
    command = f"{keeping('addf')} {{}}"
    assert main(["reduce", str(path), "--keep", command, "--attempts", "1", "-o", str(small)]) == 0
    assert small.read_text() != BROKEN


def test_extents_and_ranks_become_small() -> None:
    text = """\
func.func @f(%a: tensor<3x640x?xf32>, %b: tensor<640xi8>) -> tensor<3x640x?xf32> {
  %r = math.exp %a : tensor<3x640x?xf32>
  return %r : tensor<3x640x?xf32>
}"""
    small = reduce(text, lambda candidate: "math.exp" in candidate and "?x" in candidate)
    assert "640" not in small
    assert "3x" not in small
    assert "math.exp" in small
