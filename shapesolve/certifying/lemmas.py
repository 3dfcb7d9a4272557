"""Lemmas: every recorded operation gives what its normal form says."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from shapesolve.certifying.parities import even_or_odd, halved_powers
from shapesolve.certifying.semantics import ShapeTerm, Term, all_of
from shapesolve.certifying.terms import Terms
from shapesolve.language.formulas import Formula
from shapesolve.language.recording import Record, Step
from shapesolve.language.shapes import Shape
from shapesolve.records import value_record

if TYPE_CHECKING:
    from shapesolve.language.recording import Term as Object


@value_record
class Lemma:
    """``claim`` is a term that is true for all sizes; ``words`` say what was computed."""

    claim: str
    words: str


def different_steps(record: Record) -> list[Step]:
    """Every step of a record once."""
    found: dict[tuple[object, ...], Step] = {}
    for step in record.steps:
        found.setdefault((step.operation, step.arguments, step.result), step)
    return list(found.values())


def lemmas_of(step: Step, terms: Terms) -> list[Lemma]:
    """What a step claims, after what that follows from; nothing where both sides are the same text."""
    arguments = [terms.normal(each) for each in step.arguments]
    term = terms.meaning(step, arguments)
    result = _normal(step.result, terms)
    if term == result:
        return []
    words = f"{step.operation}({', '.join(map(str, step.arguments))}) is {step.result}"
    claim = _same(term, result)
    parities = {even_or_odd(terms.atom(each)): f"{each.text} is even or odd" for each in halved_powers(step)}
    if parities:
        claim = f"(=> {all_of(list(parities))} {claim})"
    return [*(Lemma(parity, of) for parity, of in parities.items()), Lemma(claim, " ".join(words.split()))]


def _normal(thing: Object, terms: Terms) -> Term:
    if isinstance(thing, int):
        return terms.normal(thing)
    if isinstance(thing, Formula):
        return terms.claim_of(thing)
    return terms.normal(thing) if isinstance(thing, Shape) else terms.sum_of(thing)


def _same(term: Term, result: Term) -> str:
    if isinstance(term, ShapeTerm):
        other = cast("ShapeTerm", result)
        columns = f"(forall ((i Int)) (= {term.column('i')} {other.column('i')}))"
        return f"(and (= {term.rank} {other.rank}) {columns} (= {term.valid} {other.valid}))"
    return f"(= {term} {result})"
