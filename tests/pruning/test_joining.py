"""Test of joined constraints: one of all shapes in place of several, where a failing run prints the same."""

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

SHAPE = "tensor<1xindex>"
HEAD = f"""func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %given: !shape.witness) -> index {{
  %sa = shape.shape_of %a : tensor<?xf32> -> {SHAPE}
  %sb = shape.shape_of %b : tensor<?xf32> -> {SHAPE}
  %sc = shape.shape_of %c : tensor<?xf32> -> {SHAPE}
  %two = shape.const_shape [2] : {SHAPE}
"""
NO_WITNESS = HEAD.replace(", %given: !shape.witness", "")
END = """  return %r : index
}"""
USE = """shape.assuming %all -> (index) {
    %c7 = arith.constant 7 : index
    shape.assuming_yield %c7 : index
  }
"""


def constraint(kind: str, result: str, *shapes: str) -> str:
    types = ", ".join(SHAPE for _ in shapes)
    return f"  %{result} = shape.cstr_{kind} {', '.join(f'%{each}' for each in shapes)} : {types}\n"


def broadcast(result: str, *shapes: str) -> str:
    types = ", ".join(SHAPE for _ in shapes)
    return f"  %{result} = shape.broadcast {', '.join(f'%{each}' for each in shapes)} : {types} -> {SHAPE}\n"


def body(text: str, *witnesses: str) -> str:
    joined = ", ".join(f"%{each}" for each in witnesses)
    return f"{NO_WITNESS}{text}  %all = shape.assuming_all {joined}\n  %r = {USE}{END}"


def compared(text: str) -> list[list[str]]:
    """The operands of every constraint."""
    return [re.findall(r"%\w+", each) for each in re.findall(r"= shape\.cstr_\w+ ([^:]*) :", text)]


FIRST = constraint("broadcastable", "w", "sa", "sb")
SECOND = broadcast("ab", "sa", "sb") + constraint("broadcastable", "v", "ab", "sc")
ALL = ["%sa", "%sb", "%sc"]

JOINED = {
    "the shape of a broadcast": (body(FIRST + SECOND, "w", "v"), ALL),
    "all pairs": (
        body(
            FIRST + constraint("broadcastable", "v", "sb", "sc") + constraint("broadcastable", "u", "sa", "sc"), *"wvu"
        ),
        ALL,
    ),
    "equal ones": (body(constraint("eq", "w", "sa", "sb") + constraint("eq", "v", "sb", "sc"), "w", "v"), ALL),
    "what makes a shape stands between": (
        body(
            FIRST + f"  %sd = shape.shape_of %c : tensor<?xf32> -> {SHAPE}\n" + SECOND.replace("%sc", "%sd"), "w", "v"
        ),
        ["%sa", "%sb", "%sd"],
    ),
    "inside the body that waits for the first": (
        f"{NO_WITNESS}{FIRST}  %r = shape.assuming %w -> (index) {{\n{SECOND}"
        f"    %q = {USE.replace('%all', '%v')}    shape.assuming_yield %q : index\n  }}\n{END}",
        ALL,
    ),
    "behind the body that waits for the first": (
        f"""{NO_WITNESS}{FIRST}  %ab = shape.assuming %w -> ({SHAPE}) {{
    %x = shape.broadcast %sa, %sb : {SHAPE}, {SHAPE} -> {SHAPE}
    shape.assuming_yield %x : {SHAPE}
  }}
{constraint("broadcastable", "all", "ab", "sc")}  %r = {USE}{END}""",
        ALL,
    ),
}

APART = {
    "not all pairs": body(FIRST + constraint("broadcastable", "v", "sb", "sc"), "w", "v"),
    "pairs without a shape in common": body(FIRST + constraint("broadcastable", "v", "sc", "two"), "w", "v"),
    "another message between": body(
        FIRST
        + "  %zero = arith.constant 0 : index\n  %n = tensor.dim %c, %zero : tensor<?xf32>\n"
        + '  %p = arith.cmpi ne, %n, %zero : index\n  %u = shape.cstr_require %p, "empty"\n'
        + SECOND,
        *"wuv",
    ),
    "of another kind": body(FIRST + constraint("eq", "v", "sb", "sc"), "w", "v"),
    "a print between": body(FIRST + '  vector.print str "between"\n' + SECOND, "w", "v"),
    "inside a body that waits for a given witness": (
        f"{HEAD}{FIRST}  %r = shape.assuming %given -> (index) {{\n{SECOND}"
        f"    %all = shape.assuming_all %w, %v\n    %q = {USE}    shape.assuming_yield %q : index\n  }}\n{END}"
    ),
    "inside a branch": (
        NO_WITNESS.replace("%c: tensor", "%i: i1, %c: tensor")
        + f"{FIRST}  %r = scf.if %i -> (index) {{\n{SECOND}"
        + f"    %all = shape.assuming_all %w, %v\n    %q = {USE}    scf.yield %q : index\n  }} else {{\n"
        + f"    %q = {USE.replace('%all', '%w')}    scf.yield %q : index\n  }}\n{END}"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", JOINED)
def test_constraints_are_joined(case: str) -> None:
    text, left = JOINED[case]
    result = prune(text)
    assert compared(result.text) == [left]
    assert any("replaces those of lines" in note for note in result.notes)
    (same,) = refine(text, result.text, execute=False)
    assert same.word == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("case", APART)
def test_constraints_stay_apart(case: str) -> None:
    text = APART[case]
    assert compared(prune(text).text) == compared(text)


# Executed --------------------------------------------------------------------------------------------------------


@st.composite
def programs(draw: st.DrawFn) -> str:
    lines: list[str] = []
    shapes, witnesses = ["sa", "sb", "sc", "two"], []
    for number in range(draw(st.integers(2, 4))):
        kind = draw(st.sampled_from(("broadcastable", "broadcastable", "broadcastable", "eq")))
        operands = draw(st.lists(st.sampled_from(shapes), min_size=2, max_size=3))
        witnesses.append(f"w{number}")
        lines.append(constraint(kind, witnesses[-1], *operands))
        if kind == "broadcastable" and draw(st.booleans()):
            shapes.append(f"x{number}")
            lines.append(broadcast(shapes[-1], *operands))
    return body("".join(lines), *witnesses)


def ran(text: str) -> list[Execution]:
    runs = [[TensorInput((size,)) for size in each] for each in product(range(4), repeat=3)]
    return execute_many(text, "f", runs, runtime_checks=False)


@pytest.mark.exhaustive
@examples(20)
@given(programs())
def test_a_program_with_joined_constraints_ends_as_the_original_does(text: str) -> None:
    result = prune(text)
    if result.text == text:
        return
    before, after = ran(text), ran(result.text)
    assert all(each.outcome in (Outcome.RETURNED, Outcome.ABORTED) for each in before), before[0]
    assert [(each.outcome, each.message, each.result_extents) for each in after] == [
        (each.outcome, each.message, each.result_extents) for each in before
    ]
