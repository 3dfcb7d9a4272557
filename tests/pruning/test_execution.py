"""A pruned program, executed on all small sizes, stops exactly where the original stops, and with the same words."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from support.examples import examples
from support.pruned_programs import prune

from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many

pytestmark = pytest.mark.process

SIZES = range(4)


def ran(text: str, arguments: int, sizes: range = SIZES) -> list[Execution]:
    """The function @f, executed on all sizes of its arguments."""
    runs = [[TensorInput((size,)) for size in each] for each in product(sizes, repeat=arguments)]
    return execute_many(text, "f", runs, runtime_checks=False)


def require_same(original: list[Execution], pruned: list[Execution]) -> None:
    """Assert that both programs end alike on every input."""
    assert all(each.outcome in (Outcome.RETURNED, Outcome.ABORTED) for each in original), original[0]
    seen = [(each.outcome, each.message, each.result_extents) for each in original]
    assert [(each.outcome, each.message, each.result_extents) for each in pruned] == seen


HEAD = """
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %a, %c0 : tensor<?xf32>
  %d1 = tensor.dim %b, %c0 : tensor<?xf32>
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index"""
SIZED = ("%d0", "%d1", "%k0", "%k1", "%k2")
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge")


@st.composite
def blocks(draw: st.DrawFn, depth: int, prefix: str) -> str:
    """Comparisons, assertions, and branches on them."""
    lines: list[str] = []
    for index in range(draw(st.integers(1, 3))):
        name = f"{prefix}_{index}"
        left, right = draw(st.sampled_from(SIZED)), draw(st.sampled_from(SIZED))
        lines.append(f"  %p{name} = arith.cmpi {draw(st.sampled_from(COMPARISONS))}, {left}, {right} : index")
        kind = draw(st.sampled_from(("assert", "assert", "if", "choose") if depth else ("assert",)))
        match kind:
            case "if":
                then, other = draw(blocks(depth - 1, f"{name}t")), draw(blocks(depth - 1, f"{name}e"))
                lines.append(f"  scf.if %p{name} {{\n{then}\n  }} else {{\n{other}\n  }}")
            case "choose":
                then, other = draw(blocks(depth - 1, f"{name}t")), draw(blocks(depth - 1, f"{name}e"))
                lines.append(
                    f"  %r{name} = scf.if %p{name} -> (index) {{\n{then}\n  scf.yield {left} : index\n  }} else {{\n"
                    f"{other}\n  scf.yield {right} : index\n  }}\n"
                    f"  %q{name} = arith.cmpi sle, %r{name}, {right} : index\n"
                    f'  cf.assert %q{name}, "chosen {name}"'
                )
            case _:
                lines.append(f'  cf.assert %p{name}, "check {name}"')
    return "\n".join(lines)


def programs() -> SearchStrategy[str]:
    """Functions of two tensors that check their sizes in all sorts of ways."""
    return blocks(2, "").map(
        lambda text: (
            f"func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {{{HEAD}\n{text}\n  return %d0 : index\n}}"
        )
    )


@pytest.mark.exhaustive
@examples(12)
@given(programs())
def test_a_pruned_program_stops_where_the_original_stops(text: str) -> None:
    result = prune(text)
    if result.removed:
        require_same(ran(text, 2), ran(result.text, 2))


CONSTRAINTS = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %v = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<1xindex>
  %u = shape.cstr_broadcastable %t, %s : tensor<1xindex>, tensor<1xindex>
  %w = shape.assuming_all %u, %v
  %r = shape.assuming %w -> (index) {
    %both = shape.broadcast %s, %t : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    %x = shape.cstr_broadcastable %both, %t : tensor<1xindex>, tensor<1xindex>
    %y = shape.cstr_eq %both, %s : tensor<1xindex>, tensor<1xindex>
    %z = shape.assuming %x -> (index) {
      %c0 = arith.constant 0 : index
      %n = shape.get_extent %both, %c0 : tensor<1xindex>, index -> index
      shape.assuming_yield %n : index
    }
    shape.assuming_yield %z : index
  }
  return %r : index
}"""

CALLS = """
func.func private @within(%n: index, %m: index) {
  %p = arith.cmpi sle, %n, %m : index
  cf.assert %p, "within"
  return
}
func.func private @positive(%n: index) {
  %c0 = arith.constant 0 : index
  %p = arith.cmpi sge, %n, %c0 : index
  cf.assert %p, "positive"
  return
}
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a, %c0 : tensor<?xf32>
  %d1 = tensor.dim %b, %c0 : tensor<?xf32>
  call @within(%d0, %d0) : (index, index) -> ()
  call @within(%d0, %d1) : (index, index) -> ()
  call @positive(%d0) : (index) -> ()
  %s = scf.for %i = %c0 to %d1 step %c1 iter_args(%x = %c0) -> index {
    func.call @positive(%i) : (index) -> ()
    %p = arith.cmpi slt, %i, %d0 : index
    cf.assert %p, "beyond"
    %q = arith.cmpi slt, %i, %d1 : index
    cf.assert %q, "never"
    %y = arith.addi %x, %i : index
    scf.yield %y : index
  }
  return %s : index
}"""


@pytest.mark.parametrize(("text", "removed"), [(CONSTRAINTS, 4), (CALLS, 2)])
def test_constraints_and_calls_stop_where_they_did(text: str, removed: int) -> None:
    result = prune(text)
    assert len(result.removed) == removed, result.checks
    original = ran(text, 2, range(5))
    assert {each.outcome for each in original} == {Outcome.RETURNED, Outcome.ABORTED}
    require_same(original, ran(result.text, 2, range(5)))
