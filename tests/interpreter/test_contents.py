"""Differential test of element bounds against numpy: bounds hold, and with a stride every number is attained."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.checker.check import trace_of
from shapesolve.domain.values import Tensor
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds

PROGRAM = """
#map = affine_map<(d0, d1) -> (d0, d1)>
#d0 = affine_map<(d0, d1) -> (d0)>
#d1 = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0) -> (d0)>
func.func @f(%n: index, %m: index) -> tensor<?x?xi64> {{
  %en = tensor.empty(%{size}) : tensor<?xi64>
  %first = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%en : tensor<?xi64>) {{
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %a = arith.constant {factor} : i64
    %b = arith.constant {offset} : i64
    %p = arith.muli %j, %a : i64
    %q = arith.addi %p, %b : i64
    linalg.yield %q : i64
  }} -> tensor<?xi64>
  %second = arith.constant dense<{listed}> : tensor<{length}xi64>
  %both = tensor.empty(%n, %m) : tensor<?x?xi64>
  %r = linalg.generic {{indexing_maps = [#{along}, #{other}, #map], iterator_types = ["parallel", "parallel"]}}
      ins(%first, %second : tensor<?xi64>, tensor<{length}xi64>) outs(%both : tensor<?x?xi64>) {{
  ^bb0(%x: i64, %y: i64, %out: i64):
    %p = arith.constant {weights[0]} : i64
    %q = arith.constant {weights[1]} : i64
    %px = arith.muli %x, %p : i64
    %qy = arith.muli %y, %q : i64
    %s = arith.addi %px, %qy : i64
    {last}
    linalg.yield %t : i64
  }} -> tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}}
"""
ASKED = """%k = linalg.index {asks} : index
    %l = arith.index_cast %k : index to i64
    %t = arith.addi %s, %l : i64"""
UNASKED = "%z = arith.constant 0 : i64\n    %t = arith.addi %s, %z : i64"

small = st.integers(-3, 3)


@example(along="d0", other="d0", factor=1, offset=0, listed=[0, 1], weights=(1, 1), asks=None)
@example(along="d0", other="d1", factor=1, offset=0, listed=[0, 1], weights=(1, 0), asks=0)
@examples(60)
@given(
    along=st.sampled_from(["d0", "d1"]),
    other=st.sampled_from(["d0", "d1"]),
    factor=small,
    offset=small,
    listed=st.lists(small, min_size=2, max_size=4) | st.permutations(range(-1, 2)),
    weights=st.tuples(small, small),
    asks=st.sampled_from([None, 0, 1]),
)
def test_contents_of_index_tensors_are_those_of_numpy(
    along: str,
    other: str,
    factor: int,
    offset: int,
    listed: list[int],
    weights: tuple[int, int],
    asks: int | None,
) -> None:
    size = "n" if along == "d0" else "m"
    last = UNASKED if asks is None else ASKED.format(asks=asks)
    text = PROGRAM.format(
        size=size,
        factor=factor,
        offset=offset,
        listed=listed,
        length=len(listed),
        along=along,
        other=other,
        weights=weights,
        last=last,
    )
    program = read_text(text)
    trace = trace_of(program, program.functions["f"], Options())
    (result,) = trace.results or (None,)
    assert isinstance(result, Tensor)
    between = result.between
    if between is None:
        return
    n_is, m_is = (value for value in trace.inputs if isinstance(value, Dim))
    (n_variable,), (m_variable,) = n_is.variables, m_is.variables
    for n, m in product(range(5), repeat=2):
        if (n if other == "d0" else m) != len(listed):
            continue  # the program is undefined there
        sizes = {n_variable: n, m_variable: m}
        held = _held(n, m, (along, factor, offset), (other, listed), weights, asks)
        if not held.size or not holds(between.where, sizes):
            continue
        low, high = evaluate(between.low, sizes), evaluate(between.high, sizes)
        assert low <= held.min()
        assert held.max() <= high
        if between.step:
            assert set(held.flat) == set(range(low, high + 1, between.step))


def _held(
    n: int,
    m: int,
    first: tuple[str, int, int],
    second: tuple[str, list[int]],
    weights: tuple[int, int],
    asks: int | None,
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the tensor that the program computes."""
    at = {"d0": np.arange(n, dtype=np.int64)[:, None], "d1": np.arange(m, dtype=np.int64)[None, :]}
    x = at[first[0]] * first[1] + first[2]
    y = np.array(second[1], dtype=np.int64)
    y = y[:, None] if second[0] == "d0" else y[None, :]
    found = x * weights[0] + y * weights[1] + np.zeros((n, m), dtype=np.int64)
    return found if asks is None else found + at[f"d{asks}"]
