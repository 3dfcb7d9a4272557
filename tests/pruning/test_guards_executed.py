"""Differential test of programs without redundant guards, executed: the same extents, elements and stops.

The programs are made by upstream's lowering of TOSA, which broadcasts by guards, or of random guards, selects and
loops; all of them run on small sizes, with elements that differ from each other.
"""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from support.examples import examples
from support.pruned_programs import prune
from support.upstream_passes import TOSA_TO_LINALG, after_passes

from shapesolve.execution.execution import Execution, Outcome, ScalarInput, TensorInput
from shapesolve.execution.runner import execute_many

Sizes = tuple[int, ...]

TYPES = {"a": "tensor<?x?xi32>", "b": "tensor<?x?xi32>", "row": "tensor<1x?xi32>", "column": "tensor<?x1xi32>"}
ARGUMENTS = ", ".join(f"%{name}: {type}" for name, type in TYPES.items())
OPERATIONS = ("add", "sub", "maximum", "minimum", "bitwise_or")


def elements(*extents: int) -> TensorInput:
    """A tensor that holds another number at every position."""
    return TensorInput(extents, tuple(3 * number + 1 for number in range(prod(extents))))


def on(a: Sizes, b: Sizes) -> list[TensorInput]:
    """The arguments: the row is as wide as the first tensor, the column as high."""
    return [elements(*a), elements(*b), elements(1, a[1]), elements(a[0], 1)]


@st.composite
def broadcasting(draw: st.DrawFn) -> str:
    """Element-wise operations on what was given and computed before."""
    values = dict(TYPES)
    lines: list[str] = []
    for number in range(draw(st.integers(2, 4))):
        left, right = draw(st.sampled_from(sorted(values))), draw(st.sampled_from(sorted(values)))
        name = draw(st.sampled_from(OPERATIONS))
        type = "tensor<?x?xi32>"
        if values[left] == values[right]:
            type = values[left]
        lines.append(f"  %v{number} = tosa.{name} %{left}, %{right} : ({values[left]}, {values[right]}) -> {type}")
        values[f"v{number}"] = type
    last = f"v{len(lines) - 1}"
    text = "\n".join(lines)
    return f"func.func @f({ARGUMENTS}) -> {values[last]} {{\n{text}\n  return %{last} : {values[last]}\n}}"


def ran(text: str, runs: list[list[TensorInput]]) -> list[Execution]:
    """The function @f."""
    return execute_many(text, "f", runs, runtime_checks=False)


SQUARES = tuple(product((1, 2, 3), repeat=2))  # upstream takes 0 and 1 together for 1, and reads what is not there
SAME = tuple((each, each) for each in SQUARES)
MIXED = tuple(
    (a, b) for a, b in product(SQUARES, repeat=2) if all(x == y or 1 in (x, y) for x, y in zip(a, b, strict=True))
)
FITTING = ("arg0[1] == arg2[1]", "arg0[0] == arg3[0]")


@pytest.mark.exhaustive
@examples(8, HealthCheck.data_too_large)
@given(broadcasting(), st.booleans())
def test_a_lowered_program_gives_the_same_elements(text: str, equal: bool) -> None:
    lowered = after_passes(text, TOSA_TO_LINALG)
    alike = ("arg0[0] == arg1[0]", "arg0[1] == arg1[1]") if equal else ()
    result = prune(lowered, assumptions=(*alike, *FITTING))
    body = text.split("\n", 1)[1]
    if equal and "%row" not in body and "%column" not in body:
        assert result.counts.get("scf.if", (0, 0))[1] == 0
    if not result.removed:
        return
    runs = [on(a, b) for a, b in (SAME if equal else MIXED)]
    for original, pruned in zip(ran(lowered, runs), ran(result.text, runs), strict=True):
        assert original.outcome is Outcome.RETURNED
        assert (pruned.outcome, pruned.result_extents) == (original.outcome, original.result_extents)
        assert pruned.result_values == original.result_values


# Anything ------------------------------------------------------------------------------------------------------------

HEAD = """
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %d = tensor.dim %a, %k0 : tensor<?xi32>
"""
NUMBERS = ("%d", "%n", "%k0", "%k1", "%k2")


def _copy(name: str, source: str, size: str, number: int, first: bool) -> str:
    map = "0" if first else "i"
    return f"""
  %o{number} = tensor.empty({size}) : tensor<?xi32>
  {name} = linalg.generic {{indexing_maps = [affine_map<(i) -> ({map})>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]}} ins({source} : tensor<?xi32>) outs(%o{number} : tensor<?xi32>) {{
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }} -> tensor<?xi32>"""


