"""What keeps products of sizes within 64 bits: conditions that follow from others only where no product wraps around.

Of checks `a < 2**31` and `b < 2**31` and, of sizes that are at least 1, `a*b <= 100` the last one says it all, in whole
numbers. What is written computes `a*b` in 64 bits: 2**32 times 2**32 is 0 there, and passes. So a check of the program
follows from what is written only where it does whatever the products are.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.contract import Condition, FunctionContract
from shapesolve.contracts.demands import Demand
from shapesolve.contracts.shortest import said
from shapesolve.language.formulas import conjuncts
from shapesolve.pruning.opaque_products import OpaqueProducts
from shapesolve.walking.inputs import scope_of
from shapesolve.walking.obligations import Kind


def overflow_guards(contract: FunctionContract, needed: Sequence[Demand]) -> list[Condition]:
    """The program's own checks that do not follow from the contract whatever its products are.

    ``needed`` is what the obligations that are not proved demand of the inputs.
    """
    from shapesolve.solving import follows

    opaque = OpaqueProducts()
    known = [opaque.formula(fact.formula) for fact in contract.report.assumptions]
    written = [opaque.formula(each.formula) for each in contract.conditions]
    if not opaque.found:
        return []
    scope = scope_of(contract.report.trace)
    guards: list[Condition] = []
    for demand in needed:
        for part in conjuncts(demand.formula) if demand.obligation.kind is Kind.CHECK else ():
            alike = opaque.formula(part)
            if not follows(alike, [*known, *written]):
                written.append(alike)
                guards.append(Condition(part, said(part, scope), (demand.obligation,), necessary=True))
    return guards
