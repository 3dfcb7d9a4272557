"""Control flow between blocks, and assertions."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import STOPS
from shapesolve.walking.obligations import Kind
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule


@rule("cf.assert", example="tests/cases/cf/assert.mlir", effects=STOPS)
def assertion(op: Operation, see: RuleContext) -> Meaning:
    """A runtime check: the program stops with a message when it fails.

    (C1) The condition holds.
    """
    message = op.attributes.get("msg")
    text = f'the assertion "{message}" fails' if message else "the assertion fails"
    return Meaning(claims=(Claim("C1", see.truth(op.operands[0]), text, Kind.CHECK),))


@rule("cf.br", "cf.cond_br", "cf.switch", example="tests/cases/cf/branches.mlir")
def branch(op: Operation, see: RuleContext) -> Meaning:
    """Goes on in another block.

    The blocks of a region after the first are walked with nothing known of the way there.
    """
    return Meaning()
