"""Pruning of a text, and assertions on the result."""

from __future__ import annotations

from typing import Any

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import PruneResult


def prune(text: str, **options: Any) -> PruneResult:
    """Prune a text under options, and require that pruning the outcome again changes nothing."""
    result = prune_program(read_text(text, "model.mlir"), Options(**options))
    is_written_down = result.removed and not any("nothing is pruned" in note for note in result.notes)
    if is_written_down:
        options = {key: value for key, value in options.items() if key in ("trust_ub", "functions")}
    again = prune_program(read_text(result.text, "model.mlir"), Options(**options))
    assert again.text == result.text
    assert not again.removed
    return result


def ops(text: str) -> list[str]:
    """The names of all operations, in order."""
    return [op.name for op in read_text(text, "pruned.mlir").operation.walk()]


def fates(result: PruneResult) -> list[tuple[str, bool]]:
    """Return every check by name, and whether it was removed."""
    return [(check.op, check.removed) for check in result.checks]


def gone(result: PruneResult) -> list[str]:
    """The messages of the checks that are gone."""
    return [check.message for check in result.removed]
