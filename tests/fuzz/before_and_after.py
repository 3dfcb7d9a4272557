"""A program as it was and as it was written anew, run by the interpreter with the same arguments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from fuzz.machine import Ending, Run, compiled
from fuzz.stated_ops import admitted
from fuzz.vectors import fresh, vectors

from shapesolve.ir.program import Program
from shapesolve.preconditions.functions import entry_points


class TwoRuns(NamedTuple):
    """Both runs of one function; ``shown`` says of which, with what arguments, and how they ended."""

    before: Run
    after: Run
    shown: str


def runs_of_both(program: Program, text: str, written: str, seed: int, most: int) -> Iterator[TwoRuns]:
    """Run every entry point of both texts with so many vectors of arguments; what is outside of what can be run is not
    among them. The functions that are no entry points are judged where they are called."""
    original, changed = compiled(text), compiled(written)
    chance = random.Random(seed)
    for function in entry_points(program):
        name = function.name
        for vector in vectors(original.functions[name].argument_types, chance, most):
            if not admitted(original, name, vector):
                continue
            before, after = original.run(name, fresh(vector)), changed.run(name, fresh(vector))
            if Ending.OUTSIDE in (before.ending, after.ending):
                continue
            arguments = [getattr(each, "shape", each) for each in vector]
            yield TwoRuns(before, after, f"seed {seed} @{name} {arguments}: {before}, then {after}")
