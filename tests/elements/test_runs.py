"""Differences in elements that runs of both programs show, and programs of which no difference is claimed."""

from __future__ import annotations

import pytest
from support.refined_pairs import refined

from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.solver.verdicts import VerdictKind
from tests.elements.test_pairs import PAIRS, text


def executed(source: str, target: str) -> Refinement:
    return refined(source, target, Options())


@pytest.mark.process
@pytest.mark.parametrize("name", ["slice of a padded tensor", "transposes", "matrix products", "select"])
def test_wrong_programs_are_refuted(name: str) -> None:
    pair = PAIRS[name]
    found = executed(text(pair, pair.source), text(pair, pair.wrong[0]))
    assert found.word is VerdictKind.REFUTED
    assert found.from_size is None
    finding = found.refuted[0]
    assert finding.question == "the elements of result 0 are the same"
    assert finding.executed is not None
    assert "of result 0 is" in finding.executed.words


def test_sizes_for_runs_are_found_only_if_programs_may_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = PAIRS["transposes"]
    source, target = text(pair, pair.source), text(pair, pair.wrong[0])
    asked: list[object] = []

    def candidate(*given: object, **_: object) -> None:
        asked.append(given)

    monkeypatch.setattr("shapesolve.elements.comparison.candidate", candidate)
    assert refined(source, target, Options(execute=False)).word is VerdictKind.PROVED
    assert asked == []
    refined(source, target, Options())
    assert asked


def test_right_programs_are_proved() -> None:
    pair = PAIRS["slice of a padded tensor"]
    assert executed(text(pair, pair.source), text(pair, pair.right[0])).word is VerdictKind.PROVED


def ternary(*lines: str, arguments: str = "%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>") -> str:
    body = "\n".join(lines)
    return f"func.func @f({arguments}) -> tensor<3xf32> {{\n{body}\nreturn %r : tensor<3xf32>\n}}"


def added(name: str, first: str, second: str) -> str:
    return f"{name} = arith.addf {first}, {second} : tensor<3xf32>"


@pytest.mark.process
def test_rounding_is_no_difference() -> None:
    source = ternary(added("%s", "%a", "%b"), added("%r", "%s", "%c"))
    target = ternary(added("%s", "%b", "%c"), added("%r", "%a", "%s"))
    found = executed(source, target)
    assert found.word is VerdictKind.PROVED
    assert "contents" in found.not_compared


def test_elements_that_the_source_leaves_open_show_no_difference() -> None:
    empty = "%e = tensor.empty() : tensor<3xf32>"
    source = ternary(empty, added("%r", "%e", "%a"))
    found = executed(source, ternary(empty, added("%r", "%a", "%b")))
    assert found.word is VerdictKind.PROVED
    assert "contents" in found.not_compared
    alone = ternary(empty, "%r = tensor.cast %e : tensor<3xf32> to tensor<3xf32>")
    assert executed(alone, ternary(empty, added("%r", "%a", "%b"))).compares_elements


@pytest.mark.process
def test_functions_are_not_interpreted() -> None:
    source = ternary(added("%r", "%a", "%a"))
    target = ternary("%k = arith.constant dense<2.0> : tensor<3xf32>", "%r = arith.mulf %a, %k : tensor<3xf32>")
    found = executed(source, target)
    assert found.word is VerdictKind.PROVED
    assert "contents" in found.not_compared


def narrow(type: str, function: str) -> str:
    return f"""func.func @f(%a: tensor<?x{type}>, %b: tensor<?x{type}>) -> tensor<?x{type}> {{
  %s = arith.addf %a, %b : tensor<?x{type}>
  %r = arith.{function} %s, %b : tensor<?x{type}>
  return %r : tensor<?x{type}>
}}"""


@pytest.mark.process
@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_narrow_floats_show_differences_where_they_are_exact(type: str) -> None:
    """Products of a few numbers are not."""
    found = executed(narrow(type, "addf"), narrow(type, "subf"))
    assert found.word is VerdictKind.REFUTED
    assert found.refuted[0].executed is not None
    assert "element [0] of result 0 is -8 in the source and -6 in the target" in found.refuted[0].executed.words
    inexact = executed(narrow(type, "mulf"), narrow(type, "subf"))
    assert (inexact.word, inexact.not_compared) == (VerdictKind.PROVED, ("contents",))


@pytest.mark.process
@pytest.mark.parametrize(("type", "constant"), [("bf16", 0.3), ("bf16", 256.0), ("f16", 0.3), ("f16", 2048.0)])
def test_the_rounding_of_narrow_floats_is_no_difference(type: str, constant: float) -> None:
    """A constant need not be a small integer, and sums in another order are rounded elsewhere, as those of f32 are."""
    given = f"%k = arith.constant dense<{constant}> : tensor<3x{type}>"
    orders = [("%a", "%k", "%b"), ("%b", "%k", "%a")]

    def program(first: str, second: str, third: str) -> str:
        return f"""func.func @f(%a: tensor<3x{type}>, %b: tensor<3x{type}>) -> tensor<3x{type}> {{
  {given}
  %s = arith.addf {first}, {second} : tensor<3x{type}>
  %r = arith.addf %s, {third} : tensor<3x{type}>
  return %r : tensor<3x{type}>
}}"""

    found = executed(*(program(*each) for each in orders))
    assert (found.word, found.not_compared) == (VerdictKind.PROVED, ("contents",))
