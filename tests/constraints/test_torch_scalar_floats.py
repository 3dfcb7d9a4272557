"""Floats that PyTorch's programs compute from sizes, against Python; what tensors are scaled by, against numpy."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.torch_scalar_programs import CODES, COMPARED, OPERATORS, ScalarProgram, Sizes, is_float

from shapesolve.domain.values import Float, IntegerInterval, Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import RankedShape

Step = tuple[str, int, int, float | None]
"""An operator, and which numbers it takes: two that were made before, or one and a constant."""

LARGEST_SIZE = 2**53
"""Assumed upper bound of sizes."""

TYPES = {"f32": np.float32, "f64": np.float64}


def _check(known: Float, value: float, sizes: Sizes) -> bool:
    """Compare a float with what is said of it, and say whether that could be done."""
    at = {each: sizes[each.name] for each in known.variables if each.name in sizes}
    if len(at) < len(known.variables):
        return False
    numerator, denominator = evaluate(known.numerator, at), evaluate(known.denominator, at)
    if max(abs(numerator), denominator) > LARGEST_SIZE:
        return False  # of these nothing is said
    quotient = Fraction(numerator, denominator)
    if holds(known.exact, at):
        assert quotient == value
    elif holds(known.defined, at):
        assert not holds(known.whole, at) or floor(quotient) == floor(value)
        assert known.error is None or abs(Fraction(value) - quotient) <= known.error * abs(quotient)
    return True


def _of_steps(steps: list[Step], sizes: Sizes) -> ScalarProgram:
    program = ScalarProgram(sizes)
    for operator, first, second, constant in steps:
        a = program.numbers[-1 - first % len(program.numbers)]
        b = program.numbers[second % len(program.numbers)] if constant is None else program.constant(constant)
        program.step(operator, a, b)
    return program


STEPS = st.lists(
    st.tuples(
        st.sampled_from(OPERATORS), st.integers(0, 9), st.integers(0, 9), st.sampled_from([None, 0.5, 3, 0.1, -2])
    ),
    min_size=1,
    max_size=5,
)
SIZES = st.one_of(st.integers(1, 12), st.sampled_from([97, 2**24 + 1, 2**30 + 3]))


@examples(200)
@given(STEPS, SIZES, SIZES, st.sampled_from(COMPARED))
def test_floats_are_what_python_computes(steps: list[Step], n: int, m: int, compared: str) -> None:
    sizes = {"n": n, "m": m}
    program = _of_steps(steps, sizes)
    program.compare(compared, program.numbers[-1], program.numbers[0])
    values = program.values()
    floats = [(values[name], float(value)) for name, value in program.numbers if isinstance(values[name], Float)]
    checked = [_check(known, value, sizes) for known, value in floats if isinstance(known, Float)]
    if not all(checked):
        return
    for name, value in program.numbers:
        known = values[name]
        if isinstance(known, Dim) and {each.name for each in known.variables} <= {*sizes}:
            assert evaluate(known, {each: sizes[each.name] for each in known.variables}) == value
    for name, value in program.compared.items():
        known = values[name]
        if isinstance(known, Formula) and {each.name for each in known.variables} <= {*sizes}:
            assert holds(known, {each: sizes[each.name] for each in known.variables}) == value


@examples(100)
@given(STEPS, SIZES.filter(lambda n: n < 1000), SIZES, st.sampled_from([*TYPES]))
def test_scaled_values_lie_within_the_bounds(steps: list[Step], n: int, m: int, kind: str) -> None:
    sizes = {"n": n, "m": m}
    program = _of_steps(steps, sizes)
    program.scale(kind)
    known = program.values()["%y"]
    assert isinstance(known, Tensor)
    between = known.between
    if between is None or not {each.name for each in between.variables} <= {*sizes}:
        return
    at = {each: sizes[each.name] for each in between.variables}
    if not holds(between.where, at):
        return
    with np.errstate(all="ignore"):
        scaled = np.arange(n).astype(TYPES[kind]) * TYPES[kind](program.numbers[-1][1])
    low, high = (Fraction(evaluate(end, at), between.denominator) for end in (between.low, between.high))
    assert low <= Fraction(float(scaled.min())) and Fraction(float(scaled.max())) <= high


def test_a_ratio_of_sizes_bounds_what_it_scales() -> None:
    program = ScalarProgram({"n": 100, "m": 7})
    program.numbers.reverse()
    program.step("div", program.numbers[0], program.numbers[1])
    program.scale("f32")
    known = program.values()["%y"]
    assert isinstance(known, Tensor) and isinstance(known.between, IntegerInterval)
    at = {each: {"n": 100, "m": 7}[each.name] for each in known.between.variables}
    high = Fraction(
        evaluate(known.between.high, {each: at[each] for each in known.between.high.variables}),
        known.between.denominator,
    )
    assert holds(known.between.where, at) and Fraction(693, 100) <= high < 7


ENDS = st.sampled_from([0.0, 0.5, -1.5, 1 / 3, 2.7, 10.0, 0.1])
STEP = st.sampled_from([1.0, 0.5, 0.1, 1 / 3, -0.25, 2.5, 1e-3])


@pytest.mark.frontends
@examples(100)
@given(st.integers(0, 40), ENDS, STEP, st.sampled_from([None, 0.5, 0.1, 3.0]), st.sampled_from([*TYPES]))
def test_ranges_of_floats_have_as_many_numbers_as_pytorch_gives(
    n: int, start: float, step: float, factor: float | None, kind: str
) -> None:
    torch = pytest.importorskip("torch")
    program = ScalarProgram({"n": n, "m": 1})
    first, apart = program.constant(start), program.constant(step)
    last = program.numbers[0]
    if factor is not None:
        program.step("mul", last, program.constant(factor))
        last = program.numbers[-1]
    program.lines += ["  %none = torch.constant.none", f"  %kind = torch.constant.int {CODES[kind]}"]
    kinds = [f"!torch.{'float' if is_float(each) else 'int'}" for each in (first, last, apart)]
    given_types = ", ".join([*kinds, "!torch.int", "!torch.none", "!torch.none", "!torch.none"])
    operands = f"{first[0]}, {last[0]}, {apart[0]}, %kind, %none, %none, %none"
    program.lines.append(
        f"  %r = torch.aten.arange.start_step {operands} : {given_types} -> !torch.vtensor<[?],{kind}>"
    )
    found = program.values()["%r"]
    assert isinstance(found, Tensor) and isinstance(found.shape, RankedShape)
    (count,) = found.shape.dims
    dtype = torch.float32 if kind == "f32" else torch.float64
    try:
        given_count = torch.arange(start, last[1], step, dtype=dtype).numel()
    except RuntimeError:
        return  # the step does not lead to the end
    if {each.name for each in count.variables} <= {"n"}:
        assert evaluate(count, dict.fromkeys(count.variables, n)) == given_count
