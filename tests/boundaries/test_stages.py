"""Test that the imports of packages are exactly those of `docs/architecture.md`."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.parsed_sources import parsed, statements

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)
ALLOWED = {folder: frozenset(re.findall(r"`(\w+)`", imports)) for folder, imports in ROW.findall(PAGE)}


def modules(folder: str) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files of a stage, each with the parts of the name that it is imported by."""
    place = ROOT / "constraints" if folder == "constraints" else ROOT / "shapesolve" / folder
    for path in place.rglob("*.py"):
        yield path, ("shapesolve", folder, *path.relative_to(place).with_suffix("").parts)


def imported(path: Path, own: tuple[str, ...]) -> Iterator[str]:
    for node in statements(parsed(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = own[: -node.level] if node.level else ()
            yield ".".join((*base, *(node.module or "").split(".")))
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


@cache
def found() -> dict[str, frozenset[str]]:
    stages: dict[str, set[str]] = defaultdict(set)
    for folder in ALLOWED:
        for path, own in modules(folder):
            for name in imported(path, own):
                parts = name.split(".")
                if parts[0] == "shapesolve" and len(parts) > 1 and parts[1] in ALLOWED and parts[1] != folder:
                    stages[folder].add(parts[1])
    return {folder: frozenset(stages[folder]) for folder in ALLOWED}


def test_every_folder_is_on_the_map() -> None:
    folders = {path.parent.name for path in (ROOT / "shapesolve").glob("*/__init__.py")}
    assert {*folders, "constraints"} == set(ALLOWED)


@pytest.mark.sweep
@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_imports_are_those_of_the_map(folder: str) -> None:
    assert found()[folder] == ALLOWED[folder]


def test_imports_point_upwards() -> None:
    """Imports form no cycle: a stage imports only stages above it in the table."""
    above: set[str] = set()
    for folder, imports in ALLOWED.items():
        assert imports <= above, f"{folder} imports {sorted(imports - above)}"
        above.add(folder)


DATA_FOR_WRITERS = {
    "contracts": {"contract"},
    "simplification": {"affine", "readable"},
    "solver": {"verdicts"},
    "ir": {"program", "declarations"},
    "checker": {"checked_obligation", "report", "exporter_findings", "undecided_reasons"},
    "pruning": {"result"},
    "refinement": {"outcome"},
    "certificates": {"checkers"},
    "shape_inference": {"known_extents", "value_shapes"},
}
"""Modules of stages that compute which a writer may import: they hold data and its text."""


def test_writers_import_data_only() -> None:
    """Writers import no prover, no parser and no pipeline."""
    for path, own in modules("reports"):
        for name in imported(path, own):
            _, stage, module = (*name.split("."), "", "")[:3]
            assert stage not in ("pipeline", "api", "execution", "frontends", "shape_functions"), (path.name, name)
            if name.startswith("shapesolve.") and stage in DATA_FOR_WRITERS:
                assert module in DATA_FOR_WRITERS[stage], (path.name, name)
