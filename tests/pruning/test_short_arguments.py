"""Test of arguments that are written for many sizes."""

from __future__ import annotations

import pytest

from shapesolve.checker.check import trace_of
from shapesolve.domain.values import Tensor
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.concretization import ShortArguments, arguments_in_short

TEXT = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<2x?xi8>, %n: index, %shape: tensor<2xindex>, %any: tensor<*xf32>,
             %w: !shape.witness, %scalar: tensor<f32>, %dims: tensor<?xindex>, %flag: i1, %x: f32) {
  return
}
"""


@pytest.mark.parametrize("leaves_out", ["", "b", "n", "any"])
def test_each_text_is_that_of_the_sizes_at_hand(leaves_out: str) -> None:
    program = read_text(TEXT, "short.mlir")
    function = program.functions["f"]
    trace = trace_of(program, function, Options())
    short = ShortArguments(trace)
    found = set[Variable]()
    for value in trace.inputs:
        parts = (value.shape, value.spells, *(value.elements or ())) if isinstance(value, Tensor) else (value,)
        found.update(*(each.variables for each in parts if isinstance(each, Dim | Formula | Shape)))
    variables = sorted(found, key=lambda each: each.name)
    texts: list[str] = []
    for number in (2, 3, 2, 5, 3):
        sizes = {
            each: (number,) * 2 if isinstance(each, ShapeSymbol) else 1 if each.is_bit else number + place % 2
            for place, each in enumerate(variables)
            if not leaves_out or not each.name.startswith(leaves_out)
        }
        texts.append(short.at(sizes))
        assert texts[-1] == arguments_in_short(trace, sizes)
    assert texts[0] == texts[2] != texts[3]
    assert "a: 2x" in texts[0]
