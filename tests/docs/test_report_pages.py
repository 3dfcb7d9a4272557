"""The pages on reports: every label is explained, and every reason of an undecided verdict has a way out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shapesolve.solver.verdicts import UndecidedReason

ROOT = Path(__file__).parents[2]
REPORTS = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
TROUBLESHOOTING = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
WRITERS = ("check_text", "finding_text", "explanation", "prune", "contract", "refinement")


def labels(module: str) -> set[str]:
    source = (ROOT / "shapesolve" / "reports" / f"{module}.py").read_text(encoding="utf-8")
    return set(re.findall(r'\.field\(\s*"([^"]+)"', source)) - {""}


@pytest.mark.parametrize("module", WRITERS)
def test_every_label_is_explained(module: str) -> None:
    rows = "\n".join(re.findall(r"^(?:\| `|\d\.).*$", REPORTS, re.MULTILINE))
    assert labels(module)
    assert {each for each in labels(module) if f"`{each}`" not in rows} == set()


@pytest.mark.parametrize("reason", UndecidedReason)
def test_every_reason_has_a_way_out(reason: UndecidedReason) -> None:
    assert f"| {reason.value} | `{reason.code}` | " in TROUBLESHOOTING
