"""Test of the examples in MLIR's Shape Inference document, and of its statements on tensors and memrefs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.claims_at_sizes import trace_of
from support.library_programs import BINARY, library_text, written

from shapesolve.api import check
from shapesolve.domain.values import Tensor
from shapesolve.shape_functions.queries import library
from shapesolve.trace.events import Trace


def _demands(trace: Trace) -> list[tuple[str, str, str]]:
    return [(each.op.name.partition(".")[2], each.clause, str(each.claim)) for each in trace.obligations]


@pytest.mark.covers("inference.decoupled")
def test_tensors_and_memrefs_share_their_constraints() -> None:
    tensors, memrefs = (
        trace_of(
            f"func.func @f(%a: {kind}<?x?xf32>, %i: index) -> index {{\n"
            f"  %n = {kind}.dim %a, %i : {kind}<?x?xf32>\n"
            f"  %b = {kind}.cast %a : {kind}<?x?xf32> to {kind}<4x?xf32>\n  return %n : index\n}}\n"
        )
        for kind in ("tensor", "memref")
    )
    assert len(_demands(tensors)) >= 2
    assert _demands(tensors) == _demands(memrefs)


@pytest.mark.covers("inference.concat_example")
def test_concatenation_along_the_first_dimension() -> None:
    two, one = "tensor<?x?xf32>", "tensor<?x?xf32>"
    trace = trace_of(
        f"func.func @f(%a: {two}) -> {one} {{\n"
        f"  %0 = tensor.concat dim(0) %a, %a : ({two}, {two}) -> {one}\n  return %0 : {one}\n}}\n"
    )
    assert trace.results is not None
    (joined,) = trace.results
    assert isinstance(joined, Tensor)
    assert str(joined.shape) == "[2*a[0], a[1]]"
    assert all(str(each.claim) == "true" for each in trace.obligations)


@pytest.mark.covers("inference.matmul_example")
def test_a_product_needs_equal_inner_sizes() -> None:
    type = "tensor<?x?xf32>"
    text = (
        f"func.func @f(%a: {type}, %b: {type}, %c: {type}) -> {type} {{\n"
        f"  %0 = linalg.matmul ins(%a, %b : {type}, {type}) outs(%c : {type}) -> {type}\n  return %0 : {type}\n}}\n"
    )
    outer = ["c[0] == a[0]", "c[1] == b[1]"]
    assert check(text, assume=outer, execute=False).exit_code == 1
    assert check(text, assume=[*outer, "a[1] == b[0]"], execute=False).exit_code == 0


@pytest.mark.covers("inference.cheap")
def test_a_shape_function_is_cheap_to_call(tmp_path: Path) -> None:
    scale = library(written(tmp_path, library_text(BINARY, "my.op = @binary")))["my.op"]
    assert scale.at((2, 3), (2, 3)) == ((2, 3),)
    calls = 100
    start = time.process_time()
    for size in range(calls):
        assert scale.at((size, 3), (size, 3)) == ((size, 3),)
    milliseconds = (time.process_time() - start) / calls * 1000
    assert milliseconds < 20, f"{milliseconds:.1f} ms a call"
