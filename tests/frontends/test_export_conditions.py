"""Sizes that a saved program of ``torch.export`` admits, compared with PyTorch's own check of its guards."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import shapesolve
from shapesolve.cli.main import main
from shapesolve.options import Options

torch: Any = pytest.importorskip("torch")

pytestmark = [pytest.mark.slow, pytest.mark.frontends]

AUTO: Any = torch.export.Dim.AUTO


class Folded(torch.nn.Module):
    """Takes a branch for the example, and needs fives."""

    def forward(self, x: Any, y: Any) -> Any:
        half = x.shape[1] // 2
        z = x[:, :half] + x[:, half:] if x.shape[1] % 2 == 0 else x
        return z.reshape(x.shape[0], -1) + y.reshape(5, -1).sum()


class Joined(torch.nn.Module):
    """Equates two sizes, and keeps one that is less than a table's."""

    def forward(self, x: Any, y: Any) -> Any:
        return x + y + torch.zeros(9)[: x.shape[0]]


@pytest.fixture(params=[0, 1], ids=["folded", "joined"])
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Any]:
    model, shapes, ranks = (
        (Folded(), ((2, 6, 8), (10,)), ({0: AUTO, 1: AUTO}, {0: AUTO})),
        (Joined(), ((4,), (4,)), ({0: AUTO}, {0: AUTO})),
    )[request.param]
    program = torch.export.export(model, tuple(map(torch.zeros, shapes)), dynamic_shapes=ranks)
    torch.export.save(program, str(tmp_path / "model.pt2"))
    return tmp_path / "model.pt2", program.module()


def returns(module: Any, extents: tuple[tuple[int, ...], ...]) -> bool:
    try:
        module(*(torch.zeros(each) for each in extents))
    except Exception:
        return False
    return True


def test_admitted_sizes_are_those_that_pytorch_accepts(saved: tuple[Path, Any]) -> None:
    path, module = saved
    (function,) = shapesolve.contract(path, options=Options(level="torch")).functions
    assert function.admits and not function.conditions
    names = {each.name for each in function.report.trace.input_variables}
    for sizes in product((0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11), repeat=len(names)):
        values = dict(zip(sorted(names), sizes, strict=True))
        extents = tuple(
            tuple(shapesolve.evaluate(each, values) for each in value.shape.dims)  # pyright: ignore
            for value in function.report.trace.inputs
        )
        admitted = all(shapesolve.holds(each.formula, values) for each in function.admits)
        ends = returns(module, extents)
        # PyTorch's own check lets sizes 0 and 1 pass, which its exporter excluded.
        assert ends or not admitted
        assert ends == admitted or min(sizes) < 2, (values, [each.text for each in function.admits])


