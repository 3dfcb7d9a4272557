"""Differential test of floats computed from sizes against numpy's float64, float32 and float16.

Random programs apply a few operations to floats made of the integers a, b and c. For random numbers, above all at the
borders of these types, every modeled float must agree with its description; larger numbers are inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import isfinite

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.values import Float
from shapesolve.ir.program import Value
from shapesolve.symbolic.atoms import UnmodeledTruth, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import Assignment, evaluate, holds
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import OverflowAssumption, Trace

floats = import_module("shapesolve.constraints.transfer.floats")

TYPES: dict[str, type[np.floating]] = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
BITS = {"f64": 53, "f32": 24, "f16": 11}

BINARY: dict[str, Callable[[np.floating, np.floating], np.floating]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
}


def _half_away(x: np.floating) -> np.floating:
    return np.copysign(np.floor(np.abs(x)) + (np.abs(x) - np.floor(np.abs(x)) >= 0.5), x)


UNARY: dict[str, Callable[[np.floating], np.floating]] = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
    "math.round": _half_away,
}
COMPARISONS: dict[str, Callable[[np.floating, np.floating], np.bool]] = {
    "oeq": np.equal,
    "olt": np.less,
    "uge": np.greater_equal,
    "une": np.not_equal,
    "ogt": np.greater,
    "ule": np.less_equal,
}
BORDERS = [
    0,
    1,
    2,
    3,
    7,
    10,
    1000,
    *(2**bits + step for bits in (8, 11, 12, 14, 15, 24, 25, 53, 54, 62) for step in (-1, 0, 1, 2, 3)),
]
INTEGERS = st.one_of(
    st.sampled_from([*BORDERS, *(-each for each in BORDERS)]), st.integers(-20, 20), st.integers(-(2**63), 2**63 - 1)
)
CONSTANTS = st.one_of(
    st.sampled_from(
        [0.0, 1.0, -1.0, 2.0, 0.5, 1.5, 0.25, 3.0, -3.0, 0.1, 10.0, 1e-3, 1 / 3, 7.0, 1e30, float("inf"), float("nan")]
    ),
    st.floats(-100, 100, width=16),
)


@dataclass(frozen=True)
class Step:
    op: str
    operands: tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """A program: floats 0 to 2 are the arguments as floats, then come constants, then one float a step."""

    type: str
    constants: tuple[float, ...]
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        lines = [f"%f{n} = arith.sitofp %{name} : i64 to {self.type}" for n, name in enumerate("abc")]
        for number, value in enumerate(self.constants, 3):
            lines.append(f"%f{number} = arith.constant {_spelled(value, self.type)} : {self.type}")
        for number, step in enumerate(self.steps, 3 + len(self.constants)):
            operands = ", ".join(f"%f{each}" for each in step.operands)
            lines.append(f"%f{number} = {step.op} {operands} : {self.type}")
        last = f"%f{2 + len(self.constants) + len(self.steps)}"
        before = f"%f{self.steps[-1].operands[0]}"
        lines += [f"%i = arith.fptosi {last} : {self.type} to i64", f"%s = arith.fptosi {last} : {self.type} to i16"]
        lines += [f"%q{n} = arith.cmpf {how}, {last}, {before} : {self.type}" for n, how in enumerate(COMPARISONS)]
        body = "\n  ".join(lines)
        return f"func.func @f(%a: i64, %b: i64, %c: i64) {{\n  {body}\n  return\n}}"

    def computed(self, numbers: tuple[int, int, int]) -> list[np.floating]:
        """Return numpy's results of all steps."""
        kind = TYPES[self.type]
        with np.errstate(all="ignore"):
            found = [_nearest(number, self.type) for number in numbers] + [kind(value) for value in self.constants]
            for step in self.steps:
                operands = [found[each] for each in step.operands]
                result = BINARY[step.op](*operands) if len(operands) == 2 else UNARY[step.op](*operands)
                found.append(kind(result))
        return found


def _nearest(number: int, type: str) -> np.floating:
    """An integer as a float, rounded once (numpy goes through float64 on the way to float16)."""
    size = abs(number)
    shift = max(0, size.bit_length() - BITS[type])
    kept, rest = size >> shift, size & ((1 << shift) - 1)
    half = 1 << (shift - 1) if shift else 0
    if shift and (rest > half or (rest == half and kept % 2)):
        kept += 1
    with np.errstate(all="ignore"):
        found = TYPES[type](float(kept << shift))  # at most 53 bits
    return -found if number < 0 else found


def _spelled(value: float, type: str) -> str:
    with np.errstate(all="ignore"):
        raw = np.array(TYPES[type](value)).tobytes()[::-1].hex().upper()
    return f"0x{raw}"


