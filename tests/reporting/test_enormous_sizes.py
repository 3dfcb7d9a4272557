"""What fails at enormous sizes comes last and takes few lines; what an exporter states is listed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli import main

PROGRAM = """
func.func @f(%x: tensor<?xi8> {shapesolve.shape = "[N]"})
    attributes {shapesolve.assume = ["N >= 1"], shapesolve.stated_by = "torch.export"} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi8>
  %many = arith.constant 2000000000 : index
  %few = arith.constant 5 : index
  %ok = arith.cmpi slt, %n, %many : index
  cf.assert %ok, "much too long"
  %short = arith.cmpi slt, %n, %few : index
  cf.assert %short, "too long"
  return
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(PROGRAM)
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["check", "--no-execute", *arguments]) == 1
    return " ".join(capsys.readouterr().out.split())


def test_they_come_last_and_in_short(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, file)
    first, last = said.split("enormous what fails at sizes of 2^30 and more, where integers may wrap around: ")
    assert "1. REFUTED" in first
    assert "requires N <= 4 fails at %x: tensor<5xi8>" in first
    assert 'the assertion "much too long" fails; requires N <= 1999999999; fails at %x: tensor<2000000000xi8>' in last


def test_all_is_said_where_it_is_asked_for(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, file, "--verbose")
    assert "enormous" not in said
    assert "2. REFUTED" in said
    assert "torch.export: N >= 1" in said


def test_what_an_exporter_states_is_listed_once(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, file)
    assert said.count("N >= 1") == 1
    assert "torch.export is trusted" in said
    assert "N >= 2" in printed(capsys, file, "--assume", "N >= 2").partition("assumed")[2]
