"""Test of sizes, shapes, value_shapes and witnesses as arguments: names, assumptions, requirements, entry guards."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapesolve import check, contract
from shapesolve.errors import InputError
from shapesolve.guards.entry_guards import prune_at_entry
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.solver.verdicts import Proved, Refuted
from shapesolve.trace.concretization import argument_texts, arguments_at

SIZES = """
func.func @f(%a: !shape.size, %b: !shape.size) -> index {
  %i = shape.size_to_index %a : !shape.size
  %j = shape.size_to_index %b : !shape.size
  %c = arith.cmpi eq, %i, %j : index
  cf.assert %c, "sizes differ"
  return %i : index
}"""
SHAPES = """
func.func @f(%a: !shape.shape, %b: !shape.shape) {
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  return
}"""
VALUE_SHAPES = """
func.func @f(%a: !shape.value_shape, %b: !shape.value_shape) {
  %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
  %t = shape.shape_of %b : !shape.value_shape -> !shape.shape
  %w = shape.cstr_eq %s, %t : !shape.shape, !shape.shape
  return
}"""
WITNESS = """
func.func @f(%w: !shape.witness, %n: index) {
  shape.assuming %w { shape.assuming_yield }
  return
}"""
RANK = """
func.func @f(%s: !shape.shape, %a: !shape.size) -> index {
  %r = shape.rank %s : !shape.shape -> !shape.size
  %i = shape.size_to_index %r : !shape.size
  %j = shape.size_to_index %a : !shape.size
  return %i : index
}"""


@pytest.mark.parametrize(
    "text, condition",
    [(SIZES, "a == b"), (SHAPES, "broadcastable(a, b)"), (VALUE_SHAPES, "a == b"), (WITNESS, "w == 1")],
)
def test_stated_requirements_are_sufficient(text: str, condition: str) -> None:
    (found,) = contract(text).functions
    assert found.texts == (condition,) and found.exact
    assert check(text, assume=[condition]).exit_code == 0
    begin, brace, rest = text.partition("{\n")
    stated = f'{begin}attributes {{shapesolve.assume = ["{condition}"]}} {brace}{rest}'
    assert check(stated).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("text", [SIZES, SHAPES, VALUE_SHAPES])
def test_requirements_are_checked_at_the_entry(text: str) -> None:
    result = prune_at_entry(read_text(text), Options())
    assert len(result.written) == 1 and not result.kept and not result.still_open
    report = check_program(read_text(result.text or ""), Options(execute=False))
    refuted = [each for each in report.checked_obligations if isinstance(each.verdict, Refuted)]
    assert [each.obligation.op.name for each in refuted] == ["cf.assert"]


def test_a_witness_is_read_by_nothing() -> None:
    result = prune_at_entry(read_text(WITNESS), Options())
    assert not result.written
    assert any("`w == 1` is not checked at the entry: it cannot be written there" in note for note in result.notes)


@pytest.mark.process
@pytest.mark.parametrize(
    "text, shown",
    [
        (WITNESS, "%w = not passing : !shape.witness"),
        (VALUE_SHAPES, "%a = [] : !shape.value_shape"),
    ],
)
def test_counterexamples_show_what_is_given(text: str, shown: str) -> None:
    report = check(text)
    (verdict,) = [each.verdict for each in report.checked_obligations]
    assert isinstance(verdict, Refuted)
    assert shown in argument_texts(report.functions[0].trace, verdict.sizes)
    assert verdict.needs is None  # a witness that does not pass is no size that is 0


def test_errors_are_assumed_away_and_asked_for() -> None:
    believed = check(RANK)
    assert believed.exit_code == 0
    assert "arguments of shape and size type are no errors (--distrust)" in believed.functions[0].trace.modeling_texts
    asked = check_program(read_text(RANK), Options(distrust=True))
    assert asked.exit_code == 1 and not asked.functions[0].trace.modeling_texts
    (found,) = contract(RANK, options=Options(distrust=True)).functions
    assert found.texts == ("s is not an error", "a is not an error")
    assert check(RANK, assume=found.texts).functions[0].trace.modeling_texts == ()
    one = check(RANK, assume=["s is an error or a is not an error"]).functions[0]
    assert [type(each.verdict) for each in one.checked_obligations] == [Refuted, Proved]


@pytest.mark.parametrize(
    "text, mistake",
    [
        ("a is error", "after `is` comes `an error` or `not an error`"),
        ("a is", "after `is` comes"),
        ("a is not", "after `is` comes"),
        ("a is an error error", "should end before"),
        ("z is an error", "`z` is not known"),
        ("(a + 1) is an error", "should end before"),
    ],
)
def test_malformed_assumptions_about_errors_are_refused(text: str, mistake: str) -> None:
    with pytest.raises(InputError, match=mistake.replace("(", r"\(")):
        check(RANK, assume=[text])


def test_numbers_are_never_errors() -> None:
    text = "func.func @f(%n: index) {\n  return\n}"
    (report,) = check(text, assume=["n is not an error"]).functions
    assert not report.contradiction
    assert check(text, assume=["n is an error"]).functions[0].contradiction


@pytest.mark.process
def test_sizes_and_ranks_are_named() -> None:
    assert check(SIZES, shapes=["a=B", "b=B"]).exit_code == 0
    (verdict,) = [each.verdict for each in check(SIZES, shapes=["a=B", "b=2*B"]).checked_obligations
                  if isinstance(each.verdict, Refuted)]  # fmt: skip
    assert [each.name for each in verdict.sizes] == ["B"]
    report = check(SHAPES, shapes=["a=[B, 1]", "b=[B, C]"])
    assert report.exit_code == 0
    assert {"%a has rank 2 (--shape)", "%b has rank 2 (--shape)"} <= set(report.functions[0].trace.modeling_texts)
    stated = SHAPES.replace("!shape.shape, ", '!shape.shape {shapesolve.shape = "[B]"}, ', 1).replace(
        "%b: !shape.shape)", '%b: !shape.shape {shapesolve.shape = "[B]"})'
    )
    assert check(stated).exit_code == 0
    assert check(stated, options=Options(distrust=True)).exit_code == 1, "that a shape has a rank is a claim"
    with pytest.raises(InputError, match="no shape to name"):
        check(WITNESS, shapes=["w=[B]"])
    with pytest.raises(InputError, match="form arg0"):
        check(SHAPES, shapes=["a=B"])


@pytest.mark.process
def test_a_tensor_of_unknown_rank_is_named(tmp_path: Path) -> None:
    text = """
