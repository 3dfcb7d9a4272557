"""What is needed, in the fewest words that are proved to mean the same, each a text that can be read back."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.contracts.short_forms import shorter
from shapesolve.contracts.simpler_conditions import simpler
from shapesolve.contracts.usual_forms import usual
from shapesolve.errors import InputError
from shapesolve.language.formulas import Formula, conjunction, conjuncts
from shapesolve.language.parsing import Scope, parse_formula
from shapesolve.wording.words import readable_claim


def shortest(needed: Sequence[Formula], known: Sequence[Formula], scope: Scope) -> list[Formula]:
    """What is needed in few words, without what the size language cannot say: a number beyond 2^63, say."""
    parts = list(dict.fromkeys(part for each in needed for part in conjuncts(usual(each))))
    short = conjuncts(conjunction(usual(each) for each in shorter(simpler(parts, known), known)))
    found = [_read_back(each, scope) for each in short]
    return list(dict.fromkeys(each for each in found if each is not None))


def said(condition: Formula, scope: Scope) -> str:
    """The text of a condition: the readable form where it can be read back, else the normal form."""
    text = readable_claim(condition)
    read = read_in(text, scope)
    return text if read is not None and read.variables <= condition.variables else str(condition)


def read_in(text: str, scope: Scope) -> Formula | None:
    """What a text means in a scope; None where it is not of the size language."""
    try:
        return parse_formula(text, scope)
    except InputError:
        return None


def _read_back(condition: Formula, scope: Scope) -> Formula | None:
    """What a condition's text means; None where that is something else, or nothing."""
    for text in (said(condition, scope), str(condition)):
        read = read_in(text, scope)
        if read is not None and (read is condition or _same(read, condition)):
            return read
    return None


def _same(a: Formula, b: Formula) -> bool:
    from shapesolve.solving import follows

    return all(follows(x, [y]) for x, y in ((a, b), (b, a)))
