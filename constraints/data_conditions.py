"""Conditions that are one element of a tensor."""

from __future__ import annotations

from shapesolve.language.atoms import Variable
from shapesolve.language.formulas import Formula, equal
from shapesolve.reading.program import Value
from shapesolve.records import value_record
from shapesolve.walking.reasons import Reason
from shapesolve.walking.rule_context import RuleContext

from .integers import as_truth


@value_record
class Condition:
    """The one element of a tensor<i1>; where it is not known, an unknown truth and the reason."""

    formula: Formula
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()


def condition_of(see: RuleContext, value: Value) -> Condition:
    """The truth of a tensor of one element."""
    elements = see.elements(value)
    if elements is not None and len(elements) == 1:
        return Condition(as_truth(elements[0]))
    outcome = see.fresh(value.name, 0, 1)
    return Condition(equal(outcome, 1), (f"the truth of {value.name} is not followed",), outcome.variables)
