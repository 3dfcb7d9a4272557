"""Certificates as files: one for every proof, and the lemmas of every function.

A certificate states an obligation with all facts that hold where it stands, collected independently of the prover,
which only says which facts it used: its bookkeeping is thereby checked, too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from shapesolve.certificates.lemmas import Lemma, distinct_steps, step_lemmas
from shapesolve.certificates.semantics import PRELUDE, all_of
from shapesolve.certificates.smtlib_terms import Terms
from shapesolve.records import record, value_record
from shapesolve.simplification.completed_loops import generalization
from shapesolve.symbolic.derivations import Record
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, implies
from shapesolve.symbolic.limits import TooLarge
from shapesolve.trace.events import (
    Fact,
    Leave,
    Obligation,
    Trace,
    facts_for_non_checks,
    guarding_premise,
    has_facts_for_checks_only,
    may_use_facts_for_checks,
)
from shapesolve.trace.visitor import Around, Handler, Scope, handled_events

HEADER = "; shapesolve certificate"
"""First line of every certificate."""

LEMMAS_IN_A_FILE = 50
LONGEST_NAME = 80
LONGEST_COMMENT = 200


@value_record
class Certificate:
    """A file: its name and its text. It holds one proof, or lemmas."""

    name: str
    text: str
    is_proof: bool


def certificates(
    trace: Trace, record: Record, proved: Iterable[tuple[Obligation, Sequence[Fact]]]
) -> Iterator[Certificate]:
    """Yield the certificates of proved obligations of a function interpreted while a record was kept.

    Args:
        trace: The trace of the function.
        record: The operations on sizes that made its formulas.
        proved: Each obligation with the facts that prove it.
    """
    proofs = {id(obligation): facts for obligation, facts in proved}
    for question in questions(trace):
        facts = proofs.get(id(question.obligation))
        if facts is not None:
            used = set(map(_origin, facts))
            yield _proof(question, [each for each in question.hypotheses if _origin(each.fact) in used], record, trace)
    if proofs:
        yield from _lemma_files(record, trace)


def _origin(fact: Fact) -> tuple[object, ...]:
    """Return a key of a fact that stays the same when the prover moves it out of its region."""
    return fact.source, fact.because, fact.location


def file_name(identity: str) -> str:
    """Return a file name that is portable, the same in every run, and different for different identities."""
    safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", identity).strip("-.")[:LONGEST_NAME].rstrip("-.")
    return f"{safe or 'function'}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}.smt2"


def _proof(question: CertificateQuery, hypotheses: Sequence[Hypothesis], record: Record, trace: Trace) -> Certificate:
    terms = Terms(record)
    assertions: dict[str, str] = {}  # what is said twice is asserted once
    for each in hypotheses:
        assertions.setdefault(_hypothesis(each, terms), _words(each))
    obligation = question.obligation
    claim = cast("str", terms.built(obligation.claim, obligation.built_by))
    if question.guard is not TRUE:
        claim = f"(=> {_text(terms.built(question.guard, terms.maker(question.guard)))} {claim})"
    named = [
        *terms.domains,
        *((name, term) for term, name in assertions.items()),
        (f"the claim of {obligation.label} fails", f"(not {claim})"),
    ]
    lemmas = terms.lemmas()
    lines = [
        f"{HEADER} of a proof: the assertions below contradict each other",
        *_about(trace),
        f"; operation {_comment(obligation.op.name)}",
        f"; clause    ({obligation.clause}) {_comment(obligation.words)}",
        f"; line      {_comment(str(obligation.location))}",
        f"; identity  {_comment(obligation.identity)}",
        f"; claim     {_comment(str(obligation.claim))} (its normal form; what is stated below is how it was built)",
        *_preamble(terms),
        *(f"(assert (! {term} :named {terms.unused(name)}))" for name, term in named if term != "true"),
        "(check-sat)",
        *(_with_lemmas(lemmas) if lemmas else ()),
    ]
    return Certificate(file_name(obligation.identity), "\n".join([*lines, ""]), is_proof=True)


def _with_lemmas(lemmas: list[str]) -> list[str]:
    return [
        "; The same question again, for a solver to which that was too hard: what was built equals its normal form.",
        "; That follows from the lemmas of this function, each of which has a question of its own.",
        *(f"(assert {lemma})" for lemma in lemmas),
        "(check-sat)",
    ]


def _hypothesis(hypothesis: Hypothesis, terms: Terms) -> str:
    fact = _text(terms.built(hypothesis.fact.formula, hypothesis.fact.built_by))
    if not hypothesis.conditions:
        return fact
    conditions = [_text(terms.built(each, terms.maker(each))) for each in hypothesis.conditions]
    return f"(=> {all_of(conditions)} {fact})"


def _text(term: object) -> str:
    return cast("str", term)


def _words(hypothesis: Hypothesis) -> str:
    location = hypothesis.fact.location
    line = f"line {location.line}: " if location is not None and location.line else ""
    return _comment(line + hypothesis.fact.because)


def _lemma_files(record: Record, trace: Trace) -> Iterator[Certificate]:
    steps = distinct_steps(record)
    number = 0
    while steps:
        terms = Terms(record)
        lemmas: dict[str, Lemma] = {}  # by claim: what several steps need is asked once
        while steps and len(lemmas) < LEMMAS_IN_A_FILE:
            for lemma in step_lemmas(steps.pop(0), terms):
                lemmas.setdefault(lemma.claim, lemma)
        if lemmas:
            number += 1
            name = file_name(f"{trace.function.name}/lemmas.{number:03}")
            yield Certificate(name, _lemma_text(list(lemmas.values()), terms, trace), is_proof=False)


def _lemma_text(lemmas: Sequence[Lemma], terms: Terms, trace: Trace) -> str:
    questions: list[str] = []
    for lemma in lemmas:
        questions += [
            f"; {_comment(lemma.words)}",
            "(push 1)",
            f"(assert (not {lemma.claim}))",
            "(check-sat)",
            "(pop 1)",
        ]
    lines = [
        f"{HEADER} of lemmas: every question below contradicts the domains of the variables",
        *_about(trace),
        *_preamble(terms),
        *(f"(assert {term})" for _, term in terms.domains),
        *questions,
    ]
    return "\n".join([*lines, ""])


def _about(trace: Trace) -> list[str]:
    return [f"; file      {_comment(trace.function.location.file)}", f"; function  @{_comment(trace.function.name)}"]


def _preamble(terms: Terms) -> list[str]:
    return ["(set-info :smt-lib-version 2.6)", "(set-logic ALL)", PRELUDE, *terms.declarations, *terms.definitions]


def _comment(text: str) -> str:
    """Return text for one line of a comment or a name."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_COMMENT else f"{line[: LONGEST_COMMENT - 3]}..."


