"""Comparison of rules with MLIR's verifier: both must require the same of static sizes."""

from __future__ import annotations

import random
from itertools import product

from support.claims_at_sizes import broken, is_modeled, result_shapes, trace_of, verifier_accepts
from support.written_programs import Written

MOST_SAMPLES = 60


def function(arguments: str, result: str, body: str) -> str:
    """``body`` defines ``%0``."""
    return f"func.func @f({arguments}) -> {result} {{\n{body}\n  return %0 : {result}\n}}"


def two(op: str, a: str, b: str, result: str, attributes: str = "") -> str:
    """An operation of two operands."""
    return function(f"%a: {a}, %b: {b}", result, f'  %0 = "{op}"(%a, %b) {attributes} : ({a}, {b}) -> {result}')


def one(op: str, a: str, result: str, attributes: str = "", regions: str = "") -> str:
    """An operation of one operand."""
    return function(f"%a: {a}", result, f'  %0 = "{op}"(%a) {attributes} {regions} : ({a}) -> {result}')


def agree(program: Written) -> None:
    """The verifier takes a program where no claim is broken, with the sizes of the result that the rule gives."""
    trace = trace_of(program.dynamic())
    assert is_modeled(trace)
    samples = list(product(program.sizes, repeat=len(program.names)))
    if len(samples) > MOST_SAMPLES:
        samples = random.Random(program.name).sample(samples, MOST_SAMPLES)
    outcomes: set[bool] = set()
    for sample in samples:
        sizes = dict(zip(program.names, sample, strict=True))
        claims = broken(trace, program.inputs(sizes))
        if claims and all(claim.split()[-1] in program.unseen for claim in claims):
            continue
        (result,) = result_shapes(trace, program.inputs(sizes))
        assert isinstance(result, tuple)
        kept = result if program.rank == len(result) else _written(program, result)
        computed = {f"r{index}": max(extent, 0) for index, extent in enumerate(kept)}
        accepted = verifier_accepts(program.static({**sizes, **computed}))
        assert accepted == (not claims), f"{sizes} -> {result}: the rule breaks {claims or 'nothing'}"
        outcomes.add(accepted)
        if accepted and program.rank:
            wrong = {**computed, "r0": computed["r0"] + 1}
            assert not verifier_accepts(program.static({**sizes, **wrong})), f"{sizes} -> {wrong} is accepted, too"
    assert True in outcomes


def _written(program: Written, result: tuple[int, ...]) -> list[int]:
    """The sizes of the result that the text leaves open."""
    extents = program.text[program.text.index("->") + 2 : program.text.index("{")].strip()
    names = extents.removeprefix("tensor<").split("x")[: len(result)]
    return [size for name, size in zip(names, result, strict=True) if name.startswith("(")]
