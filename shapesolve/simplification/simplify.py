"""What is needed, in the fewest words that are proved to mean the same, each a text that can be read back.

What is enough for a condition that nobody would read: that no size is huge.

Integers of 32 bits that may wrap around make conditions of thousands of characters, which every size satisfies that
anybody has.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.errors import InputError
from shapesolve.simplification.arithmetic import simpler, up_to
from shapesolve.simplification.boolean_minimization import shorter
from shapesolve.simplification.comparisons import canonical
from shapesolve.simplification.context import under_premises, without_idle_alternatives
from shapesolve.simplification.readable import joined, readable_claim
from shapesolve.symbolic.atoms import ShapeSymbol
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

_MOST_PASSES = 3
"""What one condition comes to may be short enough for another to be said shorter."""


def shortest(needed: Sequence[Formula], known: Sequence[Formula], scope: Scope) -> list[Formula]:
    """What is needed in few words, without what the size language cannot say: a number beyond 2^63, say."""
    return shortest_and_unsaid(needed, known, scope)[0]


def shortest_and_unsaid(
    needed: Sequence[Formula], known: Sequence[Formula], scope: Scope
) -> tuple[list[Formula], list[Formula]]:
    """What is needed in few words, and the conditions besides that the size language cannot say."""
    parts = list(dict.fromkeys(up_to(part, known) for each in needed for part in conjuncts(canonical(each))))
    short = _shorter(parts, known)
    for _ in range(_MOST_PASSES):
        before, short = short, under_premises(short, known)
        if short == before:
            break
        short = _shorter(short, known)
    short = joined(without_idle_alternatives(short, known))
    found = [_read_back(each, scope) for each in short]
    unsaid = [each for each, read in zip(short, found, strict=True) if read is None]
    return list(dict.fromkeys(each for each in found if each is not None)), unsaid


def _shorter(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    short = shorter(simpler(conditions, known), known)
    return list(conjuncts(conjunction(canonical(each) for each in short)))


def said(condition: Formula, scope: Scope) -> str:
    """The text of a condition: the readable form where it can be read back, else the normal form."""
    return _readable(condition, scope)[0]


def conjunction_text(conditions: Sequence[Formula], scope: Scope) -> str:
    """The text of what all of some conditions say; disjunctions among several stand in parentheses."""
    return said(conjunction(conditions), scope)


def _readable(condition: Formula, scope: Scope) -> tuple[str, Formula | None]:
    """The text of a condition, and what it means where that was looked at."""
    text = readable_claim(condition)
    read = read_in(text, scope)
    return (text, read) if read is not None and read.variables <= condition.variables else (str(condition), None)


def read_in(text: str, scope: Scope) -> Formula | None:
    """What a text means in a scope; None where it is not of the size language."""
    try:
        return parse_formula(text, scope)
    except InputError:
        return None


def _read_back(condition: Formula, scope: Scope) -> Formula | None:
    """What a condition's text means; None where that is something else, or nothing."""
    text, read = _readable(condition, scope)
    if read is not None and (read is condition or _same(read, condition)):
        return read
    plain = str(condition)
    read = None if read is not None and text == plain else read_in(plain, scope)
    return read if read is not None and (read is condition or _same(read, condition)) else None


def _same(a: Formula, b: Formula) -> bool:
    from shapesolve.solver.entailment import entails

    return all(entails(x, [y]) for x, y in ((a, b), (b, a)))


LONGEST = 150
"""Characters of a condition that somebody may read."""

_HUGE = 24
"""Sizes whose product is 2 to this power are huge: a tensor of them has that many elements."""
_MOST = 31
_BUDGET = 300_000


def huge_for(condition: Formula) -> int | None:
    """A bound whose power has as many elements as a huge tensor; None for what shapes of unknown rank are in."""
    if not condition.variables or any(isinstance(each, ShapeSymbol) for each in condition.variables):
        return None
    return 2 ** (_HUGE // len(condition.variables))


def bounded_by(condition: Formula, bound: int) -> list[Formula]:
    """That no size in a condition exceeds a number, in both directions where it may be negative."""
    variables = sorted(condition.variables, key=lambda each: each.text)
    small = [at_least(bound, of_atom(each)) for each in variables]
    negative = [each for each in variables if each.lower is None or each.lower < -bound]
    return [*small, *(at_least(of_atom(each), -bound) for each in negative)]


def sufficient_bound(condition: Formula, known: Sequence[Formula]) -> Formula | None:
    """The largest power of two such that the condition holds wherever no size exceeds it; None for small ones.

    Sizes that satisfy what is ``known`` are meant.
    """
    least = huge_for(condition)
    if least is None:
        return None
    good, bad = least.bit_length() - 2, _MOST + 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _holds(condition, bounded_by(condition, 2**middle), known) else (good, middle)
    if good < least.bit_length() - 1:
        return None
    return conjunction(bounded_by(condition, 2**good))


def _holds(condition: Formula, small: Sequence[Formula], known: Sequence[Formula]) -> bool:
    from shapesolve.solver.entailment import entails

    return entails(condition, [*known, *small], budget=_BUDGET)
