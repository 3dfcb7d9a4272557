"""A report of pruning is the same whether the sizes of the checks that it folds away are made small or not."""

from __future__ import annotations

import io

import pytest

from shapesolve.checker.obligation_checker import always
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pruning import reported_detail
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.result import PruneResult
from shapesolve.reports.page import Page
from shapesolve.reports.prune import MOST_LISTED, print_pruning

CHECKS = 30


def program(*, in_branch: bool) -> str:
    """Return a program of checks of one message that fail, each for sizes of its own, at the entry or in branches."""
    lines = ["func.func @f(%x: tensor<?xf32>, %on: i1) {", "%c0 = arith.constant 0 : index"]
    lines.append("%n = tensor.dim %x, %c0 : tensor<?xf32>")
    for number in range(CHECKS):
        least = 7 if in_branch else 3 * number + 1
        lines.append(f"%m{number} = arith.constant {least} : index")
        lines.append(f"%g{number} = arith.cmpi sge, %n, %m{number} : index")
        check = f'cf.assert %g{number}, "long enough"'
        lines.append(f"scf.if %on {{ {check} }}" if in_branch else check)
    return "\n".join([*lines, "return", "}"])


def printed(result: PruneResult) -> str:
    stream = io.StringIO()
    print_pruning("f.mlir", None, result, Page(stream))
    return stream.getvalue()


def both(text: str) -> tuple[PruneResult, PruneResult]:
    pruned = (prune_program(read_text(text), Options(), most_shown=most) for most in (MOST_LISTED, None))
    few, all = pruned
    return few, all


def test_folded_checks_get_any_sizes() -> None:
    few, all = both(program(in_branch=False))
    assert {each.number for each in few.kept[MOST_LISTED:]} == few.not_shrunk
    assert not all.not_shrunk
    assert printed(few) == printed(all)
    assert [(each.verdict, each.removed) for each in few.checks] == [(e.verdict, e.removed) for e in all.checks]


@pytest.mark.slow
@pytest.mark.parametrize("in_branch", [False, True])
def test_reports_are_the_same(in_branch: bool) -> None:
    few, all = both(program(in_branch=in_branch))
    assert few.text == all.text
    assert printed(few) == printed(all)


def test_checks_that_may_be_listed_together_get_small_sizes() -> None:
    few, all = both(program(in_branch=True))
    assert not few.not_shrunk
    assert few.checks == all.checks


@pytest.mark.slow
def test_checks_that_are_listed_after_all_get_small_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reported_detail, "_seems_to_stay", always)
    repeated = "\n".join(['cf.assert %g0, "long enough"'] * MOST_LISTED)
    text = program(in_branch=False).replace("%m1 =", f"{repeated}\n%m1 =", 1)
    few, all = both(text)
    assert len(few.removed) == MOST_LISTED
    assert few.checks == all.checks
    assert not few.not_shrunk
