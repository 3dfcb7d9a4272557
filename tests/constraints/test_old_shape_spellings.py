"""Test of the operations and types as the shape dialect's page spells them, and of the answers to such text today."""

from __future__ import annotations

import pytest

from shapesolve import check, prune
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text

SPELLINGS = [
    (
        "%x = shape.join %s, %s : !shape.shape",
        "%x = shape.meet %s, %s : !shape.shape, !shape.shape -> !shape.shape",
    ),
    (
        '%x = shape.join %s, %s, error = "differ" : !shape.shape',
        '%x = shape.meet %s, %s, error = "differ" : !shape.shape, !shape.shape -> !shape.shape',
    ),
    (
        "%x = shape.get_extent %s, 3",
        "%c = shape.const_size 3 %x = shape.get_extent %s, %c : !shape.shape, !shape.size -> !shape.size",
    ),
    (
        '%x = "shape.get_extent"(%s) {dim = 3 : i64} : (!shape.shape) -> !shape.size',
        "%c = shape.const_size 3 %x = shape.get_extent %s, %c : !shape.shape, !shape.size -> !shape.size",
    ),
    ("%x = shape.shape_of %t : tensor<?xf32>", "%x = shape.shape_of %t : tensor<?xf32> -> !shape.shape"),
    ("%x = shape.size_to_index %n", "%x = shape.size_to_index %n : !shape.size"),
    ("%x = shape.num_elements %s", "%x = shape.num_elements %s : !shape.shape -> !shape.size"),
    ("%x = shape.from_extents %i, %i", "%x = shape.from_extents %i, %i : index, index"),
    ("%x = shape.any %s, %s", "%x = shape.any %s, %s : !shape.shape, !shape.shape -> !shape.shape"),
    ("%x = shape.cstr_eq %s, %s", "%x = shape.cstr_eq %s, %s : !shape.shape, !shape.shape"),
    (
        "%x = shape.cstr_broadcastable %s, %s",
        "%x = shape.cstr_broadcastable %s, %s : !shape.shape, !shape.shape",
    ),
    ("%x = shape.const_shape [1, 2]", "%x = shape.const_shape [1, 2] : !shape.shape"),
    ("%x = shape.const_shape []", "%x = shape.const_shape [] : !shape.shape"),
    ("%x = shape.constant_dim 1", "%x = shape.const_size 1"),
    ("%x = shape.from_extents", '%x = "shape.from_extents"() : () -> !shape.shape'),
    (
        "%x = shape.any [2,?], [?,3] // [2,3]",
        "%a = shape.const_shape [2, -9223372036854775808] : !shape.shape "
        "%b = shape.const_shape [-9223372036854775808, 3] : !shape.shape "
        "%x = shape.any %a, %b : !shape.shape, !shape.shape -> !shape.shape",
    ),
    (
        "%x = shape.cstr_broadcastable [2,2], [3,1,2] // Success",
        "%a = shape.const_shape [2, 2] : !shape.shape %b = shape.const_shape [3, 1, 2] : !shape.shape "
        "%x = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape",
    ),
    (
        "%x = shape.cstr_eq [], %s  // a scalar",
        "%a = shape.const_shape [] : !shape.shape %x = shape.cstr_eq %a, %s : !shape.shape, !shape.shape",
    ),
    ("%x = shape.num_elements %s // all", "%x = shape.num_elements %s : !shape.shape -> !shape.size"),
]
FUNCTION = "func.func @f(%s: !shape.shape, %n: !shape.size, %i: index, %t: tensor<?xf32>) {{\n  {line}\n  return\n}}\n"


def operations(text: str) -> list[tuple[object, ...]]:
    """The operations of a program, without their places."""
    return [
        (op.name, [str(v.type) for v in op.operands], [str(v.type) for v in op.results], dict(op.attributes))
        for op in read_text(text).operation.walk()
    ]


@pytest.mark.covers("shape.spelling.join")
@pytest.mark.covers("shape.spelling.get_extent")
@pytest.mark.covers("shape.spelling.shape_of")
@pytest.mark.covers("shape.spelling.size_to_index")
@pytest.mark.covers("shape.spelling.num_elements")
@pytest.mark.covers("shape.spelling.from_extents")
@pytest.mark.covers("shape.spelling.any")
@pytest.mark.covers("shape.spelling.cstr")
@pytest.mark.covers("shape.spelling.const_shape")
@pytest.mark.covers("shape.spelling.constant_dim")
@pytest.mark.parametrize(("old", "today"), SPELLINGS)
def test_an_old_spelling_is_read_as_todays(old: str, today: str) -> None:
    text = FUNCTION.format(line=old)
    program = read_text(text, "old.mlir")
    assert operations(text) == operations(FUNCTION.format(line=today))
    (note,) = program.notes
    assert note.startswith("old.mlir:2: ")
    assert "is an old spelling, read as" in note
    used = [op for op in program.operation.walk() if op.results and op.results[0].name == "%x"]
    assert [(op.location.line, op.location.column) for op in used] == [(2, 8)]


