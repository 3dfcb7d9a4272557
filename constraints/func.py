"""Functions: calls and returns."""

from __future__ import annotations

from shapesolve.reading.program import Operation, SymbolRef
from shapesolve.walking.effects import PURE
from shapesolve.walking.region_runs import Once
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, Yields, rule
from shapesolve.walking.values import Abstract, Opaque, Unmodelled

from .stated_contracts import ensured, judged_by_contract, required


@rule("func.return", example="tests/cases/func/contracts.mlir", effects=PURE)
def returns(op: Operation, see: RuleContext) -> Meaning:
    """Ends the function with its results.

    (C1) What the function ensures (`shapesolve.ensures`) holds of its arguments and of what it returns.
    """
    contract = see.contracts.ended_by(op)
    if contract is None or not contract.ensures:
        return Meaning()
    return Meaning(claims=ensured(contract, op, see))


@rule("func.call", example="tests/cases/func/call.mlir")
def call(op: Operation, see: RuleContext) -> Meaning:
    """A call of a function of the same module.

    (C1) What the function requires of its arguments (`shapesolve.requires`) holds.
    (R1) The results are what the body returns for these arguments; every demand of the body is made here. Where there
    is no body that can be followed, and the function states a contract, they are some values for which what it ensures
    (`shapesolve.ensures`) holds.
    """
    callee = op.attributes.get("callee")
    function = see.callee(op, callee) if isinstance(callee, SymbolRef) else None
    contract = None if function is None else see.contracts.of(function)
    if contract is not None and contract.is_all_there_is:
        return judged_by_contract(contract, op, see)
    if function is None or function.body is None:
        raise CannotSee("the function that is called has no body here")

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        returned = yields[0]
        return returned if returned is not None else tuple(Unmodelled("the call is not followed") for _ in op.results)

    run = Once(region=function.body, arguments=tuple(see.value(operand) for operand in op.operands))
    return Meaning(claims=() if contract is None else required(contract, op, see), regions=(run,), finish=finish)


@rule("func.call_indirect", example="tests/cases/func/indirect.mlir")
def call_indirect(op: Operation, see: RuleContext) -> Meaning:
    """A call of a function that is a value. It is not followed: which function that is is not known."""
    raise CannotSee("which function is called is not known")


@rule("func.constant", example="tests/cases/func/indirect.mlir", effects=PURE)
def constant(op: Operation, see: RuleContext) -> Meaning:
    """A function as a value."""
    return Meaning((Opaque(),))
