"""Functions: calls and returns."""

from __future__ import annotations

from shapesolve.reading.program import Operation, SymbolRef
from shapesolve.walking.effects import PURE
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, Yields, rule
from shapesolve.walking.values import Abstract, Opaque, Unmodelled


@rule("func.return", example="tests/cases/func/call.mlir", effects=PURE)
def returns(op: Operation, see: RuleContext) -> Meaning:
    """Ends the function with its results."""
    return Meaning()


@rule("func.call", example="tests/cases/func/call.mlir")
def call(op: Operation, see: RuleContext) -> Meaning:
    """A call of a function of the same module.

    (R1) The results are what the body returns for these arguments; every demand of the body is made here.
    """
    callee = op.attributes.get("callee")
    function = see.callee(op, callee) if isinstance(callee, SymbolRef) else None
    if function is None or function.body is None:
        raise CannotSee("the function that is called has no body here")

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        returned = yields[0]
        return returned if returned is not None else tuple(Unmodelled("the call is not followed") for _ in op.results)

    run = Once(region=function.body, arguments=tuple(see.value(operand) for operand in op.operands))
    return Meaning(regions=(run,), finish=finish)


@rule("func.call_indirect", example="tests/cases/func/indirect.mlir")
def call_indirect(op: Operation, see: RuleContext) -> Meaning:
    """A call of a function that is a value. It is not followed: which function that is is not known."""
    raise CannotSee("which function is called is not known")


@rule("func.constant", example="tests/cases/func/indirect.mlir", effects=PURE)
def constant(op: Operation, see: RuleContext) -> Meaning:
    """A function as a value."""
    return Meaning((Opaque(),))
