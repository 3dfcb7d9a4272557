"""Floats that ONNX computes from sizes, ranges of them, and factors of images, against numpy and the runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.claims_at_sizes import trace_of
from support.examples import examples

from shapesolve.domain.values import Tensor
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.shape_kinds import RankedShape

KINDS: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
NUMBERS = st.sampled_from([0.5, 2.0, 3.0, 0.1, 0.7, 1 / 3, 1.5, 10.0, 0.25])
STEPS = st.lists(st.tuples(st.sampled_from(["Add", "Sub", "Mul", "Div"]), NUMBERS), max_size=3)
ROUNDINGS: dict[str, Any] = {"Floor": np.floor, "Ceil": np.ceil, "Round": np.rint, "Abs": np.abs}


class Program:
    """A program that computes floats of a type from a size, and their values."""

    def __init__(self, kind: str, size: int) -> None:
        self.type, self.make, self.value = f"!torch.vtensor<[],{kind}>", KINDS[kind], KINDS[kind](size)
        self.lines = ["func.func @f(%n: !torch.vtensor<[?],f32>) {"]
        self.last = ""
        self.last = self.add("Size", ["%n"], "!torch.vtensor<[],si64>", of="!torch.vtensor<[?],f32>")
        self.last = self.add("Cast", [self.last], self.type, of="!torch.vtensor<[],si64>")

    def add(self, name: str, operands: list[str], type: str, of: str = "", text: str = "") -> str:
        result = f"%v{len(self.lines)}"
        given = ", ".join([of or self.type] * len(operands))
        self.lines.append(
            f'  {result} = torch.operator "onnx.{name}"({", ".join(operands)}){text} : ({given}) -> {type}'
        )
        return result

    def constant(self, number: float) -> str:
        held = f" {{torch.onnx.value = dense<{float(self.make(number)):.17e}> : tensor<{self.type[-4:-1]}>}}"
        return self.add("Constant", [], self.type, text=held)

    def step(self, name: str, number: float) -> None:
        by = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}[name]
        self.last = self.add(name, [self.last, self.constant(number)], self.type)
        self.value = by(self.value, self.make(number))

    def extent(self, name: str, size: int) -> int | None:
        """Return what the rules say of the extent of a vector, None where that is not known."""
        found = trace_of("\n".join([*self.lines, "  return", "}"])).values
        held = next(value for key, value in found.items() if key.name == name)
        assert isinstance(held, Tensor) and isinstance(held.shape, RankedShape)
        extent: Dim = held.shape.dims[0]
        at = {each: size for each in extent.variables if each.name == "n[0]"}
        return evaluate(extent, at) if len(at) == len(extent.variables) else None


@examples(150)
@given(st.integers(0, 60), STEPS, NUMBERS, NUMBERS, st.booleans(), st.sampled_from([*KINDS]))
def test_ranges_have_as_many_floats(
    size: int, steps: list[tuple[str, float]], start: float, step: float, falls: bool, kind: str
) -> None:
    program = Program(kind, size)
    for each in steps:
        program.step(*each)
    ends = [program.constant(start), program.last, program.constant(-step if falls else step)]
    name = program.add("Range", ends, f"!torch.vtensor<[?],{kind}>")
    first, last, by = program.make(start), program.value, program.make(-step if falls else step)
    counts = {max(0, int(np.ceil(float(away) / float(by)))) for away in (last - first, float(last) - float(first))}
    known = program.extent(name, size)
    assert known is None or counts == {known}


@examples(150)
@given(st.integers(0, 60), STEPS, st.sampled_from([*ROUNDINGS]), st.sampled_from([*KINDS]))
def test_whole_numbers_of_floats(size: int, steps: list[tuple[str, float]], how: str, kind: str) -> None:
    program = Program(kind, size)
    for each in steps:
        program.step(*each)
    if program.value < 0:
        return
    rounded = program.add(how, [program.last], program.type)
    number = program.add("Cast", [rounded], "!torch.vtensor<[],si64>")
    zero = "%zero = torch.vtensor.literal(dense<0> : tensor<1xsi64>) : !torch.vtensor<[1],si64>"
    program.lines.append(f"  {zero}")
    program.lines.append(
        f'  %s = torch.operator "onnx.Unsqueeze"({number}, %zero) : (!torch.vtensor<[],si64>, !torch.vtensor<[1],si64>)'
        " -> !torch.vtensor<[1],si64>"
    )
    name = program.add("ConstantOfShape", ["%s"], "!torch.vtensor<[?],f32>", of="!torch.vtensor<[1],si64>")
    known = program.extent(name, size)
    assert known is None or known == int(ROUNDINGS[how](program.value))


@pytest.mark.parametrize(
    ("size", "factor"),
    [(10, 0.7), (30, 0.1), (7, 3.0), (9, 0.5), (10, 1.5), (9, 0.7), (3, 1.1), (20, 0.7), (10900003, 3.3)],
)
def test_factors_of_images(size: int, factor: float) -> None:
    """The reference implementation computes in f64, and runtimes in f32: where they differ, nothing is known."""
    held = f"{float(np.float32(factor)):.17e}"
    lines = [
        f"func.func @f(%n: !torch.vtensor<[{size}],f32>) {{",
        "  %none = torch.constant.none",
        f'  %f = torch.operator "onnx.Constant"() {{torch.onnx.value = dense<{held}> : tensor<1xf32>}} : ()'
        " -> !torch.vtensor<[1],f32>",
        f'  %r = torch.operator "onnx.Resize"(%n, %none, %f) : (!torch.vtensor<[{size}],f32>, !torch.none,'
        " !torch.vtensor<[1],f32>) -> !torch.vtensor<[?],f32>",
        "  return",
        "}",
    ]
    values = trace_of("\n".join(lines)).values
    found = next(each for key, each in values.items() if key.name == "%r")
    assert isinstance(found, Tensor) and isinstance(found.shape, RankedShape)
    wide, narrow = int(size * float(np.float32(factor))), int(np.float32(size) * np.float32(factor))
    (extent,) = found.shape.dims
    assert extent.is_constant == (wide == narrow) and (not extent.is_constant or extent.constant == wide)
    ends = [evaluate(extent, dict.fromkeys(extent.variables, end)) for end in (0, 2**40)]
    assert ends[0] <= min(wide, narrow) and max(wide, narrow) <= ends[1]
