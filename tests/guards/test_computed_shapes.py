"""Test of conditions at the entry on slices, concatenations and lists of extents, executed with many shapes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from guards.changed_programs import changed

from shapesolve.execution.execution import Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

Holds = Callable[[tuple[int, ...], tuple[int, ...]], bool]

SHAPES: list[tuple[int, ...]] = [(), (2,), (3,), (2, 3), (3, 2), (2, 2, 3)]


def program(body: str) -> str:
    return f"""func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) -> index {{
  %s = shape.shape_of %a : tensor<*xf32> -> !shape.shape
  %t = shape.shape_of %b : tensor<*xf32> -> !shape.shape
  {body}
  %r = shape.assuming %w -> (index) {{
    %n = tensor.rank %b : tensor<*xf32>
    shape.assuming_yield %n : index
  }}
  return %r : index
}}"""


def split(position: int, constraint: str) -> str:
    return f"""%c = arith.constant {position} : index
  %h, %l = "shape.split_at"(%s, %c) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  {constraint} : !shape.shape, !shape.shape"""


def are_broadcastable(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        return False
    return True


def is_tail(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return len(a) >= 1 and a[1:] == b


def is_head_broadcastable(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return len(a) >= 1 and are_broadcastable(a[:-1], b)


@pytest.mark.process
@pytest.mark.parametrize(
    ("body", "condition", "holds"),
    [
        (split(1, "%w = shape.cstr_eq %l, %t"), "a[1:] == b", is_tail),
        (
            split(-1, "%w = shape.cstr_broadcastable %h, %t"),
            "broadcastable(a[:-1], b)",
            is_head_broadcastable,
        ),
    ],
)
def test_a_condition_on_a_slice_is_written_and_replaces_the_check(body: str, condition: str, holds: Holds) -> None:
    result = changed(program(body), "at_entry", "cf")
    assert not result.kept and condition in {each.condition for each in result.written}
    pairs = list(product(SHAPES, SHAPES))
    inputs = [[TensorInput(a), TensorInput(b)] for a, b in pairs]
    runs = execute_many(result.text, "f", inputs, runtime_checks=False)
    for (a, b), run in zip(pairs, runs, strict=True):
        assert (run.outcome is Outcome.RETURNED) == holds(a, b), (a, b, run)


@pytest.mark.process
def test_a_slice_may_begin_or_end_at_an_argument() -> None:
    halves = """%h, %l = "shape.split_at"(%s, %i) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  %u = shape.cstr_broadcastable %h, %t : !shape.shape, !shape.shape
  %v = shape.cstr_eq %l, %t : !shape.shape, !shape.shape
  %w = shape.assuming_all %u, %v"""
    text = program(halves).replace("%b: tensor<*xf32>)", "%b: tensor<*xf32>, %i: index)")
    result = changed(text, "at_entry", "cf")
    assert not result.kept
    cases = list(product(SHAPES, SHAPES, range(-3, 4)))
    inputs = [[TensorInput(a), TensorInput(b), ScalarInput(at)] for a, b, at in cases]
    runs = execute_many(result.text, "f", inputs, runtime_checks=False)
    for (a, b, at), run in zip(cases, runs, strict=True):
        place = at if at >= 0 else at + len(a)
        holds = 0 <= place <= len(a) and are_broadcastable(a[:place], b) and a[place:] == b
        assert (run.outcome is Outcome.RETURNED) == holds, (a, b, at, run)


def test_extents_of_a_ranked_argument_are_compared_with_a_shape() -> None:
    text = """func.func @f(%s: tensor<?xindex>, %b: tensor<?x?xf32>) -> !shape.shape {
  %x = shape.shape_of %b : tensor<?x?xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %x : tensor<?xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (!shape.shape) {
    %m = shape.broadcast %s, %x : tensor<?xindex>, tensor<2xindex> -> !shape.shape
    shape.assuming_yield %m : !shape.shape
  }
  return %r : !shape.shape
}"""
    result = changed(text, "at_entry", "cf")
    assert not result.kept
    assert "shape.from_extents" in result.text and "shape.is_broadcastable" in result.text
