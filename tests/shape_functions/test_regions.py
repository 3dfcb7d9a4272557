"""Regions of operations that shape functions describe: whether and how often they run, and what they yield."""

from __future__ import annotations

import pytest
from support.library_programs import library_text

from shapesolve.checker.report import Report
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.shape_functions.queries import library

ONCE = 'attributes {shapesolve.regions = [{runs = "once"}]}'
GIVEN = 'attributes {shapesolve.regions = [{runs = "once", arguments = [0]}]}'
SAME = """
  func @same(%a: !shape.shape) -> !shape.shape STATED {
    return %a : !shape.shape
  }
"""
SCOPE = """
  func @scope(%a: !shape.shape, %made: !shape.shape {shapesolve.yields = 0}) -> !shape.shape STATED {
    return %made : !shape.shape
  }
"""
MATCHING = """
  func @scope(%a: !shape.shape, %made: !shape.shape {shapesolve.yields = [0, 0]}) -> !shape.shape STATED {
    %m = meet %a, %made, error = "the region makes another shape" : !shape.shape, !shape.shape -> !shape.shape
    return %m : !shape.shape
  }
"""
TWICE = """
  func @scope(%a: !shape.shape, %made: !shape.shape {shapesolve.yields = 0}) -> !shape.shape STATED {
    %r = concat %a, %made : !shape.shape, !shape.shape -> !shape.shape
    return %r : !shape.shape
  }
"""


def checked(body: str, program: str, stated: str = "") -> Report:
    """Return the check of a program in which ``my.op`` is described by the function of the body."""
    name = body.split("@")[1].split("(")[0]
    text = library_text(body.replace("STATED", stated), f"my.op = @{name}")
    return check_program(
        read_text(f"module attributes {{shape.lib = [@lib]}} {{\n{text}{program}}}\n"), Options(execute=False)
    )


def words(report: Report, op: str) -> list[str]:
    return [each.verdict.word for each in report.checked_obligations if each.obligation.op.name == op]


def program(inside: str, argument: str = "%e: tensor<?xf32>", result: str = "tensor<?xf32>", behind: str = "") -> str:
    return f"""func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) {{
  %r = "my.op"(%a) ({{
  ^bb0({argument}):
    %0 = {inside} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    "my.yield"(%0) : (tensor<?xf32>) -> ()
  }}) : (tensor<?xf32>) -> {result}
{behind}
  return
}}
"""


AFTER = "  %1 = tosa.add %r, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"


@pytest.mark.parametrize(
    ("stated", "inside", "word"),
    [
        ("", "tosa.add %a, %a", "proved"),
        ("", "tosa.add %a, %b", "undecided"),  # the region may never run
        ("", "tosa.add %e, %e", "proved"),
        (ONCE, "tosa.add %a, %b", "refuted"),
        (ONCE, "tosa.add %a, %e", "undecided"),  # not said what the region is given
        (ONCE, "tosa.add %e, %e", "proved"),
        (GIVEN, "tosa.add %a, %e", "proved"),
        (GIVEN, "tosa.add %b, %e", "refuted"),
        (GIVEN.replace("once", "any"), "tosa.add %a, %e", "proved"),
        (GIVEN.replace("once", "any"), "tosa.add %b, %e", "undecided"),
        (GIVEN.replace("[0]", "[-1]"), "tosa.add %a, %e", "undecided"),
    ],
)
def test_a_region_is_run_as_is_stated(stated: str, inside: str, word: str) -> None:
    assert words(checked(SAME, program(inside), stated), "tosa.add") == [word]


def test_facts_of_a_region_that_runs_hold_behind_it() -> None:
    behind = "  %1 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
    text = program("tosa.add %a, %b", behind=behind)
    assert words(checked(SAME, text, ONCE), "tosa.add") == ["refuted", "proved"]
    assert words(checked(SAME, text), "tosa.add") == ["undecided", "undecided"]


