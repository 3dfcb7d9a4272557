"""Pruned and guarded programs, computed once in a process and shared by several tests."""

from __future__ import annotations

from functools import cache
from typing import Literal

from shapesolve import prune
from shapesolve.pruning.result import PruneResult

Way = Literal["plain", "at_entry", "harden"]


@cache
def changed(text: str, way: Way, style: Literal["cf", "shape", "stablehlo"] = "cf") -> PruneResult:
    """Return the output of ``prune`` for a text, without other options."""
    return prune(text, at_entry=way == "at_entry", harden=way == "harden", style=style)
