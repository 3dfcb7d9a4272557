"""Effects of operations that recur in another interpretation: the trace is the one that nothing was kept for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from support.trace_contents import contents

from shapesolve.checker.check import trace_of
from shapesolve.interpreter.function_interpreter import _FunctionInterpreter
from shapesolve.interpreter.operation_effects import KeptEffects
from shapesolve.interpreter.undefined_behavior import NO_UNDEFINED_OPS, UndefinedOps
from shapesolve.ir.program import Function, Operation, Program
from shapesolve.ir.reader import read_file, read_text
from shapesolve.options import Options
from shapesolve.trace.events import Kind

CASES = Path(__file__).parents[1] / "cases"
OPTIONS = Options()


def check_alike(program: Program, function: Function, rounds: Iterable[UndefinedOps]) -> None:
    """Require that one interpretation after the other is what it is if no effects are kept."""
    kept = KeptEffects()
    for undefined_ops in rounds:
        repeated = trace_of(program, function, OPTIONS, undefined_ops, kept=kept)
        anew = trace_of(program, function, OPTIONS, undefined_ops)
        known = contents(repeated)  # while both are there, so that their terms are the same objects
        for part, found in contents(anew).items():
            assert known[part] == found, f"@{function.name}: {part} with {sorted(undefined_ops.ops, key=str)}"


def rounds_of(program: Program, function: Function) -> list[UndefinedOps]:
    """Return possibly undefined operations: none, each alone that requires anything, growing sets, none again."""
    trace = trace_of(program, function, OPTIONS)
    demands = [each for each in trace.obligations if each.kind is not Kind.CHECK]
    ops = list(dict.fromkeys(each.op for each in demands))[:5]
    of_type = {each.op for each in demands if each.of_type}

    def these(chosen: Iterable[Operation], *, assumes_undefined: bool) -> UndefinedOps:
        found = frozenset(chosen)
        return UndefinedOps(found, not of_type.isdisjoint(found), assumes_undefined) if found else NO_UNDEFINED_OPS

    alone = [these([op], assumes_undefined=assumes_undefined) for op in ops for assumes_undefined in (True, False)]
    growing = [these(ops[:count], assumes_undefined=True) for count in range(len(ops) + 1)]
    return [NO_UNDEFINED_OPS, *alone, NO_UNDEFINED_OPS, *growing, these(ops, assumes_undefined=False), NO_UNDEFINED_OPS]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "case",
    [
        *("arith/select", "cf/branches", "func/contracts", "linalg/contents", "linalg/generic", "linalg/matmul"),
        *("memref/alloc", "scf/for", "scf/if", "shape/errors", "shape/unranked", "stablehlo/reshapes", "tensor/cast"),
        *("tensor/dim", "tensor/reassociation", "torch/lists", "torch/views", "tosa/shape_arithmetic"),
    ],
)
def test_traces_of_cases(case: str) -> None:
    program = read_file(str(CASES / f"{case}.mlir"))
    for function in program.functions.values():
        check_alike(program, function, rounds_of(program, function))


COPIES = """
func.func @f(%a: tensor<?xf32>, %i: index, %d: index, %k: i1, %j: i1, %p: f32) -> (index, index, f32) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %i : tensor<?xf32>
  %q = arith.divui %n, %d : index
  %x = arith.select %k, %q, %c1 : index
  %y = arith.addi %x, %c1 : index
  %z = arith.addi %x, %c1 : index
  %w = arith.select %j, %y, %z : index
  %m = memref.alloc(%w) : memref<?xindex>
  %v = memref.load %m[%i] : memref<?xindex>
  %u = arith.select %j, %v, %n : index
  %g = arith.negf %p : f32
  %h = arith.negf %p : f32
  %e = arith.cmpi eq, %q, %c1 : index
  %s = arith.select %e, %g, %h : f32
  return %w, %u, %s : index, index, f32
}
"""
"""Choices between equal computations, with a quotient and without, and one of what was never written."""

LAYERS = """
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = tensor.cast %a : tensor<?x?xf32> to tensor<?x8xf32>
  %n0 = tensor.dim %0, %c0 : tensor<?x8xf32>
  %e0 = tensor.empty(%n0) : tensor<?x8xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %n1 = tensor.dim %1, %c0 : tensor<?x8xf32>
  %nb = tensor.dim %b, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %n1, %nb : index
  cf.assert %ok, "rows"
  %e1 = tensor.empty(%n1) : tensor<?x8xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%1, %b : tensor<?x8xf32>, tensor<?xf32>) outs(%e1 : tensor<?x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %i = linalg.index 0 : index
    %in = arith.cmpi slt, %i, %nb : index
    cf.assert %in, "in"
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [COPIES, LAYERS])
def test_traces_with_copies_names_and_poison(text: str) -> None:
    program = read_text(text, "f.mlir")
    function = program.functions["f"]
    check_alike(program, function, rounds_of(program, function))


def test_only_changed_operations_are_interpreted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that may be undefined is interpreted again, with all that is nested in it; the others recur."""
    program = read_text(LAYERS, "f.mlir")
    function = program.functions["f"]
    met: list[str] = []
    interpret = _FunctionInterpreter.interpret_operation

    def noted(self: _FunctionInterpreter, op: Operation) -> None:
        met.append(op.name)
        interpret(self, op)

    monkeypatch.setattr(_FunctionInterpreter, "interpret_operation", noted)
    kept = KeptEffects()
    trace = trace_of(program, function, OPTIONS, kept=kept)
    assert len(met) == sum(trace.reached.values())
    met.clear()
    trace_of(program, function, OPTIONS, kept=kept)
    assert not met
    generic = next(op for op in trace.reached if op.name == "linalg.generic")
    trace_of(program, function, OPTIONS, UndefinedOps(frozenset({generic})), kept=kept)
    assert met == ["linalg.generic", "linalg.index", "arith.cmpi", "cf.assert", "arith.addf", "linalg.yield"]


def test_kept_effects_are_those_of_the_same_arguments() -> None:
    """With other assumptions arguments have other names, so that nothing recurs."""
    program = read_text(LAYERS, "f.mlir")
    function = program.functions["f"]
    kept = KeptEffects()
    trace_of(program, function, OPTIONS, kept=kept)
    named = Options(shapes=("a=[N, 8]",))
    found, anew = trace_of(program, function, named, kept=kept), trace_of(program, function, named)
    assert contents(found) == contents(anew)
