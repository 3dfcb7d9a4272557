"""Conditions under which inferred shapes are right: what is raised on the way and not proved."""

from __future__ import annotations

from itertools import groupby

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.shape_inference.known_extents import Inferred
from shapesolve.solver.entailment import not_implied
from shapesolve.solver.verdicts import Proved, Unreachable
from shapesolve.statistics import stage

_BUDGET = 20_000


def shape_conditions(inferred: Inferred) -> list[CheckedObligation]:
    """Return the claims that are raised and not proved; where they hold, the inferred shapes are right."""
    return [each for each in inferred.judgements if not isinstance(each.verdict, Proved | Unreachable)]


@stage("diagnose")
def independent_conditions(inferred: Inferred) -> list[CheckedObligation]:
    """Return the shape conditions that do not follow from others of the same operation."""
    kept: list[CheckedObligation] = []
    for _, group in groupby(shape_conditions(inferred), key=lambda each: each.obligation.op):
        of_one = list(group)
        claims = set(not_implied([each.obligation.claim for each in of_one], (), _BUDGET))
        kept += [each for each in of_one if each.obligation.claim in claims]
    return kept
