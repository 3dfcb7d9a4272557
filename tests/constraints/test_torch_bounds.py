"""Differential test of bounds of tensor elements against numpy, and against PyTorch where installed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.values import IntegerInterval, Tensor
from shapesolve.symbolic.evaluation import evaluate, holds

INTEGERS, FLOATS = "!torch.vtensor<[?],si64>", {"f32": "!torch.vtensor<[?],f32>", "f64": "!torch.vtensor<[?],f64>"}
CODES = {"si64": 4, "f32": 6, "f64": 7}
TYPES = {"si64": np.int64, "f32": np.float32, "f64": np.float64}

Step = tuple[str, float]


COMPUTED: dict[str, Callable[[np.ndarray, np.generic], np.ndarray]] = {
    "add.Scalar": lambda x, c: x + c,
    "sub.Scalar": lambda x, c: x - c,
    "rsub.Scalar": lambda x, c: c - x,
    "mul.Scalar": lambda x, c: x * c,
    "clamp_min": np.maximum,
    "clamp_max": np.minimum,
    "neg": lambda x, _: -x,
    "abs": lambda x, _: np.abs(x),
}
OF_INTEGERS: dict[str, Callable[[np.ndarray, np.generic], np.ndarray]] = {
    **COMPUTED,
    "floor_divide.Scalar": lambda x, c: x // c,
    "div.Scalar_mode floor": lambda x, c: x // c,
    "div.Scalar_mode trunc": lambda x, c: np.trunc(x / c).astype(np.int64),
    "remainder.Scalar": np.mod,
    "fmod.Scalar": np.fmod,
}
OF_FLOATS: dict[str, Callable[[np.ndarray, np.generic], np.ndarray]] = {
    **COMPUTED,
    "div.Scalar": lambda x, c: x / c,
    "floor": lambda x, _: np.floor(x),
    "ceil": lambda x, _: np.ceil(x),
    "trunc": lambda x, _: np.trunc(x),
    "round": lambda x, _: np.round(x),
}
ALONE = ("neg", "abs", "floor", "ceil", "trunc", "round")
WITH_A_FACTOR = ("add.Scalar", "sub.Scalar", "rsub.Scalar")


def _operation(number: int, step: Step, kind: str) -> str:
    (name, *how), constant = step[0].split(), step[1]
    tensor = FLOATS.get(kind, INTEGERS)
    scalar, spelled = ("int", int(constant)) if kind == "si64" else ("float", repr(float(constant)))
    lines, operands, types = [], [f"%t{number - 1}"], [tensor]
    if name not in ALONE:
        lines.append(f"  %c{number} = torch.constant.{scalar} {spelled}")
        operands.append(f"%c{number}")
        types.append(f"!torch.{scalar}")
    if name in WITH_A_FACTOR:
        operands.append("%one")
        types.append("!torch.int")
    for word in how:
        lines.append(f'  %how{number} = torch.constant.str "{word}"')
        operands.append(f"%how{number}")
        types.append("!torch.str")
    lines.append(f"  %t{number} = torch.aten.{name} {', '.join(operands)} : {', '.join(types)} -> {tensor}")
    return "\n".join(lines)


def _cast(number: int, source: str, target: str) -> str:
    types = f"{FLOATS.get(source, INTEGERS)}, !torch.int -> {FLOATS.get(target, INTEGERS)}"
    return f"  %t{number} = torch.prims.convert_element_type %t{number - 1}, %to_{target} : {types}"


def _program(start: int, integers: list[Step], kind: str, floats: list[Step]) -> str:
    none = "%none, %none, %none, %none"
    types = "!torch.int, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none"
    lines = [
        "func.func @f(%n: !torch.int) {",
        f"  %start = torch.constant.int {start}",
        "  %one = torch.constant.int 1",
        "  %none = torch.constant.none",
        *(f"  %to_{name} = torch.constant.int {code}" for name, code in CODES.items()),
        "  %end = torch.aten.add.int %n, %start : !torch.int, !torch.int -> !torch.int",
        f"  %t0 = torch.aten.arange.start %start, %end, {none} : {types} -> {INTEGERS}",
        *(_operation(number, step, "si64") for number, step in enumerate(integers, 1)),
    ]
    at = len(integers) + 1
    lines.append(_cast(at, "si64", kind))
    lines += [_operation(number, step, kind) for number, step in enumerate(floats, at + 1)]
    lines += [_cast(at + len(floats) + 1, kind, "si64"), "  return", "}"]
    return "\n".join(lines)


def _computed(start: int, size: int, integers: list[Step], kind: str, floats: list[Step]) -> list[np.ndarray]:
    values: list[np.ndarray] = [np.arange(start, start + size)]
    with np.errstate(all="ignore"):
        for name, constant in integers:
            values.append(OF_INTEGERS[name](values[-1], np.int64(constant)))
        values.append(values[-1].astype(TYPES[kind]))
        for name, constant in floats:
            values.append(OF_FLOATS[name](values[-1], TYPES[kind](constant)))
        fits = np.isfinite(values[-1]).all() and abs(values[-1]).max() < 2**62
        values += [np.trunc(values[-1]).astype(np.int64)] if fits else []
    return values


def _bounds(text: str, size: int) -> dict[str, IntegerInterval]:
    trace = trace_of(text)
    found = {value.name: known.between for value, known in trace.values.items() if isinstance(known, Tensor)}
    return {
        name: between
        for name, between in found.items()
        if between is not None and holds(between.where, dict.fromkeys(between.where.variables, size))
    }


def _ends(between: IntegerInterval, size: int) -> tuple[Fraction, Fraction]:
    low, high = (evaluate(end, dict.fromkeys(end.variables, size)) for end in (between.low, between.high))
    return Fraction(low, between.denominator), Fraction(high, between.denominator)


INTEGER_STEPS = st.tuples(st.sampled_from([*OF_INTEGERS]), st.sampled_from([1, 2, 3, 7, -1, -4, 100]))
FLOAT_STEPS = st.tuples(st.sampled_from([*OF_FLOATS]), st.sampled_from([0.5, 0.25, 2.0, 4.0, -0.5, 3.0, 0.1, 1000.0]))
SIZES = st.one_of(st.integers(1, 9), st.sampled_from([100, 2**12 + 1]))


@pytest.mark.exhaustive
@examples(200)
@given(
    st.sampled_from([0, 0, -5, 3, 2**24 - 2]),
    SIZES,
    st.lists(INTEGER_STEPS, max_size=3),
    st.sampled_from([*FLOATS]),
    st.lists(FLOAT_STEPS, max_size=4),
)
def test_all_elements_lie_between_the_bounds(
    start: int, size: int, integers: list[Step], kind: str, floats: list[Step]
) -> None:
    known = _bounds(_program(start, integers, kind, floats), size)
    for number, elements in enumerate(_computed(start, size, integers, kind, floats)):
        between = known.get(f"%t{number}")
        if between is None:
            continue
        low, high = _ends(between, size)
        exact = [Fraction(float(each)) if elements.dtype.kind == "f" else Fraction(int(each)) for each in elements]
        assert all((each * between.denominator).denominator == 1 for each in exact)
        assert low <= min(exact) and max(exact) <= high, (number, low, min(exact), max(exact), high)
        if between.step:
            apart = Fraction(between.step, between.denominator)
            assert {low + apart * index for index in range(int((high - low) / apart) + 1)} == set(exact)


@pytest.mark.frontends
def test_numpy_computes_what_pytorch_does() -> None:
    torch = pytest.importorskip("torch")
    if find_spec("torch_mlir") is None:
        pytest.skip("only where models are read")
    words = {"floor": {"rounding_mode": "floor"}, "trunc": {"rounding_mode": "trunc"}}
    for table, start in ((OF_INTEGERS, np.arange(-9, 12)), (OF_FLOATS, np.arange(-9, 12).astype(np.float32) / 4)):
        for name, compute in table.items():
            (packet, *overload), *how = name.split()[0].split("."), *name.split()[1:]
            function = getattr(getattr(torch.ops.aten, packet), (overload or ["default"])[0], None)
            function = function or getattr(torch.ops.aten, packet)
            for number in (2, 3, -4):
                given_ = () if name in ALONE else (number,)
                found = function(torch.from_numpy(start.copy()), *given_, **(words[how[0]] if how else {}))
                assert np.array_equal(found.numpy(), compute(start, start.dtype.type(number))), (name, number)


def test_an_image_made_twice_as_large_looks_up_places_that_are_there() -> None:
    steps = [("add.Scalar", 0.5), ("mul.Scalar", 0.5), ("sub.Scalar", 0.5), ("clamp_min", 0.0)]
    text = _program(0, [], "f32", steps)
    assert _ends(_bounds(text, 10)["%t6"], 10) == (0, 4)
    assert "%t6" not in _bounds(text, 2**23 + 1)


def test_an_operator_with_more_operands_is_another_one() -> None:
    text = _program(0, [], "f32", [("round", 0.0)])
    call = f"%t1, %one : {FLOATS['f32']}, !torch.int ->"
    decimals = text.replace(f"torch.aten.round %t1 : {FLOATS['f32']} ->", f"torch.aten.round.decimals {call}")
    assert decimals != text
    assert "%t2" in _bounds(text, 5) and "%t2" not in _bounds(decimals, 5)


@pytest.mark.parametrize(("kind", "bits"), [("f32", 24), ("f64", 53)])
def test_numbers_that_are_made_as_floats_are_bounded_where_these_hold_them(kind: str, bits: int) -> None:
    none = "%none, %none, %none"
    types = "!torch.int, !torch.int, !torch.none, !torch.none, !torch.none"
    text = f"""func.func @f(%n: !torch.int) {{
  %dtype = torch.constant.int {CODES[kind]}
  %none = torch.constant.none
  %t0 = torch.aten.arange %n, %dtype, {none} : {types} -> {FLOATS[kind]}
  return
}}"""
    assert _ends(_bounds(text, 5)["%t0"], 5) == (0, 4)
    assert "%t0" in _bounds(text, 2**bits + 1) and "%t0" not in _bounds(text, 2**bits + 2)


def test_rounded_bounds_are_rounded_outwards() -> None:
    text = _program(0, [], "f32", [("mul.Scalar", 0.1)])
    low, high = _ends(_bounds(text, 10)["%t2"], 10)
    assert low == 0 and Fraction(9, 10) < high <= Fraction(9, 10) + Fraction(1, 32)
    assert "%t2" not in _bounds(text, 2**24)
    assert "%t2" not in _bounds(_program(0, [], "f32", [("div.Scalar", 3.0)]), 10)


def test_wrapping_sums_are_bounded_only_where_they_do_not_wrap() -> None:
    text = _program(0, [("mul.Scalar", 2**62)], "f32", [])
    assert _ends(_bounds(text, 2)["%t1"], 2) == (0, 2**62)
    assert "%t1" not in _bounds(text, 3)


def _of_two(*lines: str) -> str:
    """A program that makes 0 to n - 1, and goes on with that."""
    none = "%none, %none, %none, %none"
    whole = "!torch.int, !torch.none, !torch.none, !torch.none, !torch.none"
    made = "\n  ".join(lines)
    return f"""func.func @f(%n: !torch.int) {{
  %one = torch.constant.int 1
  %most = torch.constant.int {2**24 + 3}
  %none = torch.constant.none
  %to_f32 = torch.constant.int {CODES["f32"]}
  %last = torch.aten.sub.int %n, %one : !torch.int, !torch.int -> !torch.int
  %t = torch.aten.arange %n, {none} : {whole} -> {INTEGERS}
  {made}
  return
}}"""


def test_elements_of_two_tensors_do_not_all_meet() -> None:
    """The elements of 0 .. n-1 and n-1 .. 0 add up to n - 1 each, never to 2*n - 2."""
    text = _of_two(
        f"%u = torch.aten.rsub.Scalar %t, %last, %one : {INTEGERS}, !torch.int, !torch.int -> {INTEGERS}",
        f"%x = torch.aten.add.Tensor %t, %u, %one : {INTEGERS}, {INTEGERS}, !torch.int -> {INTEGERS}",
    )
    bounds = _bounds(text, 5)
    assert bounds["%u"].step == 1
    assert _ends(bounds["%x"], 5) == (0, 8)
    assert bounds["%x"].step == 0


def test_converted_elements_may_be_rounded() -> None:
    """As f32, 2**24 + 3 becomes 2**24 + 4."""
    floats = FLOATS["f32"]
    text = _of_two(
        f"%u = torch.prims.convert_element_type %t, %to_f32 : {INTEGERS}, !torch.int -> {floats}",
        f"%w = torch.aten.clamp_min %t, %most : {INTEGERS}, !torch.int -> {INTEGERS}",
        f"%x = torch.aten.maximum %w, %u : {INTEGERS}, {floats} -> {floats}",
    )
    bounds = _bounds(text, 5)
    assert _ends(bounds["%w"], 5) == (2**24 + 3, 2**24 + 3)
    assert "%u" in bounds and "%x" not in bounds
