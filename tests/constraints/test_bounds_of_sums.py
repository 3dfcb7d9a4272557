"""Differential test of bounds of sums along a dimension against numpy's arithmetic, which wraps around."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.values import IntegerInterval, Tensor
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.evaluation import evaluate, holds

_sums = import_module("shapesolve.constraints.transfer.elements")
partial_sums, whole_sums = _sums.partial_sums, _sums.whole_sums
WIDTHS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
Ends = tuple[int, int]


def _said(sums: Any) -> Ends | None:
    """The ends, where these numbers fit."""
    assert sums is not None
    if not holds(sums.between.where, {}) or not holds(sums.no_overflow, {}):
        return None
    return evaluate(sums.between.low, {}), evaluate(sums.between.high, {})


@st.composite
def _numbers(draw: st.DrawFn) -> tuple[int, list[int], Ends, int]:
    """A width, numbers that it holds, what these lie between, and one more number."""
    width = draw(st.sampled_from([*WIDTHS]))
    half = 2 ** (width - 1)
    ends = st.one_of(st.integers(-3, 3), st.integers(-half, half - 1))
    low, high = sorted((draw(ends), draw(ends)))
    inside = st.one_of(st.sampled_from([low, high]), st.integers(low, high))
    return width, draw(st.lists(inside, min_size=1, max_size=9)), (low, high), draw(ends)


def _between(ends: Ends) -> IntegerInterval:
    return IntegerInterval(dim(ends[0]), dim(ends[1]))


@examples(400)
@given(_numbers())
def test_sums_lie_between_their_ends_where_these_fit(given_: tuple[int, list[int], Ends, int]) -> None:
    width, numbers, ends, first = given_
    count, array = dim(len(numbers)), np.array(numbers, dtype=WIDTHS[width])
    with np.errstate(all="ignore"):
        running = np.cumsum(array, dtype=WIDTHS[width])
        delayed = np.cumsum(np.array([first, *numbers[:-1]], dtype=WIDTHS[width]), dtype=WIDTHS[width])
    found = (
        (partial_sums(_between(ends), count, width), running),
        (partial_sums(_between(ends), count, width, _between((first, first))), delayed),
        (whole_sums(_between(ends), count, width), running[-1:]),
    )
    for sums, computed in found:
        said = _said(sums)
        assert said is None or said[0] <= computed.min() <= computed.max() <= said[1]


@given(st.integers(1, 50))
def test_ones_and_zeros_are_counted(count: int) -> None:
    bits = _between((0, 1))
    assert _said(partial_sums(bits, dim(count), 32)) == (0, count)
    assert _said(partial_sums(bits, dim(count), 32, _between((0, 0)))) == (0, count - 1)
    assert _said(whole_sums(bits, dim(count), 32)) == (0, count)


def _bounds(text: str, size: int) -> dict[str, Ends]:
    found: dict[str, Ends] = {}
    for value, known in trace_of(text).values.items():
        between = known.between if isinstance(known, Tensor) else None
        if between is not None and holds(between.where, dict.fromkeys(between.where.variables, size)):
            low, high = (evaluate(end, dict.fromkeys(end.variables, size)) for end in (between.low, between.high))
            found[value.name] = low, high
    return found


def _torch(width: int, keep: int, factor: int, term: int) -> str:
    none = "%none, %none, %none, %none"
    kinds = "!torch.int, !torch.none, !torch.none, !torch.none, !torch.none"
    words, narrow, truths = (f"!torch.vtensor<[?],{each}>" for each in ("si64", f"si{width}", "i1"))
    code = {8: 1, 16: 2, 32: 3, 64: 4}[width]
    return f"""func.func @f(%n: !torch.int) {{
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %keep = torch.constant.int {keep}
  %factor = torch.constant.int {factor}
  %term = torch.constant.int {term}
  %code = torch.constant.int {code}
  %t0 = torch.aten.arange %n, {none} : {kinds} -> {words}
  %t1 = torch.aten.lt.Scalar %t0, %keep : {words}, !torch.int -> {truths}
  %t2 = torch.prims.convert_element_type %t1, %code : {truths}, !torch.int -> {narrow}
  %t3 = torch.aten.mul.Scalar %t2, %factor : {narrow}, !torch.int -> {narrow}
  %t4 = torch.aten.add.Scalar %t3, %term, %one : {narrow}, !torch.int, !torch.int -> {narrow}
  %t5 = torch.aten.cumsum %t4, %zero, %code : {narrow}, !torch.int, !torch.int -> {narrow}
  %t6 = torch.aten.mul.Tensor %t5, %t2 : {narrow}, {narrow} -> {narrow}
  %t7 = torch.prims.convert_element_type %t6, %code : {narrow}, !torch.int -> {words}
  %t8 = torch.aten.cumsum %t1, %zero, %none : {truths}, !torch.int, !torch.none -> {words}
  %t9 = torch.aten.sum %t4, %code : {narrow}, !torch.int -> !torch.vtensor<[],si{width}>
  return
}}"""


def _linalg(width: int, keep: int, factor: int, term: int) -> str:
    def each(number: int, body: str, read: str, source: str, type: str) -> str:
        return f"""  %e{number} = tensor.empty(%n) : tensor<?x{type}>
  %t{number} = linalg.generic {{indexing_maps = [#m, #m], iterator_types = ["parallel"]}}
    ins({read} : tensor<?x{source}>) outs(%e{number} : tensor<?x{type}>) {{
  ^bb0(%in: {source}, %o: {type}):
{body}
    linalg.yield %y : {type}
  }} -> tensor<?x{type}>"""

    narrow = f"i{width}"
    down = (
        f"    %y = arith.trunci %c : i64 to {narrow}"
        if width < 64
        else "    %z = arith.constant 0 : i64\n    %y = arith.addi %c, %z : i64"
    )
    kept = f"""    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.constant {keep} : i64
    %p = arith.cmpi slt, %j, %k : i64
    %c = arith.extui %p : i1 to i64
{down}"""
    scaled = f"""    %a = arith.constant {factor} : {narrow}
    %b = arith.constant {term} : {narrow}
    %w = arith.muli %in, %a : {narrow}
    %y = arith.addi %w, %b : {narrow}"""
    return f"""#m = affine_map<(d0) -> (d0)>
func.func @f(%n: index, %x: tensor<?x{narrow}>) {{
  %nothing = arith.constant 0 : {narrow}
  %some = tensor.empty(%n) : tensor<?x{narrow}>
{each(2, kept, "%some", narrow, narrow)}
{each(4, scaled, "%t2", narrow, narrow)}
  %into = tensor.empty(%n) : tensor<?x{narrow}>
  %one = tensor.empty() : tensor<{narrow}>
  %held = linalg.fill ins(%nothing : {narrow}) outs(%one : tensor<{narrow}>) -> tensor<{narrow}>
  %t5:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%t4 : tensor<?x{narrow}>)
    outs(%into, %held : tensor<?x{narrow}>, tensor<{narrow}>) {{
  ^bb0(%a: {narrow}, %b: {narrow}):
    %s = arith.addi %b, %a : {narrow}
    tm_tensor.yield %s : {narrow}
  }} -> tensor<?x{narrow}>, tensor<{narrow}>
  return
}}"""


def _computed(width: int, size: int, keep: int, factor: int, term: int) -> dict[str, np.ndarray]:
    type: Any = WIDTHS[width]
    truths = np.arange(size) < keep
    kept = truths.astype(type)
    with np.errstate(all="ignore"):
        scaled = kept * type(factor) + type(term)
        sums = np.cumsum(scaled, dtype=type)
        product = sums * kept
    named: dict[str, np.ndarray] = {"%t2": kept, "%t4": scaled, "%t5": sums, "%t5#0": sums, "%t6": product}
    named |= {"%t9": np.sum(scaled, dtype=type, keepdims=True)}
    return named | {"%t7": product.astype(np.int64), "%t8": np.cumsum(truths, dtype=np.int64)}


PARAMETERS = (
    st.sampled_from([*WIDTHS]),
    st.integers(1, 200),
    st.integers(0, 90),
    st.integers(-9, 9),
    st.integers(-9, 9),
)


@examples(150)
@given(*PARAMETERS)
def test_sums_in_programs_lie_between_the_bounds(width: int, size: int, keep: int, factor: int, term: int) -> None:
    computed = _computed(width, size, keep, factor, term)
    for text in (_torch(width, keep, factor, term), _linalg(width, keep, factor, term)):
        for name, (low, high) in _bounds(text, size).items():
            if name in computed:
                assert low <= computed[name].min() <= computed[name].max() <= high, (name, low, high)


def test_positions_in_both_dialects_are_bounded() -> None:
    for width in (8, 32):
        found = _bounds(_torch(width, 5, 1, 0), 100)
        assert found["%t5"] == found["%t7"] == found["%t8"] == (0, 100)
        assert _bounds(_linalg(width, 5, 1, 0), 100)["%t5#0"] == (0, 100)
    assert "%t7" not in _bounds(_torch(8, 5, 1, 0), 200)