@record
class Hypothesis:
    """A fact that holds wherever all of the conditions do."""

    fact: Fact
    conditions: tuple[Formula, ...] = ()


@record
class CertificateQuery:
    """An obligation, and the hypotheses that it follows from where ``given`` holds."""

    obligation: Obligation
    hypotheses: tuple[Hypothesis, ...]
    guard: Formula


class _KnownFacts:
    """Hypotheses and conditions in force at a program point."""

    def __init__(self) -> None:
        self.hypotheses: list[Hypothesis] = []
        self._starts: list[int] = []  # how many hypotheses held before each region

    def add(self, fact: Fact, *conditions: Formula) -> None:
        self.hypotheses.append(Hypothesis(fact, tuple(each for each in conditions if each is not TRUE)))

    def enter(self, scope: Scope) -> None:
        self._starts.append(len(self.hypotheses))
        if scope.enter.condition is not None:
            self.add(scope.enter.condition)

    def leave(self, scope: Scope) -> None:
        start, runs = self._starts.pop(), scope.leave.runs
        inside = self.hypotheses[start + (scope.enter.condition is not None) :]
        del self.hypotheses[start:]
        if runs is None or not scope.is_kept:
            return
        outer = () if runs is TRUE else (runs,)
        inside += _of_all_iterations(inside, scope.leave)
        self.hypotheses.extend(replace(each, conditions=(*outer, *each.conditions)) for each in inside)


def _of_all_iterations(inside: Sequence[Hypothesis], leave: Leave) -> list[Hypothesis]:
    """Return what claims that were raised in a generic iteration say of all iterations."""
    generalize = generalization(leave)
    if generalize is None:
        return []
    found: list[Hypothesis] = []
    for each in inside:
        if each.fact.operation:
            try:
                claim = implies(conjunction(each.conditions), each.fact.formula)
                formula = generalize(claim)
            except TooLarge:  # the prover does without it, too
                continue
            if formula is not None and formula is not claim:
                found.append(Hypothesis(replace(each.fact, formula=formula, built_by=None)))
    return found


class _QueryCollector(Handler[CertificateQuery]):
    def __init__(self, *, has_one_account: bool) -> None:
        self._for_checks = _KnownFacts()
        self._for_the_rest = self._for_checks if has_one_account else _KnownFacts()

    @property
    def _accounts(self) -> tuple[_KnownFacts, ...]:
        return tuple(dict.fromkeys((self._for_checks, self._for_the_rest)))

    def obligation(self, obligation: Obligation, around: Around) -> CertificateQuery:
        has_one_account = self._for_checks is self._for_the_rest
        if has_one_account or may_use_facts_for_checks(obligation):
            asked = CertificateQuery(obligation, tuple(self._for_checks.hypotheses), TRUE)
        else:
            asked = CertificateQuery(obligation, tuple(self._for_the_rest.hypotheses), guarding_premise(obligation))
        self._for_checks.add(obligation.as_fact())
        weakened = None if has_one_account else facts_for_non_checks(obligation)
        if weakened is not None:
            self._for_the_rest.add(*weakened)
        return asked

    def fact(self, fact: Fact, around: Around) -> None:
        for each in self._accounts:
            each.add(fact)

    def enter(self, scope: Scope, around: Around) -> None:
        for each in self._accounts:
            each.enter(scope)

    def leave(self, scope: Scope, around: Around) -> None:
        for each in self._accounts:
            each.leave(scope)


def questions(trace: Trace) -> Iterator[CertificateQuery]:
    """Yield every obligation of a trace as a query, in program order."""
    asking = _QueryCollector(has_one_account=not has_facts_for_checks_only(trace))
    for fact in trace.assumptions:
        asking.fact(fact, ())
    return handled_events(trace, asking)
