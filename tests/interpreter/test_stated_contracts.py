"""Test of contracts stated by functions: invalid ones are refused, and others trusted only where that is sound."""

from __future__ import annotations

import re

import pytest

from shapesolve.api import check, contract, prune, refine, refine_types
from shapesolve.checker.report import FunctionReport
from shapesolve.errors import InputError
from shapesolve.options import Options
from shapesolve.solver.verdicts import Proved, Refuted, Undecided

DECLARED = """\
func.func private @helper(%x: tensor<?xf32>) -> tensor<?xf32> attributes {CONTRACT}
func.func @main(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %r = func.call @helper(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  %ok = arith.cmpi ne, %d, %c0 : index
  cf.assert %ok, "some"
  return %d : index
}
"""


def declared(contract: str) -> str:
    return DECLARED.replace("CONTRACT", contract)


def only(text: str, **given: object) -> FunctionReport:
    options = Options(execute=False, functions=("main",), **given)  # pyright: ignore[reportArgumentType]
    (function,) = check(text, options=options).functions
    return function


def verdict(function: FunctionReport, op: str) -> object:
    (found,) = [each.verdict for each in function.checked_obligations if each.obligation.op.name == op]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ('shapesolve.requires = ["arg0[0] >"]', "something is missing after `>`"),
        ('shapesolve.requires = ["arg1[0] > 1"]', "`arg1` is not known"),
        ('shapesolve.requires = ["arg0[1] > 1"]', "`arg0` has rank 1"),
        ('shapesolve.requires = ["result0[0] > 1"]', "`result0` is not known"),
        ('shapesolve.ensures = ["result1[0] > 1"]', "`result1` is not known"),
        ('shapesolve.ensures = ["result0[0] + 1"]', "a claim is needed here"),
        ('shapesolve.ensures = ["a[0] == 1"]', "`a` is not known"),
        ("shapesolve.requires = 3 : i64", "wants a string or an array of strings"),
        ("shapesolve.requires = [3 : i64]", "wants a string or an array of strings"),
        ('shapesolve.ensures = " "', "wants a string or an array of strings"),
    ],
)
def test_nonsense_is_refused_with_its_place(attributes: str, reason: str) -> None:
    for command in (check, prune, contract, lambda text: refine(text, text)):  # pyright: ignore[reportUnknownLambdaType]
        with pytest.raises(InputError, match=re.escape(reason)) as error:
            command(declared(attributes))
        assert ":1:" in error.value.where


def test_a_contract_of_what_is_no_function_of_func() -> None:
    text = """\
shape.function_library @lib {
  shape.func @f(%x: !shape.value_shape) -> !shape.shape attributes {shapesolve.ensures = "result0 == result0"} {
    %0 = shape.shape_of %x : !shape.value_shape -> !shape.shape
    shape.return %0 : !shape.shape
  }
} mapping {}
func.func @main() {
  return
}
"""
    try:
        check(text)
    except InputError as error:
        assert "belongs to a func.func" in str(error) or "cannot" in str(error)
    else:
        raise AssertionError("it was read")


def test_ensured_conditions_are_trusted_and_listed() -> None:
    function = only(declared('shapesolve.requires = [], shapesolve.ensures = ["result0[0] >= arg0[0] + 1"]'))
    assert isinstance(verdict(function, "cf.assert"), Proved)
    assert not function.unchecked
    assert any("@helper is trusted" in each and "(--distrust)" in each for each in function.trace.modeling_texts)


def test_distrust_proves_without_it() -> None:
    text = declared('shapesolve.requires = ["arg0[0] >= 2"], shapesolve.ensures = ["result0[0] >= arg0[0] + 1"]')
    function = only(text, distrust=True)
    assert isinstance(verdict(function, "cf.assert"), Undecided)
    assert isinstance(verdict(function, "func.call"), Refuted)  # what is required is claimed all the same
    assert function.unchecked
    assert not any("trusted" in each for each in function.trace.modeling_texts)


def test_a_result_that_an_equation_says_is_no_approximation() -> None:
    function = only(declared('shapesolve.requires = [], shapesolve.ensures = ["result0[0] == arg0[0] - 3"]'))
    found = verdict(function, "cf.assert")
    assert isinstance(found, Refuted)
    assert {each.name: size for each, size in found.sizes.items()} == {"a[0]": 3}
    assert not function.approximations


def test_contradictory_contracts_prove_nothing() -> None:
    function = only(declared('shapesolve.requires = [], shapesolve.ensures = ["result0[0] <= 1", "result0[0] >= 2"]'))
    assert all(not isinstance(each.verdict, Proved) for each in function.checked_obligations)


def test_preconditions_are_assumed_inside_and_listed() -> None:
    text = """\
func.func @main(%n: index) -> index attributes {shapesolve.requires = ["n >= 1"]} {
  %c7 = arith.constant 7 : index
  %q = arith.divui %c7, %n : index
  return %q : index
}
"""
    function = only(text)
    assert isinstance(verdict(function, "arith.divui"), Proved)
    assert [each.because for each in function.assumptions] == ["shapesolve.requires: n >= 1"]
    assert isinstance(verdict(only(text, distrust=True), "arith.divui"), Refuted)


