"""Assumptions of a function, and conditions on its inferred shapes, without those that follow from others."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.shape_inference.known_extents import Inferred
from shapesolve.solver import budgets
from shapesolve.solver.entailment import not_implied
from shapesolve.solver.verdicts import Proved, Unreachable
from shapesolve.statistics import stage
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.assumed_overflow import modeling_assumptions
from shapesolve.trace.events import Fact, Source
from shapesolve.trace.trust import ModelingAssumption, TrustedStatements

_MOST_COMPARED = 32


def stated_assumptions(function: FunctionReport) -> list[Fact]:
    """Return the assumptions on the inputs that are not of their types."""
    return [each for each in function.assumptions if each.source is not Source.TYPE]


def listed_assumptions(function: FunctionReport) -> list[Fact]:
    """Return the stated assumptions that no entry of the trusted ones lists."""
    return [each for each in stated_assumptions(function) if not _trusted(function, each)]


def shortened_trust(function: FunctionReport) -> list[ModelingAssumption]:
    """Return all modeling assumptions of the verdicts, without claims that follow from others."""
    return [
        _without_implied(function, each) if isinstance(each, TrustedStatements) else each
        for each in modeling_assumptions(function.trace)
    ]


def _trusted(function: FunctionReport, fact: Fact) -> bool:
    """Return whether a fact comes from a source that is listed with all of its statements."""
    return fact.statement is not None and any(each.by == fact.statement.by for each in function.trace.trusted)


def _without_implied(function: FunctionReport, trusted: TrustedStatements) -> TrustedStatements:
    """Return trusted statements without those that follow from the others."""
    stated = [
        (fact.statement.text, fact.formula)
        for fact in function.assumptions
        if fact.statement is not None and fact.statement.by == trusted.by
    ]
    texts = tuple(text for text, _ in stated)
    if not 1 < len(stated) <= _MOST_COMPARED or trusted.texts[-len(texts) :] != texts:
        return trusted
    kept = set(not_implied([formula for _, formula in stated], (), budgets.BRIEF))
    distinct: dict[Formula, str] = {}
    for text, formula in stated:
        if formula in kept:
            distinct.setdefault(formula, text)
    return replace(trusted, texts=(*trusted.texts[: -len(texts)], *distinct.values()))


def shape_conditions(inferred: Inferred) -> list[CheckedObligation]:
    """Return the claims that are raised and not proved; where they hold, the inferred shapes are right."""
    return [each for each in inferred.checked_obligations if not isinstance(each.verdict, Proved | Unreachable)]


@stage("diagnose")
def independent_conditions(inferred: Inferred) -> list[CheckedObligation]:
    """Return the shape conditions that do not follow from others of the same operation, each once."""
    kept: list[CheckedObligation] = []
    for _, group in groupby(shape_conditions(inferred), key=lambda each: each.obligation.op):
        of_one = list(group)
        by_claim: dict[Formula, CheckedObligation] = {}
        for each in of_one:
            by_claim.setdefault(each.obligation.claim, each)
        kept += [by_claim[claim] for claim in dict.fromkeys(not_implied(list(by_claim), (), budgets.BRIEF))]
    return kept
