"""StableHLO's integer arithmetic against numpy, on bytes with and without a sign."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of

from shapesolve.domain.values import Float, Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.trace.events import Trace

Bytes = np.ndarray
SIGNED, UNSIGNED = np.dtype(np.int8), np.dtype(np.uint8)


def _truncated(a: Bytes, b: Bytes) -> Bytes:
    wide = np.trunc(a.astype(np.float64) / b.astype(np.float64))
    return wide.astype(np.int64).astype(a.dtype)


def _shifted(a: Bytes, amount: int) -> Bytes:
    return np.right_shift(a, np.array(amount, a.dtype))


BINARY: dict[str, Callable[[Bytes, Bytes], Bytes]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": _truncated,
    "remainder": np.fmod,
    "maximum": np.maximum,
    "minimum": np.minimum,
}
UNARY: dict[str, Callable[[Bytes], Bytes]] = {
    "negate": np.negative,
    "abs": np.abs,
    "sign": np.sign,
    "not": np.invert,
}
SHIFTS: dict[str, Callable[[Bytes, int], Bytes]] = {
    "shift_left": lambda a, amount: np.left_shift(a, np.array(amount, a.dtype)),
    "shift_right_arithmetic": _shifted,
    "shift_right_logical": lambda a, amount: _shifted(a.view(np.uint8), amount),
}
COMPARISONS: dict[str, Callable[[Bytes, Bytes], np.ndarray]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
NUMBERS = st.integers(-128, 127)


def _function(types: list[str], result: str, op: str) -> str:
    names = ["a", "b", "c"][: len(types)]
    arguments = ", ".join(f"%{name}: tensor<{type}>" for name, type in zip(names, types, strict=True))
    operands = ", ".join(f"%{name}" for name in names)
    operand_types = ", ".join(f"tensor<{type}>" for type in types)
    name, _, attributes = op.partition(" ")
    line = f'%0 = "stablehlo.{name}"({operands}) {attributes} : ({operand_types}) -> tensor<{result}>'
    return f"func.func @f({arguments}) -> tensor<{result}> {{\n  {line}\n  return %0 : tensor<{result}>\n}}"


def _computed(trace: Trace, *values: int) -> int:
    assert trace.results is not None
    (result,) = trace.results
    assert isinstance(result, Tensor)
    assert result.elements is not None
    (element,) = result.elements
    assert not isinstance(element, Float)
    names: dict[str, int] = dict(zip(("a.values[0]", "b.values[0]", "c.values[0]"), values, strict=False))
    assignment = {variable: names.get(variable.name, 77) for variable in element.variables}
    return evaluate(element, assignment) if isinstance(element, Dim) else int(holds(element, assignment))


def _as_signed(value: Bytes) -> int:
    return int(value.astype(np.int8)) if value.dtype != np.bool_ else int(value)


def _byte(value: int, type: str) -> Bytes:
    signed = np.array(value, np.int8)
    return signed.view(np.uint8) if type == "ui8" else signed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*encountered.*:RuntimeWarning")
@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("name", BINARY)
def test_binary_operations_wrap_like_numpy(name: str, type: str) -> None:
    trace = trace_of(_function([type, type], type, name))

    @given(NUMBERS, NUMBERS)
    def check(a: int, b: int) -> None:
        if name in ("divide", "remainder") and b == 0:
            return
        assert _computed(trace, a, b) == _as_signed(BINARY[name](_byte(a, type), _byte(b, type)))

    check()


@pytest.mark.filterwarnings("ignore:.*encountered.*:RuntimeWarning")
@pytest.mark.parametrize("name", UNARY)
def test_unary_operations_on_i8_wrap_like_numpy(name: str) -> None:
    trace = trace_of(_function(["i8"], "i8", name))
    for value in range(-128, 128):
        assert _computed(trace, value) == _as_signed(UNARY[name](_byte(value, "i8")))


@pytest.mark.slow
@pytest.mark.parametrize("type", ["i8", "ui8"])
@pytest.mark.parametrize("direction", COMPARISONS)
def test_comparisons_give_numpys_bit(direction: str, type: str) -> None:
    op = f"compare {{comparison_direction = #stablehlo<comparison_direction {direction}>}}"
    trace = trace_of(_function([type, type], "i1", op))

    @given(NUMBERS, NUMBERS)
    def check(a: int, b: int) -> None:
        assert _computed(trace, a, b) == _as_signed(COMPARISONS[direction](_byte(a, type), _byte(b, type)))

    check()


@pytest.mark.parametrize("target", ["i8", "ui8", "i16", "ui16", "i32", "i64"])
@pytest.mark.parametrize("source", ["i8", "ui8", "i16"])
def test_conversions_of_integers_give_numpys_bits(source: str, target: str) -> None:
    trace = trace_of(_function([source], target, "convert"))
    types = {"i": "int", "u": "uint"}
    for value in range(-200, 300, 7) if source == "i16" else range(-128, 128):
        given_bits = np.array(value, f"int{source.lstrip('ui')}")
        read = given_bits.view(f"{types[source[0]]}{source.lstrip('ui')}")
        wanted = read.astype(f"{types[target[0]]}{target.lstrip('ui')}").astype(f"int{target.lstrip('ui')}")
        assert _computed(trace, value) == int(wanted)


@pytest.mark.parametrize("type", ["i8", "ui8"])
def test_a_scalar_reads_and_clamps(type: str) -> None:
    trace = trace_of(_function(["i1", type, type], type, "select"))
    for condition in (0, 1):
        assert _computed(trace, condition, 5, -6) == (5 if condition else -6)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_clamp_of_i8_is_numpys_minimum_of_maximum(low: int, value: int, high: int) -> None:
    trace = trace_of(_function(["i8", "i8", "i8"], "i8", "clamp"))
    assert _computed(trace, low, value, high) == int(np.minimum(np.maximum(value, low), high))


@pytest.mark.parametrize("amount", range(9))
def test_shifts_by_a_constant_have_their_value(amount: int) -> None:
    for name, reference in SHIFTS.items():
        text = (
            f"func.func @f(%a: tensor<i8>) -> tensor<i8> {{\n  %n = stablehlo.constant dense<{amount}> : tensor<i8>\n"
            f"  %0 = stablehlo.{name} %a, %n : tensor<i8>\n  return %0 : tensor<i8>\n}}"
        )
        trace = trace_of(text)
        assert trace.results is not None
        (result,) = trace.results
        assert isinstance(result, Tensor)
        if amount >= 8:
            assert result.elements is None
            continue
        for value in range(-128, 128, 5):
            assert _computed(trace, value) == _as_signed(reference(_byte(value, "i8"), amount))
