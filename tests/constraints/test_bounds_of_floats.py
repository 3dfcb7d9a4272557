"""Differential test of bounds of float tensors computed from sizes against numpy.

A program has two sizes, ``n`` and ``m``: a tensor has n elements, some scaled by m/n, in two precisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.values import IntegerInterval, Tensor
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import evaluate, holds

KINDS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
CONSTANTS = (0.5, 0.25, -0.5, 2.0, 3.0, -1.0, 0.0, 0.375, 0.1, 1 / 3, 1000.0, 7.5, 1e-7, 60000.0)
COMPARED = {"ult": np.less, "ogt": np.greater, "oge": np.greater_equal, "ole": np.less_equal}

BY_SIZES = ("scaled", "narrowly", "halfway", "inverted", "between corners", "by a sum")
WIDE = {"scaled": "%scale", "between corners": "%corners", "by a sum": "%part"}
"""Scales that are computed in f64."""

Step = tuple[str, float]
Sizes = tuple[int, int]

HEAD = """#map = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %nf = arith.sitofp %n64 : i64 to f64
  %mf = arith.sitofp %m64 : i64 to f64
  %scale = arith.divf %mf, %nf : f64
  %one = arith.constant 1.0 : f64
  %m1 = arith.subf %mf, %one : f64
  %n1 = arith.subf %nf, %one : f64
  %corners = arith.divf %m1, %n1 : f64
  %m2 = arith.addf %mf, %mf : f64
  %sum = arith.addf %nf, %m2 : f64
  %part = arith.divf %mf, %sum : f64
  %nk = arith.sitofp %n64 : i64 to {kind}
  %mk = arith.sitofp %m64 : i64 to {kind}
  %narrow = arith.divf %mk, %nk : {kind}
  %e = tensor.empty(%n) : tensor<?x{kind}>
  %s = tensor.empty(%n) : tensor<?xi64>
  %start = arith.constant {start} : i64
  %t0 = linalg.generic {{indexing_maps = [#map], iterator_types = ["parallel"]}} outs(%s : tensor<?xi64>) {{
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %a = arith.addi %k, %start : i64
    linalg.yield %a : i64
  }} -> tensor<?xi64>"""


def _generic(number: int, source: str, target: str, body: Sequence[str]) -> str:
    into = "%s" if target == "i64" else "%e"
    lines = "\n".join(f"    {line}" for line in body)
    return f"""  %t{number} = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel"]}}
      ins(%t{number - 1} : tensor<?x{source}>) outs({into} : tensor<?x{target}>) {{
  ^bb0(%v: {source}, %o: {target}):
{lines}
    linalg.yield %r : {target}
  }} -> tensor<?x{target}>"""


def _lines(step: Step, kind: str) -> list[str]:
    what, constant = step
    text = [f"%c = arith.constant {constant:.17e} : {kind}"]
    match what:
        case "neg":
            return [f"%r = arith.negf %v : {kind}"]
        case "reversed":
            return [*text, f"%r = arith.subf %c, %v : {kind}"]
        case _ if what in WIDE and kind == "f64":
            return [f"%r = arith.mulf %v, {WIDE[what]} : f64"]
        case _ if what in WIDE:
            return [f"%t = arith.truncf {WIDE[what]} : f64 to {kind}", f"%r = arith.mulf %v, %t : {kind}"]
        case "narrowly":
            return [f"%r = arith.mulf %v, %narrow : {kind}"]
        case "halfway":  # several roundings, one after the other
            half = [f"%c = arith.constant 0.5 : {kind}", f"%a = arith.addf %v, %c : {kind}"]
            return [*half, f"%b = arith.mulf %a, %narrow : {kind}", f"%r = arith.subf %b, %c : {kind}"]
        case "inverted":
            return [f"%d = arith.divf %v, %mk : {kind}", f"%r = arith.mulf %d, %nk : {kind}"]
        case _ if what in COMPARED:
            return [*text, f"%p = arith.cmpf {what}, %v, %c : {kind}", f"%r = arith.select %p, %c, %v : {kind}"]
        case _:
            return [*text, f"%r = arith.{what} %v, %c : {kind}"]


def _computed(step: Step, values: np.ndarray, kind: str, sizes: Sizes) -> np.ndarray:
    what, number = step
    if what in BY_SIZES:
        return _scaled(what, values, kind, sizes)
    constant = KINDS[kind](number)
    match what:
        case "neg":
            return -values
        case "reversed":
            return constant - values
        case "addf":
            return values + constant
        case "subf":
            return values - constant
        case "mulf":
            return values * constant
        case "divf":
            return values / constant
        case "maximumf":
            return np.maximum(values, constant)
        case "minimumf":
            return np.minimum(values, constant)
        case _:
            return np.where(COMPARED[what](values, constant), constant, values)


def _scaled(what: str, values: np.ndarray, kind: str, sizes: Sizes) -> np.ndarray:
    of_kind = KINDS[kind]
    n, m, half = of_kind(sizes[0]), of_kind(sizes[1]), of_kind(0.5)
    wide_n, wide_m = np.float64(sizes[0]), np.float64(sizes[1])
    match what:
        case "scaled":
            return values * of_kind(wide_m / wide_n)
        case "between corners":
            return values * of_kind((wide_m - 1) / (wide_n - 1))
        case "by a sum":
            return values * of_kind(wide_m / (wide_n + wide_m + wide_m))
        case "narrowly":
            return values * (m / n)
        case "halfway":
            return (values + half) * (m / n) - half
        case _:
            return values / m * n


def _program(kind: str, start: int, steps: Sequence[Step]) -> str:
    lines = [HEAD.format(kind=kind, start=start), _generic(1, "i64", kind, [f"%r = arith.sitofp %v : i64 to {kind}"])]
    lines += [_generic(number, kind, kind, _lines(step, kind)) for number, step in enumerate(steps, 2)]
    last = [f"%r = arith.fptosi %v : {kind} to i64"]
    return "\n".join([*lines, _generic(len(steps) + 2, kind, "i64", last), "  return\n}"])


def _at(variables: Iterable[Variable], sizes: Sizes) -> dict[Variable, int]:
    return {each: sizes[each.name == "y[0]"] for each in variables}


def _bounds(text: str, sizes: Sizes) -> dict[str, IntegerInterval]:
    """Return the bounds of the elements of each computed tensor whose conditions hold at the sizes."""
    trace = trace_of(text)
    found = {value.name: known for value, known in trace.values.items() if isinstance(known, Tensor)}
    return {
        name: known.between
        for name, known in found.items()
        if known.between is not None and holds(known.between.where, _at(known.between.where.variables, sizes))
    }


def _ends(between: IntegerInterval, sizes: Sizes) -> tuple[Fraction, Fraction]:
    low, high = (evaluate(end, _at(end.variables, sizes)) for end in (between.low, between.high))
    return Fraction(low, between.denominator), Fraction(high, between.denominator)


OPERATIONS = ("addf", "subf", "mulf", "divf", "neg", "reversed", "maximumf", "minimumf", *COMPARED)
STEPS = st.one_of(
    st.tuples(st.sampled_from(OPERATIONS), st.sampled_from(CONSTANTS)).filter(lambda each: each != ("divf", 0.0)),
    st.tuples(st.sampled_from(BY_SIZES), st.just(1.0)),
)
SIZE = st.one_of(st.integers(1, 9), st.sampled_from([97, 1023, 2047, 2048, 2049, 4096, 5000]))


@examples(150)
@given(
    st.sampled_from([*KINDS]),
    st.sampled_from([0, 0, -3, 2, 2040]),
    st.lists(STEPS, min_size=1, max_size=4),
    st.tuples(SIZE, SIZE),
)
def test_all_elements_lie_between_the_bounds(kind: str, start: int, steps: list[Step], sizes: Sizes) -> None:
    known = _bounds(_program(kind, start, steps), sizes)
    with np.errstate(all="ignore"):
        values = np.arange(start, start + sizes[0]).astype(KINDS[kind])
        tensors = {"%t1": values}
        for number, step in enumerate(steps, 2):
            values = tensors[f"%t{number}"] = _computed(step, values, kind, sizes)
    for name, elements in tensors.items():
        if name in known:
            low, high = _ends(known[name], sizes)
            on_grid = [Fraction(float(each)) * known[name].denominator for each in elements]
            assert all(each.denominator == 1 for each in on_grid), (name, known[name])
            assert low <= Fraction(float(elements.min())) and Fraction(float(elements.max())) <= high, name
    integers = f"%t{len(steps) + 2}"
    if integers in known and np.isfinite(values).all():
        low, high = _ends(known[integers], sizes)
        truncated = [int(each) for each in values]
        assert low <= min(truncated) and max(truncated) <= high


HALF_PIXELS: list[Step] = [("addf", 0.5), ("mulf", 0.5), ("subf", 0.5), ("ult", 0.0)]


def test_places_between_pixels_are_bounded_as_long_as_they_are_exact() -> None:
    """An image made twice as large looks up the pixels on both sides of each place."""
    text = _program("f32", 0, HALF_PIXELS)
    assert _ends(_bounds(text, (10, 1))["%t6"], (10, 1)) == (0, 4)
    assert _ends(_bounds(text, (10, 1))["%t5"], (10, 1)) == (0, Fraction(17, 4))
    assert "%t6" in _bounds(text, (2**22, 1))
    assert "%t6" not in _bounds(text, (2**23 + 1, 1))
    assert "%t6" not in _bounds(_program("f16", 0, HALF_PIXELS), (5000, 1))
    assert "%t6" in _bounds(_program("f64", 0, HALF_PIXELS), (2**40, 1))


SCALED: list[Step] = [("addf", 0.5), ("scaled", 1.0), ("subf", 0.5), ("ult", 0.0)]


def test_places_in_an_image_of_any_other_size_are_in_it() -> None:
    """The scale is a quotient of sizes, which no float holds exactly."""
    text = _program("f32", 0, SCALED)
    for sizes in ((10, 3), (3, 10), (1, 1), (1000, 7), (7, 1000), (2**18, 2**18)):
        assert _ends(_bounds(text, sizes)["%t6"], sizes) == (0, sizes[1] - 1)
    assert "%t6" not in _bounds(text, (2**24, 2**19))
    assert "%t6" not in _bounds(_program("f16", 0, SCALED), (3, 5000))


def test_places_between_the_corners_of_images_are_in_them() -> None:
    text = _program("f32", 0, [("between corners", 1.0)])
    for sizes in ((10, 3), (3, 10), (2, 1), (1000, 7), (7, 1000)):
        assert _ends(_bounds(text, sizes)["%t3"], sizes) == (0, sizes[1] - 1)
    assert "%t3" not in _bounds(text, (1, 5))


def test_the_nearest_places_below_are_in_the_image() -> None:
    text = _program("f32", 0, [("scaled", 1.0)])
    for sizes in ((10, 3), (3, 10), (1, 1), (1000, 7), (2**20, 7)):
        assert _ends(_bounds(text, sizes)["%t3"], sizes) == (0, sizes[1] - 1)
    assert "%t3" not in _bounds(text, (2**23, 7))


def test_rounded_bounds_are_rounded_outwards() -> None:
    text = _program("f32", 0, [("mulf", 0.1)])
    low, high = _ends(_bounds(text, (10, 1))["%t2"], (10, 1))
    assert low == 0 and Fraction(9, 10) < high <= Fraction(9, 10) + Fraction(1, 32)
    assert "%t2" not in _bounds(text, (2**24, 1))
