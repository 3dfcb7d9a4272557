"""Test that an operation stays guarded if its assertion is removed because it follows from another one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.pruned_programs import fates, ops, prune

from shapesolve import Refuted, check
from shapesolve.errors import InputError

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "tests" / "cases").glob("*/*.mlir"), *(ROOT / "examples").glob("*.mlir")])

TWICE = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {{
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %u = shape.shape_of %c : tensor<?xf32> -> tensor<1xindex>
  {asserted}
  %p = shape.assuming %first -> (tensor<?xf32>) {{
    %sum = stablehlo.add %a, %b : tensor<?xf32>
    shape.assuming_yield %sum : tensor<?xf32>
  }}
  {again}
  %q = shape.assuming %second -> (tensor<?xf32>) {{
    {guarded}
  }}
  return %p, %q : tensor<?xf32>, tensor<?xf32>
}}"""
SUM = """%product = stablehlo.multiply %a, {other} : tensor<?xf32>
    shape.assuming_yield %product : tensor<?xf32>"""
EQUAL = "shape.cstr_eq %{}, %{} : tensor<1xindex>, tensor<1xindex>"


def refuted(text: str) -> Counter[tuple[str, str]]:
    """Return how often each claim is refuted, by operation and clause."""
    found = check(text, execute=False).checked_obligations
    return Counter(
        (each.obligation.op.name, each.obligation.clause) for each in found if isinstance(each.verdict, Refuted)
    )


@pytest.mark.parametrize("swapped", [False, True])
def test_guarded_operations_wait_for_the_implying_witness(swapped: bool) -> None:
    text = TWICE.format(
        asserted=f"%first = {EQUAL.format('s', 't')}",
        again=f"%second = {EQUAL.format(*('ts' if swapped else 'st'))}",
        guarded=SUM.format(other="%b"),
    )
    result = prune(text)
    assert fates(result) == [
        ("shape.cstr_eq", False),
        ("shape.assuming", False),
        ("shape.cstr_eq", True),
        ("shape.assuming", False),
    ]
    assert result.text.count("shape.assuming %first") == 2
    assert result.checks[-1].reason == "what its witness says follows from another one, which it waits for now"
    assert refuted(result.text) == {("shape.cstr_eq", "C1"): 1}


PRINT = 'vector.print str "between"'  # keeps constraints apart that would be joined


def test_witnesses_implied_by_two_wait_for_both() -> None:
    text = TWICE.format(
        asserted=f"%first = {EQUAL.format('s', 't')}\n  {PRINT}\n  %other = {EQUAL.format('t', 'u')}",
        again=f"%second = {EQUAL.format('s', 'u')}",
        guarded=SUM.format(other="%c"),
    )
    result = prune(text)
    assert "shape.assuming_all %first, %other" in result.text
    assert refuted(result.text) == {("shape.cstr_eq", "C1"): 2}


def test_operations_without_requirements_wait_for_no_witness() -> None:
    text = TWICE.format(
        asserted=f"%first = {EQUAL.format('s', 't')}",
        again=f"%second = {EQUAL.format('s', 't')}",
        guarded="shape.assuming_yield %b : tensor<?xf32>",
    )
    assert ops(prune(text).text).count("shape.assuming") == 1


def test_an_assertion_stays_where_the_one_that_it_follows_from_is_out_of_scope() -> None:
    result = prune("""
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %w: !shape.witness) -> tensor<?xf32> {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  shape.assuming %w {
    %first = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>
    "some.op"(%first) : (!shape.witness) -> ()
  }
  %second = shape.cstr_eq %s, %t : tensor<1xindex>, tensor<1xindex>
  %q = shape.assuming %second -> (tensor<?xf32>) {
    %sum = stablehlo.add %a, %b : tensor<?xf32>
    shape.assuming_yield %sum : tensor<?xf32>
  }
  return %q : tensor<?xf32>
}""")
    (second,) = [each for each in result.checks if each.op == "shape.cstr_eq" and each.location.line == 9]
    assert not second.removed
    assert "cannot wait for the witness of `shape.cstr_eq` (line 6)" in second.reason


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_fails_in_what_is_left_that_did_not_fail_before(path: Path) -> None:
    text = path.read_text()
    try:
        result = prune(text)
    except InputError:
        pytest.skip("it cannot be pruned")
    if result.text != text:
        assert refuted(result.text) <= refuted(text)
