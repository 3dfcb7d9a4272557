"""TOSA operations against their own lowerings to linalg by the installed MLIR, and against wrong programs."""

from __future__ import annotations

import pytest

import shapesolve
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind
from shapesolve.validation.outcome import Standing

pytestmark = pytest.mark.process

FLOATS, INTEGERS, TRUTHS = "tensor<?x3xf32>", "tensor<?x3xi32>", "tensor<?x3xi1>"
UNARY = ("abs", "ceil", "cos", "erf", "exp", "floor", "log", "rsqrt", "sin", "tanh")
BINARY = {
    **{(each, FLOATS): FLOATS for each in ("add", "sub", "maximum", "minimum", "pow")},
    **{(each, INTEGERS): INTEGERS for each in ("add", "sub", "maximum", "minimum")},
    **{(each, INTEGERS): INTEGERS for each in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    **{(each, TRUTHS): TRUTHS for each in ("logical_and", "logical_or", "logical_xor")},
    **{(each, type): TRUTHS for each in ("equal", "greater", "greater_equal") for type in (FLOATS, INTEGERS)},
}
LOWERING = "builtin.module(func.func(tosa-to-linalg))"


def program(name: str, operands: str, types: str, result: str) -> str:
    """Return a program of one operation on %a and %b, which have the first of the types."""
    type = types.partition(",")[0]
    return f"""func.func @f(%a: {type}, %b: {type}) -> {result} {{
  %0 = tosa.{name} {operands} : ({types}) -> {result}
  return %0 : {result}
}}
"""


def standing(text: str, pipeline: str = LOWERING) -> tuple[Standing, bool]:
    """Return how the lowering stands for sizes from 1 (at 0 it is wrong), and whether elements were compared."""
    found = shapesolve.validate(text, pipeline, options=Options(min_size=1, execute=False))
    (step,) = found.steps
    return step.standing, found.compares_elements and not step.not_compared


@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_element_is_that_of_its_lowering(name: str) -> None:
    assert standing(program(name, "%a", FLOATS, FLOATS)) == (Standing.PROVED, True)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "type"), BINARY)
def test_a_function_of_two_elements_is_that_of_its_lowering(name: str, type: str) -> None:
    text = program(name, "%a, %b", f"{type}, {type}", BINARY[name, type])
    assert standing(text) == (Standing.PROVED, True)


def of_one_operand(name: str, before: str, after: str) -> str:
    """Return a program of an operation from one type of elements to another."""
    operand, result = (f"tensor<?x3x{each}>" for each in (before, after))
    return f"""func.func @f(%a: {operand}) -> {result} {{
  %0 = tosa.{name} : ({operand}) -> {result}
  return %0 : {result}
}}
"""


CASTS = ["i8 i32", "i32 i8", "i1 i32", "i1 f32", "i32 f32", "i8 f16", "f32 f16", "bf16 f32"]
CLAMPS = {"f32": "-1.0 6.0", "f16": "0.0 6.0", "i8": "-3 7", "i64": "0 100"}


def clamp(type: str, low: str, high: str) -> str:
    return of_one_operand(f"clamp %a {{min_val = {low} : {type}, max_val = {high} : {type}}}", type, type)


@pytest.mark.parametrize("types", CASTS)
def test_a_cast_is_its_lowering(types: str) -> None:
    assert standing(of_one_operand("cast %a", *types.split())) == (Standing.PROVED, True)


@pytest.mark.parametrize("type", CLAMPS)
def test_a_clamp_is_its_lowering(type: str) -> None:
    assert standing(clamp(type, *CLAMPS[type].split())) == (Standing.PROVED, True)


@pytest.mark.parametrize("name", ["logical_not i1", "bitwise_not i8", "bitwise_not i32"])
def test_a_negation_of_bits_is_its_lowering(name: str) -> None:
    name, type = name.split()
    assert standing(of_one_operand(f"{name} %a", type, type)) == (Standing.PROVED, True)


def compared(source: str, target: str, *, execute: bool = True) -> tuple[VerdictKind, bool]:
    """Return the verdict on a pair, and whether elements were compared and are equal."""
    programs = (read_text(source, "source.mlir"), read_text(target, "target.mlir"))
    (found,) = refine_programs(*programs, Options(execute=execute))
    return found.word, found.compares_elements


PAIR = f"{FLOATS}, {FLOATS}"


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (("sub", "%a, %b", PAIR, FLOATS), ("sub", "%b, %a", PAIR, FLOATS)),
        (("maximum", "%a, %b", PAIR, FLOATS), ("minimum", "%a, %b", PAIR, FLOATS)),
        (("add", "%a, %b", PAIR, FLOATS), ("add", "%a, %a", PAIR, FLOATS)),
    ],
)
def test_other_functions_and_operands_are_refuted(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    assert compared(program(*source), program(*target)) == (VerdictKind.REFUTED, False)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (("pow", "%a, %b", PAIR, FLOATS), ("pow", "%b, %a", PAIR, FLOATS)),
        (("greater", "%a, %b", PAIR, TRUTHS), ("greater", "%b, %a", PAIR, TRUTHS)),
        (("floor", "%a", FLOATS, FLOATS), ("ceil", "%a", FLOATS, FLOATS)),
        (("sigmoid", "%a", FLOATS, FLOATS), ("tanh", "%a", FLOATS, FLOATS)),
    ],
)
def test_functions_that_are_not_interpreted_are_never_called_equal(
    source: tuple[str, ...], target: tuple[str, ...]
) -> None:
    assert compared(program(*source), program(*target), execute=False) == (VerdictKind.PROVED, False)  # in sizes


