"""What is proved in a program may stand, in what is left of it, where nothing gets to: it is known better there."""

from __future__ import annotations

import pytest
from support.pruned_programs import prune

from shapesolve.judging.traces import trace_of
from shapesolve.options import Options
from shapesolve.pruning.never_reached import held_or_never_reached
from shapesolve.reading.mlir_reader import read_text
from shapesolve.walking.defending import NO_DOUBTS, Doubts
from shapesolve.walking.obligations import Trace

LOOP_THAT_DOES_NOT_RUN = """
func.func @f(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %small = arith.cmpi sle, %n, %c1 : index
  cf.assert %small, "small"
  %last = scf.for %i = %c1 to %n step %c1 iter_args(%before = %n) -> (index) {
    %minus = arith.constant -1 : index
    scf.yield %minus : index
  }
  %large = arith.cmpi sle, %c2, %last : index
  cf.assert %large, "large"
  %made = tensor.empty(%last) : tensor<?xf32>
  return %last : index
}"""

ASSUMED = """
func.func @f(%a: tensor<?xf32> {shapesolve.shape = "[n]"}) attributes {shapesolve.assume = ["n >= 3"]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %small = arith.cmpi sle, %n, %c2 : index
  cf.assert %small, "small"
  %cast = tensor.cast %a : tensor<?xf32> to tensor<7xf32>
  %extent = tensor.dim %cast, %c0 : tensor<7xf32>
  return
}"""


def test_what_nothing_gets_to_when_a_loop_is_taken_apart_is_no_loss() -> None:
    result = prune(LOOP_THAT_DOES_NOT_RUN)
    assert "scf.for" not in result.text
    assert '"small"' in result.text
    assert '"large"' in result.text


@pytest.mark.parametrize("assumption", ["n >= 0", "n >= 3"])
def test_an_assumption_keeps_nothing_away(assumption: str) -> None:
    assert "C2" not in fine_of_cast(ASSUMED.replace("n >= 3", assumption))


def test_a_check_keeps_away_what_contradicts_it() -> None:
    checked = ASSUMED.replace(
        "  %cast", '  %large = arith.cmpi sgt, %n, %c2 : index\n  cf.assert %large, "large"\n  %cast'
    )
    assert "C2" in fine_of_cast(checked)


def fine_of_cast(text: str) -> set[str]:
    """The clauses of the cast of a program that hold or that nothing gets to."""
    program = read_text(text)

    def walk(doubts: Doubts) -> Trace:
        return trace_of(program, program.functions["f"], Options(), doubts)

    fine = held_or_never_reached(walk, Options(), NO_DOUBTS)
    found = [each for each in walk(NO_DOUBTS).obligations if each.op.name == "tensor.cast"]
    assert found
    return {each.clause for each in found if each.identity in fine}
