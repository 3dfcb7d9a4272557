"""Rewrites of the benchmark: those proved compute the same where they run, and their mutants are refuted."""

from __future__ import annotations

import sys
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import pytest
from support.refined_pairs import refined

from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ScalarType, ShapedType
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formulas import at_least

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

benchmark: Any = import_module("rewrites")
RULES: tuple[Any, ...] = benchmark.RULES
BY_NAME = {each.name: each for each in RULES}
PAGE = Path(__file__).parents[2] / "docs" / "rewrites.md"
SAMPLE = (
    "slice across both parts of a concatenation",
    "slice takes away interior padding",
    "slice of a transpose",
    "transpose of a padded tensor",
    "transpose of a transpose composes",
    "reverse of a concatenation",
    "reverse of a dimension that is a unit",
    "reshape there and back of two dynamic extents",
    "slice of what was updated at the same place",
    "interior padding of a tensor with at most one element",
    "dynamic slice at a place that is too far is the last slice",
    "product with a transposed left matrix",
)


@pytest.mark.process
@pytest.mark.parametrize("name", SAMPLE)
def test_a_rule_is_proved_and_its_mutants_are_refuted(name: str) -> None:
    found = benchmark.judged(BY_NAME[name], with_mutants=True)
    assert (found.sizes, found.elements) == ("proved", "proved"), found.why
    assert found.refuted == found.mutants > 0, found.why


def rows_of_page() -> list[list[str]]:
    """Return the cells of all rows of the page that are about a rewrite."""
    lines = PAGE.read_text(encoding="utf-8").partition("\n## ")[2].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [each for each in rows if each[0] != "rewrite" and not each[0].startswith("---")]


def test_the_page_lists_each_rewrite_with_its_preconditions() -> None:
    stated = {each[0]: (each[1], each[4]) for each in rows_of_page()}
    assert stated == {
        each.name: (str(len(list(each.instances))), ", ".join(f"`{part}`" for part in each.requires)) for each in RULES
    }


@pytest.mark.process
@pytest.mark.parametrize(
    "name",
    ["reverse of a dimension that is a unit", "slice of a slice adds the starts", "product of matrices associates"],
)
def test_a_row_of_the_page_is_what_is_found_now(name: str) -> None:
    pytest.importorskip("cvc5")
    page: Any = import_module("rewrites_page")
    (stored,) = [each for each in rows_of_page() if each[0] == name]
    assert list(page.row_of(BY_NAME[name]).cells) == stored[:-1]


def test_a_claim_that_is_false_is_not_confirmed() -> None:
    pytest.importorskip("cvc5")
    evidence: Any = import_module("rewrites_evidence")
    n = variable("n")
    assert evidence.Proofs({(at_least(n, 1), (at_least(n, 2),)): None}).confirmed() == 1
    with pytest.raises(AssertionError, match="n = 0"):
        evidence.Proofs({(at_least(n, 1), ()): None}).confirmed()


def run(text: str) -> Execution:
    """Execute a program where every dynamic extent is 9, on small numbers."""
    (function,) = read_text(text).functions.values()
    call: list[TensorInput] = []
    for number, argument in enumerate(function.arguments):
        type = argument.type
        assert isinstance(type, ShapedType)
        assert isinstance(type.element, ScalarType)
        extents = tuple(9 if each is None else each for each in type.extents or ())
        values = tuple((7 * place + 5 * number) % 13 - 6 for place in range(prod(extents)))
        call.append(
            TensorInput(extents, floats=values) if type.element.kind == "float" else TensorInput(extents, values)
        )
    (found,) = execute_many(text, "f", [call], runtime_checks=False)
    return found


EXECUTED = [each for each in RULES if not each.ideal and not each.requires and each.arguments.count("i1") == 0]


