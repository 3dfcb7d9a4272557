"""Modules of PyTorch that are checked with inputs given as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.frontends.open import model_in
from shapesolve.frontends.python_files import module_classes
from shapesolve.frontends.torch_inputs import TextInput, text_input

NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down = nn.Conv2d(3, width, 3, 2, 1)
        self.up = nn.ConvTranspose2d(width, 3, 2, 2)

    def forward(self, x, scale):
        return x + self.up(self.down(x)) * scale


class Takes(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x):
        return x


net = Net(4).eval()
window = nn.Conv1d(4, 8, 5)
split = nn.Sequential(nn.ReLU(), nn.Unflatten(1, (2, -1)))


def made():
    return Net(2).eval()


def whole():
    return Net(), (torch.ones(1, 3, 4, 4), torch.ones(()))
"""
GIVEN = ["--inputs", "x=f32[B,3,H,W]", "--inputs", "scale=f32[]"]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(NET)
    return "net.py"


def test_inputs_are_printed_as_text() -> None:
    assert text_input("x=f32[B, 3,?]") == TextInput("x", "float32", ("B", "3", "?"))
    assert text_input("i64[]") == TextInput("", "int64", ())


@pytest.mark.parametrize(
    "text", ["x", "x=[B]", "x=f99[B]", "x=f32[B*2]", "x=f32[-1]", "x=f32[B", "x=f32[_b]", "f32[,]"]
)
def test_other_texts_are_errors(text: str) -> None:
    with pytest.raises(InputError) as error:
        text_input(text)
    assert error.value.where == "--inputs"


def test_a_file_with_modules_alone_names_them(file: str) -> None:
    Path(file).write_text(NET[: NET.index("def whole")])
    assert module_classes(file) == {"Net": ("x", "scale")}
    with pytest.raises(InputError, match=r"modules \(Net\) with its inputs, as in net.py:Net --inputs 'x=f32\[B,8\]'"):
        model_in(file)


@pytest.mark.slow
@pytest.mark.frontends
@pytest.mark.parametrize(
    ("source", "call"),
    [("net.py", "Net().eval()("), ("net.py:net", "net("), ("net.py:made", "made()(")],
)
def test_a_module_is_checked_with_its_inputs(
    file: str, source: str, call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    assert main(["check", source, *GIVEN]) == 1
    output = capsys.readouterr().out
    assert "net.py:13: error: add needs (H % 2 == 0 or H == 1), (W % 2 == 0 or W == 1)" in output
    assert f"reproduce  {call}x=torch.ones(2, 3, 2, 3), scale=torch.ones(()))" in output


@pytest.mark.slow
@pytest.mark.frontends
@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        ("net.py:Net", [], "this is a torch.nn.Module without example inputs; say what its inputs are"),
        ("net.py:whole", GIVEN, "net.py:whole is no torch.nn.Module alone"),
        ("net.py:Takes", ["--inputs", "x=f32[B]"], "it raises TypeError"),
        ("net.py:Net", [*GIVEN[:2], "--inputs", "f32[]"], "either all inputs have a name, or none has one"),
        ("net.py:Net", [*GIVEN[:2], *GIVEN[:2]], "an input is given twice"),
        ("net.py:Net", ["--inputs", "x=f32[B,4,H,W]", *GIVEN[2:]], "the model fails on its own example inputs"),
    ],
)
def test_uncheckable_objects_get_one_message(
    file: str, source: str, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    assert main(["check", source, *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.frontends
def test_a_module_without_a_line_of_the_user_has_one_finding(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:window", "--level", "torch", "--inputs", "input=f32[B,4,T]"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "needs T >= 5" in out and "the model fails where" not in out


@pytest.mark.slow
@pytest.mark.frontends
def test_a_failure_without_a_line_of_the_user_names_the_module(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It fails for an empty batch, too, of which nothing else is said."""
    assert main(["check", f"{file}:split", "--level", "torch", "--inputs", "input=f32[B,C]"]) == 1
    (finding,) = " ".join(capsys.readouterr().out.split()).split(": error: ")[1:]
    assert finding.startswith("torch.aten.view needs C % 2 == 0 ") and "fails at input: 1x3" in finding
    assert "reproduce split(input=torch.ones(1, 3)) " in finding


@pytest.mark.slow
@pytest.mark.frontends
def test_a_name_that_forward_does_not_take_is_refused(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:window", "--inputs", "x=f32[B,4,T]"]) == 2
    out = " ".join(capsys.readouterr().err.split())
    assert "--inputs: `forward` of Conv1d has no parameter `x`; it has: input" in out and "Traceback" not in out


BESIDE = """
import torch
from torch.export import Dim


class Beside(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, mask, x, k, y, more=None):
        pairs = y.reshape(y.shape[0], -1, 2).sum(-1)
        return x[:, :k] + pairs[:, : self.width]


def made(width):
    b, t, m = Dim("B", min=1), Dim("T", min=3), Dim("M", min=1)
    x, y = {0: b, 1: t}, {0: b, 1: 2 * m}
    given = None, torch.zeros(3, 5), 3, torch.zeros(3, 6)
    return Beside(width), given, {"mask": None, "x": x, "k": None, "y": y}


def right():
    return made(1)


def wrong():
    return made(3)
"""


@pytest.mark.slow
@pytest.mark.frontends
def test_inputs_that_are_no_tensors_shift_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The declared sizes of `x` and `y` were those of the arguments that stand where these do without the others.

    ``M`` stands in ``2*M`` alone: no condition of the exporter was run.
    """
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    Path("beside.py").write_text(BESIDE)
    assert main(["check", "beside.py:right"]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "%x is [B, T], %y is [B, 2*M]" in output and "UNDECIDED" not in output
    assert "this export only admits T != 3" in output and "returns [2, 3] for x: 2x3, y: 2x4" in output
    assert main(["check", "beside.py:wrong", "--level", "torch"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "reproduce wrong()[0](None, torch.ones(1, 3), 3, torch.ones(1, 4))" in output