def test_results_are_made_of_what_a_region_yields() -> None:
    assert words(checked(SCOPE, program("tosa.add %a, %a", behind=AFTER), ONCE), "tosa.add") == ["proved", "proved"]
    assert words(checked(SCOPE, program("tosa.add %b, %b", behind=AFTER), ONCE), "tosa.add") == ["proved", "refuted"]
    assert words(checked(SCOPE, program("tosa.add %e, %e", behind=AFTER), GIVEN), "tosa.add") == ["proved", "proved"]
    assert words(checked(SCOPE, program("tosa.add %e, %e", behind=AFTER), ONCE), "tosa.add") == ["proved", "undecided"]


def test_a_declared_type_is_compared_with_what_is_yielded() -> None:
    text = program("tosa.add %b, %b", result="tensor<4xf32>")
    assert words(checked(SCOPE, text, ONCE), "my.op") == ["refuted"]
    ranks = program("tosa.add %b, %b", result="tensor<?x?xf32>")
    assert words(checked(TWICE, ranks, ONCE), "my.op") == []
    assert words(checked(TWICE, program("tosa.add %b, %b"), ONCE), "my.op") == ["refuted"]


def test_a_requirement_on_yielded_values_is_open() -> None:
    report = checked(MATCHING, program("tosa.add %a, %a", behind=AFTER), ONCE)
    assert any("demands of yielded values" in str(each.cause) for each in report.functions[0].trace.approximations)
    assert words(report, "tosa.add") == ["proved", "undecided"]


def test_a_value_is_used_before_it_is_made() -> None:
    text = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %r = "my.op"(%a) ({
    %1 = "my.use"(%0) : (tensor<?xf32>) -> tensor<?xf32>
    %0 = "my.use"(%1) : (tensor<?xf32>) -> tensor<?xf32>
    %2 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
"""
    assert words(checked(SAME, text), "tosa.add") == ["undecided"]


@pytest.mark.parametrize(
    ("body", "stated", "reason"),
    [
        (SAME, "attributes {shapesolve.regions = []}", "lists for each region"),
        (SAME, 'attributes {shapesolve.regions = ["once"]}', "lists for each region"),
        (SAME, 'attributes {shapesolve.regions = [{runs = "twice"}]}', "lists for each region"),
        (SAME, 'attributes {shapesolve.regions = [{run = "once"}]}', "lists for each region"),
        (SAME, "attributes {shapesolve.regions = [{arguments = [-2]}]}", "lists for each region"),
        (SCOPE, "", "wants a region that runs once"),
        (SCOPE, 'attributes {shapesolve.regions = [{runs = "any"}]}', "wants a region that runs once"),
        (SCOPE.replace("yields = 0", "yields = [0, 1, 2]"), ONCE, "wants the number of a region"),
        (SCOPE.replace("yields = 0", "yields = 0, shapesolve.element = f32"), ONCE, "takes no operand"),
    ],
)
def test_statements_that_say_nothing_are_refused(body: str, stated: str, reason: str) -> None:
    name = body.split("@")[1].split("(")[0]
    with pytest.raises(InputError, match=reason):
        library(library_text(body.replace("STATED", stated), f"my.op = @{name}"))


@pytest.mark.parametrize(
    ("body", "stated", "text", "reason"),
    [
        (SAME, ONCE.replace("[{", "[{}, {"), program("tosa.add %a, %a"), "has 1 regions here"),
        (SAME, GIVEN, program("tosa.add %a, %a", argument="%e: tensor<?xf32>, %f: f32"), "has 2 arguments here"),
        (SAME, GIVEN, program("tosa.add %a, %a", argument="%e: f32"), "cannot be operand 0"),
        (SAME, GIVEN.replace("[0]", "[1]"), program("tosa.add %a, %a"), "cannot be operand 1"),
        (SCOPE.replace("yields = 0", "yields = [0, 1]"), ONCE, program("tosa.add %a, %a"), "yields no value 1"),
    ],
)
def test_operations_that_do_not_fit_are_refused(body: str, stated: str, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        checked(body, text, stated)