@st.composite
def programs(draw: st.DrawFn) -> Drawn:
    """Programs of one to five steps."""
    type = draw(st.sampled_from(list(TYPES)))
    constants = tuple(draw(st.lists(CONSTANTS, max_size=3)))
    steps: list[Step] = []
    for number in range(draw(st.integers(1, 5))):
        known = st.integers(0, 2 + len(constants) + number)
        recent = st.integers(max(0, 1 + len(constants) + number), 2 + len(constants) + number)
        op = draw(st.sampled_from([*BINARY, *BINARY, *UNARY]))
        operands = (draw(recent), draw(known)) if op in BINARY else (draw(recent),)
        steps.append(Step(op, operands))
    return Drawn(type, constants, tuple(steps))


def _values(trace: Trace) -> dict[str, Value]:
    return {value.name.lstrip("%"): value for value in trace.values}


def _at(trace: Trace, numbers: tuple[int, int, int]) -> dict[Variable, int] | None:
    """The numbers as an assignment; None where they are beyond what is presumed."""
    sizes = {
        variable: number
        for argument, number in zip(trace.inputs, numbers, strict=True)
        if isinstance(argument, Dim)
        for variable in argument.variables
    }
    for event in trace.events:
        if isinstance(event, OverflowAssumption) and (
            not event.formula.variables <= sizes.keys() or not holds(event.formula, sizes)
        ):
            return None
    return sizes


def _agrees(said: Float, seen: np.floating, sizes: Assignment) -> bool:
    """Return whether a float is what is said of it."""
    if not holds(said.defined, sizes):
        return True
    if not isfinite(seen):
        return False
    quotient = Fraction(evaluate(said.numerator, sizes), evaluate(said.denominator, sizes))
    number = Fraction(float(seen))
    if holds(said.exact, sizes):
        return number == quotient
    if holds(said.whole, sizes) and (number // 1, -number // 1) != (quotient // 1, -quotient // 1):
        return False
    return said.error is None or abs(number - quotient) <= said.error * abs(quotient)


@examples(300)
@given(programs(), st.lists(st.tuples(INTEGERS, INTEGERS, INTEGERS), min_size=1, max_size=8))
def test_floats_lie_in_their_ranges(program: Drawn, numbers: list[tuple[int, int, int]]) -> None:
    trace = trace_of(program.text)
    values = _values(trace)
    too_long = {each for found in trace.approximations if "is too long" in found.reason for each in found.free}
    for each in numbers:
        sizes = _at(trace, each)
        if sizes is None:
            continue
        seen = program.computed(each)
        with np.errstate(all="ignore"):
            answers = _answers(program, seen)
            sizes |= _what_rounding_made(trace, seen, answers)
            for position, float_ in enumerate(seen):
                said = trace.values[values[f"f{position}"]]
                assert not isinstance(said, Float) or _agrees(said, float_, sizes), (position, each, float_)
            for name, answer in answers.items():
                said = trace.values[values[name]]
                if isinstance(said, Dim | Formula) and said.variables & too_long:
                    continue
                if answer is not None and isinstance(said, Dim):
                    assert evaluate(said, sizes) == answer, (name, each)
                elif answer is not None and isinstance(said, Formula):
                    assert holds(said, sizes) == answer, (name, each)


def _answers(program: Drawn, seen: list[np.floating]) -> dict[str, int | None]:
    """Return the expected integers and booleans by name, None where any value will do."""
    last, before = seen[-1], seen[program.steps[-1].operands[0]]
    found: dict[str, int | None] = {}
    for name, width in (("i", 64), ("s", 16)):
        wanted = int(np.trunc(last)) if isfinite(last) else 2**64
        found[name] = wanted if -(2 ** (width - 1)) <= wanted < 2 ** (width - 1) else None
    for number, compare in enumerate(COMPARISONS.values()):
        found[f"q{number}"] = int(compare(last, before))
    return found


def _what_rounding_made(trace: Trace, seen: list[np.floating], answers: dict[str, int | None]) -> dict[Variable, int]:
    """The unknown integers that stand for what rounding makes of a float, as what it made of it."""
    numbers = {f"f{position}": int(each) if isfinite(each) else 0 for position, each in enumerate(seen)}
    numbers |= {name: answer or 0 for name, answer in answers.items()}
    unknown = {
        variable
        for said in trace.values.values()
        if isinstance(said, Float | Dim | Formula)
        for variable in said.variables
        if ".rounded" in variable.name or isinstance(variable, UnmodeledTruth)
    }
    return {variable: numbers[re.split(r"[. ]", variable.name.lstrip("%"), maxsplit=1)[0]] for variable in unknown}


EXACT = {"f64": 2**53, "f32": 2**24, "f16": 2**11}


@pytest.mark.parametrize(("type", "limit"), EXACT.items())
def test_the_border_of_what_a_type_holds_is_where_numpy_has_it(type: str, limit: int) -> None:
    said = _last_float(f"func.func @f(%a: i64) {{\n  %f = arith.sitofp %a : i64 to {type}\n  return\n}}")
    (name,) = said.numerator.variables
    for number in (limit - 1, limit, -limit):
        assert int(_nearest(number, type)) == number
        assert holds(said.exact, {name: number})
    assert int(_nearest(limit + 1, type)) != limit + 1
    if type != "f64":  # of f64 it is presumed
        assert not holds(said.exact, {name: limit + 1})


def _last_float(text: str) -> Float:
    """The float that is computed last."""
    trace = trace_of(text)
    return [each for each in trace.values.values() if isinstance(each, Float)][-1]


@pytest.mark.slow
@pytest.mark.parametrize("divisor", [3.0, 5.0, 7.0, 100.0, 1023.0, 0.75, 0.375])
def test_quotients_in_f16_lie_in_their_range_for_every_number(divisor: float) -> None:
    said = _last_float(
        _DIVIDED.format(operations=f"%c = arith.constant {divisor} : f16\n  %q = arith.divf %f, %c : f16")
    )
    (name,) = said.numerator.variables
    for number in range(-5000, 5001):
        if abs(number) <= 2**11:
            assert _agrees(said, _nearest(number, "f16") / np.float16(divisor), {name: number}), number


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["arith.subf", "arith.addf", "arith.minimumf"])
def test_rounding_errors_of_sums_of_mixed_signs_are_not_relative(operation: str) -> None:
    """The difference of two rounded thirds may be far from the difference of the thirds, measured by that."""
    lines = "%c = arith.constant 3.0 : f16\n  %q = arith.divf %f, %c : f16\n  %d = arith.constant 333.25 : f16\n"
    said = _last_float(_DIVIDED.format(operations=f"{lines}  %s = {operation} %q, %d : f16"))
    (name,) = said.numerator.variables
    compute = BINARY[operation]
    for number in range(-2000, 2001):
        seen = np.float16(compute(_nearest(number, "f16") / np.float16(3), np.float16(333.25)))
        assert _agrees(said, seen, {name: number}), number


