"""Test of programs on processors without instructions for narrow floats: same results, no missing runtime routine."""

from __future__ import annotations

import numpy as np
import pytest

from shapesolve.execution import runner, sandbox
from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many

#: The child, compiling for the first processors of 64 bits whatever the one is that it runs on.
OLD = """
from shapesolve.ir import bindings
from shapesolve.execution import worker
from shapesolve.execution.lowering.builder import descendants

lower = worker.lower

def lower_for_old(*given, **named):
    lowered = lower(*given, **named)
    ir = bindings.ir()
    with lowered.module.context:
        for op in descendants(lowered.module.operation):
            if op.name == "llvm.func" and op.regions[0].blocks:
                op.attributes["target_cpu"] = ir.StringAttr.get("x86-64")
                features = '#llvm.target_features<["-avx512bf16", "-avx512fp16", "-avx10.2", "-f16c", "-fma"]>'
                op.attributes["target_features"] = ir.Attribute.parse(features)
    return lowered

worker.lower = lower_for_old
worker.main()
"""

pytestmark = [pytest.mark.process, pytest.mark.skipif(not sandbox.can_fork, reason="many calls of one program")]


@pytest.fixture(params=["this processor", "an old one"])
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    import platform

    if request.param == "an old one":
        if platform.machine() not in ("x86_64", "AMD64"):
            pytest.skip("the features named are those of x86")
        monkeypatch.setattr(runner, "_CHILD", ("-c", OLD))
    return request.param


def called(text: str, *inputs: TensorInput) -> Execution:
    (execution,) = execute_many(text, "f", [list(inputs)], runtime_checks=False)
    return execution


def through(element: str, *operations: str, wide: str = "f32") -> str:
    """Numbers of 32 bits as floats, converted to ``element``, worked on, and each result back again as bits."""
    bits = wide.replace("f", "i")
    worked = "".join(
        f"""
      %w{number} = {operation} : tensor<?x{element}>
      %r{number} = arith.extf %w{number} : tensor<?x{element}> to tensor<?x{wide}>
      %s{number} = arith.bitcast %r{number} : tensor<?x{wide}> to tensor<?x{bits}>"""
        for number, operation in enumerate(operations)
    )
    names = ", ".join(f"%s{number}" for number in range(len(operations)))
    types = ", ".join([f"tensor<?x{bits}>"] * len(operations))
    return f"""func.func @f(%a: tensor<?x{bits}>, %b: tensor<?x{bits}>) -> ({types}) {{
      %x = arith.bitcast %a : tensor<?x{bits}> to tensor<?x{wide}>
      %y = arith.bitcast %b : tensor<?x{bits}> to tensor<?x{wide}>
      %u = arith.truncf %x : tensor<?x{wide}> to tensor<?x{element}>
      %v = arith.truncf %y : tensor<?x{wide}> to tensor<?x{element}>{worked}
      return {names} : {types}
    }}"""


def floats() -> np.ndarray:
    """Return ``f16`` numbers of every kind and numbers between: denormal, normal, too large, ties, zeros, infinite."""
    halves = np.arange(0, 0x7C01, 37, dtype=np.uint16).view(np.float16).astype(np.float32)
    middles = (halves[:-1] + halves[1:]) / 2
    edges = np.array([0.0, 65504, 65519.9, 65520, 1e9, np.inf, 2**-24, 2**-25, 1.1 * 2**-25, 2**-14], dtype=np.float32)
    ties = (np.arange(1, 400, dtype=np.float64) * 2.0**-25).astype(np.float32)
    ones = np.float32(1) + (np.arange(64, dtype=np.float32) * np.float32(2**-12))
    every = np.concatenate([halves, middles, edges, ties, ones])
    return np.concatenate([every, -every])


def as_input(values: np.ndarray) -> TensorInput:
    return TensorInput(values.shape, tuple(int(each) for each in values.view(np.int32)))


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_conversions_of_half_floats_are_those_of_numpy(processor: str) -> None:
    given = floats()[:2000]
    zeros = np.zeros_like(given)
    execution = called(through("f16", "arith.maximumf %u, %u"), as_input(given), as_input(zeros))
    assert execution.outcome is Outcome.RETURNED, execution.message
    values = execution.result_values[0]
    assert values is not None
    found = np.array(values, dtype=np.int64).astype(np.int32).view(np.float32)
    np.testing.assert_array_equal(found, given.astype(np.float16).astype(np.float32))
    assert not np.any(np.signbit(found) ^ np.signbit(given))


