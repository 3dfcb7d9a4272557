"""Lemmas: every recorded operation equals its normal form.

Where powers of sizes are halved a lemma assumes that integers are even or odd. That ``n**2 + n`` is even follows from
that and from nothing less; by itself cvc5 does not consider the two cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from shapesolve.certificates.semantics import ShapeTerm, Term, all_of
from shapesolve.certificates.smtlib_terms import Terms
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Atom, Quotient, Remainder
from shapesolve.symbolic.derivations import DerivationStep, Record
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.symbolic.visitors import atoms_within

if TYPE_CHECKING:
    from shapesolve.symbolic.derivations import Term as Object


@value_record
class Lemma:
    """A valid term.

    Attributes:
        claim: The term, true for all sizes.
        words: A description of the operation.
    """

    claim: str
    words: str


def distinct_steps(record: Record) -> list[DerivationStep]:
    """Return the distinct steps of a record."""
    found: dict[tuple[object, ...], DerivationStep] = {}
    for step in record.steps:
        found.setdefault((step.operation, step.arguments, step.result), step)
    return list(found.values())


def step_lemmas(step: DerivationStep, terms: Terms) -> list[Lemma]:
    """Return the lemma of a step after those it depends on; empty if both sides are the same text."""
    arguments = [terms.normal(each) for each in step.arguments]
    term = terms.step_term(step, arguments)
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


def halved_powers(step: DerivationStep) -> list[Atom]:
    """Return the atoms of which a power is divided by an even number in a step, its arguments or its result."""
    found: dict[Atom, None] = {}
    for numerator in _halved(step):
        for monomial, _ in numerator.terms:
            found.update((atom, None) for atom, power in monomial.factors if power > 1)
    return list(found)


def even_or_odd(term: str) -> str:
    """Return the term that an integer is even or odd."""
    half = f"(* 2 (div {term} 2))"
    return f"(or (= {term} {half}) (= {term} (+ {half} 1)))"


def _halved(step: DerivationStep) -> Iterator[Dim]:
    match step.operation, step.arguments:
        case ("floordiv" | "remainder", (Dim() as a, Dim() as b)) if _is_even(b):
            yield a
        case "divides", (Dim() as b, Dim() as a) if _is_even(b):
            yield a
        case _:
            pass
    for thing in (*step.arguments, step.result):
        if isinstance(thing, Dim | Formula):
            for atom in atoms_within(thing):
                if isinstance(atom, Quotient | Remainder) and _is_even(atom.parts[1]):
                    yield atom.parts[0]


def _is_even(divisor: Dim) -> bool:
    return divisor.is_constant and divisor.constant != 0 and divisor.constant % 2 == 0
