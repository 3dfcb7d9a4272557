"""Pictures of regions, and the cell magic."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import shapesolve
from shapesolve.errors import InputError
from shapesolve.notebook import load_ipython_extension, plot_region, run_cell

UNET = Path(__file__).parents[2] / "examples" / "unet.mlir"
ADD = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.fixture(autouse=True)
def without_a_screen() -> None:
    import matplotlib

    matplotlib.use("Agg")


def legend(axes: Any) -> list[str]:
    return [each.get_text() for each in axes.get_legend().get_texts()]


@pytest.mark.slow
def test_a_picture_has_a_color_for_each_reason(tmp_path: Path) -> None:
    axes: Any = plot_region(UNET, "arg0[2]", "arg0[3]", up_to=8)
    assert sorted(legend(axes)) == ["fails: needs arg0[2] % 4 == 0", "fails: needs arg0[3] % 4 == 0", "safe"]
    pixels = axes.images[0].get_array()
    assert pixels.shape[:2] == (9, 9)
    assert len({tuple(pixels[b][a]) for b in range(9) for a in range(9)}) == 3
    assert tuple(pixels[4][8]) == tuple(pixels[0][0]) != tuple(pixels[4][7])
    axes.figure.savefig(tmp_path / "region.png")
    assert (tmp_path / "region.png").stat().st_size > 1000


@pytest.mark.slow
def test_it_takes_reports_contracts_and_texts_alike() -> None:
    report = shapesolve.check(ADD, assume="a[0] >= 1", execute=False)
    of_report, of_text = plot_region(report, "a[0]", "b[0]", up_to=3), plot_region(ADD, "a[0]", "b[0]", up_to=3)
    of_contract = plot_region(shapesolve.contract(ADD), "a[0]", "b[0]", up_to=3)
    assert "excluded by what is assumed" in legend(of_report)
    assert legend(of_text) == legend(of_contract) == ["safe", "fails: needs compatible(a[0], b[0])"]


@pytest.mark.slow
def test_it_draws_into_axes_that_are_given() -> None:
    import matplotlib.pyplot as plt

    axes: Any = plt.subplots()[1]
    assert plot_region(ADD, "a[0]", "b[0]", up_to=2, axes=axes) is axes


@pytest.mark.slow
def test_one_function_is_chosen() -> None:
    two = ADD + ADD.replace("@f", "@g")
    with pytest.raises(InputError, match="choose one of the functions: f, g"):
        plot_region(two, "a[0]", "b[0]")
    with pytest.raises(InputError, match="there is no `h` of the functions: f, g"):
        plot_region(two, "a[0]", "b[0]", function="h")
    axes: Any = plot_region(two, "a[0]", "b[0]", function="g", up_to=2)
    assert axes.get_title() == "@g"


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.colors", None)
    with pytest.raises(ModuleNotFoundError, match="shapesolve\\[notebook\\]"):
        plot_region(ADD, "a[0]", "b[0]", up_to=1)


def test_a_cell_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    stdin = sys.stdin
    run_cell("--no-execute", ADD)
    assert "tosa.add needs compatible(a[0], b[0])" in capsys.readouterr().out
    assert sys.stdin is stdin


def test_a_cell_names_its_command_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    run_cell("contract --assume 'a[0] >= 2'", ADD)
    assert "assumed    --assume: a[0] >= 2" in capsys.readouterr().out
    run_cell("shape-of", ADD)
    assert "@f" in capsys.readouterr().out


def test_a_cell_that_is_no_program_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    run_cell("", "func.func @f(")
    result = capsys.readouterr()
    assert "<stdin>:1" in result.err + result.out


def test_it_is_registered_as_a_magic() -> None:
    class Shell:
        def __init__(self) -> None:
            self.found: dict[str, Any] = {}

        def register_magic_function(self, function: Any, magic_kind: str, magic_name: str) -> None:
            self.found[f"{magic_kind} {magic_name}"] = function

    shell = Shell()
    load_ipython_extension(shell)
    assert shell.found == {"cell shapesolve": run_cell}
