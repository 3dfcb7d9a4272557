"""Test on all cases that a check removed for a smaller least size is removed for larger ones.

Programs that fail for every size of at least 2 are left out: code behind such a failure is unreachable, and stays.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning.prune import prune_program

ROOT = Path(__file__).parents[1] / "cases"
CHECKS = ("cf.assert", "shape.cstr_", "shape.assuming", "scf.if", "arith.select")
CASES = [each for each in sorted(ROOT.rglob("*.mlir")) if any(name in each.read_text("utf-8") for name in CHECKS)]
WAYS = (Options(), Options(min_size=1), Options(min_size=2), Options(min_size=2, trust_ub=True))


@pytest.mark.exhaustive
@pytest.mark.parametrize("folder", sorted({each.parent.name for each in CASES}))
def test_more_facts_never_keep_more_checks(folder: str) -> None:
    more: list[str] = []
    removed = 0
    for path in (each for each in CASES if each.parent.name == folder):
        program = read_text(path.read_text("utf-8"), path.name)
        results = [prune_program(program, options) for options in WAYS]
        kept = [{(check.location.line, check.op) for check in each.kept} for each in results]
        removed += sum(len(each.removed) for each in results)
        for number, (fewer, most) in enumerate(zip(kept[1:], kept, strict=False), 1):
            more += [f"{path.name}:{line}: {op} stays with {WAYS[number]}" for line, op in fewer - most]
    assert not more
    assert removed or folder not in ("cf", "shape")
