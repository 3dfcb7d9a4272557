"""Test that findings at enormous sizes come last and take few lines, and that an exporter's facts are listed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main

WORDS = (
    "large these were found to fail only at sizes, integers or elements of 2^30 and more, or with as many elements in "
    "one argument, where integers may wrap around: "
)

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


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    assert main(["check", "--no-execute", *arguments]) == code
    return " ".join(capsys.readouterr().out.split())


def test_they_come_last_and_in_short(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, file)
    first, last = output.split(WORDS)
    assert "11:3: error: cf.assert needs N <= 4 (too long) [cf-assert-condition] fails at x: 5 " in first
    assert "needs N <= 1999999999 (much too long) [cf-assert-condition] fails at x: 2000000000 " in last


def many_elements(count: int) -> str:
    """Return a program in which a matrix has too many elements for one assertion, and a row for another."""
    return f"""
func.func @f(%x: tensor<?x?xi8> {{shapesolve.shape = "[M, N]"}}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xi8>
  %n = tensor.dim %x, %c1 : tensor<?x?xi8>
  %all = arith.muli %m, %n : index
  %many = arith.constant {count} : index
  %ok = arith.cmpi slt, %all, %many : index
  cf.assert %ok, "too many elements"
  %few = arith.constant 5 : index
  %short = arith.cmpi slt, %n, %few : index
  cf.assert %short, "too long"
  return
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("count", "verdict", "why"), [(2**40, "error", "fails at"), (2**60, "warning", "2^47")])
def test_so_does_an_argument_of_many_elements(
    count: int,
    verdict: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("a.mlir")
    path.write_text(many_elements(count))
    first, last = printed(capsys, str(path)).split(WORDS)
    assert "needs N <= 4 (too long) [cf-assert-condition] fails at" in first
    assert f"{path}:10:3: {verdict}: cf.assert needs " in last and "(too many elements)" in last
    assert why in last.partition("safe exactly")[0]


def test_verbose_prints_requirements_of_very_large_sizes(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, file, "--verbose")
    assert WORDS not in output
    assert output.count(": error: ") == 2
    assert "torch.export: N >= 1" in output


def test_statements_of_an_exporter_are_listed_once(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, file)
    assert output.count("N >= 1") == 1
    assert "torch.export is trusted" in output
    assert "N >= 2" in printed(capsys, file, "--assume", "N >= 2").partition("assumed")[2]


FLATTENED = """
func.func @f(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %p = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %q = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.multiply %p, %q : tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %a, %shape : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %flat : tensor<?xf32>
}
"""


def test_all_requirements_of_one_operation_at_enormous_sizes_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(FLATTENED)
    output = printed(capsys, str(path), code=0)
    assert "a[0]*a[1] <= 2147483647 [stablehlo-dynamic-reshape" in output
    assert "2 refuted (1 finding)" in output
