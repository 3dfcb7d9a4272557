"""Test that no refutation is contradicted by its own execution.

Only the cases with checks and tensors are executed, since their runs are the most conclusive.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checked_files import executed_report

from shapesolve.checker.checked_obligation import CheckedObligation, Shown
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FILES = [
    *sorted((ROOT / "examples").glob("*.mlir")),
    *sorted((ROOT / "tests" / "cases" / "cf").glob("*.mlir")),
    *sorted((ROOT / "tests" / "cases" / "scf").glob("*.mlir")),
]
KNOWN: dict[str, int] = {}
"""Expected number of contradicted refutations by file, where it is not 0."""


def _is_contradicted(checked_obligation: CheckedObligation) -> bool:
    match checked_obligation.verdict:
        case Undecided(reason_kind=UndecidedReason.EXECUTION):
            return True
        case Refuted():
            seen = checked_obligation.confirmation
            return seen is not None and seen.shown is Shown.FAILED_ELSEWHERE
        case _:
            return False


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_execution_contradicts(path: Path) -> None:
    checked_obligations = executed_report(str(path)).checked_obligations
    assert sum(map(_is_contradicted, checked_obligations)) == KNOWN.get(path.stem, 0)