TWO = "tensor<?x?xf32>, tensor<?x?xf32>"
MOVES = {
    "rows reversed": "tosa.reverse %a {axis = 0 : i32} : (tensor<?x?xf32>)",
    "columns reversed": "tosa.reverse %a {axis = 1 : i32} : (tensor<?x?xf32>)",
    "the same": "tosa.identity %a : (tensor<?x?xf32>)",
    "joined": f"tosa.concat %a, %b {{axis = 0 : i32}} : ({TWO})",
    "joined the other way": f"tosa.concat %b, %a {{axis = 0 : i32}} : ({TWO})",
}


def moved(name: str) -> str:
    """Return a program of one move."""
    return f"""func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = {MOVES[name]} -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
"""


@pytest.mark.parametrize(
    ("source", "target"),
    [("rows reversed", "columns reversed"), ("the same", "rows reversed"), ("joined", "joined the other way")],
)
def test_wrong_moves_are_refuted(source: str, target: str) -> None:
    assert compared(moved(source), moved(target))[0] is VerdictKind.REFUTED


def test_a_transposition_is_that_of_its_lowering() -> None:
    text = """func.func @f(%a: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %0 = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
"""
    assert standing(text, "builtin.module(func.func(tosa-to-linalg-named))") == (Standing.PROVED, True)


CUBES = "tensor<?x?x4xf32>"
SUMMED = f"""func.func @f(%a: {CUBES}) -> tensor<?x1x4xf32> {{
  %0 = tosa.reduce_sum %a {{axis = 1 : i32}} : ({CUBES}) -> tensor<?x1x4xf32>
  return %0 : tensor<?x1x4xf32>
}}
"""
PRODUCT = f"""func.func @f(%a: {CUBES}, %b: tensor<?x4x?xf32>) -> tensor<?x?x?xf32> {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : ({CUBES}, tensor<?x4x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}}
"""
PADDED = """func.func @f(%a: tensor<?x4xf32>, %q: tensor<1xf32>) -> tensor<?x7xf32> {
  %n = tosa.const_shape {values = dense<[1, 0, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = "tosa.const"() {values = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.pad %a, %n, %z : (tensor<?x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}
"""
NEGATED = """func.func @f(%a: tensor<?xf32>, %q: tensor<1xf32>) -> tensor<?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.negate %a, %z, %z : (tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
SLICED = """func.func @f(%a: tensor<?x8xf32>) -> tensor<2x4xf32> {
  %s = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %n = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %a, %s, %n : (tensor<?x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
"""
TILED = """func.func @f(%a: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %n = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %a, %n : (tensor<?x3xf32>, !tosa.shape<2>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}
"""
WHOLE = {
    "reduce_sum": (SUMMED, LOWERING),
    "matmul": (PRODUCT, "builtin.module(func.func(tosa-to-linalg-named))"),
    "negate": (NEGATED, LOWERING),
    "pad": (PADDED, "builtin.module(func.func(tosa-to-tensor))"),
    "slice": (SLICED, "builtin.module(func.func(tosa-to-tensor))"),
    "tile": (TILED, LOWERING),
}


@pytest.mark.parametrize("name", WHOLE)
def test_an_operation_on_tensors_is_its_lowering(name: str) -> None:
    assert standing(*WHOLE[name]) == (Standing.PROVED, True)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (SLICED, SLICED.replace("[1, 3]", "[1, 2]")),
        (SLICED, SLICED.replace("[1, 3]", "[0, 3]")),
        (SUMMED, SUMMED.replace("%0 = tosa.reduce_sum", "%0 = tosa.reduce_product")),
        (
            TILED,
            TILED.replace(
                "return %0", "%1 = tosa.reverse %0 {axis = 1 : i32} : (tensor<?x6xf32>) -> tensor<?x6xf32>\n  return %1"
            ),
        ),
        (
            PRODUCT.replace(") ->", ", %q: tensor<1xf32>) ->", 1),
            PRODUCT.replace(") ->", ", %q: tensor<1xf32>) ->", 1).replace("%z, %z", "%q, %z"),
        ),
        (PADDED, PADDED.replace("0.5", "-0.5")),
        (PADDED, PADDED.replace("1, 0, 2, 1", "0, 1, 2, 1")),
        (PADDED, PADDED.replace("1, 0, 2, 1", "1, 0, 1, 2")),
        (PADDED, PADDED.replace("%n, %z", "%n, %q")),
        (clamp("f32", "0.0", "1.0"), clamp("f32", "-0.0", "1.0")),
        (clamp("f32", "0.0", "1.0"), clamp("f32", "0.0", "2.0")),
        (clamp("i8", "0", "1"), clamp("i8", "1", "1")),
        (clamp("f32", "0.0", "1.0"), clamp("f32", "0.0", "1.0").replace("0 : f32}", "0 : f32, nan_mode = IGNORE}")),
        (NEGATED, NEGATED.replace("%z, %z", "%q, %z")),
        (NEGATED, NEGATED.replace("%z, %z", "%z, %q")),
        (PRODUCT.replace("?", "4"), PRODUCT.replace("?", "4").replace("tosa.matmul %a, %b", "tosa.matmul %b, %a")),
    ],
)
def test_other_places_and_functions_are_not_proved(source: str, target: str) -> None:
    assert compared(source, target, execute=False) == (VerdictKind.PROVED, False)
