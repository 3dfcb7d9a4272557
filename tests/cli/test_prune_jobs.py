"""Test that pruning many files in parallel gives the same files and messages as one by one, and no partial file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shapesolve.cli import prune
from shapesolve.cli.main import main
from shapesolve.cli.worker_pool import can_fork_loaded
from shapesolve.ir.reader import read_text

pytestmark = pytest.mark.slow

CHECKED = """\
func.func @f(%x: tensor<?x{n}xf32>, %y: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?x{n}xf32>
  %b = tensor.dim %y, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %a, %b : index
  cf.assert %same, "first"
  %again = arith.cmpi eq, %b, %a : index
  cf.assert %again, "second"
  return
}}
"""


def folder(path: Path, count: int = 5) -> Path:
    path.mkdir()
    for number in range(count):
        (path / f"f{number}.mlir").write_text(CHECKED.format(n=number + 2))
    (path / "g_broken.mlir").write_text("func.func @f( {")
    (path / "h_declaration.mlir").write_text("module {}")
    return path


def shapesolve(*words: str, cwd: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shapesolve", *words]
    if before:
        command = ["bash", "-c", f'{before}; exec "$@"', "bash", *command]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=200)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_files_and_words_are_those_of_one_process(tmp_path: Path, more: tuple[str, ...]) -> None:
    runs = [
        shapesolve("prune", ".", "--in-place", "-j", jobs, *more, cwd=folder(tmp_path / jobs)) for jobs in ("1", "3")
    ]
    assert runs[0].returncode == runs[1].returncode == 2  # one is broken, and the others are pruned
    assert runs[0].stdout == runs[1].stdout and runs[0].stderr == runs[1].stderr
    assert "g_broken.mlir:1" in runs[0].stderr
    for each in sorted((tmp_path / "1").iterdir()):
        assert each.read_text() == (tmp_path / "3" / each.name).read_text()
        if each.name.startswith("f"):
            assert '"first"' in each.read_text() and '"second"' not in each.read_text()


def test_changes_that_are_made_meanwhile_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(CHECKED.format(n=2))
    rewritten = prune._rewritten

    def slowly(*given: object) -> object:
        path.write_text("// edited\n" + CHECKED.format(n=2))
        return rewritten(*given)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(prune, "_rewritten", slowly)
    assert main(["prune", str(path), "--in-place"]) == 2
    assert "has changed while it was pruned, so nothing is written" in capfd.readouterr().err
    assert path.read_text().startswith("// edited\n")


def test_two_processes_that_write_one_file_leave_one_of_their_programs(tmp_path: Path) -> None:
    inputs = folder(tmp_path / "in", 2)
    target = tmp_path / "out.mlir"
    command = [sys.executable, "-m", "shapesolve", "prune"]
    for _ in range(2):
        writers = [
            subprocess.Popen([*command, str(inputs / f"f{number}.mlir"), "-o", str(target), "--force"],
                             stdout=subprocess.DEVNULL)
            for number in range(2)
        ]  # fmt: skip
        assert [each.wait(120) for each in writers] == [0, 0]
        assert '"second"' not in target.read_text()
        read_text(target.read_text())
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


@pytest.mark.skipif(not can_fork_loaded, reason="limits memory as Linux does")
def test_too_little_memory_is_reported_and_leaves_files_as_they_are(tmp_path: Path) -> None:
    inputs = folder(tmp_path / "in", 2)
    for kilobytes in (100_000, 420_000):
        for words in (("prune", ".", "--in-place", "-j2"), ("check", ".", "-j2", "--no-cache")):
            run = shapesolve(*words, cwd=inputs, before=f"ulimit -v {kilobytes}")
            assert run.returncode == 2 and "Traceback" not in run.stderr
            assert "ulimit -v" in run.stderr or "not enough memory" in run.stderr, run.stderr
    assert (inputs / "f0.mlir").read_text() == CHECKED.format(n=2)
