"""How the shape dialect's page spells operations and types, and the answer that such text gets today."""

from __future__ import annotations

import pytest

from shapesolve import check, prune
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text


@pytest.mark.parametrize(
    ("line", "today"),
    [
        pytest.param(
            "%x = shape.join %s, %s : !shape.shape", "shape.meet", marks=pytest.mark.covers("shape.spelling.join")
        ),
        pytest.param(
            "%x = shape.get_extent %s, 0", "index -> index", marks=pytest.mark.covers("shape.spelling.get_extent")
        ),
        pytest.param(
            "%x = shape.shape_of %t : tensor<?xf32>",
            "tensor<1xindex>",
            marks=pytest.mark.covers("shape.spelling.shape_of"),
        ),
        pytest.param(
            "%x = shape.size_to_index %n", ": !shape.size", marks=pytest.mark.covers("shape.spelling.size_to_index")
        ),
        pytest.param("%x = shape.num_elements %s", "-> index", marks=pytest.mark.covers("shape.spelling.num_elements")),
        pytest.param(
            "%x = shape.from_extents %i, %i", ": index, index", marks=pytest.mark.covers("shape.spelling.from_extents")
        ),
        pytest.param("%x = shape.any %s, %s", "-> !shape.shape", marks=pytest.mark.covers("shape.spelling.any")),
        pytest.param("%x = shape.cstr_eq %s, %s", "tensor<?xindex>", marks=pytest.mark.covers("shape.spelling.cstr")),
        pytest.param(
            "%x = shape.cstr_broadcastable %s, %s", "tensor<?xindex>", marks=pytest.mark.covers("shape.spelling.cstr")
        ),
        pytest.param(
            "%x = shape.const_shape [1, 2]", "tensor<2xindex>", marks=pytest.mark.covers("shape.spelling.const_shape")
        ),
        pytest.param(
            "%x = shape.constant_dim 1", "shape.const_size", marks=pytest.mark.covers("shape.spelling.constant_dim")
        ),
    ],
)
def test_an_old_spelling_is_answered_with_todays(line: str, today: str) -> None:
    arguments = "%s: !shape.shape, %n: !shape.size, %i: index, %t: tensor<?xf32>"
    with pytest.raises(InputError, match=r"today") as refused:
        read_text(f"func.func @f({arguments}) {{\n  {line}\n  return\n}}\n")
    assert today in str(refused.value)


@pytest.mark.covers("shape.spelling.func")
def test_func_is_in_a_dialect_today() -> None:
    with pytest.raises(InputError, match=r"`func.func` today"):
        read_text("func @f() {\n  return\n}\n")


@pytest.mark.covers("shape.type.element_type")
@pytest.mark.covers("shape.type.component_type")
@pytest.mark.parametrize("type", ["element_type", "component_type"])
def test_types_that_are_gone(type: str) -> None:
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


def test_names_of_the_past_in_generic_form_are_read() -> None:
    program = read_text(OLD, "old.mlir")
    assert program.notes == (
        "old.mlir:3:8: `shape.join` is read as `shape.meet`, which it is called today",
        "old.mlir:4:8: `shape.constant_dim` is read as `shape.const_size`, which it is called today",
    )
    today = OLD.replace("shape.join", "shape.meet").replace("shape.constant_dim", "shape.const_size")
    today = today.replace("1 : i32", "1 : index")
    old, new = check(OLD), check(today)
    assert [type(each.verdict) for each in old.judgements] == [type(each.verdict) for each in new.judgements]
    assert [each.obligation.message for each in old.judgements] == [each.obligation.message for each in new.judgements]
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
