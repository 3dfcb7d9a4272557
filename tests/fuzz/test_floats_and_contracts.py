"""The interpreter's answers on floats and stated contracts, and verdicts on random programs of both."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest
from fuzz.campaign import TRIALS
from fuzz.float_ops import ONE, TWO, nearest
from fuzz.judging import Plan, examine
from fuzz.machine import Array, Ending, compiled
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

HALVES = st.integers(-(2**12), 2**12).map(lambda number: number / 2)
SINGLE = st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False)


@given(SINGLE, SINGLE)
@examples(200)
def test_sums_and_quotients_are_those_of_numpy(a: float, b: float) -> None:
    with numpy.errstate(all="ignore"):
        x, y = numpy.float32(a), numpy.float32(b)
        expected = {"addf": x + y, "subf": x - y, "mulf": x * y, "divf": x / y}
    for name, value in expected.items():
        if abs(value) >= numpy.finfo(numpy.float32).tiny or value == 0:
            assert nearest(TWO[f"arith.{name}"](a, b), "f32") == value or numpy.isnan(value)


@given(HALVES)
@examples(200)
def test_numbers_are_rounded_as_numpy_does(value: float) -> None:
    assert ONE["math.floor"](value) == numpy.floor(value)
    assert ONE["math.ceil"](value) == numpy.ceil(value)
    assert ONE["math.trunc"](value) == numpy.trunc(value)
    assert ONE["math.roundeven"](value) == numpy.rint(value)
    assert abs(ONE["math.round"](value)) == numpy.floor(abs(value) + 0.5)
    assert nearest(value, "f16") == numpy.float16(value)


@pytest.mark.parametrize(("value", "kept"), [(257.0, 256.0), (258.0, 258.0), (259.0, 260.0), (1.0, 1.0), (3e38, 3e38)])
def test_eight_digits_are_kept(value: float, kept: float) -> None:
    assert nearest(value, "bf16") == pytest.approx(kept, rel=0 if value < 1e6 else 2.0**-8)


STATED = """
func.func private @half(index) -> index attributes {
  shapesolve.requires = ["arg0 % 2 == 0", "arg0 >= 0"], shapesolve.ensures = ["2*result0 == arg0"]
}
func.func private @down(%n: index) -> index attributes {shapesolve.ensures = ["result0 == 0"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sle, %n, %c0 : index
  %r = scf.if %p -> index {
    scf.yield %n : index
  } else {
    %m = arith.subi %n, %c1 : index
    %s = func.call @down(%m) : (index) -> index
    scf.yield %s : index
  }
  return %r : index
}
func.func @f(%a: tensor<?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %h = func.call @half(%d) : (index) -> index
  %z = func.call @down(%n) : (index) -> index
  return %h, %z : index, index
}"""


def test_a_contract_is_undefined_behavior_where_it_is_broken() -> None:
    machine = compiled(STATED)
    assert machine.run("f", [Array((6,)), 4]).results == (3, 0)
    broken = machine.run("f", [Array((5,)), 4])
    assert (broken.ending, broken.place) == (Ending.UNDEFINED, (21, 8))
    alone = machine.run("down", [-1])
    assert (alone.ending, alone.place) == (Ending.UNDEFINED, (16, 3))
    assert machine.run("f", [Array((6,)), -1]) == alone
    assert machine.run("down", [10**6]).ending is Ending.OUTSIDE
    assert examine(STATED, Plan(3, contract=True, refine=True)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("trial", ["contracts", "floats"])
def test_verdicts_on_random_programs_are_what_happens(trial: str, seed: int) -> None:
    counts = Counter[str]()
    assert TRIALS[trial][0](12 + 3 * seed, counts) == []
    assert counts["programs"] >= 3
