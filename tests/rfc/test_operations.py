"""The RFC's 36 operations by name: what each demands, and its lowering by the installed MLIR."""

from __future__ import annotations

import pytest
from support.upstream_passes import TOSA_TO_LINALG, after_passes

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.refinement.refine import refine_programs

ONE_ELEMENT = '  %z = "tosa.const"() <{{values = dense<0{dot}> : tensor<1x{type}>}}> : () -> tensor<1x{type}>\n'

UNARY = {
    "abs": "f32",
    "bitwise_not": "i32",
    "cast": "f32",
    "ceil": "f32",
    "clamp": "f32",
    "clz": "i32",
    "erf": "f32",
    "exp": "f32",
    "floor": "f32",
    "log": "f32",
    "logical_not": "i1",
    "negate": "f32",
    "reciprocal": "f32",
    "rsqrt": "f32",
    "sigmoid": "f32",
    "tanh": "f32",
}

BINARY = {
    "add": "f32",
    "arithmetic_right_shift": "i32",
    "bitwise_and": "i32",
    "bitwise_or": "i32",
    "bitwise_xor": "i32",
    "div": "i32",
    "equal": "f32",
    "greater": "f32",
    "greater_equal": "f32",
    "logical_and": "i1",
    "logical_left_shift": "i32",
    "logical_or": "i1",
    "logical_right_shift": "i32",
    "logical_xor": "i1",
    "maximum": "f32",
    "minimum": "f32",
    "mul": "f32",
    "pow": "f32",
    "sub": "f32",
}

ON_DATA = {"div", "arithmetic_right_shift", "logical_left_shift", "logical_right_shift"}
"""Operations that demand something of their elements (a divisor, an amount), which are not followed: open verdicts."""


def unary(name: str, type: str, extents: str) -> str:
    given = f"tensor<{extents}x{type}>"
    result = f"tensor<{extents}xi32>" if name == "cast" else given
    head = f"func.func @f(%a: {given}) -> {result} {{\n"
    constant, more, types, attributes = "", "", "", ""
    if name == "negate":
        constant, more = ONE_ELEMENT.format(dot=".0", type=type), ", %z, %z"
        types = f", tensor<1x{type}>, tensor<1x{type}>"
    if name == "clamp":
        attributes = " <{min_val = 0.0 : f32, max_val = 6.0 : f32}>"
    op = f'  %r = "tosa.{name}"(%a{more}){attributes} : ({given}{types}) -> {result}\n'
    return head + constant + op + f"  return %r : {result}\n}}"


def binary(name: str, type: str, first: str, second: str) -> str:
    a, b = f"tensor<{first}x{type}>", f"tensor<{second}x{type}>"
    result = f"tensor<?x{'i1' if name in ('equal', 'greater', 'greater_equal') else type}>"
    today = {"div": "intdiv"}.get(name, name)
    head = f"func.func @f(%a: {a}, %b: {b}) -> {result} {{\n"
    constant, more, types, attributes = "", "", "", ""
    if name == "mul":
        constant, more, types = ONE_ELEMENT.format(dot="", type="i8"), ", %z", ", tensor<1xi8>"
    if name == "arithmetic_right_shift":
        attributes = " <{round = false}>"
    op = f'  %r = "tosa.{today}"(%a, %b{more}){attributes} : ({a}, {b}{types}) -> {result}\n'
    return head + constant + op + f"  return %r : {result}\n}}"


SELECT = """
func.func @f(%c: tensor<2x?xi1>, %a: tensor<2x?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %r = "tosa.select"(%c, %a, %b) : (tensor<2x?xi1>, tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}"""


def lowered(text: str, min_size: int = 0) -> tuple[str, int | None]:
    options = Options(min_size=min_size, execute=False)
    (found,) = refine_programs(read_text(text), read_text(after_passes(text, TOSA_TO_LINALG)), options)
    return found.word, found.from_size


def test_the_rfc_names_36_operations() -> None:
    assert (len(UNARY), len(BINARY)) == (16, 19)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "type"), UNARY.items())
def test_unary_operations_of_the_rfc_are_lowered_and_proved(name: str, type: str) -> None:
    text = unary(name, type, "?")
    report = check_program(read_text(text), Options(execute=False))
    assert report.exit_code == 0
    assert lowered(text) == ("proved", None)


@pytest.mark.parametrize(("name", "type"), UNARY.items())
def test_unary_operations_keep_their_shape(name: str, type: str) -> None:
    """Rejected where both extents are static, a demand where one is not."""
    text = unary(name, type, "2")
    result = "tensor<2xi32>" if name == "cast" else f"tensor<2x{type}>"
    with pytest.raises(InputError):
        read_text(
            text.replace(f"-> {result}", f"-> {result.replace('2x', '3x')}").replace(
                f"return %r : {result}", f"return %r : {result.replace('2x', '3x')}"
            )
        )
    dynamic = unary(name, type, "?")
    result = "tensor<?xi32>" if name == "cast" else f"tensor<?x{type}>"
    narrowed = dynamic.replace(f"-> {result}", f"-> {result.replace('?', '5')}").replace(
        f"return %r : {result}", f"return %r : {result.replace('?', '5')}"
    )
    assert check_program(read_text(narrowed), Options(execute=False)).exit_code == 1
    assert check_program(read_text(narrowed), Options(assumptions=("a[0] == 5",), execute=False)).exit_code == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "type"), BINARY.items())
def test_binary_operations_of_the_rfc_need_compatible_sizes(name: str, type: str) -> None:
    text = binary(name, type, "?", "?")
    report = check_program(read_text(text), Options(execute=False))
    (function,) = report.functions
    sizes = [each for each in function.checked_obligations if each.obligation.op.name != "tosa.const"]
    assert sizes[0].verdict.word == "refuted"
    word, from_size = lowered(text)
    assert (word, from_size) == ("refuted", 1) if name not in ON_DATA else word in ("refuted", "undecided")
    assert lowered(text, min_size=1)[0] == ("proved" if name not in ON_DATA else "undecided")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "type"), BINARY.items())
def test_binary_operations_want_extents_that_broadcast(name: str, type: str) -> None:
    with pytest.raises(InputError, match=r"broadcast|shape"):
        read_text(binary(name, type, "2", "3"))
    word, from_size = lowered(binary(name, type, "1", "?"))
    assert (word, from_size) == ("proved", None) if name not in ON_DATA else word == "undecided"


@pytest.mark.slow
def test_select_of_the_rfc_is_refuted_at_incompatible_sizes() -> None:
    assert check_program(read_text(SELECT), Options(execute=False)).exit_code == 1
    assert lowered(SELECT) == ("refuted", 1)


@pytest.mark.parametrize(
    ("spelled", "op"),
    [
        ('"tosa.div"(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>', "tosa.div"),
        ('"tosa.mul"(%a, %b) <{shift = 0 : i32}> : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>', "tosa.mul"),
    ],
)
def test_spellings_of_the_rfc_that_are_gone_are_read_with_a_note(spelled: str, op: str) -> None:
    text = f"func.func @f(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {{\n  %r = {spelled}\n"
    program = read_text(text + "  return %r : tensor<?xi32>\n}")
    assert any(op in note for note in program.notes)
    assert check_program(program, Options(execute=False)).exit_code == 1
