"""Assertions: operations that stop the program unless a condition holds."""

from __future__ import annotations

from shapesolve.ir.own_attributes import DECLARED
from shapesolve.ir.program import Attribute, Operation
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import Assumes, Claim, Ensures, OpSemantics

STATED = "data is as torch._check in the model states (--distrust)"


def asserted(op: Operation, claim: Claim, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of an operation that asserts a claim: it is a fact where the model's author states it."""
    if DECLARED in op.attributes and not ctx.distrusts:
        declared = ((claim.formula, "what the model states by torch._check"),)
        return OpSemantics(ensures=Ensures(declared=declared), assumes=Assumes((STATED,)))
    return OpSemantics(requires=(claim,))


def failing(message: Attribute | None) -> str:
    """Return the words for an assertion with a message that fails."""
    return f'the assertion "{message}" fails' if isinstance(message, str) and message else "the assertion fails"
