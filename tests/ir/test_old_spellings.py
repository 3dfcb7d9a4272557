"""Test that old spellings, which MLIR refuses, have the semantics of today's spellings, at the file's locations."""

from __future__ import annotations

import pytest

from shapesolve import check
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text

NEGATE = """func.func @f(%a: tensor<?xELEMENT>, %b: tensor<?xELEMENT>) -> tensor<?xELEMENT> {
  %0 = "tosa.negate"(%a) : (tensor<?xELEMENT>) -> tensor<?xELEMENT>
  %1 = tosa.add %0, %b : (tensor<?xELEMENT>, tensor<?xELEMENT>) -> tensor<?xELEMENT>
  return %1 : tensor<?xELEMENT>
}"""

TWO_RANKS = """func.func @f(%a: {first}, %b: {second}) -> {result} {{
  %0 = {operation} : ({first}, {second}) -> {result}
  return %0 : {result}
}}"""

TFL = 'tfl.add(%a, %b) {fused_activation_function = "NONE"}'


def verdicts(text: str) -> list[tuple[str, str, str, int]]:
    """Return operation, clause, verdict and line of every obligation."""
    return [
        (each.obligation.op.name, each.obligation.clause, each.verdict.word, each.obligation.location.line)
        for function in check(text, execute=False).functions
        for each in function.checked_obligations
    ]


def note(text: str) -> str:
    (notice,) = [each for each in read_text(text, "my.mlir").notes if "old spelling" in each]
    return notice


@pytest.mark.parametrize("element", ["f32", "i8", "bf16"])
def test_negate_of_one_operand(element: str) -> None:
    text = NEGATE.replace("ELEMENT", element)
    assert note(text).startswith("my.mlir:2: tosa.negate of one operand is an old spelling")
    assert ("tosa.add", "C1", "refuted", 3) in verdicts(text)
    (function,) = read_text(text).functions.values()
    assert function.body is not None
    (negate,) = [each for each in function.body.blocks[0].operations if each.name == "tosa.negate"]
    assert (negate.location.line, negate.location.column, negate.results[0].name) == (2, 8, "%0")


@pytest.mark.parametrize(
    ("first", "second", "result", "safe"),
    [
        ("tensor<3x4xf32>", "tensor<5x1x1xf32>", "tensor<5x3x4xf32>", True),
        ("tensor<?x4xf32>", "tensor<?x?x4xf32>", "tensor<?x?x4xf32>", False),
        ("tensor<2x?x?xf32>", "tensor<f32>", "tensor<2x?x?xf32>", True),
        ("tensor<f32>", "tensor<?xf32>", "tensor<?xf32>", True),
    ],
)
def test_tfl_add_of_two_ranks(first: str, second: str, result: str, safe: bool) -> None:
    text = TWO_RANKS.format(operation=TFL, first=first, second=second, result=result)
    assert "of operands of two ranks" in note(text)
    (word,) = {word for op, _, word, _ in verdicts(text) if op.startswith("tosa.")}
    assert word == ("proved" if safe else "refuted")
    assert {line for _, _, _, line in verdicts(text)} == {2}


def test_tosa_has_no_operands_of_two_ranks() -> None:
    """Only TOSA's verifier rejects such operands, and `verify` and `check` agree on the program."""
    types = {"first": "tensor<2x3xf32>", "second": "tensor<3xf32>", "result": "tensor<2x3xf32>"}
    with pytest.raises(InputError) as refused:
        read_text(TWO_RANKS.format(operation="tosa.add %a, %b", **types), "my.mlir")
    assert "put extents of 1 in front of the lower rank" in refused.value.excerpt


def test_tfl_add_of_one_rank() -> None:
    text = TWO_RANKS.format(operation=TFL, first="tensor<?xf32>", second="tensor<?xf32>", result="tensor<?xf32>")
    assert note(text) == "my.mlir:2: tfl.add is an old spelling, read as tosa.add"
    assert verdicts(text) == [("tosa.add", "C1", "refuted", 2)]