RECURSIVE = """\
func.func private @down(%n: index) -> index attributes {CONTRACT} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi sle, %n, %c0 : index
  %r = scf.if %last -> index {
    scf.yield %c1 : index
  } else {
    %less = arith.subi %n, %c1 : index
    %inner = func.call @down(%less) : (index) -> index
    scf.yield %inner : index
  }
  return %r : index
}
func.func @main(%n: index) {
  %c1 = arith.constant 1 : index
  %r = func.call @down(%n) : (index) -> index
  %ok = arith.cmpi eq, %r, %c1 : index
  cf.assert %ok, "one"
  return
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contract_text", "is_kept"),
    [
        ('shapesolve.ensures = "result0 == 1"', True),
        ('shapesolve.ensures = "result0 == 1", shapesolve.requires = []', True),
        ('shapesolve.ensures = "result0 == 1", shapesolve.requires = "n >= 0"', True),
        ('shapesolve.ensures = "result0 == 1", shapesolve.requires = "n >= 1"', False),  # not of the calls inside
        ('shapesolve.ensures = "result0 >= 1 and result0 == 2"', False),
        ('shapesolve.ensures = "n == 5 and result0 == 1"', False),
        ('shapesolve.ensures = "result0 == 1", shapesolve.requires = ["n >= 0", "n <= -1"]', False),
    ],
)
def test_an_induction_that_holds_is_believed_and_no_other(contract_text: str, is_kept: bool) -> None:
    text = RECURSIVE.replace("CONTRACT", contract_text)
    for given in ({}, {"assumptions": ("n >= 4",)}, {"assumptions": ("@down: n == 5",)}, {"distrust": True}):
        assert isinstance(verdict(only(text, **given), "cf.assert"), Proved) == is_kept, given
    report = check(text, execute=False)
    assert [each.name for each in report.functions] == ["down", "main"]
    assert (report.exit_code == 0) == (is_kept and "n >= 0" not in contract_text)


def test_the_contract_of_a_recursive_function_must_be_all_that_it_needs() -> None:
    """The body fails for some input, so a call is not known to be safe, whatever the contract assumes."""
    text = RECURSIVE.replace("CONTRACT", 'shapesolve.ensures = "result0 == 1"').replace(
        "  %last =",
        '  %c9 = arith.constant 9 : index\n  %f = arith.cmpi ne, %n, %c9 : index\n  cf.assert %f, "nine"\n  %last =',
    )
    function = only(text, assumptions=("n <= 5",))
    assert function.unchecked
    assert not isinstance(verdict(function, "cf.assert"), Proved)


def test_pruning_uses_what_is_proved_and_what_is_trusted() -> None:
    kept = prune(RECURSIVE.replace("CONTRACT", 'shapesolve.ensures = "result0 == 1"'))
    assert [fate.removed for fate in kept.checks if fate.op == "cf.assert"] == [True]
    wrong = prune(RECURSIVE.replace("CONTRACT", 'shapesolve.ensures = "result0 == 2"'))
    assert [fate.removed for fate in wrong.checks if fate.op == "cf.assert"] == [False]
    text = declared('shapesolve.requires = ["arg0[0] >= 2"], shapesolve.ensures = ["result0[0] >= arg0[0] + 1"]')
    # What is required may not hold, and then nothing is ensured.
    assert [fate.removed for fate in prune(text).checks] == [False]
    assert [fate.removed for fate in prune(text, assume=["@main: a[0] >= 2"]).checks] == [True]
    assert [fate.removed for fate in prune(text, at_entry=True).checks if fate.op == "cf.assert"][-1:] == [True]


REQUIRING = """\
func.func @f(%n: index) -> index attributes {shapesolve.requires = "n >= LEAST"} {
  return %n : index
}
"""


def test_preconditions_of_the_target_follow_from_those_of_the_source() -> None:
    def word(source: str, target: str) -> str:
        (found,) = refine(source, target, execute=False)
        return found.word

    any_n = REQUIRING.replace(' attributes {shapesolve.requires = "n >= LEAST"}', "")
    five, six = (REQUIRING.replace("LEAST", each) for each in ("5", "6"))
    assert word(six, five) == word(five, any_n) == word(five, five) == "proved"
    assert word(five, six) == word(any_n, five) == "refuted"


def test_types_that_rest_on_what_is_trusted_say_so() -> None:
    text = declared('shapesolve.requires = [], shapesolve.ensures = ["result0[0] == 4"]').replace(
        "  %d = tensor.dim %r", "  %s = arith.addf %r, %r : tensor<?xf32>\n  %d = tensor.dim %s"
    )
    found = refine_types(text)
    assert "arith.addf" in found.text and "tensor<4xf32>" in found.text
    assert any("@helper is trusted" in note for note in found.notes)
    assert not refine_types(text, options=Options(distrust=True)).refinements
