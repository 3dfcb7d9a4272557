"""Integer operations on tensors: shapes, known elements and unknown ones; floats, choices, constants."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import broken, trace_of
from support.examples import examples
from support.integer_oracles import REFERENCES, number

from shapesolve.domain.values import Element, Float, Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Trace

NUMPY = {
    "addi": np.add, "subi": np.subtract, "muli": np.multiply, "floordivsi": np.floor_divide, "maxsi": np.maximum,
    "minsi": np.minimum, "andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor,
}  # fmt: skip


def elements(trace: Trace, result: int = 0) -> list[int | Fraction] | None:
    assert trace.results is not None
    value = trace.results[result]
    assert isinstance(value, Tensor)
    if value.elements is None:
        return None
    return [_number_of(e) for e in value.elements]


def _number_of(element: Element) -> int | Fraction:
    match element:
        case Formula():
            return int(holds(element, {}))
        case Float():
            assert element.exact is TRUE
            return Fraction(evaluate(element.numerator, {}), evaluate(element.denominator, {}))
        case _:
            return evaluate(element, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMPY)
@examples(30)
@given(pairs=st.lists(st.tuples(st.integers(-128, 127), st.integers(-128, 127)), min_size=1, max_size=8))
def test_constant_tensors_agree_with_numpy(name: str, pairs: list[tuple[int, int]]) -> None:
    if name == "floordivsi":
        pairs = [(a, b) for a, b in pairs if REFERENCES[name](a, b, 8) is not None] or [(7, -2)]
    a, b = (np.array(column, dtype=np.int8) for column in zip(*pairs, strict=True))
    type = f"tensor<{len(pairs)}xi8>"
    trace = trace_of(f"""func.func @f() -> {type} {{
      %a = arith.constant dense<{a.tolist()}> : {type}
      %b = arith.constant dense<{b.tolist()}> : {type}
      %0 = arith.{name} %a, %b : {type}
      return %0 : {type}
    }}""")
    with np.errstate(over="ignore"):
        assert elements(trace) == NUMPY[name](a, b).tolist()
    assert not broken(trace, {})


def test_an_element_that_divides_by_zero_breaks_the_claim() -> None:
    trace = trace_of("""func.func @f() -> tensor<2xi32> {
      %a = arith.constant dense<[4, 5]> : tensor<2xi32>
      %b = arith.constant dense<[2, 0]> : tensor<2xi32>
      %0 = arith.divsi %a, %b : tensor<2xi32>
      return %0 : tensor<2xi32>
    }""")
    assert broken(trace, {}) == ["arith.divsi C2"]


def test_no_demand_is_lost_where_elements_demand_different_things() -> None:
    trace = trace_of("""func.func @f(%x: i8) -> tensor<2xi8> {
      %a = arith.constant dense<[4, 5]> : tensor<2xi8>
      %one = arith.constant 1 : i8
      %b = tensor.from_elements %x, %one : tensor<2xi8>
      %0 = arith.shrsi %a, %b exact : tensor<2xi8>
      return %0 : tensor<2xi8>
    }""")
    assert broken(trace, {"x": 1}) == ["arith.shrsi C4"]
    assert broken(trace, {"x": 8}) == ["arith.shrsi C2", "arith.shrsi C4"]


def test_unknown_divisors_stay_open_and_are_called_approximate() -> None:
    trace = trace_of("""func.func @f(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
      %0 = arith.divsi %a, %b : tensor<?xi32>
      return %0 : tensor<?xi32>
    }""")
    open_claim = next(o for o in trace.obligations if o.clause == "C2")
    (approximation,) = trace.approximations
    assert open_claim.claim.variables <= approximation.free


OPERATIONS = [
    "arith.addi %a, %b : tensor<?x3xTYPE>",
    "arith.addf %a, %b : tensor<?x3xTYPE>",
    "arith.cmpf olt, %a, %b : tensor<?x3xTYPE>",
    "arith.cmpi ult, %a, %b : tensor<?x3xTYPE>",
    "math.powf %a, %b : tensor<?x3xTYPE>",
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operands_must_have_the_same_extents(operation: str) -> None:
    floats = any(word in operation for word in ("addf", "cmpf", "powf"))
    type = "f32" if floats else "i32"
    result = "i1" if "cmp" in operation else type
    trace = trace_of(f"""func.func @f(%a: tensor<?x3x{type}>, %b: tensor<?x3x{type}>) -> tensor<?x3x{result}> {{
      %0 = {operation.replace("TYPE", type)}
      return %0 : tensor<?x3x{result}>
    }}""")
    name = operation.split()[0]
    for n in range(4):
        for m in range(4):
            assert broken(trace, {"a[0]": n, "b[0]": m}) == ([] if n == m else [f"{name} C1"])
    assert trace.results is not None
    assert isinstance(trace.results[0], Tensor)
    assert str(trace.results[0].shape) == "[a[0], 3]"
    assert not trace.approximations


def test_select_gives_the_chosen_value_or_what_both_have_in_common() -> None:
    trace = trace_of("""
    func.func @f(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>, %x: i8, %m: memref<?xf32>, %n: memref<?xf32>)
        -> (tensor<?xf32>, i8, memref<?xf32>, i1, f32) {
      %k = arith.constant 5 : i8
      %g = arith.constant 5.0 : f32
      %t = arith.constant true
      %0 = arith.select %c, %a, %b : tensor<?xf32>
      %1 = arith.select %c, %x, %k : i8
      %2 = arith.select %c, %m, %n : memref<?xf32>
      %3 = arith.select %c, %t, %c : i1
      %4 = arith.select %c, %g, %g : f32
      return %0, %1, %2, %3, %4 : tensor<?xf32>, i8, memref<?xf32>, i1, f32
    }""")
    assert trace.results is not None
    tensor, chosen, memref, truth, number_ = trace.results
    assert isinstance(tensor, Tensor)
    assert isinstance(memref, Tensor)
    assert isinstance(chosen, Dim)
    assert isinstance(truth, Formula)
    assert isinstance(number_, Float) and _number_of(number_) == 5
    for c in (0, 1):
        sizes = {
            v: {"c": c, "a[0]": 2, "b[0]": 3, "x": -9, "m[0]": 4, "n[0]": 6}[v.name] for v in trace.input_variables
        }
        assert evaluate(tensor.shape.extent(0), sizes) == (2 if c else 3)
        assert evaluate(memref.shape.extent(0), sizes) == (4 if c else 6)
        assert evaluate(chosen, sizes) == (-9 if c else 5)
        assert holds(truth, sizes) == bool(c)
    assert [str(each.claim) for each in trace.obligations] == ["a[0] == b[0]"]


def test_element_by_element_choice() -> None:
    trace = trace_of("""func.func @f() -> tensor<3xi8> {
      %c = arith.constant dense<[true, false, true]> : tensor<3xi1>
      %a = arith.constant dense<[1, 2, 200]> : tensor<3xi8>
      %b = arith.constant dense<7> : tensor<3xi8>
      %0 = arith.select %c, %a, %b : tensor<3xi1>, tensor<3xi8>
      return %0 : tensor<3xi8>
    }""")
    assert elements(trace) == [1, 7, number(200, 8)]


@pytest.mark.parametrize(
    ("spelling", "type", "expected"),
    [
        ("dense<[1, -2]>", "tensor<2xi64>", [1, -2]),
        ("dense<255>", "tensor<2xi8>", [-1, -1]),
        ("dense<[true, false]>", "tensor<2xi1>", [1, 0]),
        ("dense<[3, 9]>", "tensor<2xindex>", [3, 9]),
        ("dense<[[1, 2], [3, 4]]>", "tensor<2x2xi4>", [1, 2, 3, 4]),
        ("dense<>", "tensor<0xi64>", []),
        ("dense<5>", "tensor<i64>", [5]),
        ("dense<5>", "tensor<65xi64>", None),
        ("dense<5.5>", "tensor<2xf32>", [Fraction(11, 2)] * 2),
        ("dense<5.0>", "tensor<65xf32>", None),
        ("dense<5>", "vector<2xi64>", [5, 5]),
        ("dense<5>", "vector<[2]xi64>", None),
    ],
)
def test_constants_keep_their_elements(spelling: str, type: str, expected: list[int | Fraction] | None) -> None:
    trace = trace_of(f"func.func @f() -> {type} {{\n%0 = arith.constant {spelling} : {type}\nreturn %0 : {type}\n}}")
    assert elements(trace) == expected


def test_vectors_of_scalable_size_agree() -> None:
    trace = trace_of("""func.func @f(%a: vector<[4]xi32>, %b: vector<[4]xi32>) -> vector<[4]xi32> {
      %0 = arith.addi %a, %b : vector<[4]xi32>
      return %0 : vector<[4]xi32>
    }""")
    assert not trace.obligations


def test_floating_data_is_not_known() -> None:
    trace = trace_of("""func.func @f(%a: f32) -> (i1, i32, i1) {
      %0 = arith.cmpf olt, %a, %a : f32
      %1 = arith.fptosi %a : f32 to i32
      %2 = arith.cmpf true, %a, %a : f32
      return %0, %1, %2 : i1, i32, i1
    }""")
    assert trace.results is not None
    free = frozenset[object]().union(*(approximation.free for approximation in trace.approximations))
    for result in trace.results[:2]:
        assert isinstance(result, Dim | Formula)
        assert result.variables
        assert result.variables <= free
    assert str(trace.results[2]) == "true"
