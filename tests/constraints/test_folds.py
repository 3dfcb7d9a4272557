"""Test of closed forms of folds over shapes of unknown rank against the folds of shapes of known rank, in Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from shapesolve.api import check
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate

Step = Callable[[int, int, int], int]
"""Accumulator after an extent: of the extent, the accumulator before it, and the number ``%k``."""

BODIES: dict[str, tuple[str, Step]] = {
    "last": ("%next = arith.addi %d, %c0 : index\n shape.yield %d : index", lambda d, acc, k: d),
    "difference": ("%next = arith.subi %acc, %d : index\n shape.yield %next : index", lambda d, acc, k: acc - d),
    "less a number": ("%next = index.sub %acc, %k\n shape.yield %next : index", lambda d, acc, k: acc - k),
    "weighted": (
        "%w = arith.muli %k, %d : index\n %next = arith.addi %w, %acc : index\n shape.yield %next : index",
        lambda d, acc, k: acc + k * d,
    ),
    "less a multiple": (
        "%w = index.mul %d, %c3\n %next = arith.subi %acc, %w : index\n shape.yield %next : index",
        lambda d, acc, k: acc - 3 * d,
    ),
}
NO_CLOSED_FORM = {
    "from the extent": "%next = arith.subi %d, %acc : index\n shape.yield %next : index",
    "weighted by position": "%w = index.mul %i, %d\n %n = index.add %acc, %w\n shape.yield %n : index",
}


def folded(body: str, start: int) -> tuple[Dim, bool]:
    """Return the result of a fold over the shape of `%x`, and whether it is determined by the inputs."""
    report = check(
        f"""func.func @f(%x: tensor<*xf32>, %k: index) -> index {{
  %s = shape.shape_of %x : tensor<*xf32> -> tensor<?xindex>
  %start = arith.constant {start} : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = shape.reduce(%s, %start) : tensor<?xindex> -> index {{
    ^bb0(%i: index, %d: index, %acc: index):
      {body}
  }}
  return %n : index
}}""",
        execute=False,
    )
    trace = report.functions[0].trace
    assert trace.results is not None
    result = trace.results[0]
    assert isinstance(result, Dim)
    return result, result.variables <= set(trace.input_variables)


@pytest.mark.parametrize("start", [0, 5, -3])
@pytest.mark.parametrize("name", BODIES)
def test_a_closed_form_is_the_fold_of_every_shape(name: str, start: int) -> None:
    body, step = BODIES[name]
    found, is_known = folded(body, start)
    assert is_known
    for shape in (shape for rank in range(4) for shape in product(range(4), repeat=rank)):
        for k in (-2, 0, 3):
            expected = start
            for extent in shape:
                expected = step(extent, expected, k)
            assert evaluate(found, {each: k if each.text == "k" else shape for each in found.variables}) == expected


@pytest.mark.parametrize("name", NO_CLOSED_FORM)
def test_a_fold_that_depends_on_the_order_is_not_determined(name: str) -> None:
    assert not folded(NO_CLOSED_FORM[name], 5)[1]
