"""Models that misbehave while they are made, exported or run end in one message with the user's line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main

torch: Any = pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

MODELS = """\
import os
import time

import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(x.shape[0] // 2, 2)


class OnGpu(torch.nn.Module):
    def forward(self, x):
        return x.cuda() + 1


class Resizes(torch.nn.Module):
    def forward(self, x):
        return x.clone().resize_(x.shape[0] // 2, 2)


class Chooses(torch.nn.Module):
    def __init__(self, tells):
        super().__init__()
        self.tells = tells

    def forward(self, x, count):
        taken = count.item()
        if self.tells:
            torch._check(taken > 3)
        if taken > 3:
            x = x[1:]
        return x.reshape(x.shape[0] // 2, 2)


class Talks(Net):
    def forward(self, x):
        print('{"levels": []}')
        os.write(1, b'{"error": "no"}')
        return super().forward(x)


def gpu():
    return torch.nn.Linear(2, 2).cuda(), (torch.ones(2, 2),)


def gpu_inside():
    return OnGpu(), (torch.ones(2),)


def resizes():
    return Resizes(), (torch.ones(4),), ({0: Dim("B")},)


def chooses():
    return Chooses(False), (torch.ones(5), torch.tensor(4)), ({0: Dim("B")}, None)


def tells():
    return Chooses(True), (torch.ones(5), torch.tensor(4)), ({0: Dim("B")}, None)


def prints():
    return Talks(), (torch.ones(4),), ({0: Dim("B")},)


def forks():
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    return Net(), (torch.ones(4),), ({0: Dim("B")},)


def never():
    while True:
        time.sleep(0.1)


def killed():
    os.kill(os.getpid(), 9)


def too_many():
    return Net(), (torch.ones(4),), ({0: Dim("B")}, {0: Dim("C")})
"""


def line_of(text: str) -> int:
    """Return the only line with a text."""
    (found,) = [number for number, line in enumerate(MODELS.splitlines(), 1) if text in line]
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bad.py"
    path.write_text(MODELS, encoding="utf-8")
    return path


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("gpu", ".cuda(), (torch", "it raises AssertionError: Torch not compiled with CUDA enabled"),
        ("gpu_inside", "x.cuda()", "the model fails on its own example inputs: AssertionError: Torch not compiled"),
    ],
)
def test_a_gpu_that_is_not_there(
    file: Path, name: str, line: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", f"{file}:{name}"]) == 2
    result = capsys.readouterr()
    message = " ".join(result.err.split())
    assert f"bad.py:{line_of(line)}: {words}" in message and "; make it on the CPU, as its sizes" in message
    assert not result.out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("never", "the time limit of the command was reached before the model was exported; it was at "),
        ("killed", "the process that exports the model ended by signal 9"),
        ("too_many", "`inputs` has 1 elements, but `dynamic_shapes` has 2 elements"),
    ],
)
def test_no_model_comes_of_it(file: Path, name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:{name}", *(["--timeout", "6"] if name == "never" else [])]) == 2
    result = capsys.readouterr()
    assert f"bad.py:{name}: " in result.err and words in " ".join(result.err.split())
    assert not result.out and "Traceback" not in result.err
    if name == "never":
        assert f"bad.py:{line_of('while True')}" in result.err or f"bad.py:{line_of('time.sleep(0.1)')}" in result.err


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("resizes", "resize_(", "PyTorch cannot decompose aten.resize_.default here, so write this line with another"),
        ("chooses", "if taken > 3", "this depends on data: torch._check with the condition before it chooses a side"),
    ],
)
def test_what_pytorch_refuses_has_a_line_and_a_way_out(
    file: Path, name: str, line: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", f"{file}:{name}"]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert f"bad.py:{line_of(line)}: " in message and words in message
    assert "site-packages" not in message


def test_a_branch_on_data_that_is_told_is_exported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:tells"]) == 1
    assert ": error: reshape needs" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["prints", "forks"])
def test_side_effects_of_a_model_are_no_answer(file: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed text mixes with no report, and processes that are left behind are not waited for."""
    assert main(["check", f"{file}:{name}"]) == 1
    output = capsys.readouterr().out
    assert f"bad.py:{line_of('x.view')}: error: view needs B % 2 == 0" in output and "levels" not in output


class Plain(torch.nn.Module):
    """Takes any sizes."""

    def forward(self, x: Any, y: Any) -> Any:
        return x * 2, y * 3


def _named(least: int | None = None, most: int | None = None) -> Any:
    return torch.export.Dim("B", min=least, max=most)


@pytest.mark.parametrize(
    ("first", "second", "output"),
    [
        (_named(8), None, r"declares B >= 8, but dimension 0 of an example input of shape \[4, 3\] is 4"),
        (_named(None, 2), None, r"declares B <= 2, but .* is 4"),
        (2 * _named(3), None, r"declares 2\*B >= 6, but .* is 4"),
        (_named(), _named(), r"declares B, where B is 4 by the inputs before, but .* \[5, 3\] is 5"),
        (None, 2 * _named(), r"declares 2\*B, but .* is 5"),
        (2 * _named(), _named(), r"declares B, where B is 2 by the inputs before, but .* is 5"),
    ],
)
def test_an_example_has_the_sizes_that_are_declared(first: Any, second: Any, output: str) -> None:
    from shapesolve.errors import InputError
    from shapesolve.frontends.torch_export import torch_model

    given = [None if each is None else {0: each} for each in (first, second)]
    with pytest.raises(InputError, match=output):
        torch_model((Plain(), (torch.ones(4, 3), torch.ones(5, 3)), tuple(given)), "make")


def test_an_example_at_the_borders_of_what_is_declared_is_taken() -> None:
    from shapesolve.frontends.torch_export import torch_model

    b = _named(2, 4)
    shapes = ({0: 2 * b}, {0: b + 1})
    assert torch_model((Plain(), (torch.ones(4, 3), torch.ones(3, 3)), shapes), "make").program is not None
