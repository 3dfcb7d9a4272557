"""Differential test of guarded random programs against the originals, run by an independent interpreter."""

from __future__ import annotations

from collections import Counter

import pytest
from fuzz.before_and_after import runs_of_both
from fuzz.judging import OPERATIONS
from fuzz.machine import Ending, Run
from support.sampled_rows import sampled

from shapesolve.guards.entry_guards import prune_at_entry
from shapesolve.guards.in_place_guards import harden
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.preconditions.functions import entry_points
from shapesolve.program_generation.programs import module

PROGRAMS = 8
VECTORS = 40
WAYS = {"at_entry": prune_at_entry, "harden": harden}


def is_as_promised(before: Run, after: Run, *, defined: bool) -> bool:
    """Return whether a run of the output refines the original's: returns equal results, or aborts.

    A run that aborted must abort, and an undefined one must abort if no obligation is left open.
    """
    if before.ending is Ending.RETURNED:
        return after.says == before.says
    if before.ending is Ending.ABORTED:
        return after.ending is Ending.ABORTED
    return after.ending is Ending.ABORTED or not defined


def complaints(way: str, seed: int, counts: Counter[str]) -> list[str]:
    """Return the wrong outcomes of one random module."""
    counts["families of operations"] = len(OPERATIONS)  # importing them makes them known to the interpreter
    text = module(seed, PROGRAMS)
    program = read_text(text)
    result = WAYS[way](program, Options(execute=False))
    counts["put in"] += len(result.written)
    counts["programs"] += len(entry_points(program))
    wrong: list[str] = []
    for before, after, shown in runs_of_both(program, text, result.text, seed, VECTORS):
        counts[f"{before.ending.value}, then {after.ending.value}"] += 1
        if not is_as_promised(before, after, defined=not result.still_open):
            wrong.append(shown)
    return wrong


SHOWN = ("put in", "returned, then returned", "undefined, then aborted")
"""Outcomes that must have occurred for the test to be conclusive."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_returning_runs_return_and_all_others_stop(way: str, seed: int) -> None:
    """A module in which not all of it is to be seen is not the last that is tried."""
    counts: Counter[str] = Counter()
    for number in range(seed, seed + 40, 4):
        assert complaints(way, number, counts) == []
        if all(counts[what] for what in SHOWN):
            break
    assert counts["programs"] >= PROGRAMS // 2
    assert min(counts[what] for what in SHOWN) > 0


@pytest.mark.slow
@pytest.mark.parametrize("dividend", sampled(["%d", "%c7"], 2))
@pytest.mark.parametrize("operation", ["divui", "divsi", "floordivsi", "ceildivsi", "remui", "remsi"])
def test_divisions_by_what_may_be_negative(operation: str, dividend: str) -> None:
    text = f"""func.func @f(%x: tensor<?xf32>, %n: index) -> index {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %k = arith.subi %d, %n : index
  %q = arith.{operation} {dividend}, %k : index
  %p = arith.cmpi sge, %q, %c2 : index
  cf.assert %p, "m"
  return %q : index
}}
"""
    program = read_text(text)
    result = prune_at_entry(program, Options(execute=False))
    assert result.written
    runs = list(runs_of_both(program, text, result.text, 0, VECTORS))
    assert {each.before.ending for each in runs} >= {Ending.RETURNED, Ending.ABORTED}
    for before, after, shown in runs:
        assert is_as_promised(before, after, defined=not result.still_open), shown
