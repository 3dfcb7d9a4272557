"""Truth values that stand for what is not modeled, and that no reader can look up: whether a machine lets it pass."""

from __future__ import annotations

from shapesolve.symbolic.atoms import UnmodeledTruth
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Trace

_MOST = 4
"""Truth values of one conjunct for which both cases are told apart."""


def unmodeled_truths(formula: Formula) -> list[UnmodeledTruth]:
    """Return the truth values in a formula that stand for what is not modeled, by their statements."""
    found = [each for each in formula.variables if isinstance(each, UnmodeledTruth)]
    return sorted(found, key=lambda each: each.text)


def without_unmodeled_truths(claim: Formula) -> Formula:
    """Return a condition that suffices for a claim, whatever the unmodeled truth values are.

    A conjunct is replaced by those for all values of its truth values; one of very many of them is left as it is.
    """
    found = [each for part in conjuncts(claim) for each in _for_all_truths(part)]
    return conjunction(found) if unmodeled_truths(claim) else claim


def _for_all_truths(part: Formula) -> list[Formula]:
    truths = unmodeled_truths(part)
    if len(truths) > _MOST:
        return [part]
    cases = [part]
    for truth in truths:
        cases = [Instantiation({truth: dim(value)}).formula(each) for each in cases for value in (0, 1)]
    return cases


def unmodeled_reasons(formula: Formula, trace: Trace) -> list[str]:
    """Return what is not modeled and may decide a formula, as phrases."""
    truths = frozenset(unmodeled_truths(formula))
    return list(dict.fromkeys(each.reason for each in trace.approximations if each.free & truths))
