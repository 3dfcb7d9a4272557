"""What a claim that fails asks of the inputs, in words: one on every element, or every iteration, is one on sizes."""

from __future__ import annotations

from shapesolve.contracts.shortest import said_together, shortest_and_unsaid
from shapesolve.diagnosis.of_inputs import demanded_of_inputs
from shapesolve.judging.judgement import Judgement
from shapesolve.judging.report import FunctionReport
from shapesolve.language.formulas import And, Formula, Or, conjuncts
from shapesolve.proving.verdicts import Refuted
from shapesolve.walking.inputs import scope_of
from shapesolve.wording.words import required

_LONGEST = 240
"""Characters of a claim; nobody waits for a shorter form of a longer one."""


def requirement(function: FunctionReport, judgement: Judgement) -> str:
    """What the sizes have to satisfy, in the fewest words."""
    obligation, verdict = judgement.obligation, judgement.verdict
    usual = required(obligation, verdict, function.trace)
    if not isinstance(verdict, Refuted) or min(len(usual), len(str(obligation.claim))) > _LONGEST:
        return usual
    claim = obligation.claim
    if not claim.variables <= set(function.trace.input_variables):
        demand = demanded_of_inputs(function, obligation)
        return usual if demand is None else _in_few_words(function, demand) or usual
    if not isinstance(claim, And | Or) and "%" not in usual and "//" not in usual:
        return usual
    short = _in_few_words(function, claim)
    return short if short and len(short) < len(usual) else usual


def _in_few_words(function: FunctionReport, condition: Formula) -> str:
    """The condition, shortened; empty where the size language cannot say all of it."""
    scope = scope_of(function.trace)
    known = [fact.formula for fact in function.assumptions]
    pieces, unsaid = shortest_and_unsaid(list(conjuncts(condition)), known, scope)
    return "" if unsaid else said_together(pieces, scope)
