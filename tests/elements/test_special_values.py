"""Differences at NaN, infinities, zeros and a negative fraction, and programs that are right there."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options
from shapesolve.solver.verdicts import VerdictKind

pytestmark = [pytest.mark.process, pytest.mark.slow]


def scalar(*lines: str) -> str:
    body = "\n  ".join(lines)
    return f"func.func @f(%x: f32, %y: f32) -> f32 {{\n  {body}\n  return %r : f32\n}}"


def applied(result: str, function: str, *operands: str) -> str:
    return f"%{result} = {function} {', '.join(f'%{each}' for each in operands)} : f32"


def clamped(mode: str) -> str:
    bounds = f"{{min_val = 0xFF800000 : f32, max_val = 0x7F800000 : f32, nan_mode = {mode}}}"
    return (
        "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
        f"  %r = tosa.clamp %a {bounds} : (tensor<?xf32>) -> tensor<?xf32>\n  return %r : tensor<?xf32>\n}}"
    )


def maximum_of_rows(*lines: str) -> str:
    body = "\n  ".join(lines).replace("T", "tensor<3xf32>")
    t = "tensor<3xf32>"
    return f"func.func @f(%x: {t}, %y: {t}) -> {t} {{\n  {body}\n  return %r : {t}\n}}"


CHOSEN = [
    "%c = arith.cmpf oge, %x, %y : T",
    "%s = arith.select %c, %x, %y : tensor<3xi1>, T",
    "%n = arith.cmpf uno, %x, %y : T",
    "%q = arith.addf %x, %y : T",
    "%r = arith.select %n, %q, %s : tensor<3xi1>, T",
]
ONE, ZERO, HALF = (f"%{name} = arith.constant {value} : f32" for name, value in (("o", 1.0), ("z", 0.0), ("h", 0.5)))
UNCLAMPED = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}"
LOGARITHM = [applied("l", "math.log", "x"), applied("m", "arith.mulf", "y", "l"), applied("r", "math.exp", "m")]
ASINH = [
    ONE,
    applied("s", "arith.mulf", "x", "x"),
    applied("t", "arith.addf", "s", "o"),
    applied("u", "math.sqrt", "t"),
    applied("v", "arith.addf", "x", "u"),
    applied("r", "math.log", "v"),
]
TANGENT = [applied("s", "math.sin", "x"), applied("c", "math.cos", "x"), applied("r", "arith.divf", "s", "c")]
RECIPROCAL = [ONE, applied("s", "math.sqrt", "x"), applied("r", "arith.divf", "o", "s")]
WRONG = {
    "a ceiling that loses its sign": (
        scalar(applied("r", "math.ceil", "x")),
        scalar(ZERO, applied("c", "math.ceil", "x"), applied("r", "arith.addf", "c", "z")),
        "result 0 is -0.0 in the source and 0 in the target",
    ),
    "a power by a logarithm": (
        scalar(applied("r", "math.powf", "x", "y")),
        scalar(*LOGARITHM),
        "and NaN in the target",
    ),
    "a logarithm of what cancels": (
        scalar(applied("r", "math.asinh", "x")),
        scalar(*ASINH),
        "is -inf in the source and NaN in the target, with -infinity among the arguments",
    ),
    "a number where there is none, for an argument that is usual": (
        scalar(applied("r", "math.asin", "x")).replace(", %y: f32", ""),
        scalar(applied("r", "arith.mulf", "x", "x")).replace(", %y: f32", ""),
        "result 0 is NaN in the source and 4 in the target, with 2 among the arguments",
    ),
    "a root for a power": (
        scalar(HALF, applied("r", "math.powf", "x", "h")),
        scalar(applied("r", "math.sqrt", "x")),
        "is inf in the source and NaN in the target, with -infinity among the arguments",
    ),
    "a clamp that ignores NaN": (clamped("IGNORE"), UNCLAMPED, "is -inf in the source and NaN in the target"),
    "the greater zero of StableHLO": (
        maximum_of_rows("%r = stablehlo.maximum %x, %y : T"),
        maximum_of_rows(*CHOSEN),
        "is 0 in the source and -0.0 in the target",
    ),
    "a maximum that ignores NaN": (
        maximum_of_rows("%r = tosa.maximum %x, %y : (T, T) -> T"),
        maximum_of_rows("%r = arith.maxnumf %x, %y : T"),
        "is NaN in the source and",
    ),
    "another function": (scalar(applied("r", "math.sin", "x")), scalar(applied("r", "math.cos", "x")), "result 0 is"),
}
NOT_REFUTED = {
    "a tangent": (scalar(applied("r", "math.tan", "x")), scalar(*TANGENT)),
    "a root under one": (scalar(applied("r", "math.rsqrt", "x")), scalar(*RECIPROCAL)),
    "a clamp that keeps NaN": (clamped("PROPAGATE"), UNCLAMPED),
    "a rounded function": (
        scalar(applied("e", "math.sin", "x"), applied("r", "math.ceil", "e")),
        scalar(applied("e", "math.cos", "x"), applied("r", "math.ceil", "e")),
    ),
    "a compared function": (
        scalar(
            applied("e", "math.exp", "x"),
            "%p = arith.cmpf ogt, %e, %y : f32",
            "%r = arith.select %p, %x, %y : f32",
        ),
        scalar("%r = arith.addf %x, %y : f32"),
    ),
    "the greater zero of TOSA": (
        maximum_of_rows("%r = tosa.maximum %x, %y : (T, T) -> T"),
        maximum_of_rows(*CHOSEN),
    ),
    "a function that may be flushed": (
        scalar("%r = math.asinh %x fastmath<ninf> : f32"),
        scalar(*ASINH),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_difference_at_special_values_is_shown(name: str) -> None:
    source, target, words = WRONG[name]
    found = refined(source, target, Options())
    assert found.word is VerdictKind.REFUTED
    shown = found.refuted[0].executed
    assert shown is not None
    assert words in shown.words


@pytest.mark.parametrize("name", NOT_REFUTED)
def test_what_the_source_does_not_determine_shows_no_difference(name: str) -> None:
    """Only the last function of the source may be one that is approximated."""
    source, target = NOT_REFUTED[name]
    found = refined(source, target, Options())
    assert (found.word, found.not_compared) == (VerdictKind.PROVED, ("contents",))
