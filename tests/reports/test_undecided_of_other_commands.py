"""Test that `prune` and `refine` name the unknown operation with its line and a remedy, as `check` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main

LOOKUP = """func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %j = "my.lookup"(%n) : (index) -> index
  %r = tensor.empty(%j) : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
CHECKED = """func.func @f(%a: tensor<?xf32>, %i: index) {
  %j = "my.lookup"(%i) : (index) -> index
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %c = arith.cmpi ult, %j, %d : index
  cf.assert %c, "in range"
  return
}
"""
DESCRIBE = "--library FILE.mlir or --rules FILE.py"


def output(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    return " ".join(f"{out}\n{err}".split())


def test_prune_names_the_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "checked.mlir"
    file.write_text(CHECKED, encoding="utf-8")
    main(["prune", str(file), "-o", str(tmp_path / "out.mlir")])
    text = output(capsys)
    assert 'kept line 6: cf.assert "in range": undecided: my.lookup (line 2): no rule describes it' in text
    assert f"try describe my.lookup: {DESCRIBE}" in text


@pytest.mark.parametrize("side", ["source", "target"])
def test_refine_names_the_unknown_and_its_side(side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {name: tmp_path / f"{name}.mlir" for name in ("source", "target")}
    for name, path in paths.items():
        plain = LOOKUP.replace('"my.lookup"(%n) : (index) -> index', "arith.addi %n, %n : index")
        path.write_text(LOOKUP if name == side else plain, encoding="utf-8")
    main(["refine", str(paths["source"]), str(paths["target"]), "--no-execute", "--verbose"])
    text = output(capsys)
    assert f"because my.lookup of the {side} (line 2): no rule describes it" in text
    assert f"try describe my.lookup of the {side}: {DESCRIBE}" in text


TWO_OF_ONE_LAUNCH = """
func.func @add(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
    scf.reduce
  }
  return
}
"""


def test_claims_of_which_another_may_fail_first_name_the_command_that_takes_them_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(TWO_OF_ONE_LAUNCH)
    assert main(["check", str(file), "--no-execute"]) == 1
    assert "try ask what is enough for all of them together: shapesolve contract" in output(capsys)
    assert main(["contract", str(file)]) == 0
    assert "1. x[0] >= n" in output(capsys)
