"""Assumptions of a function as reports list them: each once, and without what follows from the others."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.checker.report import FunctionReport
from shapesolve.solver.entailment import not_implied
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Fact, Source
from shapesolve.trace.trust import TrustedStatements

_MOST_COMPARED = 32
_BUDGET = 20_000


def stated_assumptions(function: FunctionReport) -> list[Fact]:
    """Return the assumptions on the inputs that are not of their types."""
    return [each for each in function.assumptions if each.source is not Source.TYPE]


def listed_assumptions(function: FunctionReport) -> list[Fact]:
    """Return the stated assumptions that no entry of the trusted ones lists."""
    return [each for each in stated_assumptions(function) if not _trusted(function, each)]


def shortened_trust(function: FunctionReport) -> list[str]:
    """Return the texts of everything that the verdicts lean on, without claims that follow from others."""
    return [
        str(_without_implied(function, each) if isinstance(each, TrustedStatements) else each)
        for each in function.trace.modeling_assumptions
    ]


def _trusted(function: FunctionReport, fact: Fact) -> bool:
    """Whether whoever states a fact is listed with all that it states."""
    return fact.statement is not None and any(each.by == fact.statement.by for each in function.trace.trusted)


def _without_implied(function: FunctionReport, trusted: TrustedStatements) -> TrustedStatements:
    """What somebody is trusted with, without the statements that follow from others."""
    stated = [
        (fact.statement.text, fact.formula)
        for fact in function.assumptions
        if fact.statement is not None and fact.statement.by == trusted.by
    ]
    texts = tuple(text for text, _ in stated)
    if not 1 < len(stated) <= _MOST_COMPARED or trusted.texts[-len(texts) :] != texts:
        return trusted
    kept = set(not_implied([formula for _, formula in stated], (), _BUDGET))
    said: dict[Formula, str] = {}
    for text, formula in stated:
        if formula in kept:
            said.setdefault(formula, text)
    return replace(trusted, texts=(*trusted.texts[: -len(texts)], *said.values()))
