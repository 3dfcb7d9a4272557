"""Test of consecutive constraints and of joined witnesses: the strongest constraint stays, and a join of one goes."""

from __future__ import annotations

import pytest
from support.pruned_programs import prune

ARGUMENTS = ", ".join(f"%{each}: tensor<?xf32>" for each in "abcd")
HEAD = f"""func.func @f({ARGUMENTS}, %given: !shape.witness) {{
  %sa = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %sb = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %sc = shape.shape_of %c : tensor<?xf32> -> tensor<1xindex>
  %sd = shape.shape_of %d : tensor<?xf32> -> tensor<1xindex>
"""
TWO, THREE = (", ".join(["tensor<1xindex>"] * count) for count in (2, 3))
END = """  shape.assuming %all {
    "some.op"() : () -> ()
  }
  return
}"""


def of_kind(result_text: str, name: str) -> int:
    return sum(f"= {name} " in line for line in result_text.splitlines())


@pytest.mark.parametrize("operands", ["%given, %given, %given", "%given", "%true, %given", "%given, %true, %given"])
def test_a_join_of_one_witness_is_that_witness(operands: str) -> None:
    text = f"{HEAD}  %true = shape.const_witness true\n  %all = shape.assuming_all {operands}\n{END}"
    result = prune(text)
    assert "shape.assuming %given {" in result.text
    assert of_kind(result.text, "shape.assuming_all") == 0
    (join, _) = result.checks
    assert (join.removed, join.reason) == (True, "it joins at most one witness that may fail")


def test_a_join_of_two_witnesses_stays() -> None:
    text = (
        HEAD.replace("%given:", "%other: !shape.witness, %given:")
        + "  %all = shape.assuming_all %given, %other\n"
        + END
    )
    assert of_kind(prune(text).text, "shape.assuming_all") == 1


def test_a_join_that_nothing_waits_for_twice_ends_in_one_assumption() -> None:
    joins = "  %x = shape.assuming_all %given, %given\n  %all = shape.assuming_all %x, %given, %x\n"
    result = prune(HEAD + joins + END)
    assert "shape.assuming %given {" in result.text
    assert of_kind(result.text, "shape.assuming_all") == 0


@pytest.mark.slow
def test_the_weaker_of_two_constraints_in_a_row_goes() -> None:
    text = f"""{HEAD}  %u = shape.cstr_broadcastable %sa, %sb : {TWO}
  %v = shape.cstr_broadcastable %sa, %sb, %sc : {THREE}
  %all = shape.assuming_all %u, %v
{END}"""
    result = prune(text)
    assert of_kind(result.text, "shape.cstr_broadcastable") == 1
    assert "shape.cstr_broadcastable %sa, %sb, %sc" in result.text
    assert of_kind(result.text, "shape.assuming_all") == 0
    assert any("a run that fails prints the same message" in note for note in result.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "between",
    [
        f"  %e = shape.cstr_eq %sa, %sd : {TWO}\n",
        '  "some.effect"() : () -> ()\n',
        '  %flag = "some.flag"() : () -> i1\n  cf.assert %flag, "another message"\n',
    ],
)
def test_nothing_else_is_overtaken(between: str) -> None:
    text = f"""{HEAD}  %u = shape.cstr_broadcastable %sa, %sb : {TWO}
{between}  %v = shape.cstr_broadcastable %sa, %sb, %sc : {THREE}
  %all = shape.assuming_all %u, %v
{END}"""
    assert of_kind(prune(text).text, "shape.cstr_broadcastable") == 2


def test_constraints_of_two_messages_keep_their_order() -> None:
    text = f"""{HEAD}  %u = shape.cstr_broadcastable %sa, %sb : {TWO}
  %v = shape.cstr_eq %sa, %sb : {TWO}
  %all = shape.assuming_all %u, %v
{END}"""
    result = prune(text)
    assert (of_kind(result.text, "shape.cstr_broadcastable"), of_kind(result.text, "shape.cstr_eq")) == (1, 1)
