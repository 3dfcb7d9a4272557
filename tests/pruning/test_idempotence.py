"""Test that pruning again changes nothing, on programs whose checks can be hoisted, joined, and narrowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import prune

from shapesolve import prune as prune_with

SHAPE = "tensor<1xindex>"
HEAD = f"""func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> index {{
  %sa = shape.shape_of %a : tensor<?xf32> -> {SHAPE}
  %sb = shape.shape_of %b : tensor<?xf32> -> {SHAPE}
  %sc = shape.shape_of %c : tensor<?xf32> -> {SHAPE}
  %one = shape.const_shape [1] : {SHAPE}
  %two = shape.const_shape [2] : {SHAPE}
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %na = tensor.dim %a, %c0 : tensor<?xf32>
  %nb = tensor.dim %b, %c0 : tensor<?xf32>
"""
END = """  return %c7 : index
}"""


def constraint(kind: str, result: str, *shapes: str) -> str:
    return f"%{result} = shape.cstr_{kind} {_operands(shapes)}\n"


def broadcast(result: str, *shapes: str) -> str:
    return f"%{result} = shape.broadcast {_operands(shapes)} -> {SHAPE}\n"


def _operands(shapes: tuple[str, ...]) -> str:
    return f"{', '.join(f'%{each}' for each in shapes)} : {', '.join(SHAPE for _ in shapes)}"


CASES = {
    "a narrowed constraint moves": constraint("broadcastable", "w0", "two", "sc")
    + constraint("broadcastable", "w1", "sc", "sb")
    + broadcast("x1", "sc", "sb")
    + constraint("broadcastable", "w2", "sc", "sa")
    + constraint("broadcastable", "w3", "sb", "two", "x1"),
    "a joined constraint is narrowed": constraint("broadcastable", "w1", "sb", "sc")
    + broadcast("x2", "sb", "sc")
    + constraint("broadcastable", "w3", "two", "x2", "one"),
    "a joined and narrowed constraint stands before an equality": constraint("broadcastable", "w1", "sb", "sa")
    + broadcast("x2", "sb", "sa")
    + constraint("broadcastable", "w3", "two", "x2", "one")
    + broadcast("x4", "two", "x2", "one")
    + constraint("broadcastable", "w5", "two", "sc", "two")
    + constraint("broadcastable", "w7", "sa", "sb", "x2", "x4")
    + constraint("eq", "w9", "x4", "sc"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_pruning_again_changes_nothing(case: str) -> None:
    result = prune(HEAD + CASES[case] + END)
    assert any("compares" in note for note in result.notes)


class Writer:
    """Draws a program of nested blocks of constraints, assertions, assumptions, and branches."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._count = 0

    def program(self) -> str:
        text, _ = self._block(("sa", "sb", "sc", "one", "two"), 2, st.integers(3, 6))
        return HEAD + text + END

    def _block(self, shapes: tuple[str, ...], depth: int, length: st.SearchStrategy[int]) -> tuple[str, str]:
        """Return the text of a block, and a shape that it makes, or one of those around it."""
        lines: list[str] = []
        witnesses: list[str] = []
        kinds = ["broadcastable"] * 5 + ["eq", "assert", "broadcast"] + ["assuming", "if"] * (depth > 0)
        for _ in range(self._draw(length)):
            kind = self._draw(st.sampled_from(kinds))
            operands = self._draw(st.lists(st.sampled_from(shapes), min_size=2, max_size=4))
            name = self._new()
            if kind in ("broadcastable", "eq"):
                witnesses.append(name)
                lines.append(constraint(kind, name, *operands))
            elif kind == "broadcast":
                lines.append(broadcast(name, *operands))
                shapes = (*shapes, name)
            elif kind == "assert" or not witnesses:
                lines.append(f'%{name} = arith.cmpi ule, %na, %nb : index\ncf.assert %{name}, "too many"\n')
            elif kind == "if":
                body, _ = self._block(shapes, depth - 1, st.integers(1, 2))
                lines.append(f"%{name} = arith.cmpi ule, %na, %nb : index\nscf.if %{name} {{\n{body}}}\n")
            else:
                body, made = self._block(shapes, depth - 1, st.integers(1, 3))
                witness = self._draw(st.sampled_from(witnesses))
                lines.append(f"%{name} = shape.assuming %{witness} -> ({SHAPE}) {{\n{body}")
                lines.append(f"shape.assuming_yield %{made} : {SHAPE}\n}}\n")
                shapes = (*shapes, name)
        return "".join(lines), shapes[-1]

    def _new(self) -> str:
        self._count += 1
        return f"v{self._count}"


@st.composite
def programs(draw: st.DrawFn) -> str:
    return Writer(draw).program()


@pytest.mark.exhaustive
@examples(25)
@given(programs(), st.booleans())
def test_pruning_a_random_program_again_changes_nothing(text: str, fewest: bool) -> None:
    once = prune_with(text, fewest=fewest).text
    assert prune_with(once, fewest=fewest).text == once
