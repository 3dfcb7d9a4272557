"""TOSA's control flow and variables."""

from __future__ import annotations

from shapesolve.language.formulas import TRUE, equal
from shapesolve.reading.program import Operation, ShapedType, Value
from shapesolve.walking.effects import PURE, READS, WRITES
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Unmodelled

from .branches import merged, repeated
from .data_conditions import condition_of
from .extent_tensors import product

CONTROL = "tests/cases/tosa/control.mlir"


@rule("tosa.cond_if", example=CONTROL, effects=PURE)
def cond_if(op: Operation, see: RuleContext) -> Meaning:
    """Runs one of two regions on its inputs.

    (C1) The condition has one element.
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
        claims=_one_truth("C1", op.operands[0], see),
        approximations=found.reasons,
        free=found.free,
    )


def _one_truth(clause: str, condition: Value, see: RuleContext) -> tuple[Claim, ...]:
    extents = see.dims(condition)
    shown = tuple((f"extent {index} of {condition.name}", extent) for index, extent in enumerate(extents))
    claim = Claim(clause, equal(product(extents), 1), f"{condition.name} has not one element", shown=shown)
    return () if claim.formula is TRUE else (claim,)


@rule("tosa.while_loop", example=CONTROL, effects=PURE)
def while_loop(op: Operation, see: RuleContext) -> Meaning:
    """Runs its second region again and again while the first yields true.

    (R1) The results are the inputs after the last run: followed where no run changes them, or each by the same amount
    and the condition says how many runs there are.
    """
    (goes_on,) = op.regions[0].blocks[-1].operations[-1].operands
    if not isinstance(goes_on.type, ShapedType) or set(goes_on.type.extents or (None,)) - {1}:
        raise CannotSee("its condition may have another number of elements than one")
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
    """Gives a variable a value: of extents that are written in its type, for the variable's may say more."""
    type = op.operands[0].type
    if not isinstance(type, ShapedType) or type.extents is None or None in type.extents:
        raise CannotSee("extents that are not written in the type are not compared with the variable's")
    return Meaning()
