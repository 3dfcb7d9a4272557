"""The `cf` dialect: branches between blocks, and assertions."""

from __future__ import annotations

from shapesolve.domain.fresh_variables import integer_range
from shapesolve.ir.program import DenseIntegers, Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Branch, Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import disjunction, equal, negation
from shapesolve.trace.events import Kind

from .transfer.assertions import asserted, failing
from .transfer.strided_slices import integers_of, segment


@rule("cf.assert", example="tests/cases/cf/assert.mlir", effects=STOPS)
def assertion(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A runtime check: the program stops with a message when it fails.

    (C1) The condition holds; with `shapesolve.declared`, this is assumed.
    """
    claim = Claim("C1", ctx.truth(op.operands[0]), failing(op.attributes.get("msg")), Kind.CHECK)
    return asserted(op, claim, ctx)


@rule("cf.br", example="tests/cases/cf/branches.mlir")
def branch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Goes on in another block."""
    return OpSemantics(successors=(Branch(TRUE, op.operands),))


@rule("cf.cond_br", example="tests/cases/cf/loops.mlir")
def conditional(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Goes on in one block where the condition holds, else in another.

    Blocks between which control goes round are a loop where it gets in by one of them: what holds in every round is
    known there, as in `scf.while`, and behind it what ends the last one. Where control gets in by two ways, nothing is
    known of the ways to the blocks of the region but the first.
    """
    holds = ctx.truth(op.operands[0])
    return OpSemantics(successors=(Branch(holds, segment(op, 1)), Branch(negation(holds), segment(op, 2))))


@rule("cf.switch", example="tests/cases/cf/branches.mlir")
def switch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Goes on in the block of the case that the flag is, or in the default block where it is none."""
    flag = ctx.integer(op.operands[0])
    cases = [equal(flag, number) for number in _case_numbers(op)]
    given = segment(op, 2)
    ways = [Branch(negation(disjunction(cases)), segment(op, 1))]
    for case, count in zip(cases, integers_of(op, "case_operand_segments"), strict=True):
        ways.append(Branch(case, given[:count]))
        given = given[count:]
    return OpSemantics(successors=tuple(ways))


def _case_numbers(op: Operation) -> list[int]:
    cases = op.attributes.get("case_values", ())
    if not isinstance(cases, DenseIntegers):
        if cases != ():
            raise UnknownValueError("its cases cannot be read")
        return []
    listed = (cases.splat,) * (len(op.successors) - 1) if cases.splat is not None else cases.values
    low, high = integer_range(op.operands[0].type)
    numbers = [(number - low) % (high - low + 1) + low for number in listed or ()]
    if len(set(numbers)) != len(op.successors) - 1:
        raise UnknownValueError("two of its cases are the same")
    return numbers
