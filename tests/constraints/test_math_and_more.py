"""Integer math, poison, casts of no dialect, globals and exporters' statements."""

from __future__ import annotations

from itertools import product

import pytest
from support.claims_at_sizes import trace_of
from support.integer_oracles import all_hold, at, folded, number

from shapesolve.domain.values import Tensor, UnknownValue
from shapesolve.semantics.registry import load_rules
from shapesolve.symbolic.dims import Dim

INTEGERS = (-128, -7, -1, 0, 1, 2, 5, 64, 127)


@pytest.mark.parametrize("name", ["absi", "ctpop", "ctlz", "cttz"])
def test_unary_integer_math_folds_to_the_same_numbers(name: str) -> None:
    texts = [f"math.{name} [{a} : i8] : i8 -> i8" for a in INTEGERS]
    compared = 0
    for a, (got,) in zip(INTEGERS, folded(texts), strict=True):
        trace = trace_of(f"""func.func @f() -> i8 {{
          %a = arith.constant {a} : i8
          %0 = math.{name} %a : i8
          return %0 : i8
        }}""")
        expected = {
            "absi": number(abs(a), 8),
            "ctpop": (a & 255).bit_count(),
            "ctlz": 8 - (a & 255).bit_length(),
            "cttz": next((i for i in range(8) if a >> i & 1), 8),
        }[name]
        assert at(trace, {}) == expected
        if got:
            assert int(got) == expected
            compared += 1
    assert compared or name in ("absi", "ctlz", "cttz")


def test_ipowi_of_a_constant_exponent_wraps_like_the_power() -> None:
    for base, exponent in product(INTEGERS, (0, 1, 2, 3, 7)):
        trace = trace_of(f"""func.func @f(%a: i8) -> i8 {{
          %b = arith.constant {exponent} : i8
          %0 = math.ipowi %a, %b : i8
          return %0 : i8
        }}""")
        assert at(trace, {"a": base}) == number(base**exponent, 8)


def test_a_negative_power_is_not_followed() -> None:
    trace = trace_of("""func.func @f(%a: i8) -> i8 {
      %b = arith.constant -1 : i8
      %0 = math.ipowi %a, %b : i8
      return %0 : i8
    }""")
    assert trace.approximations


def test_an_unreachable_place_must_not_be_reached() -> None:
    trace = trace_of("""func.func @f(%a: index) -> index {
      %c0 = arith.constant 0 : index
      %c = arith.cmpi slt, %a, %c0 : index
      cf.assert %c, "negative"
      %p = ub.poison : index
      %0 = arith.select %c, %a, %p : index
      return %0 : index
    }""")
    assert at(trace, {"a": -4}) is None  # poison is unknown, and said to be
    assert {a.op for a in trace.approximations} == {"ub.poison"}


def test_unrealized_conversion_casts_keep_integers() -> None:
    trace = trace_of("""func.func @f(%a: index, %t: tensor<?xf32>) -> (i64, i32, tensor<?xf32>) {
      %0 = builtin.unrealized_conversion_cast %a : index to i64
      %1 = builtin.unrealized_conversion_cast %a : index to i32
      %2 = builtin.unrealized_conversion_cast %t : tensor<?xf32> to tensor<?xf32>
      return %0, %1, %2 : i64, i32, tensor<?xf32>
    }""")
    assert trace.results is not None
    assert at(trace, {"a": 5}) == 5
    assert at(trace, {"a": 5}, 1) is None
    assert isinstance(trace.results[2], Tensor)
    assert str(trace.results[2].shape) == "[t[0]]"


def test_globals_have_their_declared_extents() -> None:
    trace = trace_of("""
    ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
    func.func @f() -> (tensor<i64>) {
      %0 = ml_program.global_load @seed : tensor<i64>
      ml_program.global_store @seed = %0 : tensor<i64>
      return %0 : tensor<i64>
    }""")
    assert trace.results is not None
    assert isinstance(trace.results[0], Tensor)
    assert str(trace.results[0].shape) == "[]"
    assert not trace.approximations


DIALECTS = ("arith", "complex", "index", "scf", "math", "ub", "cf")
UNSAID = {"affine.dma_start", "affine.dma_wait"}


@pytest.mark.parametrize("dialect", [*DIALECTS, "affine"])
def test_every_operation_of_the_dialect_has_a_rule(dialect: str) -> None:
    module = __import__(f"torch_mlir.dialects._{dialect}_ops_gen", fromlist=["_Dialect"])
    names = {
        each.OPERATION_NAME
        for each in vars(module).values()
        if isinstance(each, type) and hasattr(each, "OPERATION_NAME") and each.__name__.endswith("Op")
    }
    book = load_rules()
    assert len(names) > 1
    assert {name for name in names if name not in book} <= UNSAID


def test_results_of_float_math_are_opaque() -> None:
    trace = trace_of("""func.func @f(%a: f32, %t: tensor<?xf32>) -> (f32, tensor<?xf32>, tensor<?xi1>) {
      %0 = math.exp %a : f32
      %1 = math.tanh %t : tensor<?xf32>
      %2 = math.isnan %t : tensor<?xf32>
      return %0, %1, %2 : f32, tensor<?xf32>, tensor<?xi1>
    }""")
    assert trace.results is not None
    first, second, third = trace.results
    assert isinstance(first, UnknownValue)
    for each in (second, third):
        assert isinstance(each, Tensor)
        assert str(each.shape) == "[t[0]]"
    assert not trace.approximations
    assert all_hold(trace, {"t[0]": 0})
    assert not isinstance(first, Dim)