def test_not_a_number_stays_none(processor: str) -> None:
    given = np.array([0x7FC00000, 0x7F800001, -1], dtype=np.int64).astype(np.int32).view(np.float32)
    execution = called(through("f16", "arith.addf %u, %v"), as_input(given), as_input(np.zeros(3, np.float32)))
    values = execution.result_values[0]
    assert values is not None
    assert np.isnan(np.array(values, dtype=np.int64).astype(np.int32).view(np.float32)).all()


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_arithmetic_on_narrow_floats(processor: str, element: str) -> None:
    left = np.array([1.5, -2.0, 0.25, 96.0], dtype=np.float32)
    right = np.array([0.5, 4.0, -8.0, 3.0], dtype=np.float32)
    expected = {
        "addf": left + right,
        "mulf": left * right,
        "divf": left / right,
        "maximumf": np.maximum(left, right),
        "remf": np.fmod(left, right),
    }
    operations = [f"arith.{name} %u, %v" for name in expected]
    execution = called(through(element, *operations), as_input(left), as_input(right))
    assert execution.outcome is Outcome.RETURNED, execution.message
    for (name, wanted), values in zip(expected.items(), execution.result_values, strict=True):
        assert values is not None
        found = np.array(values, dtype=np.int64).astype(np.int32).view(np.float32)
        np.testing.assert_array_equal(found, wanted, err_msg=name)


@pytest.mark.parametrize(("element", "given", "expected"), [("bf16", 1000, 143), ("f16", 20001, 2858)])
def test_each_operation_on_narrow_floats_rounds(processor: str, element: str, given: int, expected: int) -> None:
    """1000 / 7 is 142.86, in ``bf16`` 143, and its floor too; 20001 / 7 is 2857.3, but 20001 is 20000 in ``f16``."""
    text = f"""func.func @f(%a: tensor<?xi64>) -> (i64, i64) {{
      %c0 = arith.constant 0 : index
      %n = tensor.extract %a[%c0] : tensor<?xi64>
      %x = arith.sitofp %n : i64 to {element}
      %seven = arith.constant 7.0 : {element}
      %q = arith.divf %x, %seven : {element}
      %f = math.floor %q : {element}
      %c = math.ceil %q : {element}
      %r = arith.fptosi %f : {element} to i64
      %s = arith.fptosi %c : {element} to i64
      return %r, %s : i64, i64
    }}"""
    found = called(text, TensorInput((1,), (given,)))
    assert found.result_extents == (expected, expected)


FUNCTIONS = ("exp", "sqrt", "tanh", "log", "erf", "absf", "floor", "rsqrt")


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_functions_of_narrow_floats(processor: str, element: str) -> None:
    given = as_input(np.array([1.0, 4.0], dtype=np.float32))
    execution = called(through(element, *(f"math.{name} %u" for name in FUNCTIONS)), given, given)
    assert execution.outcome is Outcome.RETURNED, execution.message
    assert len(execution.result_values) == len(FUNCTIONS)


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_numbers_in_and_out_of_narrow_floats(processor: str, element: str) -> None:
    text = f"""func.func @f(%a: tensor<?xi64>) -> tensor<?xi64> {{
      %x = arith.sitofp %a : tensor<?xi64> to tensor<?x{element}>
      %y = arith.extf %x : tensor<?x{element}> to tensor<?xf64>
      %z = arith.truncf %y : tensor<?xf64> to tensor<?x{element}>
      %c = arith.cmpf oeq, %x, %z : tensor<?x{element}>
      %n = arith.negf %z : tensor<?x{element}>
      %s = arith.select %c, %n, %x : tensor<?xi1>, tensor<?x{element}>
      %r = arith.fptosi %s : tensor<?x{element}> to tensor<?xi64>
      return %r : tensor<?xi64>
    }}"""
    assert called(text, TensorInput((3,), (5, -7, 128))).result_values == ((-5, 7, -128),)


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["divsi", "divui", "remsi", "remui", "muli"])
def test_division_of_128_bits_is_executed_or_reported(processor: str, operation: str) -> None:
    """Division of 128 bits calls a routine. Without it (a gap) nothing is executed, and that is said."""
    text = f"""func.func @f(%a: tensor<1xi64>, %b: tensor<1xi64>) -> tensor<1xi64> {{
      %x = arith.extsi %a : tensor<1xi64> to tensor<1xi128>
      %y = arith.extsi %b : tensor<1xi64> to tensor<1xi128>
      %z = arith.{operation} %x, %y : tensor<1xi128>
      %r = arith.trunci %z : tensor<1xi128> to tensor<1xi64>
      return %r : tensor<1xi64>
    }}"""
    expected = {"divsi": 7, "divui": 7, "remsi": 2, "remui": 2, "muli": 185}[operation]
    execution = called(text, TensorInput((1,), (37,)), TensorInput((1,), (5,)))
    if operation != "muli" and execution.outcome is Outcome.NOT_EXECUTABLE:
        assert execution.message.endswith("a routine that it needs is not there")
    else:
        assert execution.result_values == ((expected,),), execution.message
