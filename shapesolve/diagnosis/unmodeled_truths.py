"""Truth values that stand for what is not modeled, and that no reader can look up: whether a machine lets it pass."""

from __future__ import annotations

import re

from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.symbolic.atoms import Validity, Variable
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Trace

_VALUE = re.compile(r"%[\w$#]+('\d+)?")
"""A name that the program itself gives a value."""


def without_unmodeled_truths(claim: Formula, trace: Trace) -> Formula:
    """Return a condition that suffices for a claim, whatever the unmodeled truth values are.

    A truth value is dropped where one of its values makes a conjunct hold: the conjunct for the other one is left.
    """
    if not claim.variables - set(trace.input_variables):
        return claim
    unmodeled = frozenset[Variable]().union(*(each.free for each in trace.approximations))
    truths = [each for each in claim.variables & unmodeled if _is_unnamed_truth(each)]
    found = claim
    for truth in sorted(truths, key=lambda each: each.text):
        found = conjunction(_unfavorable(part, truth) for part in conjuncts(found))
    return found


def _unfavorable(part: Formula, truth: Variable) -> Formula:
    """Return a conjunct for the value of a truth value that does not make it hold by itself."""
    if truth not in part.variables:
        return part
    cases = [Instantiation({truth: dim(value)}).formula(part) for value in (0, 1)]
    return conjunction(cases) if TRUE in cases else part


def _is_unnamed_truth(variable: Variable) -> bool:
    """Return whether a variable is 0 or 1 and neither a value of the program nor an element of one."""
    is_truth = (variable.lower, variable.upper) == (0, 1) and not isinstance(variable, Validity)
    return is_truth and ELEMENT not in variable.text and not _VALUE.fullmatch(variable.text)
