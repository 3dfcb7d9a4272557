"""Test that every notebook runs from its first cell to its last, and is stored with the current outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from support.notebook_pages import NOTEBOOKS

pytestmark = pytest.mark.slow

SECONDS_A_CELL = 300
NEEDS = {"05_real_models": "torch"}
"""Optional package that a notebook needs; without it, the notebook is not run."""


def _read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def _texts(notebook: Any) -> list[str]:
    """Return the text that each cell of code prints or evaluates to."""
    return [
        "".join(each.get("text") or each.get("data", {}).get("text/plain", "") for each in cell["outputs"])
        for cell in notebook.cells
        if cell["cell_type"] == "code"
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "path",
    [pytest.param(each, id=each.stem, marks=[pytest.mark.frontends] * (each.stem in NEEDS)) for each in NOTEBOOKS],
)
def test_a_notebook_runs_without_an_error(path: Path) -> None:
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem])
    notebook = _read(path)
    stored = _texts(notebook)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        allow_errors=True,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    failed = [
        f"cell {number}: {output['ename']}: {output['evalue']}"
        for number, cell in enumerate(notebook.cells)
        for output in cell.get("outputs", ())
        if output["output_type"] == "error"
    ]
    assert not failed
    if path.stem not in NEEDS:  # another version of PyTorch may print something else
        assert _texts(notebook) == stored, "the stored outputs are old: run it from top to bottom"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_stored_with_its_results(path: Path) -> None:
    notebook = _read(path)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
    assert cells
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1)), "run it from top to bottom"
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert any(output["output_type"] in ("display_data", "execute_result", "stream") for output in outputs)
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert not [output["text"] for output in outputs if output.get("name") == "stderr"]


def test_there_are_notebooks() -> None:
    assert {"01_a_size_is_a_variable", "03_the_shape_dialect"} <= {path.stem for path in NOTEBOOKS}
