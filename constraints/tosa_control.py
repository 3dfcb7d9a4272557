"""TOSA's control flow and variables."""

from __future__ import annotations

from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE, READS, WRITES
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Unmodelled

from .branches import merged, repeated
from .data_conditions import condition_of

CONTROL = "tests/cases/tosa/control.mlir"


@rule("tosa.cond_if", example=CONTROL, effects=PURE)
def cond_if(op: Operation, see: RuleContext) -> Meaning:
    """Runs one of two regions on its inputs.

    (R1) The results are what the first region yields where the condition holds, else what the second yields.
    """
    found = condition_of(see, op.operands[0])
    inputs = tuple(see.value(operand) for operand in op.operands[1:])
    name, holds, fails = op.operands[0].name, found.formula, ~found.formula
    taken = [inputs if region.blocks[0].arguments else () for region in op.regions]
    return Meaning(
        regions=(
            Once.where(holds, f"{name} is true", region=op.regions[0], arguments=taken[0]),
            Once.where(fails, f"{name} is false", region=op.regions[1], arguments=taken[1]),
        ),
        finish=lambda yields: merged(op, [holds], yields),
        approximations=found.reasons,
        free=found.free,
    )


@rule("tosa.while_loop", example=CONTROL, effects=PURE)
def while_loop(op: Operation, see: RuleContext) -> Meaning:
    """Runs its second region again and again while the first yields true.

    (R1) The results are the inputs after the last run: followed where no run changes them, or each by the same amount
    and the condition says how many runs there are.
    """
    return repeated(op, see)


@rule("tosa.yield", example=CONTROL, effects=PURE)
def yields(op: Operation, see: RuleContext) -> Meaning:
    """Ends a region with its results."""
    return Meaning()


@rule("tosa.variable_read", example=CONTROL, effects=READS)
def variable_read(op: Operation, see: RuleContext) -> Meaning:
    """The value of a variable.

    (R1) The result has the declared shape; what was written is not followed.
    """
    return Meaning((Unmodelled("what a variable holds is not followed"),))


@rule("tosa.variable_write", example=CONTROL, effects=WRITES)
def variable_write(op: Operation, see: RuleContext) -> Meaning:
    """Gives a variable a value."""
    return Meaning()
