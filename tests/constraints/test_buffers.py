"""The rules of memref, bufferization and vector against MLIR's verifier and against programs that are run."""

from __future__ import annotations

from itertools import product

import pytest
from support.claims_at_sizes import broken, result_shapes, trace_of, verifier_accepts

from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

SUBVIEW = (
    "func.func @f(%m: memref<?xf32>, %o: index, %s: index, %t: index) {\n"
    "  %0 = memref.subview %m[%o] [%s] [%t] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>\n  return\n}"
)


def test_subview_agrees_with_the_verifier() -> None:
    trace = trace_of(SUBVIEW)
    verdicts: set[bool] = set()
    for n, o, s, t in product(range(1, 5), range(-1, 5), range(1, 4), range(1, 3)):
        static = (
            SUBVIEW.replace("[%o] [%s] [%t]", f"[{o}] [{s}] [{t}]")
            .replace("memref<?xf32>", f"memref<{n}xf32>")
            .replace("memref<?xf32, strided<[?], offset: ?>>", f"memref<{s}xf32, strided<[{t}], offset: {o}>>")
        )
        accepted = verifier_accepts(static)
        assert accepted == (not broken(trace, {"m[0]": n, "o": o, "s": s, "t": t})), static
        verdicts.add(accepted)
    assert verdicts == {True, False}


# Every view is written through: what nobody uses is folded away before it is checked.
RUN = {
    "dim": "  %r = memref.dim %m, %i : memref<?x?xf32>\n",
    "load": "  %y = memref.load %m[%i, %j] : memref<?x?xf32>\n  %s = arith.addf %x, %y : f32\n"
    "  memref.store %s, %m[%i, %j] : memref<?x?xf32>\n  %r = arith.addi %i, %j : index\n",
    "store": "  memref.store %x, %m[%i, %j] : memref<?x?xf32>\n  %r = arith.addi %i, %j : index\n",
    "subview": "  %v = memref.subview %m[%i, 0] [1, %j] [1, 1] : memref<?x?xf32> to "
    "memref<?xf32, strided<[1], offset: ?>>\n"
    "  memref.store %x, %v[%zero] : memref<?xf32, strided<[1], offset: ?>>\n"
    "  %r = memref.dim %v, %zero : memref<?xf32, strided<[1], offset: ?>>\n",
    "copy": "  %a = memref.alloc(%i, %j) : memref<?x?xf32>\n  memref.copy %m, %a : memref<?x?xf32> to memref<?x?xf32>\n"
    "  %r = memref.dim %a, %one : memref<?x?xf32>\n  memref.dealloc %a : memref<?x?xf32>\n",
}


@pytest.mark.process
@pytest.mark.parametrize("name", RUN)
def test_a_claim_is_broken_exactly_where_execution_fails(name: str) -> None:
    text = (
        "func.func @f(%m: memref<?x?xf32>, %i: index, %j: index) -> index {\n  %one = arith.constant 1 : index\n"
        f"  %zero = arith.constant 0 : index\n  %x = arith.constant 1.0 : f32\n{RUN[name]}  return %r : index\n}}"
    )
    trace = trace_of(text)
    tried = list(product(range(3), range(3), range(-1, 4), range(-1, 4)))[::4]
    runs = [[TensorInput((n, k)), ScalarInput(i), ScalarInput(j)] for n, k, i, j in tried]
    outcomes: set[bool] = set()
    for (n, k, i, j), run in zip(tried, execute_many(text, "f", runs, runtime_checks=True), strict=True):
        sizes = {"m[0]": n, "m[1]": k, "i": i, "j": j}
        claims = broken(trace, sizes)
        assert run.outcome in (Outcome.RETURNED, Outcome.ABORTED, Outcome.CRASHED), run
        assert (run.outcome is Outcome.RETURNED) == (not claims), (sizes, claims, run)
        outcomes.add(not claims)
        if not claims:
            assert run.result_extents == result_shapes(trace, sizes)
    assert outcomes == {True, False}


def test_views_and_metadata_have_the_extents_of_the_buffer() -> None:
    trace = trace_of(
        "func.func @f(%m: memref<?x4xf32>, %b: memref<?xi8>, %o: index, %n: index) -> (memref<4x?xf32, "
        "affine_map<(d0, d1) -> (d1 * 4 + d0)>>, memref<?x2xf32>, index) {\n"
        "  %0 = memref.transpose %m (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, "
        "affine_map<(d0, d1) -> (d1 * 4 + d0)>>\n"
        "  %1 = memref.view %b[%o][%n] : memref<?xi8> to memref<?x2xf32>\n"
        "  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> "
        "memref<f32>, index, index, index, index, index\n"
        "  return %0, %1, %sizes#0 : memref<4x?xf32, affine_map<(d0, d1) -> (d1 * 4 + d0)>>, memref<?x2xf32>, index\n}"
    )
    for m, b, o, n in product(range(3), (0, 7, 8, 20), (-1, 0, 4), (-1, 0, 1, 2)):
        sizes = {"m[0]": m, "m[1]": 4, "b[0]": b, "o": o, "n": n}
        assert (not broken(trace, sizes)) == (n >= 0 and o >= 0 and o + 4 * 2 * n <= b)
        assert result_shapes(trace, sizes) == ((4, m), (n, 2), m)


def test_transfers_marked_in_bounds_are() -> None:
    trace = trace_of(
        "func.func @f(%t: tensor<?x?xf32>, %i: index, %j: index, %x: f32) -> vector<4xf32> {\n"
        "  %0 = vector.transfer_read %t[%i, %j], %x {in_bounds = [true]} : tensor<?x?xf32>, vector<4xf32>\n"
        "  %1 = vector.transfer_read %t[%i, %j], %x : tensor<?x?xf32>, vector<4xf32>\n"
        "  return %0 : vector<4xf32>\n}"
    )
    for n, k, i, j in product(range(3), range(3, 6), range(-1, 3), range(-1, 3)):
        claims = broken(trace, {"t[0]": n, "t[1]": k, "i": i, "j": j})
        rows, columns = 0 <= i < n, j >= 0 and j + 4 <= k
        assert claims == (
            (["vector.transfer_read C1"] if not rows else [])
            + (["vector.transfer_read C2"] if not columns else [])
            + (["vector.transfer_read C1"] if not rows else [])
            + (["vector.transfer_read C3"] if j < 0 else [])
        )
