"""Differential test of bounds of tensor elements against numpy and against execution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.values import IntegerInterval, Tensor
from shapesolve.execution.execution import TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.evaluation import evaluate, holds

SMALL = st.integers(-3, 3)


@dataclass(frozen=True)
class Computed:
    """``base + row*i + column*j`` at position (i, j); then ``scale`` times that, plus ``other``*j; clamped, if so.

    ``clamp``: the lower and the upper bound.
    """

    base: int
    row: int
    column: int
    scale: int
    other: int
    clamp: tuple[int, int] | None = None

    @property
    def _clamped(self) -> str:
        if self.clamp is None:
            return "linalg.yield %c : i64"
        return f"""%least = arith.constant {self.clamp[0]} : i64
    %most = arith.constant {self.clamp[1]} : i64
    %raised = arith.maxsi %c, %least : i64
    %clamped = arith.minsi %raised, %most : i64
    linalg.yield %clamped : i64"""

    @property
    def text(self) -> str:
        return f"""#map = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xi64> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %base = arith.constant {self.base} : i64
  %row = arith.constant {self.row} : i64
  %column = arith.constant {self.column} : i64
  %scale = arith.constant {self.scale} : i64
  %other = arith.constant {self.other} : i64
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xi64>
  %first = linalg.generic {{indexing_maps = [#map], iterator_types = ["parallel", "parallel"]}}
      outs(%e : tensor<?x?xi64>) {{
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %l = arith.index_cast %j : index to i64
    %a = arith.muli %k, %row : i64
    %b = arith.muli %l, %column : i64
    %c = arith.addi %a, %b : i64
    %d = arith.addi %c, %base : i64
    linalg.yield %d : i64
  }} -> tensor<?x?xi64>
  %t = tensor.empty(%m, %n) : tensor<?x?xi64>
  %turned = linalg.generic {{indexing_maps = [#turned, #map], iterator_types = ["parallel", "parallel"]}}
      ins(%first : tensor<?x?xi64>) outs(%t : tensor<?x?xi64>) {{
  ^bb0(%in: i64, %out: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %a = arith.muli %in, %scale : i64
    %b = arith.muli %k, %other : i64
    %c = arith.addi %a, %b : i64
    {self._clamped}
  }} -> tensor<?x?xi64>
  return %turned : tensor<?x?xi64>
}}"""

    def at(self, rows: int, columns: int) -> np.ndarray:
        i, j = np.indices((rows, columns))
        made = (self.scale * (self.base + self.row * i + self.column * j) + self.other * i).T
        return made if self.clamp is None else np.clip(made, *self.clamp)


def _bounds(text: str, sizes: dict[str, int]) -> tuple[int, int] | None:
    """The bounds of all elements of the result at these sizes; None where none are known."""
    trace = trace_of(text)
    assert trace.results is not None
    (result,) = trace.results
    assert isinstance(result, Tensor)
    between = result.between
    if between is None:
        return None
    known = {variable: sizes[variable.name] for variable in between.variables}
    return (evaluate(between.low, known), evaluate(between.high, known)) if holds(between.where, known) else None


@examples(60)
@given(st.builds(Computed, SMALL, SMALL, SMALL, SMALL, SMALL), st.integers(0, 4), st.integers(0, 4))
def test_all_elements_lie_between_the_bounds(computed: Computed, rows: int, columns: int) -> None:
    found = _bounds(computed.text, {"x[0]": rows, "x[1]": columns})
    elements = computed.at(rows, columns)
    assert (found is None) == (elements.size == 0)
    if found is not None:
        assert found[0] <= elements.min() and elements.max() <= found[1]
    if found is not None and computed.scale and computed.scale * computed.row * computed.other >= 0:
        assert found == (elements.min(), elements.max())  # where one variable stands once, or all go the same way


@examples(60)
@given(
    st.builds(Computed, SMALL, SMALL, SMALL, SMALL, SMALL, st.tuples(SMALL, SMALL)),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_clamped_elements_lie_between_the_bounds(computed: Computed, rows: int, columns: int) -> None:
    found = _bounds(computed.text, {"x[0]": rows, "x[1]": columns})
    elements = computed.at(rows, columns)
    assert computed.clamp is not None and found is not None
    assert found[0] <= elements.min() and elements.max() <= found[1] <= computed.clamp[1]


@pytest.mark.process
def test_computed_bounds_agree_with_a_program() -> None:
    computed = Computed(1, -2, 3, -1, 2)
    (run,) = execute_many(computed.text, "f", [(TensorInput((3, 2)),)], runtime_checks=False)
    assert run.result_values == (tuple(int(each) for each in computed.at(3, 2).ravel()),)


UNBOUNDED = """#map = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<100xi64>, %y: i64) -> tensor<100xi64> {{
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %c5 = arith.constant 5 : i64
  %c50 = arith.constant 50 : i64
  %e = tensor.empty() : tensor<100xi64>
  %r = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}}
      ins(%x : tensor<100xi64>) outs(%e : tensor<100xi64>) {{
  ^bb0(%in: i64, %out: i64):
    %index = linalg.index 0 : index
    %i = arith.index_cast %index : index to i64
    {body}
    linalg.yield %a : i64
  }} -> tensor<100xi64>
  return %r : tensor<100xi64>
}}"""


@pytest.mark.parametrize(
    "body",
    [
        "%a = arith.addi %i, %in : i64",
        "%a = arith.addi %i, %out : i64",
        "%a = arith.muli %i, %in : i64",
        "%d = arith.addi %i, %y : i64\n    %a = arith.floordivsi %c5, %d : i64",
        "%a = tensor.extract %x[%index] : tensor<100xi64>",
        '%a = "unknown.number"() : () -> i64',
    ],
)
def test_unbounded_operands_give_no_bounds(body: str) -> None:
    assert _bounds(UNBOUNDED.format(body=body), {}) is None


@pytest.mark.parametrize(
    ("body", "bounds"),
    [
        ("%a = arith.muli %i, %i : i64", (0, 99 * 99)),
        ("%a = arith.muli %i, %y : i64", (0, 99 * 1000)),
        ("%m = arith.subi %c0_i64, %y : i64\n    %a = arith.muli %i, %m : i64", (-99 * 1000, 0)),
        ("%d = arith.subi %i, %c5 : i64\n    %a = arith.muli %d, %y : i64", (-5 * 1000, 94 * 1000)),
        ("%m = arith.maxsi %y, %c5 : i64\n    %a = arith.muli %i, %m : i64", (0, 99 * 1000)),
        ("%n = arith.addi %i, %y : i64\n    %a = arith.muli %n, %n : i64", (1000**2, 1099**2)),
        ("%m = arith.subi %c5, %y : i64\n    %a = arith.muli %i, %m : i64", (-99 * 1000, 99 * 5)),
        ("%a = arith.divsi %i, %c5 : i64", (0, 19)),
        ("%m = arith.maxsi %y, %c5 : i64\n    %a = arith.divsi %i, %m : i64", (0, 0)),
        ("%s = arith.subi %i, %c50 : i64\n    %a = arith.divsi %s, %c5 : i64", (-10, 9)),
        ("%s = arith.subi %i, %c50 : i64\n    %a = arith.floordivsi %s, %c5 : i64", (-10, 9)),
        ("%s = arith.subi %i, %c50 : i64\n    %a = arith.remsi %s, %c5 : i64", (-4, 4)),
        ("%a = arith.remui %i, %c5 : i64", (0, 4)),
        ("%n = arith.trunci %i : i64 to i8\n    %a = arith.extsi %n : i8 to i64", (0, 99)),
        (
            "%s = arith.addi %i, %c50 : i64\n    %n = arith.trunci %s : i64 to i8\n    %a = arith.extsi %n : i8 to i64",
            (-128, 127),
        ),
        ("%p = arith.cmpi slt, %i, %c5 : i64\n    %a = arith.select %p, %c5, %i : i64", (5, 99)),
        ("%p = arith.cmpi sge, %i, %c50 : i64\n    %a = arith.select %p, %c50, %i : i64", (0, 50)),
        ("%p = arith.cmpi slt, %i, %y : i64\n    %a = arith.select %p, %i, %c5 : i64", (0, 99)),
        ("%p = arith.cmpi sge, %i, %c0_i64 : i64\n    %a = arith.select %p, %c5, %y : i64", (5, 5)),
    ],
)
def test_products_quotients_and_choices_are_bounded(body: str, bounds: tuple[int, int] | None) -> None:
    assert _bounds(UNBOUNDED.format(body=body), {"y": 1000}) == bounds


LOOKED_UP = """#map = affine_map<(d0) -> (d0)>
func.func @f(%n: index, %m: index) -> tensor<?xi64> {
  %c1 = arith.constant 1 : i64
  %e = tensor.empty(%n) : tensor<?xi64>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %a = arith.index_cast %i : index to i64
    linalg.yield %a : i64
  } -> tensor<?xi64>
  %f = tensor.empty(%m) : tensor<?xi64>
  %s = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%f : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %rest = arith.remui %i, %n : index
    %a = tensor.extract %r[%rest] : tensor<?xi64>
    %b = arith.addi %a, %c1 : i64
    linalg.yield %b : i64
  } -> tensor<?xi64>
  return %s : tensor<?xi64>
}"""


def test_gathered_elements_lie_within_the_bounds_of_all() -> None:
    """A tensor repeated, as torch-mlir writes it."""
    assert _bounds(LOOKED_UP, {"n": 5, "m": 7}) == (1, 5)
    assert _bounds(LOOKED_UP, {"n": 0, "m": 7}) is None


def test_outer_facts_move_the_bounds() -> None:
    assert _bounds(UNBOUNDED.format(body="%a = arith.addi %i, %y : i64"), {"y": 1000}) == (1000, 1099)


def test_bounds_are_a_formula_about_a_number() -> None:
    trace = trace_of(Computed(0, 1, 0, 1, 0).text)
    assert trace.results is not None
    (result,) = trace.results
    assert isinstance(result, Tensor) and isinstance(result.between, IntegerInterval)
    assert {each.name for each in result.between.low.variables | result.between.high.variables} == {"x[0]"}
    sizes = dict.fromkeys(trace.input_variables, 3)
    assert [holds(result.between.contains(dim(each)), sizes) for each in (-1, 0, 2, 3)] == [False, True, True, False]
