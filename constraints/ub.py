"""Undefined behaviour said aloud."""

from __future__ import annotations

from shapesolve.language.formulas import FALSE
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import ANY_RESULT
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Unmodelled


@rule("ub.poison", example="tests/cases/cf/poison.mlir", effects=ANY_RESULT)
def poison(op: Operation, see: RuleContext) -> Meaning:
    """A value that nothing may depend on.

    (R1) The result may be anything.
    """
    return Meaning(tuple(Unmodelled("") for _ in op.results), is_undefined=True)


@rule("ub.unreachable", example="tests/cases/cf/poison.mlir")
def unreachable(op: Operation, see: RuleContext) -> Meaning:
    """A place that is never reached.

    (C1) Nothing gets here.
    """
    return Meaning(claims=(Claim("C1", FALSE, "a place that is said to be unreachable is reached"),))
