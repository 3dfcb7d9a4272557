"""What is needed, in the fewest words that are proved to mean the same, each a text that can be read back."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.in_context import in_context, without_idle_alternatives
from shapesolve.contracts.short_forms import shorter
from shapesolve.contracts.simpler_conditions import simpler
from shapesolve.contracts.thresholds import up_to
from shapesolve.contracts.usual_forms import usual
from shapesolve.errors import InputError
from shapesolve.language.formulas import Formula, conjunction, conjuncts
from shapesolve.language.parsing import Scope, parse_formula
from shapesolve.proving.joined_bounds import joined
from shapesolve.wording.words import readable_claim

_MOST_PASSES = 3
"""What one condition comes to may be short enough for another to be said shorter."""


def shortest(needed: Sequence[Formula], known: Sequence[Formula], scope: Scope) -> list[Formula]:
    """What is needed in few words, without what the size language cannot say: a number beyond 2^63, say."""
    return shortest_and_unsaid(needed, known, scope)[0]


def shortest_and_unsaid(
    needed: Sequence[Formula], known: Sequence[Formula], scope: Scope
) -> tuple[list[Formula], list[Formula]]:
    """What is needed in few words, and the conditions besides that the size language cannot say."""
    parts = list(dict.fromkeys(up_to(part, known) for each in needed for part in conjuncts(usual(each))))
    short = _shorter(parts, known)
    for _ in range(_MOST_PASSES):
        before, short = short, in_context(short, known)
        if short == before:
            break
        short = _shorter(short, known)
    short = joined(without_idle_alternatives(short, known))
    found = [_read_back(each, scope) for each in short]
    unsaid = [each for each, read in zip(short, found, strict=True) if read is None]
    return list(dict.fromkeys(each for each in found if each is not None)), unsaid


def _shorter(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    short = shorter(simpler(conditions, known), known)
    return list(conjuncts(conjunction(usual(each) for each in short)))


def said(condition: Formula, scope: Scope) -> str:
    """The text of a condition: the readable form where it can be read back, else the normal form."""
    return _readable(condition, scope)[0]


def said_together(conditions: Sequence[Formula], scope: Scope) -> str:
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
    from shapesolve.solving import follows

    return all(follows(x, [y]) for x, y in ((a, b), (b, a)))
