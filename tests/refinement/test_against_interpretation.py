"""Verdicts against an interpreter, on random pairs of programs, for all sizes that can make a difference."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.comparison_programs import LARGEST, SIZES, Tree, behavior, related, text_of, trees
from support.examples import examples

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import Refuted

pytestmark = pytest.mark.slow


def compared(source: Tree, target: Tree, *, allow_lost_checks: bool) -> Refinement:
    (found,) = refine_programs(
        read_text(text_of(source)),
        read_text(text_of(target)),
        Options(execute=False),
        allow_lost_checks=allow_lost_checks,
    )
    return found


def differs(source: Tree, target: Tree, sizes: dict[str, int], *, allow_lost_checks: bool) -> bool:
    ours, theirs = behavior(source, sizes), behavior(target, sizes)
    if ours == "undefined" or (allow_lost_checks and ours == "aborts"):
        return False
    return ours != theirs


@pytest.mark.exhaustive
@pytest.mark.parametrize("allow_lost_checks", [False, True])
@examples(100)
@given(source=trees(), data=st.data())
def test_verdicts_are_those_of_all_small_sizes(source: Tree, data: st.DataObject, allow_lost_checks: bool) -> None:
    target = related(source, data)
    found = compared(source, target, allow_lost_checks=allow_lost_checks)
    assert found.word in ("proved", "refuted")
    cases: list[dict[str, int]] = [
        dict(zip(SIZES, each, strict=True)) for each in product(range(LARGEST + 1), repeat=len(SIZES))
    ]
    wrong = [each for each in cases if differs(source, target, each, allow_lost_checks=allow_lost_checks)]
    assert (found.word == "refuted") == bool(wrong)
    for finding in found.refuted:
        assert isinstance(finding.verdict, Refuted)
        by_name = {variable.name: value for variable, value in finding.verdict.sizes.items()}
        sizes = {"a0": by_name["a[0]"], "a1": by_name["a[1]"], "b0": by_name["b[0]"]}
        assert all(isinstance(each, int) for each in sizes.values())
        plain = {name: int(str(value)) for name, value in sizes.items()}
        assert differs(source, target, plain, allow_lost_checks=allow_lost_checks)
        endings = {"undefined": "UNDEFINED", "aborts": "ABORTS"}
        assert finding.source.ending.name == endings.get(str(behavior(source, plain)), "RETURNS")
        assert finding.target.ending.name == endings.get(str(behavior(target, plain)), "RETURNS")
    if found.from_size is not None:
        assert all(min(each.values()) < found.from_size for each in wrong)
