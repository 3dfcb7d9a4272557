"""The `func` dialect: calls and returns, inlined or by the contracts that functions state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.fresh_variables import argument_substitution, variables_of
from shapesolve.domain.values import Abstract, ListValue, Tensor, UnknownValue, Unmodeled
from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.own_attributes import ENSURES, REQUIRES
from shapesolve.ir.program import Operation, SymbolRef
from shapesolve.preconditions.stated_contracts import KeptContract, StatedContract
from shapesolve.reasons import MissingSemantics
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import (
    Approximations,
    Claim,
    Ensures,
    OpSemantics,
    Requires,
    Results,
    Successors,
    Yields,
)
from shapesolve.semantics.regions import AtMostOnce
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula, IsZero
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, implies
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.concretization import with_sigils


@rule("func.return", example="tests/cases/func/contracts.mlir", effects=PURE)
def returns(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends the function with its results.

    (C1) What the function ensures (`shapesolve.ensures`) holds of its arguments and of what it returns.
    """
    contract = ctx.contracts.returning_from(op)
    if contract is None or not contract.ensures:
        return OpSemantics()
    return OpSemantics(requires=ensured(contract, op, ctx))


@rule("func.call", example="tests/cases/func/call.mlir")
def call(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A call of a function of the same module.

    (C1) What the function requires of its arguments (`shapesolve.requires`) holds.
    (R1) The results are what the body returns for these arguments; every demand of the body is made here. Where there
    is no body that can be followed, and the function states a contract, they are some values for which what it ensures
    (`shapesolve.ensures`) holds.
    """
    callee = op.attributes.get("callee")
    function = ctx.callee(op, callee) if isinstance(callee, SymbolRef) else None
    contract = None if function is None else ctx.contracts.of(function)
    if contract is not None and contract.replaces_body:
        return call_by_contract(contract, op, ctx)
    if function is None or function.body is None:
        raise UnknownValueError(MissingSemantics.NO_BODY)

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        returned = yields[0]
        return returned if returned is not None else tuple(Unmodeled("the call is not followed") for _ in op.results)

    run = AtMostOnce(region=function.body, arguments=tuple(ctx.value(operand) for operand in op.operands))
    return OpSemantics(
        Results(compute=finish), requires=() if contract is None else required(contract, op, ctx), regions=(run,)
    )


@rule("func.call_indirect", example="tests/cases/func/indirect.mlir")
def call_indirect(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A call of a function that is a value. It is not followed: which function that is is not known."""
    raise UnknownValueError("which function is called is not known")


@rule("func.constant", example="tests/cases/func/indirect.mlir", effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A function as a value."""
    return OpSemantics((UnknownValue(),))


_LONGEST = 120
"""The most characters in which a message lists the values of a call."""


def required(contract: StatedContract, op: Operation, ctx: RuleContext) -> tuple[Claim, ...]:
    """Return the claims of a call.

    Raises:
        UnknownValueError: They cannot be stated for the values that the function is called with.
    """
    values = [ctx.value(operand) for operand in op.operands]
    return tuple(_claim(text, contract, values) for text in contract.requires or ())


def _claim(text: str, contract: StatedContract, values: Sequence[Abstract]) -> Claim:
    name = contract.function.name
    formula = _read(text, contract.scope(values), REQUIRES, name)
    alone = _read(text, contract.scope(contract.arguments), REQUIRES, name)
    given = argument_substitution(contract.arguments, values)
    shown = [(each.name, given[each]) for each in sorted(alone.variables, key=lambda v: v.text) if each in given]
    gives = ", ".join(f"{its} = {with_sigils(size, size.variables)}" for its, size in shown)
    here = f"; this call gives {gives}" * (0 < len(gives) <= _LONGEST)
    return Claim("C1", formula, f"@{name} requires {text}", shown=tuple(shown), here=here)


def ensured(contract: StatedContract, op: Operation, ctx: RuleContext) -> tuple[Claim, ...]:
    """Return the claims of a return: what its function ensures.

    Raises:
        UnknownValueError: They cannot be stated for the values that are returned.
    """
    name = contract.function.name
    arguments = [ctx.value(each) for each in contract.function.arguments]
    scope = contract.scope(arguments, [ctx.value(operand) for operand in op.operands])
    return tuple(
        Claim("C1", _read(text, scope, ENSURES, name), f"@{name} does not ensure {text}") for text in contract.ensures
    )


def call_by_contract(contract: StatedContract, op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a call by contract: requirements become claims, and guarantees facts.

    Raises:
        UnknownValueError: A requirement cannot be stated here, or the callee may change a list.
    """
    name = contract.function.name
    arguments = [ctx.value(operand) for operand in op.operands]
    if any(isinstance(each, ListValue) for each in arguments):
        raise UnknownValueError(f"@{name}, which is not followed, may change the list that it is given")
    claims = required(contract, op, ctx)
    results: list[Abstract] = [ctx.unknown(each) for each in op.results]
    stated: list[Formula] = []
    kept = ctx.kept(contract)
    if kept is not None:
        results, stated = _ensured_results(contract, arguments, results)
    free = variables_of(*results)
    known = variables_of(*arguments)
    given = conjunction(claim.formula for claim in claims)
    is_proved = contract.function.body is not None
    because = f"@{name} ensures{', by induction' * is_proved}: {' and '.join(contract.ensures)}"
    facts = tuple((implies(given, each), because) for each in stated)
    unchecked = _unchecked(contract, kept)
    unknown = f"of what @{name} gives only what it ensures is known"
    return OpSemantics(
        tuple(results),
        requires=Requires(claims, unknown=unchecked),
        ensures=Ensures(facts if is_proved else (), declared=() if is_proved else facts),
        successors=Successors(may_not_return=f"@{name} calls itself, perhaps for ever" if is_proved else unchecked),
        approximations=Approximations((unknown,) if free - known else (), free - known),
        assumes=() if kept is None else kept.modeling,
    )


def _ensured_results(
    contract: StatedContract, arguments: Sequence[Abstract], results: list[Abstract]
) -> tuple[list[Abstract], list[Formula]]:
    """Return the results with variables solved for by ensured equations, and the guarantees as formulas."""
    free = variables_of(*results)
    stated: list[Formula] = []
    while True:
        scope = contract.scope(arguments, results)
        read = [_read(text, scope, ENSURES, contract.function.name) for text in contract.ensures]
        found = _first_defined([part for whole in read for part in conjuncts(whole)], free)
        if found is None:
            return results, [*stated, *read]
        variable, value = found
        results = [_put(each, variable, value) for each in results]
        free -= {variable}
        stated.append(_within(variable, value))


def _first_defined(parts: Sequence[Formula], free: frozenset[Variable]) -> tuple[Variable, Dim] | None:
    for part in parts:
        found = _defined(part, free)
        if found is not None:
            return found
    return None


def _defined(part: Formula, free: frozenset[Variable]) -> tuple[Variable, Dim] | None:
    """Return the only unknown of a result in an equation, and its value in terms of known sizes.

    ``2*result0[0] == arg0[0]`` gives ``arg0[0]//2``. That the division is exact remains a claim of the equation itself.
    """
    if not isinstance(part, IsZero) or len(part.variables & free) != 1:
        return None
    for monomial, coefficient in part.size.terms:
        atom = monomial.single
        if isinstance(atom, Variable) and atom in free:
            sign = 1 if coefficient > 0 else -1
            value = (of_atom(atom) * coefficient - part.size) * sign // abs(coefficient)
            return None if atom in value.variables else (atom, value)
    return None


def _within(variable: Variable, value: Dim) -> Formula:
    low = at_least(value, 0 if variable.lower is None else variable.lower)
    return conjunction((low, at_least(MAX_SIZE if variable.upper is None else variable.upper, value)))


def _put(result: Abstract, variable: Variable, value: Dim) -> Abstract:
    """Return a result with one of its variables replaced by its value."""
    if isinstance(result, Dim):
        return value if result.atom is variable else result
    if isinstance(result, Tensor):
        elements = result.elements
        if elements is not None:
            elements = tuple(value if isinstance(e, Dim) and e.atom is variable else e for e in elements)
        shape = result.shape
        if isinstance(shape, RankedShape):
            shape = RankedShape.of([value if each.atom is variable else each for each in shape.dims])
        return replace(result, shape=shape, elements=elements)
    return result


def _read(text: str, scope: Scope, attribute: str, name: str) -> Formula:
    try:
        return parse_formula(text, scope)
    except InputError as error:
        raise UnknownValueError(f"{attribute} of @{name} cannot be said here: {error.message}") from None


def _unchecked(contract: StatedContract, kept: KeptContract | None) -> str:
    """Return the reason why the function may require more than its contract states, or "" if it does not."""
    name = contract.function.name
    if contract.function.body is not None:
        return "" if kept is not None else f"@{name} calls itself, and is not proved to keep its contract"
    if contract.requires is None:
        return f"@{name} has no body here and does not say what it requires ({REQUIRES})"
    return (
        "" if kept is not None else f"@{name} has no body here, and that it needs no more than it says is not believed"
    )
