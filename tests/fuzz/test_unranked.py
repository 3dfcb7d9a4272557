"""Verdicts on programs over tensors of unknown rank, which are for all ranks, against runs at several of them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from fuzz.judging import OPERATIONS
from fuzz.machine import Array, Ending, Machine, Place, Run, compiled
from fuzz.unranked_programs import UNKNOWN, Unranked, program, text

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.execution.execution import ScalarInput, arguments
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable

VECTORS = 40
LARGEST_RANK = 6


def place(checked_obligation: CheckedObligation) -> Place:
    where = checked_obligation.obligation.op.location
    return where.line, where.column


def ranks(vector: list[Any]) -> tuple[int, ...]:
    return tuple(len(each.shape) if isinstance(each, Array) else 0 for each in vector)


def drawn(made: Unranked, chance: random.Random) -> list[Any]:
    """Return a random argument of each type; shapes often share their last extents."""
    common = [chance.choice((0, 1, 2, 3)) for _ in range(3)]
    vector: list[Any] = []
    for _, type in made.arguments:
        if type == "index":
            vector.append(chance.choice((-1, 0, 1, 2, 3)))
            continue
        rank = chance.choice((0, 1, 1, 2, 2, 3)) if type == UNKNOWN else type.count("x")
        extents = [chance.choice((0, 1, 2, 3)) if chance.random() < 0.4 else each for each in common[3 - rank :]]
        extents = [1 if chance.random() < 0.2 else each for each in extents]
        vector.append(Array((1, extents[1]) if type.startswith("tensor<1") else extents))
    return vector


def complaints(seed: int, counts: Counter[str]) -> list[str]:
    """Return the disagreements of a verdict and runs at some ranks and sizes."""
    counts["families of operations"] = len(OPERATIONS)  # importing them makes them known to the interpreter
    made = program(seed)
    (report,) = check_program(read_text(text(made)), Options(execute=False)).functions
    machines: dict[tuple[int, ...], Machine] = {}

    def run(vector: list[Any]) -> Run:
        chosen = ranks(vector)
        if chosen not in machines:
            machines[chosen] = compiled(text(made, chosen))
        return machines[chosen].run("main", vector)

    raised = {place(each) for each in report.checked_obligations}
    unsafe = {place(each) for each in report.checked_obligations if not isinstance(each.verdict, Proved | Unreachable)}
    wrong: list[str] = []
    chance = random.Random(seed)
    for _ in range(VECTORS):
        vector = drawn(made, chance)
        found = run(vector)
        counts[found.ending.value] += 1
        if found.ending in (Ending.ABORTED, Ending.UNDEFINED) and found.place not in unsafe:
            state = "proved" if found.place in raised else "without a claim"
            wrong.append(f"seed {seed}: {state}, and {found} for {ranks(vector)}")
    for each in report.checked_obligations:
        given = arguments(report.trace, each.verdict.sizes) if isinstance(each.verdict, Refuted) else ""
        if isinstance(given, str):
            continue
        vector = [one.value if isinstance(one, ScalarInput) else Array(one.extents) for one in given]
        if max(ranks(vector)) > LARGEST_RANK:
            continue
        found, waits = run(vector), {place(one) for one in report.checked_obligations if not one.obligation.is_barrier}
        counts["replayed"] += 1
        if found.ending is not Ending.OUTSIDE and found.place not in {place(each), *waits}:
            wrong.append(f"seed {seed}: {each.obligation.op.name} is refuted at {place(each)}, and {found}")
    return wrong


@pytest.mark.exhaustive
def test_verdicts_for_all_ranks_are_those_of_runs() -> None:
    counts: Counter[str] = Counter()
    for seed in range(25):
        assert complaints(seed, counts) == []
    assert min(counts[what] for what in ("returned", "aborted", "undefined", "replayed")) > 0
