"""Differential test of bounds of clamped integers, minima and maxima against PyTorch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, integers
from support.examples import examples

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.interpreter.function_interpreter import interpret
from shapesolve.interpreter.inputs import make_inputs
from shapesolve.ir.reader import read_text
from shapesolve.semantics.registry import load_rules
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate, holds

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.frontends

VECTOR, INT, NONE = "!torch.vtensor<[?],si64>", "!torch.int", "!torch.none"
TYPES = {"%t": VECTOR, "%u": VECTOR, "%a": INT, "%b": INT, "%none": NONE}
CALLS = (
    ("clamp", "%t", "%a", "%b"),
    ("clamp", "%t", "%a", "%none"),
    ("clamp", "%t", "%none", "%b"),
    ("clamp_min", "%t", "%a"),
    ("clamp_max", "%t", "%b"),
    ("clamp.Tensor", "%t", "%u", "%none"),
    ("clamp.Tensor", "%t", "%none", "%u"),
    ("clamp.Tensor", "%u", "%t", "%u"),
    ("clamp_min.Tensor", "%t", "%u"),
    ("clamp_max.Tensor", "%t", "%u"),
    ("maximum", "%t", "%u"),
    ("minimum", "%u", "%t"),
)
NUMBERS = ("max.int", "min.int")


def _program() -> str:
    lines = [
        f"  %{at} = torch.aten.{name} {', '.join(operands)} : {', '.join(TYPES[each] for each in operands)} -> {VECTOR}"
        for at, (name, *operands) in enumerate(CALLS)
    ]
    lines += [
        f"  %{at} = torch.prim.{name} %a, %b : {INT}, {INT} -> {INT}" for at, name in enumerate(NUMBERS, len(CALLS))
    ]
    body = "\n".join(lines)
    nones = f"%none, %none, %none, %none : {INT}, {INT}, {NONE}, {NONE}, {NONE}, {NONE} -> {VECTOR}"
    return f"""func.func @clamped(%s: {INT}, %e: {INT}, %p: {INT}, %q: {INT}, %a: {INT}, %b: {INT}) {{
  %none = torch.constant.none
  %t = torch.aten.arange.start %s, %e, {nones}
  %u = torch.aten.arange.start %p, %q, {nones}
{body}
  return
}}"""


@pytest.fixture(scope="module")
def results() -> list[Abstract]:
    """Return the abstract values of the calls' results."""
    program = read_text(_program())
    (function,) = program.functions.values()
    assert function.body is not None
    trace = interpret(program, make_inputs(function), load_rules())
    assert not trace.approximations
    operations = function.body.blocks[0].operations[3:-1]
    return [trace.values[each.results[0]] for each in operations]


NUMBER = integers(-5, 9)


@given(s=NUMBER, p=NUMBER, a=NUMBER, b=NUMBER, count=integers(1, 4), one=booleans())
@examples(200)
def test_results_of_pytorch_lie_within_the_bounds(
    results: list[Abstract], s: int, p: int, a: int, b: int, count: int, one: bool
) -> None:
    numbers = {"s": s, "e": s + count, "p": p, "q": p + (1 if one else count), "a": a, "b": b}
    tensors = {"%t": torch.arange(s, s + count), "%u": torch.arange(p, numbers["q"])}
    given_ = {**tensors, "%a": a, "%b": b, "%none": None}
    for (name, *operands), found in zip(CALLS, results, strict=False):
        packet, _, overload = name.partition(".")
        function = getattr(getattr(torch.ops.aten, packet), overload or "default")
        assert isinstance(found, Tensor) and found.between is not None, name
        sizes = {each: numbers[each.name] for each in found.between.variables}
        assert holds(found.between.where, sizes)
        low, high = evaluate(found.between.low, sizes), evaluate(found.between.high, sizes)
        elements = function(*(given_[each] for each in operands)).tolist()
        assert low <= min(elements) and max(elements) <= high, (name, low, elements, high)
    for name, found in zip(NUMBERS, results[len(CALLS) :], strict=True):
        assert isinstance(found, Dim)
        taken = getattr(torch.ops.prim, name.partition(".")[0]).int(a, b)
        assert evaluate(found, {each: numbers[each.name] for each in found.variables}) == taken