@pytest.mark.covers("shape.spelling.func")
def test_func_is_in_a_dialect_today() -> None:
    text = "  func private @g(%a: tensor<2x?xf32>, %b : index) -> index {\n    return %b : index\n  }\n"
    program = read_text(text, "old.mlir")
    assert program.notes == ("old.mlir:1: func is an old spelling, read as func.func",)
    (function,) = program.functions.values()
    assert [(each.name, str(each.type)) for each in function.arguments] == [("%a", "tensor<2x?xf32>"), ("%b", "index")]
    assert (function.location.line, function.location.column) == (1, 3)


def test_a_comment_stays_and_the_rank_0_of_the_page_is_read_wherever_it_stands() -> None:
    program = read_text(
        'func.func @f() -> !shape.size {\n  %s = shape.from_extents // "none"\n\n  // one element\n'
        "  %n = shape.num_elements %s // one\n  return %n : !shape.size\n}\n",
        "old.mlir",
    )
    assert [note.partition(" is ")[0] for note in program.notes] == [
        "old.mlir:2: shape.from_extents of nothing",
        "old.mlir:5: shape.num_elements without types",
    ]
    assert isinstance(program.text, str)
    assert [line.partition("//")[2] for line in program.text.splitlines()][1:5] == [
        ' "none"',
        "",
        " one element",
        " one",
    ]


@pytest.mark.parametrize(
    ("line", "today"),
    [
        ("%x = shape.any [2, -1], %s", "today: shape.any"),
        ("%x = shape.get_extent %s, -1", "today: shape.get_extent %shape, %i"),
        ("%x = shape.num_elements %t", "today: shape.num_elements"),
        ("%x = shape.from_extents %n, %n", "today: shape.from_extents"),
        ("%x = shape.const_shape [-1]", "today: shape.const_shape"),
        ("%x = shape.constant_dim -1", "`shape.const_size` today"),
        ("%x = shape.join %t, %t : tensor<?xf32>", "`shape.meet` today"),
    ],
)
def test_ambiguous_spellings_are_answered_with_the_current_one(line: str, today: str) -> None:
    with pytest.raises(InputError) as refused:
        read_text(FUNCTION.format(line=line))
    assert today in str(refused.value)


@pytest.mark.covers("shape.type.element_type")
@pytest.mark.covers("shape.type.component_type")
@pytest.mark.parametrize("type", ["element_type", "component_type"])
def test_removed_types_of_the_shape_dialect_are_refused(type: str) -> None:
    with pytest.raises(InputError, match=r"are gone"):
        read_text(f"func.func @f(%x: !shape.{type}) {{\n  return\n}}\n")


OLD = """
func.func @f(%s: !shape.shape, %t: !shape.shape) -> tensor<?xindex> {
  %j = "shape.join"(%s, %t) {error = "s is t"} : (!shape.shape, !shape.shape) -> !shape.shape
  %c = "shape.constant_dim"() {value = 1 : i32} : () -> !shape.size
  %d = shape.size_to_index %c : !shape.size
  %e = shape.to_extent_tensor %j : !shape.shape -> tensor<?xindex>
  return %e : tensor<?xindex>
}
"""


@pytest.mark.process
def test_names_of_the_past_in_generic_form_are_read() -> None:
    program = read_text(OLD, "old.mlir")
    assert program.notes == (
        "old.mlir:3:8: `shape.join` is read as `shape.meet`, which it is called today",
        "old.mlir:4:8: `shape.constant_dim` is read as `shape.const_size`, which it is called today",
    )
    today = OLD.replace("shape.join", "shape.meet").replace("shape.constant_dim", "shape.const_size")
    today = today.replace("1 : i32", "1 : index")
    old, new = check(OLD), check(today)
    assert [type(each.verdict) for each in old.checked_obligations] == [
        type(each.verdict) for each in new.checked_obligations
    ]
    assert [each.obligation.message for each in old.checked_obligations] == [
        each.obligation.message for each in new.checked_obligations
    ]
    assert old.exit_code == new.exit_code == 1


def test_a_constraint_on_an_old_join_goes_and_the_join_stays() -> None:
    text = """
func.func @f(%s: !shape.shape, %t: !shape.shape) {
  %j = "shape.join"(%s, %t) : (!shape.shape, !shape.shape) -> !shape.shape
  %k = shape.meet %s, %t : !shape.shape, !shape.shape -> !shape.shape
  %w = shape.cstr_eq %j, %k : !shape.shape, !shape.shape
  shape.assuming %w { "some.use"(%j) : (!shape.shape) -> () }
  return
}
"""
    result = prune(text)
    assert result.removed and '"shape.join"' in (result.text or "")


@pytest.mark.parametrize(
    "line",
    [
        '"shape.join"(%s) : (!shape.shape) -> !shape.shape',
        '"shape.join"(%s, %i) : (!shape.shape, i32) -> !shape.shape',
        '"shape.constant_dim"() {value = "1"} : () -> !shape.size',
        '"shape.constant_dim"() {value = 1 : i32} : () -> index',
    ],
)
def test_another_form_is_left_unknown(line: str) -> None:
    report = check(f"func.func @f(%s: !shape.shape, %i: i32) {{\n  %x = {line}\n  return\n}}")
    assert not report.program.notes and report.exit_code == 3
