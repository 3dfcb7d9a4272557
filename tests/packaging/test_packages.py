"""Test that the wheel's list of packages is complete: a missing one works in a checkout, but not when installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_package_of_the_tree_is_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    there = {".".join(file.parent.relative_to(ROOT).parts) for file in (ROOT / "shapesolve").rglob("__init__.py")}
    rules = {
        ".".join(("shapesolve", *file.parent.relative_to(ROOT).parts))
        for file in (ROOT / "constraints").rglob("__init__.py")
    }
    assert set(project["tool"]["setuptools"]["packages"]) == there | rules
