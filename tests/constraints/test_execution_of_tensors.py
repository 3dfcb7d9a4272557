"""The rules of tensor and linalg against programs that are compiled and run."""

from __future__ import annotations

from itertools import product

import pytest
from support.claims_at_sizes import Sketch, broken, result_shapes, trace_of

from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

RUNS = 25

PROGRAMS = {
    "extract_slice": Sketch(
        {"a": "n"},
        "  %0 = tensor.extract_slice %a[{o}] [{s}] [{t}] : {a} to {:s}",
        indices=("o", "s", "t"),
        returns="s",
    ),
    "insert_slice": Sketch(
        {"b": "r", "a": "n"},
        "  %0 = tensor.insert_slice %b into %a[{o}] [{s}] [1] : {b} into {a}",
        indices=("o", "s"),
        returns="n",
    ),
    "concat": Sketch({"a": "nk", "b": "ml"}, "  %0 = tensor.concat dim(0) %a, %b : ({a}, {b}) -> {:p,q}", returns="pq"),
    "pad": Sketch(
        {"a": "n"},
        "  %c = arith.constant 1.0 : f32\n"
        "  %0 = tensor.pad %a low[{o}] high[{s}] {\n  ^bb0(%i: index):\n    tensor.yield %c : f32\n  } : {a} to {:r}",
        indices=("o", "s"),
        returns="r",
    ),
    "expand_shape": Sketch(
        {"a": "n"},
        "  %0 = tensor.expand_shape %a [[0, 1]] output_shape [{s}, {o}] : {a} into {:s,o}",
        indices=("o", "s"),
        returns="so",
    ),
    "reshape": Sketch(
        {"a": "nk"},
        "  %s0 = tensor.from_elements {o}, {s} : tensor<2xindex>\n"
        "  %0 = tensor.reshape %a(%s0) : ({a}, tensor<2xindex>) -> {:p,q}",
        indices=("o", "s"),
        returns="pq",
    ),
    "cast": Sketch(
        {"a": "n"},
        "  %1 = tensor.cast %a : {a} to tensor<2xf32>\n  %0 = tensor.cast %1 : tensor<2xf32> to {a}",
        returns="n",
    ),
    "dim": Sketch(
        {"a": "nk"}, "  %d = tensor.dim %a, {o} : {a}\n  %0 = tensor.empty(%d) : {:r}", indices=("o",), returns="r"
    ),
    "insert": Sketch(
        {"a": "nk"},
        "  %c = arith.constant 1.0 : f32\n  %0 = tensor.insert %c into %a[{o}, {s}] : {a}",
        indices=("o", "s"),
        returns="nk",
    ),
    "matmul": Sketch(
        {"a": "nk", "b": "lm", "c": "pq"},
        "  %0 = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
        returns="pq",
    ),
    "conv_1d": Sketch(
        {"a": "n", "b": "k", "c": "p"},
        "  %0 = linalg.conv_1d ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
        returns="p",
    ),
    "broadcast": Sketch(
        {"a": "n", "c": "pq"}, "  %0 = linalg.broadcast ins(%a : {a}) outs(%c : {c}) dimensions = [0]", returns="pq"
    ),
}


def _some(sizes: list[dict[str, int]]) -> list[dict[str, int]]:
    return sizes[:: max(1, len(sizes) // RUNS)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_claim_is_broken_exactly_where_execution_fails(name: str) -> None:
    sketch = PROGRAMS[name]
    text = sketch.dynamic()
    trace = trace_of(text)
    letters = sorted({letter for extents in sketch.tensors.values() for letter in extents})
    ranges = [range(4)] * len(letters) + [range(-1, 4)] * len(sketch.indices)
    everything = [dict(zip([*letters, *sketch.indices], values, strict=True)) for values in product(*ranges)]
    # No loop is empty: there, whether extents must be equal is a matter of words, and nothing is accessed.
    if "linalg" in text:
        everything = [sizes for sizes in everything if all(sizes.values())]
    # An empty insertion behind the end writes nothing and nobody checks it, but its view is out of bounds.
    if name == "insert_slice":
        everything = [sizes for sizes in everything if sizes["s"] or sizes["o"] <= sizes["n"]]
    fine = [sizes for sizes in everything if not broken(trace, sketch.inputs(sizes))]
    chosen = _some(everything) + _some(fine)
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
    assert outcomes >= {Outcome.RETURNED, Outcome.ABORTED}
