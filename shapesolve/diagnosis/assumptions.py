"""Assumptions of a function as reports list them: each once, and without what follows from the others."""

from __future__ import annotations

from shapesolve.contracts.cases import not_implied
from shapesolve.judging.report import FunctionReport
from shapesolve.language.formulas import Formula
from shapesolve.walking.declared import TRUSTED
from shapesolve.walking.inputs import ASSERTED
from shapesolve.walking.obligations import Fact, Source

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
    return [_without_implied(function, each) for each in function.trace.leans_on]


def _by(fact: Fact) -> str:
    return fact.because.partition(": ")[0]


def _lists(words: str, by: str) -> bool:
    return words.startswith((f"{by} {TRUSTED}", f"{by} {ASSERTED}"))


def _trusted(function: FunctionReport, fact: Fact) -> bool:
    """Whether whoever states a fact is listed with all that it states."""
    return any(_lists(each, _by(fact)) for each in function.trace.leans_on)


def _without_implied(function: FunctionReport, words: str) -> str:
    """The words that list what somebody is trusted with, without the claims that follow from others in it."""
    facts = [each for each in function.assumptions if each.source is not Source.TYPE and _lists(words, _by(each))]
    if not 1 < len(facts) <= _MOST_COMPARED:
        return words
    texts = [each.because.partition(": ")[2] for each in facts]
    whole = ", ".join(texts)
    if not words.endswith(whole):
        return words
    kept = set(not_implied([each.formula for each in facts], (), _BUDGET))
    said: dict[Formula, str] = {}
    for text, fact in zip(texts, facts, strict=True):
        if fact.formula in kept:
            said.setdefault(fact.formula, text)
    return f"{words.removesuffix(whole)}{', '.join(said.values())}"
