"""Test that operations of dialects that are not registered are read in their own form."""

from __future__ import annotations

from shapesolve.ir.foreign_spellings import in_generic_form
from shapesolve.ir.reader import read_text

OWN = """func.func @f(%m: index, %n: index) -> index {
  %0:2 = util.assume.int
      %m<umin = 16, udiv = 16>,
      %n[<umin = 0>, <umax = 4>]
    : index, index
  return %0#1 : index
}
"""


def test_lines_of_the_text_are_kept() -> None:
    changed = in_generic_form(OWN)
    assert changed is not None
    assert [line.strip() for line in changed.splitlines()].index("return %0#1 : index") == 5
    program = read_text(OWN, "f.mlir")
    assert program.shown_text == OWN
    (op,) = [each for each in program.operation.walk() if each.name == "util.assume.int"]
    assert op.location.line == 2
    assert [len(each) for each in op.attributes["assumptions"]] == [1, 2]  # type: ignore[union-attr]


def test_both_forms_are_one_program() -> None:
    generic = in_generic_form(OWN)
    assert generic is not None
    with_properties = generic.replace("{assumptions", "<{assumptions").replace("]} :", "]}> :")
    assert with_properties != generic
    assert in_generic_form(with_properties) == generic
    assert in_generic_form(generic) is None


def test_other_texts_are_left_alone() -> None:
    assert in_generic_form("func.func @f() {\n  return\n}\n") is None
