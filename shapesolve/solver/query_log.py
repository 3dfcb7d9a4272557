"""Logging of claims and queries: statistics, log listeners, and SMT-LIB files.

Assertions in the files are named after the program's lines, so that unsat cores speak of these.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from functools import wraps
from time import perf_counter
from typing import ParamSpec

from shapesolve.records import value_record
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification, facts_of
from shapesolve.solver.verdicts import Answer, GaveUp, Proved, Refuted, Unsatisfiable, Verdict
from shapesolve.statistics import current, stage
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import negation
from shapesolve.trace.events import Fact

P = ParamSpec("P")

_log = logging.getLogger("shapesolve.solver")


def logged(function: Callable[P, Verdict]) -> Callable[P, Verdict]:
    """Decorate a function that decides a claim, named by its argument ``name``, to count and log it."""
    measured = stage("prove")(function)

    @wraps(function)
    def logged(*given: P.args, **named: P.kwargs) -> Verdict:
        statistics = current()
        if statistics is None and not _log.isEnabledFor(logging.DEBUG):
            return function(*given, **named)
        started = perf_counter()
        verdict = measured(*given, **named)
        found = verdict.strategy if isinstance(verdict, Proved | Refuted) else verdict.word
        if statistics is not None:
            statistics.claims[found] += 1
        _log.debug("%s: %s (%s), %.4f s", named.get("name", "claim"), verdict.word, found, perf_counter() - started)
        return verdict

    return logged


def asking(function: Callable[P, Answer]) -> Callable[P, Answer]:
    """Decorate a function that asks a solver, with a query named by its argument ``name``, to count and log it."""

    @wraps(function)
    def logged(*given: P.args, **named: P.kwargs) -> Answer:
        statistics = current()
        if statistics is None and not _log.isEnabledFor(logging.DEBUG):
            return function(*given, **named)
        started = perf_counter()
        answer = function(*given, **named)
        found = f"given up: {answer.reason_kind.value}" if isinstance(answer, GaveUp) else answer.strategy
        if statistics is not None:
            statistics.queries[found] += 1
        word = "" if isinstance(answer, GaveUp) else "unsat, " if isinstance(answer, Unsatisfiable) else "sat, "
        _log.debug("query %s: %s%s, %.4f s", named.get("name", ""), word, found, perf_counter() - started)
        return answer

    return logged


LONGEST_NAME = 80
LONGEST_COMMENT = 160
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")


@value_record
class Assertion:
    """A term that holds in a query.

    Attributes:
        name: A name, which need not be unique.
        comment: The same for people.
    """

    name: str
    term: str
    comment: str = ""


def simple(words: str) -> str:
    """Return words as a symbol that needs no quotes: ``line 12: cf.assert`` is ``line_12_cf_assert``."""
    text = _NO_WORD.sub("_", words)[:LONGEST_NAME].strip("_") or "fact"
    return f"_{text}" if text[0].isdigit() else text


def query_text(title: str, declarations: Sequence[str], assertions: Sequence[Assertion]) -> str:
    """Return the text of an SMT-LIB file. ``declarations`` are whole commands."""
    taken = {symbol for line in declarations for symbol in re.findall(r"\(declare-fun (\|[^|]*\||\S+)", line)}
    lines = [
        f"; {_line(title)}",
        "; The assertions are named after where they come from: (get-unsat-core) speaks of lines of the program.",
        "(set-option :produce-unsat-cores true)",
        "(set-logic ALL)",
        *declarations,
    ]
    for each in assertions:
        name = _unused(each.name, taken)
        lines += [f"; {_line(each.comment)}"] if each.comment else []
        lines.append(f"(assert (! {each.term} :named {name}))")
    return "\n".join([*lines, "(check-sat)", ""])


def _unused(words: str, taken: set[str]) -> str:
    wished = name = simple(words)
    number = 1
    while name in taken:
        number += 1
        name = f"{wished}_{number}"
    taken.add(name)
    return name


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_COMMENT else f"{line[: LONGEST_COMMENT - 3]}..."


MOST_NAMED = 3
"""A formula that follows from more facts names this many of them."""


class QuerySources:
    """Describes where the formulas of one prover's queries come from.

    Attributes:
        place: The program point of the current claim.
        claim: The current claim.
    """

    def __init__(self, propagator: Propagator, facts: Sequence[Fact]) -> None:
        self._propagator = propagator
        self._facts = facts
        self.place = "claim"
        self.claim: Formula = FALSE

    def __call__(self, formula: Formula) -> str:
        """Return the origin of a formula: ``line 12: cf.assert``; "asked" if it is neither a fact nor the claim."""
        why = self._propagator.constraints.formulas.get(formula)
        if why is None:
            why = self._propagator.lazy_bounds.get(formula)
        if why is not None:
            return self._names_of(why)
        if formula is self.claim:
            return f"{self.place} holds"
        return f"{self.place} fails" if formula is negation(self.claim) else "asked"

    def _names_of(self, why: Justification) -> str:
        facts = [self._facts[number] for number in sorted(facts_of(why))]
        named = list(dict.fromkeys(each.source_text for each in facts))
        more = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
        return " and ".join([*named[:MOST_NAMED], *more]) or "known of all sizes"
