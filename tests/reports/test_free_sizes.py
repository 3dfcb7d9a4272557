"""Tests that sizes said to make no difference make none, at any other value that they may have."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.page import Page
from shapesolve.reports.phrases import minimality_notes
from shapesolve.solver.verdicts import Refuted

WITNESSES = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) {
  %sa = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %sb = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %sc = shape.shape_of %c : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %sa, %sb : tensor<1xindex>, tensor<1xindex>
  shape.assuming %w {
    %ab = shape.broadcast %sa, %sb : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    %same = shape.cstr_eq %sc, %ab : tensor<1xindex>, tensor<1xindex>
  }
  return
}"""

CHAIN = """func.func @f(%a: tensor<2x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x2xf32>, %e: tensor<2x2xf32>) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %d = tensor.empty(%n) : tensor<2x?xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<2x?xf32>, tensor<?x?xf32>) outs(%d : tensor<2x?xf32>) -> tensor<2x?xf32>
  %abc = linalg.matmul ins(%ab, %c : tensor<2x?xf32>, tensor<?x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}"""

LIMIT = 5


def failing_witness(a: int, b: int, c: int) -> str | None:
    """Return which check of `WITNESSES` fails."""
    if a != b and a != 1 and b != 1:
        return "shape.cstr_broadcastable"
    return None if c == (b if a == 1 else a) else "shape.cstr_eq"


def failing_product(k: int, rows: int, n: int, m: int) -> str | None:
    """Return which product of `CHAIN` fails."""
    if k != rows and k and n:
        return "%ab"
    return "%abc" if n != m and n else None


def refutations(text: str) -> Iterator[tuple[str, str, Refuted]]:
    """Yield the refuted operations, their results, and the counterexamples."""
    (function,) = check_program(read_text(text, "m.mlir"), Options(execute=False)).functions
    for each in function.checked_obligations:
        if isinstance(each.verdict, Refuted):
            yield each.obligation.op.name, each.obligation.op.results[0].name, each.verdict


@pytest.mark.parametrize(("text", "failing"), [(WITNESSES, failing_witness), (CHAIN, failing_product)])
def test_free_sizes_make_no_difference(text: str, failing: Callable[..., str | None]) -> None:
    count = 0
    for name, result, refuted in refutations(text):
        names = list(refuted.sizes)
        free = [number for number, each in enumerate(names) if each in refuted.free]
        kept = {number for number, each in enumerate(names) if each in refuted.fixed_elsewhere}
        for also, fixed in ({}, set[int]()), (refuted.also or {}, kept):
            sizes = [{**refuted.sizes, **also}[each] for each in names]
            varied = [number for number in free if number not in fixed]
            stopped_before = False
            for values in product(range(LIMIT), repeat=len(varied)):
                for number, value in zip(varied, values, strict=True):
                    sizes[number] = value
                failed = failing(*sizes)
                stopped_before |= failed not in (name, result)
                earlier = "shape.cstr_broadcastable" if name == "shape.cstr_eq" else "%ab"
                assert failed in (name, result, earlier), (name, sizes)
            assert refuted.restricted or not stopped_before
            free_of_facts = [number for number in varied if names[number] not in refuted.restricted]
            at = [{**refuted.sizes, **also}[each] for each in names]
            for values in product(range(LIMIT), repeat=len(free_of_facts)):
                for number, value in zip(free_of_facts, values, strict=True):
                    at[number] = value
                assert failing(*at) in (name, result), (name, at)  # no earlier check stops one of these
            count += 1
    assert count == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (WITNESSES, "fails at   b: 2, c: 3   (for any a that reaches this line; also a: 2, b: 1)"),
        (WITNESSES, "fails at   a: 2, b: 3   (also a: 0; for any c)"),
        (CHAIN, "(also b: 2x1; for any a and b[0] that reach this line)"),
    ],
)
def test_sizes_that_may_stop_before_are_told_apart(text: str, words: str) -> None:
    stream = io.StringIO()
    print_report(diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False))), Page(stream, width=100))
    assert words in stream.getvalue()


def test_sizes_at_which_an_operation_fails_in_one_way_only_are_not_called_the_smallest() -> None:
    """2 and 3 do not broadcast, either, but then the result is not of 4 elements: another claim of the operation."""
    text = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    (function,) = check_program(read_text(text), Options(execute=False)).functions
    notes: list[str] = []
    for each in function.checked_obligations:
        assert isinstance(each.verdict, Refuted)
        notes.append(minimality_notes(function.trace, each.verdict)[0])
    assert notes[0].startswith("the smallest at which the operation fails in no other way, with every size at least 2")
    assert notes[1].startswith("the smallest with every size that matters at least 2")
