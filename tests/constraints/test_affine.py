"""Affine maps, integer sets and accesses against MLIR's folding and plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples
from support.integer_oracles import all_hold, at, folded

from shapesolve.ir.program import AffineExpression, AffineMap, IntegerSet
from shapesolve.ir.reader import read_text
from shapesolve.semantics.context import UnknownValueError
from shapesolve.symbolic.dims import dim, variable
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.trace.events import Enter

# The folder of rules is mapped into the package when it is installed, so no static import finds it.
evaluate_map = import_module("shapesolve.constraints.transfer.affine_maps").evaluate_map
membership = import_module("shapesolve.constraints.transfer.affine_maps").membership


def read_set(spelling: str) -> IntegerSet:
    """An integer set as the reader reads it."""
    function = read_text(f"func.func private @f() attributes {{some.set = {spelling}}}").functions["f"]
    found = function.operation.attributes["some.set"]
    assert isinstance(found, IntegerSet)
    return found


EXPRESSIONS = [
    "d0 + d1 * 3 - s0",
    "d0 floordiv 4 + d1 mod 3",
    "(d0 - d1) ceildiv 5",
    "(d0 mod 7) * 2 - (d1 floordiv 2) + 1",
    "s0 - (d0 + d1) mod 6",
    "-d0 + 2",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_maps_fold_to_the_same_numbers(expression: str) -> None:
    map = f"affine_map<(d0, d1)[s0] -> ({expression})>"
    trace = trace_of(f"""func.func @f(%a: index, %b: index, %c: index) -> index {{
      %0 = affine.apply {map}(%a, %b)[%c]
      return %0 : index
    }}""")
    numbers = list(product((-9, -1, 0, 4, 13), repeat=3))
    texts = [f"affine.apply {map}([{a} : index], [{b} : index])[[{c} : index]] -> index" for a, b, c in numbers]
    for (a, b, c), (got,) in zip(numbers, folded(texts), strict=True):
        assert at(trace, {"a": a, "b": b, "c": c}) == int(got)


def test_extremes_fold_to_the_same_numbers() -> None:
    for op, pick in (("affine.min", min), ("affine.max", max)):
        trace = trace_of(f"""func.func @f(%a: index) -> index {{
          %0 = {op} affine_map<(d0) -> (d0 * 2, 5, -d0)>(%a)
          return %0 : index
        }}""")
        texts = [f"{op} affine_map<(d0) -> (d0 * 2, 5, -d0)>([{a} : index]) -> index" for a in range(-7, 8)]
        for a, (got,) in zip(range(-7, 8), folded(texts), strict=True):
            assert at(trace, {"a": a}) == int(got) == pick(2 * a, 5, -a)


def test_a_map_wants_its_own_number_of_dimensions() -> None:
    map = AffineMap(1, 0, (AffineExpression("dim", 0),))
    assert evaluate_map(map, (dim(4),)) == (dim(4),)


def test_divisors_must_be_positive() -> None:
    trace = trace_of("""func.func @f(%a: index, %b: index) -> index {
      %0 = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%a, %b]
      return %0 : index
    }""")
    assert [all_hold(trace, {"a": 7, "b": b}) for b in (-2, 0, 1, 2)] == [False, False, True, True]


@examples(80)
@given(a=st.integers(-20, 20), b=st.integers(-20, 20), n=st.integers(-20, 20))
def test_membership_of_an_integer_set_is_that_of_its_numbers(a: int, b: int, n: int) -> None:
    spelling = (
        "affine_set<(d0, d1)[s0] : (d0 - 1 >= 0, (d0 + d1) mod 2 == 0, s0 * 2 - d1 floordiv 3 >= 0, -d0 + s0 >= 0)>"
    )
    x, y, z = (variable(name, None, None) for name in ("x", "y", "z"))
    formula = membership(read_set(spelling), (x, y, z)).holds
    sizes = {v: {"x": a, "y": b, "z": n}[v.name] for v in formula.variables}
    assert holds(formula, sizes) == (a >= 1 and (a + b) % 2 == 0 and n * 2 - b // 3 >= 0 and n >= a)


@pytest.mark.parametrize(
    ("spelling", "inside"),
    [
        ("affine_set<() : (0 >= 0)>", range(-3, 9)),
        ("affine_set<() : (0 == 1)>", ()),
        ("affine_set<(d0) : (2 <= d0)>", range(2, 9)),
        ("affine_set<(d0) : (d0 mod 3 == 1)>", (-2, 1, 4, 7)),
        ("affine_set<(d0)[] : (d0 ceildiv 2 == (3 + (d0 - 2)) floordiv 2, d0 >= 0)>", range(9)),
    ],
)
def test_every_spelling_of_a_set_is_read(spelling: str, inside: Sequence[int]) -> None:
    found = read_set(spelling)
    for a in range(-3, 9):
        assert holds(membership(found, (dim(a),)[: found.computed.dims]).holds, {}) == (a in inside), a


def test_a_set_of_other_operands_is_not_guessed() -> None:
    with pytest.raises(UnknownValueError):
        membership(read_set("affine_set<(d0) : (d0 >= 0)>"), (dim(1), dim(2)))


def test_delinearize_and_linearize_are_inverse() -> None:
    trace = trace_of("""func.func @f(%x: index, %b: index) -> (index, index, index, index) {
      %0:3 = affine.delinearize_index %x into (4, %b, 3) : index, index, index
      %1 = affine.linearize_index [%0#0, %0#1, %0#2] by (4, %b, 3) : index
      return %0#0, %0#1, %0#2, %1 : index, index, index, index
    }""")
    for x, b in product(range(-5, 30), range(1, 4)):
        got = [at(trace, {"x": x, "b": b}, i) for i in range(4)]
        assert got == [x // (3 * b), x % (3 * b) // 3, x % 3, x]
    assert not all_hold(trace, {"x": 1, "b": 0})


def test_delinearize_folds_to_the_same_numbers() -> None:
    texts = [f"affine.delinearize_index [{x} : index] into (2, 5, 3) -> index, index, index" for x in range(-4, 33)]
    texts = [text.replace(" ->", " : index, index, index ->") for text in texts]
    trace = trace_of("""func.func @f(%x: index) -> (index, index, index) {
      %0:3 = affine.delinearize_index %x into (2, 5, 3) : index, index, index
      return %0#0, %0#1, %0#2 : index, index, index
    }""")
    for x, got in zip(range(-4, 33), folded(texts), strict=True):
        assert [at(trace, {"x": x}, i) for i in range(3)] == [int(each) for each in got]


def test_affine_accesses_must_lie_inside() -> None:
    trace = trace_of("""func.func @f(%m: memref<?x4xf32>, %i: index, %j: index) {
      %0 = affine.load %m[symbol(%i) + 1, symbol(%j)] : memref<?x4xf32>
      affine.store %0, %m[symbol(%i), symbol(%j) * 2] : memref<?x4xf32>
      return
    }""")
    for n, i, j in product(range(4), range(-2, 4), range(-1, 5)):
        loaded = 0 <= i + 1 < n and 0 <= j < 4
        stored = 0 <= i < n and 0 <= 2 * j < 4
        assert all_hold(trace, {"m[0]": n, "i": i, "j": j}) == (loaded and stored)


@pytest.mark.parametrize("step", [1, 3])
def test_affine_loops_take_the_greatest_lower_and_the_least_upper_bound(step: int) -> None:
    trace = trace_of(f"""func.func @f(%n: index, %m: memref<?xf32>) {{
      affine.for %i = max affine_map<()[s0] -> (s0, 2)>()[%n]
          to min affine_map<()[s0] -> (s0 + 6, 9)>()[%n] step {step} {{
        %0 = affine.load %m[%i] : memref<?xf32>
      }}
      return
    }}""")
    (condition,) = (e.condition.formula for e in trace.events if isinstance(e, Enter) and e.condition is not None)
    (load,) = (o for o in trace.obligations if o.op.name == "affine.load")
    (counter,) = (v for v in load.claim.variables if v.name != "m[0]" and v.name != "n")
    for n in range(-3, 12):
        taken = [
            value
            for value in range(counter.lower or 0, min(12, (counter.upper or 11) + 1))  # its bounds go without saying
            if holds(condition, {v: n if v.name == "n" else value for v in condition.variables})
        ]
        numbers = [max(n, 2) + step * value for value in taken] if step > 1 else taken
        assert numbers == list(range(max(n, 2), min(n + 6, 9), step)), n


def test_evaluate_of_a_constant_map() -> None:
    two = AffineExpression("constant", 2)
    map = AffineMap(1, 1, (AffineExpression("mul", left=AffineExpression("dim", 0), right=two), two))
    results = evaluate_map(map, (dim(5),), (dim(1),))
    assert [evaluate(result, {}) for result in results] == [10, 2]
