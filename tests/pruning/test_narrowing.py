"""Test of constraints narrowed to their unproved shapes: the output, and runs of both programs."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import prune

from shapesolve import refine
from shapesolve.execution.execution import Execution, Outcome, TensorInput
from shapesolve.execution.runner import execute_many

HEAD = """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> index {
  %sa = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %sb = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %sc = shape.shape_of %c : tensor<?xf32> -> tensor<1xindex>
  %one = shape.const_shape [1] : tensor<1xindex>
  %two = shape.const_shape [2] : tensor<1xindex>
"""


def constraint(name: str, result: str, *shapes: str) -> str:
    types = ", ".join("tensor<1xindex>" for _ in shapes)
    return f"  %{result} = shape.{name} {', '.join(f'%{each}' for each in shapes)} : {types}\n"


def body(text: str, *witnesses: str) -> str:
    joined, last = "", witnesses[0]
    if len(witnesses) > 1:
        joined, last = f"  %all = shape.assuming_all {', '.join(f'%{each}' for each in witnesses)}\n", "all"
    return f"""{HEAD}{text}{joined}  %r = shape.assuming %{last} -> (index) {{
    %c7 = arith.constant 7 : index
    shape.assuming_yield %c7 : index
  }}
  return %r : index
}}"""


def compared(text: str) -> list[list[str]]:
    """The operands of every constraint of broadcasting or equality."""
    return [re.findall(r"%\w+", each) for each in re.findall(r"= shape\.cstr_\w+ ([^:]*) :", text)]


CASES = {
    "twice the same": (
        body(constraint("cstr_broadcastable", "w", "sa", "sb", "sa", "sc"), "w"),
        [["%sa", "%sb", "%sc"]],
    ),
    "equal to another by an earlier one": (
        body(
            constraint("cstr_eq", "e", "sa", "sb") + constraint("cstr_broadcastable", "w", "sa", "sb", "sc"), "e", "w"
        ),
        [["%sa", "%sb"], ["%sa", "%sc"]],
    ),
    "broadcasts with anything": (
        body(constraint("cstr_broadcastable", "w", "sa", "one", "sb"), "w"),
        [["%sa", "%sb"]],
    ),
    "equal, of three": (
        body(constraint("cstr_eq", "e", "sa", "sb") + constraint("cstr_eq", "w", "sc", "sb", "sa"), "e", "w"),
        [["%sc", "%sb", "%sa"]],  # moved before the other one, which says the same when it fails
    ),
    "all open": (body(constraint("cstr_broadcastable", "w", "sa", "sb", "sc"), "w"), [["%sa", "%sb", "%sc"]]),
    "two stay": (body(constraint("cstr_broadcastable", "w", "sa", "sb"), "w"), [["%sa", "%sb"]]),
    "a later one does not count": (
        body(
            constraint("cstr_broadcastable", "w", "sa", "sb", "sc") + constraint("cstr_eq", "e", "sa", "sb"), "e", "w"
        ),
        [["%sa", "%sb", "%sc"], ["%sa", "%sb"]],
    ),
    "what broadcasts pairwise need not together": (
        body(
            constraint("cstr_broadcastable", "u", "sa", "sb")
            + constraint("cstr_broadcastable", "v", "sb", "sc")
            + constraint("cstr_broadcastable", "w", "sa", "sb", "sc"),
            "u",
            "v",
            "w",
        ),
        [["%sa", "%sb", "%sc"]],  # moved before both
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_partly_proved_check_compares_only_the_rest(case: str) -> None:
    text, left = CASES[case]
    result = prune(text)
    assert compared(result.text) == left
    assert (result.text == text) == (compared(text) == left)
    is_changed = compared(text) != left
    assert any("compares" in note or "moves up" in note for note in result.notes) == is_changed
    (same,) = refine(text, result.text, execute=False)
    assert same.word == "proved"


@pytest.mark.slow
def test_the_witness_is_that_of_the_constraint() -> None:
    text, _ = CASES["twice the same"]
    assert re.findall(r"shape\.assuming_all (.*)|shape\.assuming (%\w+)", prune(text).text) in (
        [("%w", ""), ("", "%all")],
        [("", "%w")],
    )


@pytest.mark.slow
def test_shapes_that_nothing_uses_any_more_go() -> None:
    again = "  %again = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>\n"
    result = prune(body(again + constraint("cstr_broadcastable", "w", "sa", "sb", "again", "sc"), "w"))
    assert compared(result.text) == [["%sa", "%sb", "%sc"]]
    assert "%again" not in result.text


# Executed --------------------------------------------------------------------------------------------------------


@st.composite
def programs(draw: st.DrawFn) -> str:
    lines: list[str] = []
    names: list[str] = []
    for number in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("cstr_broadcastable", "cstr_broadcastable", "cstr_eq")))
        shapes = draw(st.lists(st.sampled_from(("sa", "sb", "sc", "one", "two")), min_size=2, max_size=5))
        names.append(f"w{number}")
        lines.append(constraint(kind, names[-1], *shapes))
    return body("".join(lines), *names)


def ran(text: str) -> list[Execution]:
    runs = [[TensorInput((size,)) for size in each] for each in product(range(4), repeat=3)]
    return execute_many(text, "f", runs, runtime_checks=False)


@pytest.mark.exhaustive
@examples(15)
@given(programs())
def test_a_program_with_fewer_shapes_ends_as_the_original_does(text: str) -> None:
    result = prune(text)
    if result.text == text:
        return
    before, after = ran(text), ran(result.text)
    assert all(each.outcome in (Outcome.RETURNED, Outcome.ABORTED) for each in before), before[0]
    assert [(each.outcome, each.message, each.result_values) for each in after] == [
        (each.outcome, each.message, each.result_values) for each in before
    ]


@pytest.mark.parametrize("number", (20, 50))
def test_a_constraint_of_many_shapes_compares_each_once(number: int) -> None:
    names = [f"a{each}" for each in range(number)]
    shapes = [f"  %s{each} = shape.shape_of %{each} : tensor<?xf32> -> tensor<1xindex>\n" for each in names]
    repeated = [f"s{each}" for each in (*names, names[3], *names[:2])]
    arguments = ", ".join(f"%{each}: tensor<?xf32>" for each in names)
    text = f"""func.func @f({arguments}) {{
{"".join(shapes)}{constraint("cstr_eq", "w", *repeated)}  shape.assuming %w {{
    "test.use"() : () -> ()
    shape.assuming_yield
  }}
  return
}}"""
    assert compared(prune(text).text) == [[f"%{each}" for each in repeated[:number]]]


def test_one_of_many_shapes_that_is_implied_is_left_out() -> None:
    names = [f"a{each}" for each in range(20)]
    shapes = [f"  %s{each} = shape.shape_of %{each} : tensor<?xf32> -> tensor<1xindex>\n" for each in names]
    every = [f"s{each}" for each in names]
    arguments = ", ".join(f"%{each}: tensor<?xf32>" for each in names)
    text = f"""func.func @f({arguments}) {{
{"".join(shapes)}{constraint("cstr_eq", "e", every[4], every[9])}  shape.assuming %e {{
{constraint("cstr_broadcastable", "w", *every)}    shape.assuming %w {{
      "test.use"() : () -> ()
      shape.assuming_yield
    }}
    shape.assuming_yield
  }}
  return
}}"""
    left = [f"%{each}" for each in every if each != every[9]]
    assert compared(prune(text).text) == [["%sa4", "%sa9"], left]
