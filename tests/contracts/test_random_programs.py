"""Differential test of random programs' contracts against the fuzzer's interpreter, which shares nothing with the
rules.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from fuzz.judging import OPERATIONS
from fuzz.machine import Array, Ending, compiled
from fuzz.stated_ops import admitted
from fuzz.vectors import fresh, vectors

from shapesolve.contracts.contract import FunctionContract
from shapesolve.contracts.inference import contracts_of_program
from shapesolve.domain.values import Abstract, Tensor
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.program_generation.programs import module
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction
from shapesolve.symbolic.shape_kinds import RankedShape

PROGRAMS = 8
VECTORS = 60


def assigned(values: Sequence[Abstract], vector: Sequence[Any]) -> dict[Variable, int] | None:
    """Return the values of the input variables, or None if an extent is not a plain variable."""
    found: dict[Variable, int] = {}
    for value, argument in zip(values, vector, strict=True):
        pairs: list[tuple[Any, int]] = []
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape) and isinstance(argument, Array):
            pairs += zip(value.shape.dims, argument.shape, strict=True)
            held = argument.elements()
            if value.elements is not None and held is not None:
                pairs += zip(value.elements, held, strict=True)
        elif isinstance(value, Dim):
            pairs.append((value, argument))
        for size, number in pairs:
            if isinstance(size, Dim) and isinstance(size.atom, Variable):
                found[size.atom] = number
            elif not (isinstance(size, Dim) and size.is_constant):
                return None
    return found


def verdicts(found: FunctionContract, vector: Sequence[Any]) -> bool | None:
    """Return whether the contract holds for a vector; None where it speaks of what is not looked at here."""
    sizes = assigned(found.report.trace.inputs, vector)
    whole: Formula = conjunction(each.formula for each in found.conditions)
    known = conjunction(each.formula for each in found.report.assumptions)
    if sizes is None or not whole.variables | known.variables <= sizes.keys() or not holds(known, sizes):
        return None
    return holds(whole, sizes)


def complaints(seed: int, counts: Counter[str]) -> list[str]:
    """Return the disagreements between the interpreter and the contracts of one random module."""
    text = module(seed, PROGRAMS)
    machine = compiled(text)
    counts["families of operations"] = len(OPERATIONS)  # importing them makes them known to the interpreter
    wrong: list[str] = []
    chance = random.Random(seed)
    for found in contracts_of_program(read_text(text), Options(execute=False)).functions:
        counts["exact" if found.exact else "hopeless" if found.hopeless else "open"] += 1
        for vector in vectors(machine.functions[found.name].argument_types, chance, VECTORS):
            if not admitted(machine, found.name, vector):
                continue
            holding = verdicts(found, vector)
            run = machine.run(found.name, fresh(vector))
            if run.ending is Ending.OUTSIDE or holding is None:
                continue
            returned = run.ending is Ending.RETURNED
            counts["returned" if returned else "failed"] += 1
            place = (
                f"seed {seed} @{found.name} {found.texts} {[getattr(each, 'shape', each) for each in vector]}: {run}"
            )
            if found.sufficient and holding and not returned:
                wrong.append(f"not enough: {place}")
            if found.exact and not holding and returned:
                wrong.append(f"not needed: {place}")
            if found.hopeless and returned:
                wrong.append(f"not hopeless: {place}")
    return wrong


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(0, 12, 4))
def test_the_interpreter_agrees_both_ways(start: int) -> None:
    counts: Counter[str] = Counter()
    wrong = [each for seed in range(start, start + 4) for each in complaints(seed, counts)]
    assert wrong == []
    assert min(counts["exact"], counts["returned"], counts["failed"]) > 0
