"""Facts about bitwise operations on two unknown numbers, and of shifts by one, against all of four bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product

import pytest
from support.claims_at_sizes import trace_of

from shapesolve import check
from shapesolve.solver.verdicts import Proved
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction
from shapesolve.trace.events import Fact, Source

pytestmark = pytest.mark.slow

NUMBERS = range(-8, 8)
OPERATIONS: dict[str, tuple[Callable[[int, int], int], int]] = {
    "andi": (operator.and_, 334),
    "ori": (operator.or_, 334),
    "xori": (operator.xor, 298),
}
"""Operations, each with the number of triples of operands and result, of 4,096, that the facts admit."""


def _known(name: str, width: int = 4) -> tuple[Formula, Variable, Variable, Variable, Variable]:
    """Return the facts about an operation, its operands, its result, and the number that its operands determine."""
    type = f"i{width}"
    body = f"  %r = arith.{name} %a, %b : {type}\n  return %r : {type}\n"
    trace = trace_of(f"func.func @f(%a: {type}, %b: {type}) -> {type} {{\n{body}}}")
    facts = [each for each in trace.events if isinstance(each, Fact) and each.source is Source.INVARIANT]
    known = conjunction(fact.formula for fact in facts)
    a, b, result = (_variable(trace.values[value]) for value in trace.values)
    (through,) = known.variables - {a, b, result}
    return known, a, b, result, through


@pytest.mark.parametrize("name", OPERATIONS)
def test_facts_hold_of_every_result_and_exclude_most_others(name: str) -> None:
    known, a, b, result, both = _known(name)
    combine, most = OPERATIONS[name]
    admitted = {
        (x, y, z) for x, y, z, w in product(NUMBERS, repeat=4) if known.evaluate({a: x, b: y, result: z, both: w})
    }
    for x, y in product(NUMBERS, repeat=2):
        assert known.evaluate({a: x, b: y, result: combine(x, y), both: x & y}), (x, y)
    assert len(admitted) <= most


@pytest.mark.parametrize("name", ["shli", "shrsi", "shrui"])
def test_facts_of_shifts_hold_of_every_result(name: str) -> None:
    """Results that leave the width may be anything; another clause speaks of amounts that are too large."""
    known, a, b, result, power = _known(name)
    for x, y, z in product(NUMBERS, range(4), NUMBERS):
        holds = known.evaluate({a: x, b: y, result: z, power: 2**y})
        exact = x * 2**y if name == "shli" else x >> y
        is_told = exact in NUMBERS and (name != "shrui" or x >= 0)
        assert holds == (z == exact or not is_told), (x, y, z)


def _variable(value: object) -> Variable:
    assert isinstance(value, Dim)
    (variable,) = value.variables
    return variable


FUNCTION = """func.func private @power(%n: index) -> index {{
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %k = arith.remui %n, %c10 : index
  %r = arith.shli %c1, %k : index
  return %r : index
}}
func.func @f(%a: tensor<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.dim %a, %c1 : tensor<?x?xf32>
{body}
  cf.assert %claim, "claim"
  return
}}
"""
UNION = """  %or = arith.ori %d, %e : index
  %and = arith.andi %e, %d : index
  %both = arith.addi %or, %and : index
  %sum = arith.addi %d, %e : index
  %claim = arith.cmpi {0}, %both, %sum : index"""
BELOW = """  %small = arith.cmpi slt, %d, %c16 : index
  cf.assert %small, "small"
  %small2 = arith.cmpi slt, %e, %c16 : index
  cf.assert %small2, "small"
  %x = arith.{0} %d, %e : index
  %claim = arith.cmpi slt, %x, {1} : index"""
SHIFTED = """  %small = arith.cmpi sle, %e, %c16 : index
  cf.assert %small, "small"
  %more = arith.cmpi sle, %d, %c8 : index
  cf.assert %more, "small"
  %up = arith.shli %d, %e : index
  %down = arith.shrui %up, %e : index
  %claim = arith.cmpi {0}, %down, %d : index"""
CALLED = """  %x = call @power(%d) : (index) -> index
  %y = call @power({0}) : (index) -> index
  %claim = arith.cmpi eq, %x, %y : index"""
LOOP = """  %last = scf.for %i = %c0 to {0} step %c1 iter_args(%before = %c1) -> index {{
    %now = arith.shli %c1, %i : index
    scf.yield {1} : index
  }}
  %claim = arith.cmpi eq, %last, %c1 : index"""


@pytest.mark.parametrize(
    ("body", "is_proved"),
    [
        (UNION.format("eq"), True),
        (UNION.format("ne"), False),
        (BELOW.format("ori", "%c16"), True),
        (BELOW.format("xori", "%c16"), True),
        (BELOW.format("ori", "%c8"), False),
        (SHIFTED.format("eq"), True),
        (SHIFTED.format("slt"), False),
        (CALLED.format("%d"), True),
        (CALLED.format("%e"), False),
        (LOOP.format("%c16", "%before"), True),
        (LOOP.format("%c16", "%now"), False),
        (LOOP.format("%d", "%now"), False),
    ],
)
def test_what_operands_determine_is_one_number_for_the_same_operands_alone(body: str, is_proved: bool) -> None:
    report = check(FUNCTION.format(body=body), execute=False)
    last = [each for function in report.functions if function.name == "f" for each in function.checked_obligations][-1]
    assert isinstance(last.verdict, Proved) == is_proved