def test_demands_of_an_operation_are_named_with_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = torch.export.export(
        Folded(), (torch.zeros(2, 6, 8), torch.zeros(10)), dynamic_shapes=({0: AUTO, 1: AUTO}, {0: AUTO})
    )
    path = tmp_path / "model.pt2"
    torch.export.save(program, str(path))
    assert main(["contract", str(path)]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "safe for all sizes that the export admits, which are these" in output
    second = output[output.index("x_1 % 2 == 0") : output.index("x_1 >= 4")]
    assert "needed by add (" in second and "test_export_conditions.py:" in second
    third = output[output.index("x_1 >= 4") : output.index("y_0 % 5 == 0")]
    assert "excludes x: 2x2x8" in third and "needed by" not in third
    assert "fixed extent 2 of %x is 8" in output
    assert main(["contract", str(path), "--distrust"]) == 0
    assert "the export admits" not in capsys.readouterr().out


def contract_of_planted(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    planted = Path(__file__).parent / "models" / "planted_models.py"
    assert main(["contract", f"{planted}:{name}"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_a_contract_has_what_the_exporter_found_beside_the_declared(capsys: pytest.CaptureFixture[str]) -> None:
    """The program alone multiplies and adds whatever is given; the export is for masks that fit."""
    page = contract_of_planted("cached", capsys)
    assert "safe for all sizes that the export admits, which are these: 1. S == T + 4 found by torch.export" in page
    assert "return torch.softmax(scores + mask, -1)" in page and "safe for all sizes verified" not in page


def test_a_branch_of_the_model_is_no_demand_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    page = contract_of_planted("right_padded", capsys)
    assert "1. T % 2 == 0 found by torch.export" in page and "branch" in page and "if x.shape[1] % 2:" in page
    assert "the model takes another way there" in page and "needed by" not in page


def test_a_contract_speaks_of_lines_of_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    page = contract_of_planted("unet", capsys)
    assert "1. H % 2 == 0 needed by cat (" in page and "2. W % 2 == 0 needed by cat (" in page
    assert "planted_models.py:69 in UNet)" in page
    assert page.count("image is named [1, 3, H, W]") == 1 and "torch.aten" not in page
    assert "not traced" not in page and "that the export admits" not in page


def test_sizes_0_and_1_are_the_exporters_choice(capsys: pytest.CaptureFixture[str]) -> None:
    page = contract_of_planted("right_attention", capsys)
    assert "safe for all sizes that were traced not traced sizes 0 and 1 of B, T, which" in page


def report_on_planted(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    planted = Path(__file__).parent / "models" / "planted_perception_models.py"
    main(["check", f"{planted}:{name}", "--level", "torch"])
    return " ".join(capsys.readouterr().out.split())


def test_conditions_of_the_exporter_are_short_together(capsys: pytest.CaptureFixture[str]) -> None:
    """Two of four were sums of products and remainders of both sizes, which the others make ``B >= 2``."""
    page = report_on_planted("right_local", capsys)
    assert page.endswith("the export only admits T >= 5 and T % 4 == 0") and page.count("this export only admits") == 2
    assert "not traced sizes 0 and 1 of B, which" in page


def test_rounded_sizes_are_remainders(capsys: pytest.CaptureFixture[str]) -> None:
    """Four conditions were ``compatible`` of rounded sizes."""
    page = report_on_planted("top_down", capsys)
    assert "safe with --assume 'H <= 2 or (H + 1) % 8 <= 1' --assume 'W <= 2 or (W + 1) % 8 <= 1'" in page
    assert "compatible(" not in page and "broadcast(" not in page


CONDITIONS = """\
import torch
from torch.export import Dim

class Checked(torch.nn.Module):
    def forward(self, x, y):
        torch._check(x.shape[1] % 3 == 0)
        torch._check(y.shape[1] == x.shape[1] // 2)
        return x.unfold(1, 2, 2).mean(-1)[:, : y.shape[1]] + y

def checked():
    return Checked(), (torch.zeros(2, 12), torch.zeros(2, 6))

class Graph(torch.nn.Module):
    def forward(self, nodes, edges):
        return torch.zeros_like(nodes).index_add(0, edges[1], nodes[edges[0]])

def graph():
    n, e = Dim("N"), Dim("E")
    return Graph(), (torch.zeros(6, 8), torch.zeros(2, 9, dtype=torch.int64)), ({0: n}, {1: e})

class Steps(torch.nn.Module):
    def forward(self, letters):
        total = letters.sum()
        for step in range(letters.shape[1]):
            total = torch.tanh(total + letters[:, step].sum())
        return total

def steps():
    t = Dim("T", min=1, max=64)
    return Steps(), (torch.zeros(2, 11),), ({1: 2 * t + 1},)

class Cropped(torch.nn.Module):
    def joined(self, up, skip):
        return up + skip[:, :, : up.shape[2]]

    def forward(self, image):
        half = torch.nn.functional.avg_pool2d(image, (2, 1))
        up = torch.nn.functional.avg_pool2d(half, (2, 1)).repeat_interleave(2, 2)
        return self.joined(self.joined(up, half).repeat_interleave(2, 2), image)

def cropped():
    return Cropped(), (torch.zeros(1, 3, 16, 8),), ({2: Dim("H", min=4, max=512)},)
"""


@pytest.fixture
def conditions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(CONDITIONS)


@pytest.mark.usefixtures("conditions")
def test_what_a_check_states_is_no_premise_of_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    """The second was assumed where the first holds: ``not (x[1] % 3 == 0) or (y[1] == x[1] // 2)``."""
    main(["check", "model.py:checked", "--level", "torch"])
    page = " ".join(capsys.readouterr().out.split())
    assert "x[1] % 3 == 0, y[1] == x[1] // 2" in page and "not (x[1]" not in page


@pytest.mark.usefixtures("conditions")
def test_an_index_into_an_empty_table_depends_on_data(capsys: pytest.CaptureFixture[str]) -> None:
    """No index is a node where there is none; that was a failure at sizes that the export excludes."""
    assert main(["check", "model.py:graph", "--level", "torch"]) == 3
    page = " ".join(capsys.readouterr().out.split())
    assert "depends on the data of edges" in page and "not traced sizes 0 and 1 of N" in page and "error" not in page


@pytest.mark.usefixtures("conditions")
def test_conditions_of_one_line_are_one(capsys: pytest.CaptureFixture[str]) -> None:
    """A helper is called twice: ``H % 4 <= 1`` and ``H % 2 == 0`` were told apart."""
    assert main(["check", "model.py:cropped", "--level", "torch"]) == 0
    page = " ".join(capsys.readouterr().out.split())
    assert page.count("this export only admits H % 4 == 0;") == 1 and "H % 2 == 0" not in page


@pytest.mark.usefixtures("conditions")
def test_a_size_that_the_export_fixes_has_the_declared_name(capsys: pytest.CaptureFixture[str]) -> None:
    """A declared range of ``T``, of which no extent is left, was an error of the program's own text."""
    assert main(["check", "model.py:steps", "--level", "torch"]) == 0
    page = " ".join(capsys.readouterr().out.split())
    assert "this export only admits T == 5: T was declared dynamic and is 5 in it;" in page
    assert page.count("this export only admits") == 1 and page.endswith("the export only admits T == 5")