class _Maker:
    """Writes operations; numbers and tensors that are in sight may be used."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.count = 0

    def fresh(self) -> int:
        """The next number for a name."""
        self.count += 1
        return self.count

    def condition(self, numbers: list[str]) -> tuple[str, str]:
        """A comparison."""
        at = self.fresh()
        relation = self.draw(st.sampled_from(("eq", "ne", "slt", "sge")))
        pair = self.draw(st.sampled_from(numbers)), self.draw(st.sampled_from(numbers))
        return f"%p{at}", f"\n  %p{at} = arith.cmpi {relation}, {pair[0]}, {pair[1]} : index"

    def lines(self, numbers: list[str], tensors: list[str], depth: int) -> str:
        """Draw some operations, whose results become available as operands."""
        text = ""
        for _ in range(self.draw(st.integers(1, 3))):
            kind = self.draw(st.sampled_from(("number", "choice", "copy", "guard", "guard", "loop") if depth else
                                             ("number", "choice", "copy")))  # fmt: skip
            text += getattr(self, f"_{kind}")(numbers, tensors, depth)
        return text

    def _number(self, numbers: list[str], tensors: list[str], depth: int) -> str:
        at = self.fresh()
        operation = self.draw(st.sampled_from(("addi", "subi", "minsi", "maxsi", "maxui")))
        left, right = self.draw(st.sampled_from(numbers)), self.draw(st.sampled_from(numbers))
        numbers.append(f"%x{at}")
        return f"\n  %x{at} = arith.{operation} {left}, {right} : index"

    def _choice(self, numbers: list[str], tensors: list[str], depth: int) -> str:
        condition, text = self.condition(numbers)
        at = self.fresh()
        left, right = self.draw(st.sampled_from(numbers)), self.draw(st.sampled_from(numbers))
        numbers.append(f"%x{at}")
        return f"{text}\n  %x{at} = arith.select {condition}, {left}, {right} : index"

    def _copy(self, numbers: list[str], tensors: list[str], depth: int) -> str:
        """A copy, or the first element at every position: of one element at most."""
        at = self.fresh()
        source = self.draw(st.sampled_from(tensors))
        first = self.draw(st.booleans())
        size = self.draw(st.sampled_from(("%k0", "%k1"))) if first else f"%s{at}"
        dim = f"\n  %s{at} = tensor.dim {source}, %k0 : tensor<?xi32>"
        if first:  # only what is not empty has a first element
            dim += f"\n  %s{at}m = arith.minsi %s{at}, {size} : index"
            size = f"%s{at}m"
        tensors.append(f"%t{at}")
        return dim + _copy(f"%t{at}", source, size, at, first)

    def _guard(self, numbers: list[str], tensors: list[str], depth: int) -> str:
        condition, text = self.condition(numbers)
        at = self.fresh()
        arms: list[str] = []
        for _ in range(2):
            inner_numbers, inner_tensors = list(numbers), list(tensors)
            body = self.lines(inner_numbers, inner_tensors, depth - 1) if self.draw(st.booleans()) else ""
            check = f'\n  cf.assert {condition}, "in {at}"' if self.draw(st.integers(0, 7)) == 0 else ""
            number, tensor = self.draw(st.sampled_from(inner_numbers)), self.draw(st.sampled_from(inner_tensors))
            arms.append(f"{body}{check}\n  scf.yield {number}, {tensor} : index, tensor<?xi32>")
        numbers.append(f"%g{at}#0")
        tensors.append(f"%g{at}#1")
        types = "(index, tensor<?xi32>)"
        return f"{text}\n  %g{at}:2 = scf.if {condition} -> {types} {{{arms[0]}\n  }} else {{{arms[1]}\n  }}"

    def _loop(self, numbers: list[str], tensors: list[str], depth: int) -> str:
        at = self.fresh()
        lower = self.draw(st.sampled_from(("%k0", "%k1", "%d")))
        upper = self.draw(st.sampled_from(("%k0", "%k1", "%k2", "%d")))
        step = self.draw(st.sampled_from(("%k1", "%k2")))
        first = self.draw(st.sampled_from(numbers)), self.draw(st.sampled_from(tensors))
        inner_numbers, inner_tensors = [*numbers, f"%i{at}", f"%c{at}"], [*tensors, f"%w{at}"]
        body = self.lines(inner_numbers, inner_tensors, depth - 1)
        last = self.draw(st.sampled_from(inner_numbers)), self.draw(st.sampled_from(inner_tensors))
        numbers.append(f"%g{at}#0")
        tensors.append(f"%g{at}#1")
        return f"""
  %g{at}:2 = scf.for %i{at} = {lower} to {upper} step {step}
    iter_args(%c{at} = {first[0]}, %w{at} = {first[1]}) -> (index, tensor<?xi32>) {{{body}
    scf.yield {last[0]}, {last[1]} : index, tensor<?xi32>
  }}"""


@st.composite
def anything(draw: st.DrawFn) -> str:
    """A function that gives numbers and tensors which depend on guards, choices and loops."""
    numbers: list[str] = list(NUMBERS)
    tensors = ["%a"]
    text = _Maker(draw).lines(numbers, tensors, 2)
    results = [draw(st.sampled_from(numbers[-3:])), draw(st.sampled_from(tensors[-2:]))]
    end = f"  return {', '.join(results)} : index, tensor<?xi32>"
    return f"func.func @f(%a: tensor<?xi32>, %n: index) -> (index, tensor<?xi32>) {{{HEAD}{text}\n{end}\n}}"


@pytest.mark.slow
@examples(10, HealthCheck.data_too_large)
@given(anything())
def test_any_program_gives_the_same_numbers_and_elements(text: str) -> None:
    result = prune(text)
    if not result.removed and not result.simplified:
        return
    runs = [[elements(size), ScalarInput(number)] for size in range(4) for number in (-1, 0, 1, 2)]
    outcomes = [execute_many(each, "f", runs, runtime_checks=False) for each in (text, result.text)]
    for original, pruned in zip(*outcomes, strict=True):
        assert original.outcome in (Outcome.RETURNED, Outcome.ABORTED), original
        seen = (original.outcome, original.message, original.result_extents, original.result_values)
        assert (pruned.outcome, pruned.message, pruned.result_extents, pruned.result_values) == seen