@pytest.mark.exhaustive
@pytest.mark.parametrize("rule", EXECUTED[::4], ids=lambda each: each.name)
def test_both_programs_return_the_same_where_they_run(rule: Any) -> None:
    before, after = map(run, rule.pair(list(rule.instances)[-1]))
    assert before.outcome is after.outcome is Outcome.RETURNED, (before, after)
    assert before.result_extents == after.result_extents
    assert before.result_values == after.result_values


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "reshape of a broadcast scalar",
        "product with one",
        "negation twice",
        "sum with zero",
        "select of one value",
        "select in a select by the same condition",
        "difference with itself",
        "minimum of equals",
        "comparison of integers with itself",
        "negated comparison of integers",
    ],
)
def test_a_rule_without_mutants_is_proved(name: str) -> None:
    assert benchmark.judged(BY_NAME[name], with_mutants=False).elements == "proved"


@pytest.mark.exhaustive
@pytest.mark.parametrize("rule", [each for each in RULES if each.ideal], ids=lambda each: each.name)
def test_rewrites_right_over_the_reals_only_are_not_proved(rule: Any) -> None:
    pair = rule.pair(next(rule.instances))
    assert benchmark.verdicts(benchmark.compared(pair, ()))[1] != "proved"


EQUALS = """func.func @f(%a: tensor<?xTYPE>, %c: tensor<?xi1>) -> tensor<?xRESULT> {
  %r = BODY
  return %r : tensor<?xRESULT>
}"""


def words(source: str, target: str, type: str, result: str) -> tuple[str, bool]:
    """Return the verdict, and whether all was compared."""
    texts = (EQUALS.replace("BODY", each).replace("RESULT", result).replace("TYPE", type) for each in (source, target))
    ours, theirs = map(read_text, texts)
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    return found.word, not found.is_partial


@pytest.mark.parametrize(
    ("source", "target", "type", "result", "is_right"),
    [
        ("arith.subi %a, %a : tensor<?xi32>", "arith.xori %a, %a : tensor<?xi32>", "i32", "i32", True),
        ("arith.andi %a, %a : tensor<?xi32>", "arith.maxsi %a, %a : tensor<?xi32>", "i32", "i32", True),
        ("arith.andi %a, %a : tensor<?xi32>", "arith.xori %a, %a : tensor<?xi32>", "i32", "i32", False),
        ("arith.subf %a, %a : tensor<?xf32>", "arith.mulf %a, %a : tensor<?xf32>", "f32", "f32", False),
        ("arith.minimumf %a, %a : tensor<?xf32>", "arith.maximumf %a, %a : tensor<?xf32>", "f32", "f32", True),
        (
            "arith.select %c, %a, %a : tensor<?xi1>, tensor<?xf32>",
            "arith.minimumf %a, %a : tensor<?xf32>",
            "f32",
            "f32",
            True,
        ),
        ("arith.divsi %a, %a : tensor<?xi32>", "arith.remsi %a, %a : tensor<?xi32>", "i32", "i32", False),
    ],
)
def test_functions_of_equal_elements(source: str, target: str, type: str, result: str, is_right: bool) -> None:
    assert (words(source, target, type, result) == ("proved", True)) is is_right


def test_an_element_that_may_be_anything_is_not_equal_to_itself() -> None:
    """Two uses of what was never written may see different numbers."""
    empty = """func.func @f(%n: index) -> tensor<?xi32> {
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = arith.subi %e, %e : tensor<?xi32>
  return %r : tensor<?xi32>
}"""
    zero = """func.func @f(%n: index) -> tensor<?xi32> {
  %z = arith.constant 0 : i32
  %r = tensor.splat %z[%n] : tensor<?xi32>
  return %r : tensor<?xi32>
}"""
    found = refined(zero, empty, Options(execute=False))
    assert found.word != "proved" or found.is_partial


def test_poison_less_itself_is_not_zero() -> None:
    frame = """func.func @f(%a: tensor<?xi32>) -> tensor<?xi32> {
  BODY
  return %r : tensor<?xi32>
}"""
    zero = "%r = arith.xori %a, %a : tensor<?xi32>"
    wraps = "%s = arith.addi %a, %a overflow<nsw> : tensor<?xi32>\n  %r = arith.subi %s, %s : tensor<?xi32>"
    source, target = (read_text(frame.replace("BODY", each)) for each in (zero, wraps))
    (found,) = refine_programs(source, target, Options(execute=False))
    assert found.word != "proved" or found.is_partial
