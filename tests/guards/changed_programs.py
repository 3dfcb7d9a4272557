"""Programs with checks taken out and put in, made once in a process: several tests look at the same ones."""

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
