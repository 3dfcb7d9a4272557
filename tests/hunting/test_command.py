"""``shapesolve hunt`` with the installed MLIR: what it finds, keeps and continues."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

pytestmark = pytest.mark.process

FALSE_WITNESS = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %w = shape.const_witness false
  %r = shape.assuming %w -> (tensor<?xf32>) { shape.assuming_yield %a : tensor<?xf32> }
  return %r : tensor<?xf32>
}
"""
UNEQUAL = """\
func.func @g(%a: tensor<2xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %w = shape.const_witness false
  %n = shape.assuming %w -> (index) {
    %d = tensor.dim %b, %c0 : tensor<?xf32>
    shape.assuming_yield %d : index
  }
  %m = arith.addi %n, %n : index
  return %m : index
}
"""
RIGHT = """\
func.func @f(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = arith.addi %m, %n : index
  return %s : index
}
"""
REDUCED_PRECISION = """\
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def hunted(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["hunt", *arguments])
    result = capsys.readouterr()
    return code, result.out, result.err


@pytest.fixture
def given(tmp_path: Path) -> str:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "right.mlir").write_text(RIGHT)
    (folder / "wrong.mlir").write_text(f"{FALSE_WITNESS}\n// -----\n{UNEQUAL}")
    return str(folder)


def record_of(directory: Path) -> dict[str, Any]:
    return json.loads((directory / "hunt.json").read_text())


def test_causes_are_found_reduced_and_kept(given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = tmp_path / "found"
    code, out, _ = hunted(capsys, given, "--no-generate", "--passes", "canonicalize,cse", "--save", str(found))
    assert code == 1
    assert out.startswith("1 cause of wrong passes in 3 programs\n")
    assert "canonicalize: source aborts (shape.assuming), target returns" in out
    assert "seen       2 times" in out
    assert "shown by running both programs" in out
    record = record_of(found)
    assert record["counts"]["cse"] == {"changed nothing": 2, "proved": 1}
    assert record["counts"]["canonicalize"] == {"changed nothing": 1, "refuted": 2}
    page = (found / "report.md").read_text()
    assert "| canonicalize | 1 |  | 2 |" in page
    assert "shape.assuming" in page
    (folder,) = (each for each in found.iterdir() if each.is_dir())
    assert folder.name == "001-canonicalize"
    (program,) = folder.glob("[br]e*.mlir")
    shown = subprocess.run(
        [sys.executable, "-m", "shapesolve", "validate", program, "-p", (folder / "pass.txt").read_text().strip()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1, shown.stderr


def test_right_passes_exit_with_0(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = hunted(capsys, f"{given}/right.mlir", "--no-generate", "-p", "cse")
    assert (code, out.splitlines()[0]) == (0, "no pass was found to be wrong in 1 program")


def test_a_crash_does_not_end_the_passes_behind_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "crash.mlir"
    path.write_text(REDUCED_PRECISION)
    arguments = ("--no-generate", "--json", "--passes", "stablehlo-legalize-to-linalg,cse,canonicalize")
    code, out, _ = hunted(capsys, str(path), *arguments)
    found = json.loads(out)
    assert code == found["exit_code"] == 1
    assert found["counts"]["stablehlo-legalize-to-linalg"] == {"crashed": 1}
    assert found["counts"]["canonicalize"] == found["counts"]["cse"] == {"changed nothing": 1}


def test_a_hunt_is_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    common = ("--passes", "cse,sccp", "--no-execute")
    hunted(capsys, *common, "--seed", "5", "--programs", "3", "--save", str(whole))
    hunted(capsys, *common, "--seed", "5", "--programs", "1", "--save", str(parts))
    assert record_of(parts)["tried"] == 1
    code, _, err = hunted(capsys, *common, "--save", str(parts))
    assert code == 2 and "--resume continues it" in err
    hunted(capsys, "--resume", str(parts), "--no-execute", "--programs", "2")
    first, second = record_of(whole), record_of(parts)
    assert first["tried"] == 3
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--passes", "no-such-pass"), "no-such-pass"),
        (("--passes", "canonicalize{"), "--passes"),
        (("--passes", ","), "there is no pass in it"),
        (("--tool", "no-such-tool"), "no-such-tool"),
        (("missing.mlir",), "missing.mlir"),
        (("--no-generate",), "there is no program"),
        (("--resume", "nowhere"), "--resume"),
    ],
)
def test_hunt_refuses_bad_input_with_code_2(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = hunted(capsys, *arguments)
    assert code == 2
    assert words in err and "Traceback" not in err


def test_a_damaged_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("", "[]", "{}", '{"format": "shapesolve-hunt", "version": 1}', '{"format": "shapesolve-hunt"}'):
        (tmp_path / "hunt.json").write_text(text)
        code, _, err = hunted(capsys, "--resume", str(tmp_path))
        assert code == 2 and "record" in err, text


def test_finished_work_is_kept_after_an_interruption(tmp_path: Path) -> None:
    found = tmp_path / "found"
    command = [sys.executable, "-m", "shapesolve", "hunt", "--passes", "cse", "--seconds", "100", "--save", str(found)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 240
    while not (found / "hunt.json").exists() and time.monotonic() < end:
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 130, err
    assert "seed       0" in out
    assert record_of(found)["tried"] >= 1
    assert (found / "report.md").exists()


def test_a_proof_that_leaves_out_contents_does_not_settle_a_hunt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "softmax.mlir"
    file.write_text("""\
func.func @f(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %x = linalg.softmax dimension(1) ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %unused = arith.addi %d, %c0 : index
  return %x : tensor<?x4xf32>
}
""")
    code, out, _ = hunted(capsys, str(file), "--no-generate", "--passes", "canonicalize")
    assert "1 not compared" in out
    assert code == 3
    code, out, _ = hunted(capsys, str(file), "--no-generate", "--passes", "canonicalize", "--shapes-only")
    assert "1 proved" in out
    assert code == 0
