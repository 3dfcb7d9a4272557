"""Loops among blocks against the interpreter, and against the structured loops that they are made of."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz.campaign import TRIALS
from fuzz.judging import NOT_EXECUTED
from fuzz.lowering import with_blocks

from shapesolve.ir.reader import read_text
from shapesolve.pipeline import check_program
from shapesolve.program_generation.programs import with_loops
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable, Verdict


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("trial", ["lowered", "graphs"])
def test_verdicts_on_random_programs_are_what_happens(trial: str, seed: int) -> None:
    counts = Counter[str]()
    assert TRIALS[trial][0](6 + 3 * seed, counts) == []
    assert counts["programs"] >= 3


def _verdicts(text: str) -> dict[str, list[Verdict]]:
    functions = check_program(read_text(text), NOT_EXECUTED).functions
    return {function.name: [each.verdict for each in function.checked_obligations] for function in functions}


@pytest.mark.slow
def test_proofs_of_structured_loops_hold_for_their_blocks() -> None:
    """Blocks between which control goes round in the original already may be lost: they become the function's own."""
    safe = 0
    for seed in range(2001, 2007):
        structured = with_loops(seed, 4)
        found = _verdicts(with_blocks(structured))
        for name, verdicts in _verdicts(structured).items():
            if all(isinstance(each, Proved | Unreachable) for each in verdicts):
                assert not any(isinstance(each, Refuted) for each in found[name])
                assert all(isinstance(each, Proved | Unreachable) for each in found[name]), (seed, name)
                safe += bool(verdicts)
    assert safe >= 8
