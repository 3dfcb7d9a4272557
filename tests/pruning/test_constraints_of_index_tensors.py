"""Test of constraints of index tensors: where they move, and runs of both programs, also on negative elements."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import prune

from shapesolve import prune as prune_with
from shapesolve.execution.execution import Execution, TensorInput
from shapesolve.execution.runner import execute_many

SHAPE = "tensor<?xindex>"
HEAD = f"""func.func @f(%x: {SHAPE}, %y: {SHAPE}, %z: {SHAPE}) -> index {{
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
"""
END = """  return %c7 : index
}"""
SIZES = ((2,), (3,), (1, 2))
CONTENTS = (*SIZES, (-1,), (-2, 3))


def constraint(kind: str, result: str, *shapes: str) -> str:
    types = ", ".join(SHAPE for _ in shapes)
    return f"  %{result} = shape.cstr_{kind} {', '.join(f'%{each}' for each in shapes)} : {types}\n"


def asserted(number: int, tensor: str) -> str:
    return f"""  %e{number} = tensor.extract %{tensor}[%c0] : {SHAPE}
  %p{number} = arith.cmpi sge, %e{number}, %c0 : index
  cf.assert %p{number}, "negative"
"""


def compared(text: str) -> list[list[str]]:
    """The operands of every constraint."""
    return [re.findall(r"%(\w+)", each) for each in re.findall(r"= shape\.cstr_\w+ ([^:]*) :", text)]


@pytest.mark.slow
def test_a_constraint_moves_before_its_parts() -> None:
    parts = constraint("broadcastable", "w0", "y", "x") + constraint("broadcastable", "w1", "x", "y")
    assert compared(prune(HEAD + parts + constraint("broadcastable", "w2", "z", "x", "y") + END).text) == [list("zxy")]


def test_a_constraint_moves_before_none_of_other_shapes() -> None:
    text = HEAD + constraint("eq", "w0", "x", "y") + constraint("eq", "w1", "y", "z") + END
    assert compared(prune(text).text) == [["x", "y"], ["y", "z"]]


@pytest.mark.slow
@pytest.mark.parametrize("fewest", [False, True])
def test_a_constraint_stays_behind_an_assertion_on_its_elements(fewest: bool) -> None:
    text = HEAD + constraint("broadcastable", "w0", "x", "y") + asserted(0, "z")
    text += constraint("broadcastable", "w1", "z", "x", "y") + END
    pruned = prune_with(text, fewest=fewest).text
    assert compared(pruned) == [["x", "y"], ["z", "x", "y"]]
    assert "cf.assert" in pruned


def test_a_join_of_repeated_witnesses_has_each_once() -> None:
    text = HEAD.replace(f"%z: {SHAPE}", "%z: !shape.witness") + constraint("broadcastable", "w0", "x", "y")
    text += "  %all = shape.assuming_all %z, %w0, %z, %w0\n"
    result = prune(f"{text}  shape.assuming %all {{\n    vector.print %c7 : index\n  }}\n{END}")
    assert re.findall("assuming_all (.*)", result.text) == ["%z, %w0"]
    assert "`shape.assuming_all` of %z, %w0, %z, %w0 joins each witness once" in result.notes


# Executed --------------------------------------------------------------------------------------------------------


@st.composite
def programs(draw: st.DrawFn) -> str:
    lines: list[str] = []
    for number in range(draw(st.integers(2, 5))):
        kind = draw(st.sampled_from(("broadcastable", "broadcastable", "broadcastable", "eq", "assert")))
        shapes = draw(st.lists(st.sampled_from("xyz"), min_size=2, max_size=4))
        lines.append(asserted(number, shapes[0]) if kind == "assert" else constraint(kind, f"w{number}", *shapes))
    return HEAD + "".join(lines) + END


def ran(text: str, contents: tuple[tuple[int, ...], ...]) -> list[Execution]:
    runs = [[TensorInput((len(each),), each) for each in given] for given in product(contents, repeat=3)]
    return execute_many(text, "f", runs, runtime_checks=False)


@pytest.mark.exhaustive
@examples(15)
@given(programs(), st.booleans())
def test_a_program_of_index_tensors_ends_as_the_original_does(text: str, fewest: bool) -> None:
    pruned = prune_with(text, fewest=fewest).text
    if pruned == text:
        return
    contents = SIZES if "cf.assert" in text else CONTENTS  # behind a constraint, a tensor is believed to hold sizes
    before, after = ran(text, contents), ran(pruned, contents)
    if fewest:
        assert [each.outcome for each in after] == [each.outcome for each in before]
        return
    assert [(each.outcome, each.message, each.result_values) for each in after] == [
        (each.outcome, each.message, each.result_values) for each in before
    ]
