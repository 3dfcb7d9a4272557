"""Further counterexamples of a claim, for a model that raises at another line at the first one.

The run at the smallest sizes is no evidence of a claim where something before it, or of another line, fails there too.
At other sizes the claim may be all that fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import conjunction, divides, equal, implies, negation
from shapesolve.symbolic.named_sizes import NamedSizes
from shapesolve.trace.events import Enter, Fact, Leave, Obligation, Trace

MOST_TRIED = 6
"""Largest number of further counterexamples of one claim."""

_BUDGET = 50_000
_DIVISORS = (2, 12)
_MOST_ONES = 6


def other_counterexamples(
    trace: Trace, checked_obligation: CheckedObligation, others: Sequence[CheckedObligation]
) -> list[Refuted]:
    """Return a few other sizes at which a refuted claim is false, and the refuted claims of other lines hold.

    Where there are none at which they all hold, those of the line that raises do, if possible.

    Args:
        trace: The trace of the function.
        checked_obligation: The claim, whose run raised at another line.
        others: All claims of the function.
    """
    verdict, obligation = checked_obligation.verdict, checked_obligation.obligation
    assert isinstance(verdict, Refuted)
    false = negation(implies(obligation.guard, obligation.claim))
    facts = _facts_before(trace, obligation)
    refuted = [
        each for each in others if isinstance(each.verdict, Refuted) and not _share_a_line(each, checked_obligation)
    ]
    raising = [each for each in others if checked_obligation.raised_at in each.model_lines[:1]]
    variables = _numbers(false.variables.union(*(each.obligation.claim.variables for each in (*refuted, *raising))))
    found: list[Refuted] = []
    for claims in dict.fromkeys((tuple(dict.fromkeys((*refuted, *raising))), tuple(raising), ())):
        known = [*facts, *(implies(each.obligation.guard, each.obligation.claim) for each in claims)]
        found += _falsifying(false, known, verdict, _restrictions(variables))
        if len(found) >= MOST_TRIED:
            break
    return list({str(each.sizes): each for each in found}.values())[:MOST_TRIED]


def _share_a_line(one: CheckedObligation, other: CheckedObligation) -> bool:
    return one is other or one.model_lines[:1] == other.model_lines[:1]


def _facts_before(trace: Trace, obligation: Obligation) -> list[Formula]:
    """Return what holds where an obligation is reached, but for the facts of regions that have ended."""
    found: list[list[Formula]] = [[]]
    for event in trace.events:
        if event is obligation:
            break
        if isinstance(event, Enter):
            found.append([] if event.condition is None else [event.condition.formula])
        elif isinstance(event, Leave):
            found.pop()
        elif isinstance(event, Fact):
            found[-1].append(event.formula)
    return [each for region in found for each in region]


def _numbers(variables: Iterable[Variable]) -> list[Variable]:
    return sorted((each for each in variables if not isinstance(each, ShapeSymbol)), key=lambda each: each.text)


def _restrictions(variables: Sequence[Variable]) -> Iterator[list[Formula]]:
    """Yield what sizes have in common that other lines often take: multiples of small numbers, and a single 1."""
    yield []
    for divisor in _DIVISORS:
        yield [divides(divisor, of_atom(each)) for each in variables]
    for each in variables[:_MOST_ONES]:
        yield [equal(of_atom(each), 1)]


def _falsifying(
    false: Formula, known: Sequence[Formula], first: Refuted, restrictions: Iterable[Sequence[Formula]]
) -> Iterator[Refuted]:
    """Yield sizes that satisfy a formula and what is known, others for each restriction and than the first ones."""
    apart = [_differs_from(first, false)]
    for restriction in restrictions:
        verdict = prove(negation(false), [*known, *apart, *restriction], budget=_BUDGET)
        if isinstance(verdict, Refuted):
            sizes = NamedSizes({**first.sizes, **verdict.sizes})
            found = Refuted(first.strategy, sizes, always=first.always, condition=first.condition)
            apart.append(_differs_from(found, false))
            yield found


def _differs_from(refuted: Refuted, false: Formula) -> Formula:
    """Return that a size of a formula is another one than in a counterexample."""
    sizes = {each: refuted.sizes.get(each) for each in _numbers(false.variables)}
    return negation(conjunction(equal(of_atom(each), size) for each, size in sizes.items() if isinstance(size, int)))
