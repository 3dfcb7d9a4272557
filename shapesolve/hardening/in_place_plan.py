"""Which operations of a program may be undefined, and the checks before them that exclude it.

What an operation demands is judged where everything before it has held. So what follows from the checks that are
written before, or from those of the program, is not written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from shapesolve.contracts.cases import divides_by_sizes, not_implied
from shapesolve.contracts.usual_forms import usual
from shapesolve.hardening.local_claims import LocalClaims
from shapesolve.judging.report import FunctionReport
from shapesolve.language.atoms import Quotient, Remainder
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import TRUE, Formula, conjunction, conjuncts
from shapesolve.proving.verdicts import Refuted, Undecided
from shapesolve.reading.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.walking.obligations import Kind
from shapesolve.walking.rule_context import CannotSee
from shapesolve.walking.rulebook import Rulebook
from shapesolve.walking.values import Abstract

_NOT_KNOWN = ("T3", "T4")
"""Clauses that say that nobody knows what an operation demands."""

_BUDGET = 100_000

Key = tuple[str, str]
"""A claim of an operation, however often it runs: its clause and its message, whatever it runs on."""


@value_record
class Guard:
    """A check to be written before an operation. ``formula`` is over what the ``operands`` are taken to be."""

    op: Operation
    formula: Formula
    message: str
    operands: Mapping[Value, Abstract]


def open_demands(reports: Iterable[FunctionReport], rulebook: Rulebook) -> dict[Operation, dict[Key, None]]:
    """Return, by operation, the demands that are not proved whenever it runs.

    The checks of the program are none of them; those inside a shape function are.
    """
    found: dict[Operation, dict[Key, None]] = {}
    for report in reports:
        for judgement in report.judgements:
            obligation = judgement.obligation
            rule = rulebook.get(obligation.op.name)
            is_demand = obligation.kind is not Kind.CHECK or (rule is not None and rule.is_shape_function)
            if is_demand and isinstance(judgement.verdict, Refuted | Undecided):
                found.setdefault(obligation.op, {})[obligation.clause, obligation.demand] = None
    return found


def guards_of(op: Operation, keys: Iterable[Key], local: LocalClaims) -> tuple[list[Guard], list[str]]:
    """The checks for the open demands of an operation, and why there are none for the others."""
    found: dict[Key, Guard] = {}
    left: list[str] = []
    for key in keys:
        try:
            found[key] = _guard_of(op, key, local)
        except CannotSee as reason:
            left.append(str(reason))
    return _needed(op, found, local) if len(found) > 1 and not left else [*found.values()], left


def _needed(op: Operation, guards: Mapping[Key, Guard], local: LocalClaims) -> list[Guard]:
    """The checks without what follows from later ones of the operation, and from what it demands and is proved.

    A later one may be all that stands between its own division and a zero: what divides by a size spares none.
    """
    from shapesolve.solving import follows

    claims, _ = local.of(op)
    proved = [each.formula for each in claims if (each.clause, each.message) not in guards]
    kept: list[Guard] = []
    for guard in reversed([*guards.values()]):
        later = [each.formula for each in kept if not _divides(each.formula)]
        facts = [*later, *proved]
        parts = [each for each in conjuncts(guard.formula) if not later or not follows(each, facts, budget=_BUDGET)]
        if parts:
            kept.insert(0, replace(guard, formula=conjunction(parts)))
    return kept


def _divides(formula: Formula) -> bool:
    return any(isinstance(each, Quotient | Remainder) for each in atoms_within(formula))


def _guard_of(op: Operation, key: Key, local: LocalClaims) -> Guard:
    """The check for an open demand of an operation. Raises CannotSee, with the reason as a phrase."""
    clause, message = key
    if clause in _NOT_KNOWN:
        raise CannotSee(message)
    claims, operands = local.of(op)
    formula = usual(conjunction(each.formula for each in claims if (each.clause, each.message) == key))
    if not divides_by_sizes(formula):
        formula = conjunction(not_implied(conjuncts(formula), (), _BUDGET))
    if formula is TRUE:
        raise CannotSee(f"`{message}` cannot be said of its operands alone")
    return Guard(op, formula, f"{op.name}: {message}", operands)
