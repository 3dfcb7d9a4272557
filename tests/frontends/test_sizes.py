"""Sizes to test models of PyTorch at: PyTorch itself ends as each vector says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import shapesolve
from shapesolve.cli.main import main
from shapesolve.test_generation.vectors import Expected

pytest.importorskip("torch")
pytestmark = [pytest.mark.slow, pytest.mark.frontends]

MODEL = """\
import torch
from torch.export import Dim


class Halves(torch.nn.Module):
    def forward(self, x, y):
        b, t, _ = x.shape
        z = x[:, : t // 2] + x[:, t // 2 :]
        return z.reshape(b, -1) + y


def make():
    b = Dim("B", max=64)
    sizes = {"x": {0: b, 1: Dim.AUTO}, "y": {0: b, 1: Dim.AUTO}}
    return Halves(), (torch.zeros(2, 6, 8), torch.zeros(2, 24)), sizes
"""


def test_pytorch_ends_as_each_vector_says(tmp_path: Path) -> None:
    file = tmp_path / "halves.py"
    file.write_text(MODEL, encoding="utf-8")
    (function,) = shapesolve.sizes(f"{file}:make").functions
    ends = {each.expected for each in function.vectors}
    assert ends == {Expected.RETURNS, Expected.FAILS}
    for vector in function.vectors:
        assert not vector.disagrees
        assert vector.executed.startswith("raises" if vector.expected is Expected.FAILS else "returns")
    lengths = {size for vector in function.vectors for each, size in vector.sizes.items() if each.text == "x[1]"}
    assert 3 in lengths, "a half of one element is broadcast"


def test_the_written_test_passes(tmp_path: Path) -> None:
    file, out = tmp_path / "halves.py", tmp_path / "test_sizes.py"
    file.write_text(MODEL, encoding="utf-8")
    assert main(["sizes", f"{file}:make", "--pytest", "-o", str(out)]) == 0
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", str(out)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "raises" in out.read_text(encoding="utf-8")


PLANTED = Path(__file__).parent / "models" / "planted_models.py"


def test_a_guard_of_the_exporter_is_taken_and_just_missed(capsys: pytest.CaptureFixture[str]) -> None:
    """The program alone fails nowhere: the mask fits for ``S == T + 4``, which only a guard says."""
    assert main(["sizes", f"{PLANTED}:cached"]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "the export admits these sizes (" in output and "bug): S == T + 4" in output
    assert "the export does not admit these sizes (" in output and "bug): S != T + 4" in output
    assert "raises RuntimeError: The size of tensor a" in output and "not what was proved" not in output
    assert "line 4" not in output and "torch.aten" not in output


def test_the_other_way_of_a_branch_is_no_failure() -> None:
    (function,) = shapesolve.sizes(f"{PLANTED}:right_padded").functions
    odd = [each for each in function.vectors if each.expected is Expected.NOT_EXPORTED]
    assert odd and all(each.executed.startswith("returns") for each in function.vectors)
    assert not any(each.disagrees or each.expected is Expected.FAILS for each in function.vectors)
