"""Effects that are carried over to the output: its traces are those of interpretations for which nothing is known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.trace_contents import contents

from shapesolve.checker.check import trace_of
from shapesolve.interpreter.operation_effects import KeptEffects
from shapesolve.interpreter.undefined_behavior import UndefinedOps
from shapesolve.ir.reader import read_file, read_text
from shapesolve.options import Options
from shapesolve.pruning.carried_effects import EffectsCarrier
from shapesolve.pruning.output_verification import OutputVerifier
from shapesolve.pruning.prune import prune_program
from shapesolve.pruning.trace_cache import Interpretation
from shapesolve.trace.events import Trace

TESTS = Path(__file__).parents[1]

FOLDED = """
func.func @f(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %d: index) -> (tensor<?x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %m = tensor.dim %b, %c0 : tensor<?x8xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "rows"
  %ge = arith.cmpi sge, %n, %c0 : index
  cf.assert %ge, "sign"
  %s = arith.select %ge, %n, %c1 : index
  %e = tensor.empty(%s) : tensor<?x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.add ins(%a, %b : tensor<?x8xf32>, tensor<?x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %again = tensor.dim %r, %c0 : tensor<?x8xf32>
  %q = arith.divui %again, %d : index
  %ok = arith.cmpi eq, %again, %m : index
  cf.assert %ok, "again"
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 0 : index
    %in = arith.cmpi slt, %i, %m : index
    cf.assert %in, "in"
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<?x8xf32>
  return %g, %q : tensor<?x8xf32>, index
}
"""
"""A choice that folds to what it is computed from, a check inside of an operation, and contents never written."""


@pytest.fixture
def carried(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Names of the operations whose effects were carried over; each interpretation of an output is compared."""
    names: Counter[str] = Counter()
    interpret = OutputVerifier._interpret

    def compared(self: OutputVerifier, where: Interpretation, undefined_ops: UndefinedOps, kept: KeptEffects) -> Trace:
        names.update(op.name for op, effects in kept.by_operation.items() if effects.may_recur)
        found = interpret(self, where, undefined_ops, kept)
        name, program, _ = where
        known = contents(found)  # while both are there, so that their terms are the same objects
        for part, anew in contents(trace_of(program, program.functions[name], self._options, undefined_ops)).items():
            assert known[part] == anew, f"@{name}: {part}"
        return found

    monkeypatch.setattr(OutputVerifier, "_interpret", compared)
    return names


def test_traces_where_operations_fold(carried: Counter[str]) -> None:
    result = prune_program(read_text(FOLDED, "f.mlir"), Options())
    assert len(result.kept) == 1
    assert {"linalg.fill", "linalg.add"} <= carried.keys()
    assert carried["linalg.generic"] < carried["linalg.fill"]  # it lost a check in the first output


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "file",
    [
        *("examples/transformer", "cases/arith/select", "cases/cf/assert", "cases/linalg/generic", "cases/scf/for"),
        *("cases/scf/if", "cases/shape/assertions", "cases/shape/errors", "cases/tensor/dim", "cases/tensor/cast"),
        *("cases/stablehlo/reshapes", "cases/memref/alloc", "cases/torch/views", "cases/bufferization/conversions"),
    ],
)
def test_traces_of_cases(file: str, carried: Counter[str]) -> None:
    path = TESTS / f"{file}.mlir"
    prune_program(read_file(str(path if path.exists() else TESTS.parent / f"{file}.mlir")), Options())


ALIASED = """
func.func @f(%t: tensor<2xindex>, %u: tensor<2xf32>, %n: index) -> index {
  %b = bufferization.to_buffer %u : tensor<2xf32> to memref<2xf32>
  %c0 = arith.constant 0 : index
  %x = tensor.extract %t[%c0] : tensor<2xindex>
  %y = arith.addi %x, %n : index
  SHARED
  return %y : index
}
"""


"""A program in which tensors share memory, but none of indices."""


def _carried_names(source: str, target: str) -> set[str]:
    """Return which operations of the first program recur in the second; those of the same position correspond."""
    programs = read_text(source, "f.mlir"), read_text(target, "f.mlir")
    known = KeptEffects()
    trace_of(programs[0], programs[0].functions["f"], Options(), kept=known)
    ops = zip(programs[1].operation.walk(), programs[0].operation.walk(), strict=False)
    origins = {op: origin for op, origin in ops if op.name == origin.name}
    found = EffectsCarrier(*programs, origins).carried(known).by_operation
    return {op.name for op, effects in found.items() if effects.may_recur}


def test_effects_recur_only_where_the_same_operations_may_be_aliased() -> None:
    alone = ALIASED.replace("SHARED", "%z = arith.constant 1 : index")
    shared = ALIASED.replace("SHARED", "%z = bufferization.to_buffer %t : tensor<2xindex> to memref<2xindex>")
    alike = _carried_names(alone, alone)
    assert {"arith.constant", "tensor.extract", "arith.addi"} <= alike
    assert _carried_names(alone, shared) == alike - {"tensor.extract"}


def test_effects_do_not_recur_with_other_attributes_operands_or_types() -> None:
    source = ALIASED.replace("SHARED", "%z = arith.addi %y, %n : index")
    assert "arith.constant" not in _carried_names(source, source.replace("constant 0", "constant 1"))
    assert "tensor.extract" not in _carried_names(source, source.replace("%t[%c0]", "%t[%n]"))
    assert "tensor.extract" not in _carried_names(source, source.replace("<2x", "<3x"))
    assert "arith.addi" in _carried_names(source, source)