func.func @f(%t: tensor<*xf32>) -> index {
  %r = tensor.rank %t : tensor<*xf32>
  %c2 = arith.constant 2 : index
  %e = arith.cmpi eq, %r, %c2 : index
  cf.assert %e, "a matrix"
  return %r : index
}"""
    assert check(text).exit_code == 1
    assert check(text, shapes=["t=[M, N]"]).exit_code == 0
    assert check(text, shapes=["t=[M]"]).exit_code == 1


EXTENTS = """
func.func @f(%s: tensor<?xindex>, %t: tensor<?xf32>, %i: index) -> f32 {
  %h, %r = "shape.split_at"(%s, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %j = tensor.extract %s[%i] : tensor<?xindex>
  %v = tensor.extract %t[%j] : tensor<?xf32>
  return %v : f32
}"""


@pytest.mark.slow
def test_counterexamples_of_an_extent_tensor_say_what_it_holds() -> None:
    (found,) = contract(EXTENTS).functions
    assert [each.text for each in found.conditions] == ["i >= 0", "s[0] > i", "t[0] > s.extents[i]"]
    for condition in found.conditions:
        assert condition.witness is not None
        shown = dict(arguments_at(found.report.trace, condition.witness))
        length, numbers = shown["%s"].removeprefix("tensor<").split("xindex>")
        elements = [int(each) for each in numbers.strip(" =[]").split(",") if each]
        assert len(elements) == int(length), shown
        place, bound = int(shown["%i"].split()[0]), int(shown["%t"].removeprefix("tensor<").split("x")[0])
        assert not (0 <= place < len(elements) and 0 <= elements[place] < bound), shown


@pytest.mark.slow
def test_named_extents_keep_what_an_extent_tensor_holds() -> None:
    (found,) = contract(EXTENTS, shapes=["s=[N]"]).functions
    assert [each.text for each in found.conditions] == ["N > i", "i >= 0", "t[0] > s.extents[i]"]


def test_checks_at_the_entry_begin_with_the_words_of_the_assertions_that_need_them() -> None:
    result = prune_at_entry(read_text(SIZES), Options())
    assert [each.message for each in result.written] == ["sizes differ: a == b"]
