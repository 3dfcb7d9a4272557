"""Pictures and cells for notebooks: `plot_region`, and the cell magic ``%%shapesolve``.

    %load_ext shapesolve.notebook
    %%shapesolve check --assume 'x[0] == y[0]'
    func.func @f(%x: tensor<?xf32>, ...

Pictures need matplotlib: ``pip install 'shapesolve[notebook]'``.
"""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shapesolve.api import Source
from shapesolve.api import contract as contract_of_source
from shapesolve.checker.report import Report
from shapesolve.contracts.contract import ContractReport, FunctionContract
from shapesolve.contracts.safe_region import PointKind, SafeRegion, safe_region
from shapesolve.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FIRST_COLORS = {PointKind.SAFE: "#2c7fb8", PointKind.OPEN: "#c9c9c9", PointKind.EXCLUDED: "#f4f4f4"}
_OF_REASONS = ("#f4a259", "#c44e52", "#8c6bb1", "#7f5539", "#e7a1c4")
"""Colors that the color-blind tell apart from blue and, but for the last, from each other."""
_LONGEST_REASON = 60


def plot_region(
    source: Source | Report | ContractReport | FunctionContract,
    x: str,
    y: str,
    *,
    function: str | None = None,
    at: Mapping[str, int | tuple[int, ...]] | None = None,
    up_to: int = 16,
    axes: Axes | None = None,
) -> Axes:
    """Draw for which values of two sizes a function is safe, and which condition breaks where it is not.

    Args:
        source: A program as `shapesolve.check` takes it, its report, or its contract.
        x: The size along the horizontal axis, as ``--assume`` names it: ``arg0[1]``, ``B``.
        y: The size along the vertical axis.
        function: The function, if the program has several.
        at: Values of other sizes. Those left out have the values of the smallest safe call; the title says them.
        up_to: The largest size.
        axes: Where to draw; a new figure if it is None.

    Returns:
        The axes.

    Raises:
        InputError: A name is none of a size of the function's inputs, or the function does not exist.
        ModuleNotFoundError: matplotlib is not installed.

    Example:
        >>> plot_region("unet.mlir", "arg0[2]", "arg0[3]")  # doctest: +SKIP
    """
    contract = _contract(source, function)
    region = safe_region(contract, x, y, at=at, up_to=up_to)
    return _drawn(region, axes)


def _contract(source: object, function: str | None) -> FunctionContract:
    if isinstance(source, FunctionContract):
        return source
    if isinstance(source, Report):
        source = contract_of_source(source.program.text, options=source.options)
    if not isinstance(source, ContractReport):
        source = contract_of_source(source)
    named = [each for each in source.functions if function in (None, each.name)]
    if len(named) != 1:
        names = ", ".join(each.name for each in source.functions) or "none"
        asked = "choose one" if function is None else f"there is no `{function}`"
        raise InputError(f"{asked} of the functions: {names}", where=source.program.file)
    return named[0]


def _drawn(region: SafeRegion, axes: Axes | None) -> Axes:
    try:
        colors: Any = import_module("matplotlib.colors")
        patches: Any = import_module("matplotlib.patches")
        pyplot: Any = import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        message = "plot_region needs matplotlib: pip install 'shapesolve[notebook]'"
        raise ModuleNotFoundError(message, name="matplotlib") from error
    if axes is None:
        axes = pyplot.subplots(figsize=(5.5, 5), layout="constrained")[1]  # which leaves room for the legend
    legend: dict[tuple[PointKind, str], str] = {}
    for point in (point for row in region.rows for point in row):
        key = (point.kind, point.condition if point.kind is PointKind.FAILS else "")
        legend.setdefault(key, _FIRST_COLORS.get(point.kind) or _OF_REASONS[_failing(legend) % len(_OF_REASONS)])
    grid = [
        [colors.to_rgb(legend[each.kind, each.condition if each.kind is PointKind.FAILS else ""]) for each in row]
        for row in region.rows
    ]
    drawn: Any = axes
    drawn.imshow(grid, origin="lower", interpolation="nearest")
    step = max(1, len(region.rows) // 8)
    drawn.set_xticks(range(0, len(region.rows), step))
    drawn.set_yticks(range(0, len(region.rows), step))
    fixed = ", ".join(f"{name} = {value}" for name, value in region.fixed.items())
    drawn.set(xlabel=region.x, ylabel=region.y)
    drawn.set_title(f"@{region.function}" + (f", {fixed}" if fixed else ""), wrap=True)
    ordered = sorted(legend.items(), key=lambda each: list(PointKind).index(each[0][0]))
    handles = [patches.Patch(facecolor=color, edgecolor="#999999", label=_words(*key)) for key, color in ordered]
    drawn.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False)
    return drawn


def _failing(legend: Mapping[tuple[PointKind, str], str]) -> int:
    return sum(kind is PointKind.FAILS for kind, _ in legend)


def _words(kind: PointKind, condition: str) -> str:
    if not condition:
        return "fails for all sizes" if kind is PointKind.FAILS else kind.value
    short = condition if len(condition) <= _LONGEST_REASON else condition[: _LONGEST_REASON - 4] + " ..."
    return f"fails: needs {short}"


def load_ipython_extension(shell: Any) -> None:
    """Register ``%%shapesolve`` in a session of IPython: ``%load_ext shapesolve.notebook``."""
    shell.register_magic_function(run_cell, magic_kind="cell", magic_name="shapesolve")


def run_cell(line: str, cell: str) -> None:
    """Run a command of the command line on the MLIR of a cell, and print what it prints.

    Args:
        line: The command and its options; ``check`` if it names no command.
        cell: The program.
    """
    from shapesolve.cli.main import main

    words = shlex.split(line)
    if not words or words[0].startswith("-"):
        words = ["check", *words]
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(cell.encode()), encoding="utf-8")
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            main([words[0], "-", *words[1:]])
    finally:
        sys.stdin = before
    print(printed.getvalue(), end="")
