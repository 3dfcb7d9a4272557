"""Sizes that a ``ShapesSpec`` of PyTorch declares, and those that have a name of PyTorch's algebra."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from shapesolve.cli.main import main
from shapesolve.errors import InputError
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

torch: Any = pytest.importorskip("torch")
specs: Any = pytest.importorskip("torch.fx.experimental.dynamic_spec")

pytestmark = pytest.mark.frontends

MODEL = """\
import torch
from torch.fx.experimental.dynamic_spec import ShapesSpec, ShapeVar, TensorSpec

B, T, L = ShapeVar("B", min=1, max=8), ShapeVar("T", min=2, max=64), ShapeVar("L", min=1)


class Folded(torch.nn.Module):
    def forward(self, x, parts, *, scale=None):
        first, second = parts["first"], parts["second"]
        return x.reshape(x.shape[0], 4, -1).sum() + (torch.cat([first, first], 1) + second).sum()


def made(divisor):
    parts = {"first": TensorSpec([B, L]), "second": TensorSpec([B, 2 * L])}
    inputs = {"x": torch.zeros(2, 8), "parts": {"first": torch.zeros(2, 3), "second": torch.zeros(2, 6)}}
    return Folded(), inputs, ShapesSpec({"x": TensorSpec([B, T]), "parts": parts}, assumptions=[T % divisor == 0])


def right():
    return made(4)


def wrong():
    return made(2)
"""


@pytest.mark.slow
def test_sizes_and_assumptions_of_a_spec_are_declared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    assert main(["check", f"{path}:right", "--level", "torch"]) == 0
    report = " ".join(capsys.readouterr().out.split())
    for declared in ("%x is [B, T]", "%parts_second is [B, 2*L]", "T <= 64", "T % 4 == 0"):
        assert declared in report
    assert main(["check", f"{path}:wrong", "--level", "torch"]) == 1
    report = capsys.readouterr().out
    assert "model.py:10: error: reshape needs T % 4 == 0" in report and "x: 2x2 " in report
    assert "raises RuntimeError: shape '[2, 4, -1]' is invalid" in " ".join(report.split())


@pytest.mark.slow
def test_a_dim_may_have_a_name_of_the_algebra(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        "import torch\nfrom torch.export import Dim\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x.reshape(x.shape[0], 4, -1)\n\n\ndef make():\n"
        '    return Net(), (torch.zeros(2, 8),), ({0: Dim("S", min=1), 1: Dim("Q", min=2)},)\n'
    )
    assert main(["check", str(path), "--level", "torch"]) == 1
    assert "model.py:7: error: reshape needs Q % 4 == 0" in capsys.readouterr().out


REFUSED = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.view(x.shape[0] // 2, 2, -1) + y.sum()


def make():
    shapes = {0: Dim("N", min=2), 1: Dim("C")}, {0: Dim("E")}
    return Net(), (torch.zeros(4, 6), torch.zeros(3)), shapes
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [("make",), ("make", "--json"), ("Net", "--inputs", "x=f32[N,C]", "--inputs", "y=f32[E]")],
    ids=["dims", "json", "inputs"],
)
def test_a_name_of_the_algebra_is_shown_as_given(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PyTorch's refusal cannot be made with such names: they are exported under others."""
    path = tmp_path / "model.py"
    path.write_text(REFUSED)
    assert main(["check", f"{path}:{options[0]}", *options[1:], "--level", "torch"]) == 1
    report = capsys.readouterr().out
    assert "Constraints violated (N)!" in report and "(C*N) % (N - N % 2) == 0" in report
    assert not {"N_", "C_", "E_"} & set(re.findall(r"\w+", report))


@pytest.mark.slow
@pytest.mark.parametrize("names", [("C", "C_"), ("C_", "C")])
def test_the_name_that_one_is_exported_under_is_another(
    names: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were taken for one size, and the sum was proved."""
    path = tmp_path / "model.py"
    path.write_text(
        "import torch\n\n\nclass Sum(torch.nn.Module):\n    def forward(self, x, y):\n        return x + y\n"
    )
    inputs = [f"{argument}=f32[{name}]" for argument, name in zip("xy", names, strict=True)]
    assert main(["check", f"{path}:Sum", "--level", "torch", "--inputs", inputs[0], "--inputs", inputs[1]]) == 1
    report = capsys.readouterr().out
    assert "add needs compatible(C, C_)" in report and "C__" not in report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["x_", "x__1"])
def test_a_dim_may_have_a_name_like_an_argument_or_extent(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        "import torch\nfrom torch.export import Dim\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x.narrow(1, 0, 4)\n\n\ndef make():\n"
        f'    return Net(), (torch.zeros(5, 8),), ({{0: Dim("{name}", min=4), 1: Dim("x", max=9)}},)\n'
    )
    assert main(["check", str(path), "--level", "torch"]) == 1
    report = capsys.readouterr().out
    assert "model.py:7: error: narrow needs " in report and "EVERY CALL" not in report


class Sum(torch.nn.Module):
    def forward(self, x: Any, *more: Any, **named: Any) -> Any:
        return x + sum(more) + named["last"]


def shapes_of(spec: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    from shapesolve.frontends.torch_specs import shapes_of_spec

    x = torch.zeros(4, 3)
    return shapes_of_spec(spec, Sum(), (x, x), {"last": x}, "model.py:3")


def test_each_variable_has_a_name_of_its_own() -> None:
    first, second, third = specs.ShapeVar("n", max=9), specs.ShapeVar("n"), specs.ShapeVar("S")
    parameters = {
        "x": specs.TensorSpec([first, 3]),
        "*args": [specs.TensorSpec([second, None])],
        "**kwargs": {"last": specs.TensorSpec([3 * third + 1, None])},
    }
    shapes, assumptions = shapes_of(specs.ShapesSpec(parameters, assumptions=[first + 2 * second > third]))
    assert shapes["x"][0].__name__ == "n" and shapes["x"][0].max == 9 and shapes["x"][1] == 3
    assert shapes["more"][0][0].__name__ == "n_" and 1 not in shapes["more"][0]
    last = shapes["named"]["last"][0]
    assert last.root.__name__ == "S_" and [int(last.fn(each)) for each in (0, 1, 2)] == [1, 4, 7]
    (assumption,) = assumptions
    for sizes in product(range(5), repeat=3):
        n, m, s = sizes
        formula = parse_formula(assumption, Scope.free())
        assert holds(formula, {each: {"n": n, "n_": m, "S_": s}[each.text] for each in formula.variables}) == (
            n + 2 * m > s
        )


def test_a_product_of_sizes_is_none_that_torch_export_declares() -> None:
    first, second = specs.ShapeVar("n"), specs.ShapeVar("m")
    with pytest.raises(InputError, match=r"declares a size as (n\*m|m\*n), which is none"):
        shapes_of(specs.ShapesSpec({"x": specs.TensorSpec([first * second, 3])}))