_DIVIDED = """func.func @f(%a: i64) {{
  %f = arith.sitofp %a : i64 to f16
  {operations}
  return
}}"""


@given(st.integers(0, 2**53 - 1), st.integers(1, 2**16))
def test_quotients_of_integers_lie_among_the_integers_where_the_exact_ones_do(a: int, b: int) -> None:
    assume(b.bit_count() > 1)
    said = np.float64(a) / np.float64(b)
    assert int(np.floor(said)) == a // b
    assert int(np.ceil(said)) == -(-a // b)


@pytest.mark.slow
def test_roots_are_exact_for_squares_and_near_for_every_number_of_f16() -> None:
    half = floats.FORMATS["f16"]
    exact = near = 0
    for number in np.arange(2**16, dtype=np.uint16).view(np.float16):
        root = floats.square_root(floats.constant(float(number)), half)
        if root is None or root is floats.ANY_FLOAT:
            continue
        value = Fraction(root.numerator.constant, root.denominator.constant)
        said, true = Fraction(float(np.sqrt(number))), Fraction(float(number))
        if root.exact is TRUE:
            assert value == said and value**2 == true
            exact += 1
        else:
            assert root.error is not None
            # numpy rounds to the nearest, so that it is off by one unit at most, and the description by none
            assert abs(said - value) <= value * 2 * half.unit < value * root.error
            assert abs(value**2 - true) < true / 2**30
            near += 1
    numbers = np.arange(2**16, dtype=np.uint16).view(np.float16)
    squares = [each for each in numbers if each >= 0 and np.isfinite(each) and float(np.sqrt(each)) ** 2 == float(each)]
    normal = [each for each in numbers if np.isfinite(each) and each >= 2.0**-14]
    assert exact == len(squares)
    assert near == len([each for each in normal if float(np.sqrt(each)) ** 2 != float(each)])


OUTCOMES = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


@given(
    st.floats(min_value=0, allow_infinity=False, width=32),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.sampled_from(sorted(OUTCOMES)),
)
def test_known_comparisons_of_roots_are_those_of_numpy(a: float, b: float, predicate: str) -> None:
    root = floats.square_root(floats.constant(a), floats.FORMATS["f32"])
    assume(root is not None)
    said = np.sqrt(np.float32(a))
    for other in (b, float(said), float(np.nextafter(said, np.float32(np.inf))), float(said) * 1.001, 0.0):
        formula, known = floats.compare_floats(predicate, root, floats.constant(other))
        if known is TRUE:
            assert holds(formula, {}) == OUTCOMES[predicate](said, np.float32(other))
