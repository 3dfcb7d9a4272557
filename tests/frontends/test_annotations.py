"""Annotations of ``forward`` that declare the sizes of a model of PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

torch: Any = pytest.importorskip("torch")

pytestmark = pytest.mark.frontends

MODEL = """\
from __future__ import annotations
from typing import TYPE_CHECKING
import torch
if TYPE_CHECKING:
    from jaxtyping import Float
    from torch import Tensor

class Add(torch.nn.Module):
    def forward(self, x: Float[Tensor, "b t 8"], y: Float[Tensor, "{second}"]):
        return x + y

def make():
    return Add().eval(), (torch.ones(2, 5, 8), torch.ones({example}))
"""


def checked(second: str, example: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    Path("model.py").write_text(MODEL.format(second=second, example=example))
    code = main(["check", "model.py:make"])
    return code, " ".join(capsys.readouterr().out.split())


def test_equal_names_are_equal_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = checked("t 8", "5, 8", capsys)
    assert code == 0 and "%x is [b, t, 8], %y is [t, 8]" in output


def test_different_names_are_different_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = checked("s 8", "5, 8", capsys)
    assert code == 1 and "needs compatible(s, t)" in output and "RuntimeError: The size of tensor a" in output


class Annotated:
    """A module whose annotations say more than names."""

    def forward(self, x: Any, y: Any, z: Any) -> None:
        """Take two tensors and a number."""


ANNOTATIONS = {"x": 'Float[Tensor, "*batch t=4 _ 3 N"]', "y": 'Int[Tensor, "t-1 #N"]', "z": int}
Annotated.forward.__annotations__.update(ANNOTATIONS)


def test_other_forms_declare_nothing() -> None:
    from shapesolve.frontends.torch_annotations import annotated_shapes

    found = annotated_shapes(Annotated(), (torch.ones(1, 2, 4, 5, 3, 6), torch.ones(3, 6), 1), {})
    assert found is not None
    auto = torch.export.Dim.AUTO
    assert [found["x"][each] for each in (0, 1, 3)] == [auto] * 3 and 2 not in found["x"] and 4 not in found["x"]
    assert found["x"][5].__name__ == "N_" and found["y"] == {0: auto, 1: auto} and found["z"] is None
    assert annotated_shapes(torch.nn.Linear(2, 2), (torch.ones(2, 2),), {}) is None