@pytest.mark.parametrize("spelled", ["<{new_shape = array<i64: -1, 2>}>", "{new_shape = [-1, 2]}"])
def test_reshape_with_an_attribute(spelled: str) -> None:
    text = f"""func.func @f(%a: tensor<?xf32>) -> tensor<?x2xf32> {{
  %0 = "tosa.reshape"(%a) {spelled} : (tensor<?xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}}"""
    assert "tosa.reshape with new_shape" in note(text)
    assert ("tosa.reshape", "C2", "refuted", 2) in verdicts(text)


def test_expand_shape_without_sizes() -> None:
    text = """func.func @f(%t: tensor<3x4xf32>) -> tensor<1x3x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1], [2]] : tensor<3x4xf32> into tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}"""
    assert "tensor.expand_shape without output_shape" in note(text)
    assert {word for _, _, word, _ in verdicts(text)} == {"proved"}


def test_shape_join_is_read_as_meet_with_a_note() -> None:
    text = """func.func @f(%a: !shape.shape, %b: !shape.shape) -> !shape.shape {
  %0 = shape.join %a, %b, error = "differ" : !shape.shape, !shape.shape -> !shape.shape
  return %0 : !shape.shape
}"""
    assert note(text) == "my.mlir:2: shape.join is an old spelling, read as shape.meet"


def test_reduce_on_an_index_of_32_bits() -> None:
    text = """func.func @f(%s: !shape.shape, %i: !shape.size) -> !shape.size {
  %r = shape.reduce(%s, %i) : !shape.shape -> !shape.size {
    ^bb0(%index: i32, %dim: !shape.size, %lci: !shape.size):
      %acc = shape.mul %dim, %lci : !shape.size, !shape.size -> !shape.size
      shape.yield %acc : !shape.size
  }
  return %r : !shape.size
}"""
    assert note(text).startswith("my.mlir:3: shape.reduce on an index of type i32")
    (function,) = read_text(text).functions.values()
    assert function.body is not None
    block = function.body.blocks[0].operations[0].regions[0].blocks[0]
    assert [each.name for each in block.arguments] == ["%index", "%dim", "%lci"]


ON_SEVERAL_LINES = """func.func @tfl(%arg0: tensor<3x4xf32>, %arg1: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %result = tfl.add(%arg0, %arg1) {fused_activation_function = "NONE"} :
    (tensor<3x4xf32>, tensor<2x3x4xf32>) ->
    tensor<2x3x4xf32>
  return %result : tensor<2x3x4xf32>
}
func.func @expanded(%arg0: tensor<3x4xf32>, %arg1: tensor<?x3x4xf32>) -> tensor<?x3x4xf32> {
  %reshaped_arg0 = tensor.expand_shape %arg0 [[0, 1], [2]] :
    tensor<3x4xf32> into tensor<1x3x4xf32>
  %0 = tosa.add %reshaped_arg0, %arg1 : (tensor<1x3x4xf32>, tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  return %0 : tensor<?x3x4xf32>
}
func.func @number(%shape : !shape.shape) -> !shape.size {
  %0 = "shape.constant_dim"() {value = 1 : i32} : () -> !shape.size
  %1 = "shape.reduce"(%shape, %0) ( {
    ^bb0(%index: i32, %dim: !shape.size, %lci: !shape.size):
      %acc = "shape.mul"(%lci, %dim) :
        (!shape.size, !shape.size) -> !shape.size
      shape.yield %acc : !shape.size
    }) : (!shape.shape, !shape.size) -> (!shape.size)
  return %1 : !shape.size
}
func.func @negated(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "tosa.negate"(%a) :
    (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.add %0, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}"""


def test_operations_on_several_lines_as_the_documents_write_them() -> None:
    program = read_text(ON_SEVERAL_LINES, "my.mlir")
    lines = [int(each.split(":")[1]) for each in program.notes if "old spelling" in each]
    assert lines == [2, 8, 16, 24]
    found = verdicts(ON_SEVERAL_LINES)
    assert {(name, word, line) for name, _, word, line in found if name == "tosa.add"} == {
        *(("tosa.add", "proved", line) for line in (2, 10)),
        ("tosa.add", "refuted", 26),
    }
    body = program.functions["number"].body
    assert body is not None
    (reduce,) = [each for each in body.blocks[0].operations if each.name == "shape.reduce"]
    assert str(reduce.regions[0].blocks[0].arguments[0].type) == "index"


