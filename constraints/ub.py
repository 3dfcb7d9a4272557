"""The `ub` dialect: explicit undefined behavior."""

from __future__ import annotations

from shapesolve.domain.values import Unmodeled
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import ANY_RESULT
from shapesolve.semantics.op_semantics import Claim, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.formula_kinds import FALSE


@rule("ub.poison", example="tests/cases/cf/poison.mlir", effects=ANY_RESULT)
def poison(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A value that nothing may depend on.

    (R1) The result may be anything.
    """
    return OpSemantics(Results(tuple(Unmodeled("") for _ in op.results), is_poison=True))


@rule("ub.unreachable", example="tests/cases/cf/poison.mlir")
def unreachable(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A place that is never reached.

    (C1) Nothing gets here.
    """
    return OpSemantics(requires=(Claim("C1", FALSE, "a place that is said to be unreachable is reached"),))
