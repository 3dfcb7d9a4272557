"""Bounds of bitwise operations on two unknown numbers, against all pairs of numbers of four bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product

import pytest
from support.claims_at_sizes import trace_of

from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formulas import conjunction
from shapesolve.trace.events import Fact, Source

pytestmark = pytest.mark.slow

NUMBERS = range(-8, 8)
OPERATIONS: dict[str, tuple[Callable[[int, int], int], int]] = {
    "andi": (operator.and_, 692),
    "ori": (operator.or_, 692),
    "xori": (operator.xor, 960),
}
"""Operations, each with the number of triples of operands and result, of 4,096, that the bounds admit."""


@pytest.mark.parametrize("name", OPERATIONS)
def test_bounds_hold_of_every_result_and_exclude_most_others(name: str) -> None:
    trace = trace_of(
        f"func.func @f(%a: i4, %b: i4) -> i4 {{\n  %r = arith.{name} %a, %b : i4\n  return %r : i4\n}}",
    )
    facts = [each for each in trace.events if isinstance(each, Fact) and each.source is Source.INVARIANT]
    bounds = conjunction(fact.formula for fact in facts)
    a, b, result = (_variable(trace.values[value]) for value in trace.values)
    combine, most = OPERATIONS[name]
    admitted = {(x, y, z) for x, y, z in product(NUMBERS, repeat=3) if bounds.evaluate({a: x, b: y, result: z})}
    assert {(x, y, combine(x, y)) for x, y in product(NUMBERS, repeat=2)} <= admitted
    assert len(admitted) <= most


def _variable(value: object) -> object:
    assert isinstance(value, Dim)
    (variable,) = value.variables
    return variable
