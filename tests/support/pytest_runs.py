"""Runs of pytest in this process, with the plugin of shapesolve."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _pytest.pytester import Pytester, RunResult

IS_INSTALLED = any(each.value == "shapesolve.testing.plugin" for each in entry_points(group="pytest11"))
PLUGIN = () if IS_INSTALLED else ("-p", "shapesolve.testing.plugin")
"""The arguments that load the plugin: none where it is installed as one, for it cannot be loaded twice."""


def run(pytester: Pytester, *arguments: str) -> RunResult:
    """Run pytest in the directory of a pytester."""
    return pytester.runpytest_inprocess(*PLUGIN, "-p", "no:cacheprovider", *arguments)
