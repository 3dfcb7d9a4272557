"""The rules of shape, StableHLO and TOSA against programs that are compiled and run."""

from __future__ import annotations

from itertools import product

import pytest
from support.claims_at_sizes import Sketch, broken, result_shapes, trace_of

from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

RUNS = 30

SHAPES = "  %s = shape.shape_of %a : {a} -> tensor<?xindex>\n  %t = shape.shape_of %b : {b} -> tensor<?xindex>\n"

PROGRAMS = {
    "cstr_broadcastable": Sketch(
        {"a": "nk", "b": "m"},
        SHAPES + "  %w = shape.cstr_broadcastable %s, %t : tensor<?xindex>, tensor<?xindex>\n"
        "  %u = shape.assuming %w -> (tensor<?xindex>) {\n"
        "    %v = shape.broadcast %s, %t : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>\n"
        "    shape.assuming_yield %v : tensor<?xindex>\n  }\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        "  %x = shape.get_extent %u, %c0 : tensor<?xindex>, index -> index\n"
        "  %y = shape.get_extent %u, %c1 : tensor<?xindex>, index -> index\n  %0 = tensor.empty(%x, %y) : {:p,q}",
        returns="pq",
    ),
    "cstr_eq": Sketch(
        {"a": "nk", "b": "ml"},
        SHAPES + "  %w = shape.cstr_eq %s, %t : tensor<?xindex>, tensor<?xindex>\n  shape.assuming %w {\n  }\n"
        "  %c0 = arith.constant 0 : index\n  %x = tensor.dim %b, %c0 : {b}\n  %0 = tensor.empty(%x) : {:p}",
        returns="p",
    ),
    "cstr_require": Sketch(
        {"a": "n", "b": "m"},
        SHAPES + "  %p = shape.is_broadcastable %s, %t : tensor<?xindex>, tensor<?xindex>\n"
        '  %w = shape.cstr_require %p, "they broadcast"\n  shape.assuming %w {\n  }\n'
        "  %q = shape.shape_eq %s, %t : tensor<?xindex>, tensor<?xindex>\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        "  %x = arith.select %q, %c0, %c1 : index\n  %0 = tensor.empty(%x) : {:p}",
        returns="p",
    ),
    "sizes": Sketch(
        {"a": "nkm"},
        "  %s = shape.shape_of %a : {a} -> tensor<3xindex>\n  %c0 = arith.constant 0 : index\n"
        "  %c1 = arith.constant 1 : index\n"
        "  %n = shape.reduce(%s, %c1) : tensor<3xindex> -> index {\n    ^bb0(%i: index, %d: index, %x: index):\n"
        "      %z = shape.mul %x, %d : index, index -> index\n      shape.yield %z : index\n  }\n"
        "  %d0 = shape.get_extent %s, %c0 : tensor<3xindex>, index -> index\n"
        "  %d1 = shape.dim %a, %c1 : {a}, index -> index\n  %sum = shape.add %d0, %d1 : index, index -> index\n"
        "  %r = shape.rank %s : tensor<3xindex> -> index\n  %0 = tensor.empty(%n, %sum, %r) : {:p,q,r}",
        returns="pqr",
    ),
    "split_at": Sketch(
        {"a": "nkm"},
        "  %s = shape.shape_of %a : {a} -> tensor<3xindex>\n  %c1 = arith.constant 1 : index\n"
        '  %h, %t = "shape.split_at"(%s, %c1) : (tensor<3xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)\n'
        "  %x = shape.get_extent %t, %c1 : tensor<?xindex>, index -> index\n  %0 = tensor.empty(%x) : {:p}",
        returns="p",
    ),
    "dynamic_broadcast_in_dim": Sketch(
        {"a": "n"},
        "  %s = tensor.from_elements {o}, {m} : tensor<2xindex>\n"
        "  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : ({a}, tensor<2xindex>) -> {:p,q}",
        indices=("o", "m"),
        returns="pq",
    ),
    "dynamic_reshape": Sketch(
        {"a": "nk"},
        "  %s = tensor.from_elements {o}, {m} : tensor<2xindex>\n"
        "  %0 = stablehlo.dynamic_reshape %a, %s : ({a}, tensor<2xindex>) -> {:p,q}",
        indices=("o", "m"),
        returns="pq",
    ),
    "stablehlo.add": Sketch(
        {"a": "nk", "b": "nm"}, '  %0 = "stablehlo.add"(%a, %b) : ({a}, {b}) -> {:p,q}', returns="pq"
    ),
    "stablehlo.dot_general": Sketch(
        {"a": "nk", "b": "ml"},
        "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {:p,q}",
        returns="pq",
    ),
    "stablehlo.concatenate": Sketch(
        {"a": "nk", "b": "ml"},
        "  %0 = stablehlo.concatenate %a, %b, dim = 0 : ({a}, {b}) -> {:p,q}",
        returns="pq",
    ),
    "tosa.add": Sketch({"a": "nk", "b": "ml"}, "  %0 = tosa.add %a, %b : ({a}, {b}) -> {:p,q}", returns="pq"),
    "tosa.concat": Sketch(
        {"a": "nk", "b": "ml"}, "  %0 = tosa.concat %a, %b {axis = 1 : i32} : ({a}, {b}) -> {:p,q}", returns="pq"
    ),
    "tosa.reduce_sum": Sketch(
        {"a": "nk"}, "  %0 = tosa.reduce_sum %a {axis = 0 : i32} : ({a}) -> {:1,q}", returns="1q"
    ),
}
NEVER_FAILING = {"sizes", "split_at", "tosa.reduce_sum"}
NEVER_EMPTY = ("stablehlo.", "tosa.")
"""Dialects executed with non-empty operands only: loops over an empty operand do not run, and check nothing."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_claim_is_broken_exactly_where_execution_fails(name: str) -> None:
    sketch = PROGRAMS[name]
    text = sketch.dynamic()
    trace = trace_of(text)
    letters = sorted({letter for extents in sketch.tensors.values() for letter in extents if letter.isalpha()})
    least = 1 if name.startswith(NEVER_EMPTY) else 0
    ranges = [range(least, 4)] * len(letters) + [range(4)] * len(sketch.indices)
    everything = [dict(zip([*letters, *sketch.indices], values, strict=True)) for values in product(*ranges)]
    fine = [sizes for sizes in everything if not broken(trace, sketch.inputs(sizes))]
    chosen = everything[:: max(1, len(everything) // RUNS)] + fine[:: max(1, len(fine) // RUNS)]
    runs = [
        [TensorInput(tuple(sizes[letter] for letter in extents)) for extents in sketch.tensors.values()]
        + [ScalarInput(sizes[index]) for index in sketch.indices]
        for sizes in chosen
    ]
    outcomes: set[Outcome] = set()
    for sizes, run in zip(chosen, execute_many(text, "f", runs, runtime_checks=True), strict=True):
        claims = broken(trace, sketch.inputs(sizes))
        assert run.outcome in (Outcome.RETURNED, Outcome.ABORTED, Outcome.CRASHED), (sizes, run)
        assert (run.outcome is Outcome.RETURNED) == (not claims), (sizes, claims, run)
        outcomes.add(run.outcome)
        if run.outcome is Outcome.RETURNED:
            assert run.result_extents == result_shapes(trace, sketch.inputs(sizes)), sizes
    assert Outcome.RETURNED in outcomes
    assert (len(outcomes) > 1) == (name not in NEVER_FAILING)