def test_a_line_beside_an_old_spelling_is_left_as_it_is() -> None:
    text = NEGATE.replace("ELEMENT", "f32").replace("  %1 =", "  %s = shape_missing\n  %1 =")
    with pytest.raises(InputError) as refused:
        read_text(text, "my.mlir")
    assert refused.value.where.startswith("my.mlir:3:")


def test_several_on_several_lines() -> None:
    text = (
        NEGATE.replace("ELEMENT", "f32")
        .replace("tosa.add %0, %b", "tosa.add %0, %s")
        .replace("  %1 =", "  %s = shape_missing\n  %1 =")
    )
    with pytest.raises(InputError) as refused:
        read_text(text, "my.mlir")
    assert refused.value.where.startswith("my.mlir:3:")


@pytest.mark.parametrize(
    "line",
    [
        '%0 = tfl.add(%a, %b) {fused_activation_function = "RELU"} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>',
        "%0 = tfl.add(%a, %b) : (tensor<*xf32>, tensor<?xf32>) -> tensor<?xf32>",
        '%0 = "tosa.negate"(%a) {quantization_info = 1 : i32} : (tensor<?xf32>) -> tensor<?xf32>',
    ],
)
def test_ambiguous_old_spellings_are_refused(line: str) -> None:
    text = f"func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {{\n  {line}\n  return\n}}"
    with pytest.raises(InputError) as refused:
        read_text(text, "my.mlir")
    assert refused.value.where.startswith("my.mlir:2:")


TOSA = """func.func @f(%a: tensor<?xELEMENT>, %b: tensor<?xELEMENT>) -> tensor<?xELEMENT> {
  %0 = OPERATION -> tensor<?xELEMENT>
  return %0 : tensor<?xELEMENT>
}"""
BOUNDS = "min_int = -1 : i64, max_int = 6 : i64, min_fp = -0.5 : f32, max_fp = 6.0 : f32"


@pytest.mark.parametrize(
    ("element", "operation", "today", "attributes"),
    [
        ("f32", f'"tosa.clamp"(%a) {{{BOUNDS}}} : (tensor<?xf32>)', "tosa.clamp", {"min_val": -0.5, "max_val": 6.0}),
        ("i8", f"tosa.clamp %a {{{BOUNDS}}} : (tensor<?xi8>)", "tosa.clamp", {"min_val": -1, "max_val": 6}),
        ("i32", '"tosa.div"(%a, %b) : (tensor<?xi32>, tensor<?xi32>)', "tosa.intdiv", {}),
        ("i32", "tosa.div %a, %b : (tensor<?xi32>, tensor<?xi32>)", "tosa.intdiv", {}),
        ("i32", '"tosa.mul"(%a, %b) {shift = 3 : i32} : (tensor<?xi32>, tensor<?xi32>)', "tosa.mul", {}),
        ("f32", "tosa.mul %a, %b {shift = 0 : i8} : (tensor<?xf32>, tensor<?xf32>)", "tosa.mul", {}),
    ],
)
def test_old_operations_of_tosa_read_as_those_of_today(
    element: str, operation: str, today: str, attributes: dict[str, object]
) -> None:
    text = TOSA.replace("OPERATION", operation).replace("ELEMENT", element)
    assert note(text).startswith("my.mlir:2: ")
    (function,) = read_text(text).functions.values()
    assert function.body is not None
    operations = function.body.blocks[0].operations
    (op,) = [each for each in operations if each.name == today]
    assert (op.results[0].name, op.location.line, op.location.column) == ("%0", 2, 8)
    assert {key: op.attributes[key] for key in attributes} == attributes
    if today == "tosa.mul":
        assert len(op.operands) == 3
    assert (("C1", "refuted") in [(c, v) for _, c, v, _ in verdicts(text)]) == (len(op.operands) > 1)


def test_a_division_of_floats_has_no_name_today() -> None:
    with pytest.raises(InputError, match=r"tosa"):
        read_text(
            TOSA.replace("OPERATION", "tosa.div %a, %b : (tensor<?xf32>, tensor<?xf32>)").replace("ELEMENT", "f32")
        )
