"""Test that requirements are solved only where relevant, and that no check is kept because of that."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

import pytest
from support.pruned_programs import gone, prune

from shapesolve.ir.program import Operation
from shapesolve.pruning import prune_once
from shapesolve.pruning.recheck import FunctionRecheck
from shapesolve.pruning.undefined_operations import UndefinedOpsAnalysis
from shapesolve.solver.known_proofs import KnownProofs

QUOTIENT = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %q = arith.divui %d, %n : index
  %square = arith.muli %d, %d : index
  %more = arith.addi %square, %c2 : index
  %whole = arith.muli %more, %d : index
  %rest = arith.addi %whole, %c7 : index
  %one = arith.remui %rest, %c3 : index
"""
"""A quotient that may be undefined, and what is always 1, as only a solver sees."""


def body(text: str) -> str:
    """A function of these operations."""
    return f"func.func @f(%a: tensor<?xf32>, %n: index) {{{QUOTIENT}{text}\n  return\n}}"


IDLE = body("""
  %r = arith.divui %d, %one : index
  %p = arith.cmpi eq, %r, %r : index
  cf.assert %p, "check"
""")

MISFIT = body("""
  %extent = arith.addi %one, %c4 : index
  %t = tensor.empty(%extent) : tensor<?xf32>
  %cast = tensor.cast %t : tensor<?xf32> to tensor<5xf32>
  %u = "acme.make"() : () -> tensor<?x4xf32>
  %shape = shape.shape_of %u : tensor<?x4xf32> -> tensor<2xindex>
  %x = tensor.extract %shape[%c1] : tensor<2xindex>
  %p = arith.cmpi eq, %x, %c4 : index
  cf.assert %p, "check"
  "acme.use"(%cast) : (tensor<5xf32>) -> ()
""")


def test_operands_of_a_check_are_erased_where_proved_defined() -> None:
    result = prune(IDLE)
    assert gone(result) == ["check"]
    assert result.text.count("arith.divui") == 1  # the first, which may be undefined


@pytest.mark.slow
def test_a_check_that_leans_on_a_demand_goes_where_a_solver_proves_the_demand() -> None:
    assert gone(prune(MISFIT)) == ["check"]


@pytest.mark.slow
def _no_proof(*_: object) -> None:
    return None


@pytest.mark.slow
@pytest.mark.parametrize("program", [IDLE, MISFIT])
def test_these_programs_need_more_than_what_is_seen_at_sight(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_proofs = prune(program).text
    monkeypatch.setattr(KnownProofs, "proof_of", _no_proof)  # else a proof of the first check is seen at sight
    before = prune(program).text
    assert before == with_proofs

    class AtSight(UndefinedOpsAnalysis):
        def result(self, wanted: AbstractSet[Operation] = frozenset()) -> FunctionRecheck:
            return replace(self.at_sight, not_asked=frozenset())

    monkeypatch.setattr(prune_once, "UndefinedOpsAnalysis", AtSight)
    assert prune(program).text != before
