"""Outputs of `prune` and `shape-of` with other options than the defaults, run by the interpreter before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from fuzz.before_and_after import runs_of_both
from fuzz.judging import OPERATIONS
from fuzz.machine import Ending, Run

from shapesolve.ir.program import Program
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.program_generation.programs import module
from shapesolve.pruning.prune import prune_program
from shapesolve.shape_inference.refine_types import refine_program

PROGRAMS = 6
VECTORS = 30
NOT_EXECUTED = Options(execute=False)
Written = tuple[str, int]
"""The rewritten program, and the number of changes."""


def _fewest(program: Program) -> Written:
    result = prune_program(program, NOT_EXECUTED, fewest=True)
    return result.text, len(result.removed)


def _trusting(program: Program) -> Written:
    result = prune_program(program, Options(execute=False, trust_ub=True))
    return result.text, len(result.removed)


def _refined(program: Program) -> Written:
    result = refine_program(program, NOT_EXECUTED)
    return result.text, len(result.refinements)


WAYS: dict[str, Callable[[Program], Written]] = {"fewest": _fewest, "trusting": _trusting, "refined types": _refined}


def is_as_good(way: str, before: Run, after: Run) -> bool:
    """Return whether a run ends alike: the same results, or a stop with its own words unless a check may have moved."""
    if before.ending is Ending.ABORTED and way == "fewest":
        return after.ending is Ending.ABORTED
    return before.ending is Ending.UNDEFINED or after.says == before.says


def complaints(way: str, seed: int, counts: Counter[str]) -> list[str]:
    """Return the defects of one random module."""
    counts["families of operations"] = len(OPERATIONS)  # importing them makes them known to the interpreter
    text = module(seed, PROGRAMS)
    program = read_text(text)
    written, new = WAYS[way](program)
    counts["new"] += new
    wrong: list[str] = []
    for before, after, shown in runs_of_both(program, text, written, seed, VECTORS):
        counts[before.ending.value] += 1
        if not is_as_good(way, before, after):
            wrong.append(shown)
    return wrong


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", WAYS)
def test_written_programs_behave_the_same(way: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(6):
        assert complaints(way, seed, counts) == []
    assert min(counts[what] for what in ("new", "returned", "aborted")) > 0
