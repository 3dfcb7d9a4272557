"""Test that `shapesolve.rules` exports everything that a rule needs, so that it imports nothing else."""

from __future__ import annotations

from pathlib import Path

import shapesolve
from shapesolve import rules
from shapesolve.options import Options

RULE = '''
from shapesolve.rules import UnknownValueError, Claim, Kind, OpSemantics, Operation, RankedShape, RuleContext, Tensor
from shapesolve.rules import Unmodeled, rule


@rule("acme.halve", example="halve.mlir")
def halve(op: Operation, see: RuleContext) -> OpSemantics:
    """Half of a tensor.

    (C1) The first extent is even.
    """
    first, *others = see.dims(op.operands[0])
    if others:
        raise UnknownValueError("of one dimension only")
    claim = Claim("C1", first % 2 == 0, "the extent is odd", kind=Kind.CHECK)
    return OpSemantics(results=(Tensor(RankedShape.of([first // 2])),), requires=(claim,))


@rule("acme.shuffle", example="halve.mlir")
def shuffle(op: Operation, see: RuleContext) -> OpSemantics:
    """Something of any size."""
    return OpSemantics(results=(Unmodeled("chosen by the operation"),))
'''

PROGRAM = """
func.func @f(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = "acme.halve"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = "acme.shuffle"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
"""


def test_a_rule_that_uses_every_name(tmp_path: Path) -> None:
    path = tmp_path / "acme.py"
    path.write_text(RULE, encoding="utf-8")
    options = Options(rules=(str(path),), execute=False)
    (checked_obligation,) = shapesolve.check(PROGRAM, options=options).checked_obligations
    assert checked_obligation.verdict.word == "refuted"
    assert checked_obligation.obligation.clause == "C1"


def test_the_names_are_those_that_are_listed() -> None:
    assert all(hasattr(rules, name) for name in rules.__all__)
