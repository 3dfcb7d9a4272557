"""In which rounds of a loop a condition on their number holds: the first in which it does not, and how many do.

A condition that is linear in the number fails between two rounds, or from one on; what fails wherever several do fails
where these intervals meet, and of one that fails where any of several does the earliest is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from shapesolve.language.atoms import Atom, Remainder, Variable
from shapesolve.language.dims import ONE, ZERO, Dim, ceildiv, dim, floordiv, of_atom, remainder
from shapesolve.language.extremes import choose, maximum, minimum
from shapesolve.language.formulas import (
    FALSE,
    TRUE,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    at_least,
    conjunction,
    conjuncts,
    divides,
    equal,
    less_than,
    negation,
)
from shapesolve.language.multiples import rest_and_pace
from shapesolve.records import value_record


@value_record
class Span:
    """The rounds from ``first`` on, before ``end`` (None: all that come), where there is one."""

    first: Dim
    end: Dim | None
    exists: Formula


@value_record
class Moment:
    """A round, where it comes at all."""

    at: Dim
    comes: Formula


def first_failure(condition: Formula, round: Variable) -> Moment | None:
    """The first round in which a condition does not hold; None where its form does not say."""
    moments: list[Moment] = []
    for part in conjuncts(condition):
        if isinstance(part, IsZero) and round in part.variables:
            rest = rest_and_pace(part.size, round)
            moment = None if rest is None else Moment(choose(equal(rest[0], 0), 1, 0), TRUE)
        else:
            span = _failing(part, round)
            moment = None if span is None else Moment(span.first, span.exists)
        if moment is None:
            return None
        moments.append(moment)
    return _earliest(moments)


def ends_at(condition: Formula, round: Variable) -> Dim | None:
    """The round before which a condition holds, and from which on it never does; None where it is not known as such."""
    span = _failing(condition, round)
    return span.first if span is not None and span.end is None and span.exists is TRUE else None


def times_before(condition: Formula, round: Variable) -> Dim | None:
    """In how many rounds before this one a condition holds; None where its form does not say."""
    number = of_atom(round)
    if round not in condition.variables:
        return choose(condition, number, 0)
    found = _in_step(condition, round)
    if found is not None:
        return found
    if isinstance(condition, Or | Not):
        others = _failing(condition, round)
        return None if others is None else number - _length(others, number)
    span = _failing(negation(condition), round)
    return None if span is None else _length(span, number)


def _in_step(condition: Formula, round: Variable) -> Dim | None:
    """In how many rounds before this one the number leaves a rest that is asked for, or does not."""
    if isinstance(condition, Not) and isinstance(condition.parts[0], IsZero):
        found = _in_step(condition.parts[0], round)
        return None if found is None else of_atom(round) - found
    if not isinstance(condition, IsZero):
        return None
    for atom in condition.size.atoms():
        if isinstance(atom, Remainder) and round in atom.parts[0].variables and atom.parts[1].is_constant:
            wanted, divisor = _wanted(condition.size, atom), atom.parts[1].constant
            split = rest_and_pace(atom.parts[0], round)
            if wanted is None or split is None or divisor < 2 or not 0 <= wanted < divisor:
                return None
            rest, pace = split
            if gcd(pace, divisor) != 1:
                return None
            first = remainder((wanted - rest) * pow(pace, -1, divisor), dim(divisor))
            return ceildiv(of_atom(round) - first, dim(divisor))
    return None


def _wanted(size: Dim, atom: Atom) -> int | None:
    """What an atom is where a size is 0; None where that is no number."""
    for sign in (1, -1):
        other = of_atom(atom) - size * sign
        if other.is_constant:
            return other.constant
    return None


def _length(span: Span, number: Dim) -> Dim:
    """How many rounds of a span come before one."""
    end = number if span.end is None else minimum(number, span.end)
    return choose(span.exists, maximum(0, end - span.first), 0)


def _earliest(moments: Sequence[Moment]) -> Moment:
    sure = [each.at for each in moments if each.comes is TRUE]
    found = Moment(minimum(*sure), TRUE) if sure else Moment(ZERO, FALSE)
    for each in moments:
        if each.comes is TRUE or each.comes is FALSE:
            continue
        both = minimum(found.at, each.at)
        if found.comes is TRUE:
            found = Moment(choose(each.comes, both, found.at), TRUE)
        elif found.comes is FALSE:
            found = each
        else:
            either = choose(found.comes, choose(each.comes, both, found.at), each.at)
            found = Moment(either, negation(conjunction((negation(found.comes), negation(each.comes)))))
    return found


def _failing(condition: Formula, round: Variable) -> Span | None:
    """The rounds in which a condition does not hold, where they are one span."""
    parts = condition.parts if isinstance(condition, Or) else (condition,)
    spans = [_failing_part(part, round) for part in parts]
    return _common(each for each in spans if each is not None) if None not in spans else None


def _common(spans: Iterable[Span]) -> Span:
    several = list(spans)
    first = maximum(*(each.first for each in several))
    ends = [each.end for each in several if each.end is not None]
    end = minimum(*ends) if ends else None
    exists = [each.exists for each in several]
    if end is not None and len(several) > 1:
        exists.append(less_than(first, end))
    return Span(first, end, conjunction(exists))


def _failing_part(part: Formula, round: Variable) -> Span | None:
    if round not in part.variables:
        return Span(ZERO, None, negation(part))
    apart = isinstance(part, Not) and isinstance(part.parts[0], IsZero)
    size = part.size if isinstance(part, IsNonNegative) else None
    if apart:
        (inner,) = part.parts
        assert isinstance(inner, IsZero)
        size = inner.size
    split = None if size is None else rest_and_pace(size, round)
    if split is None:
        return None
    rest, pace = split
    if apart:
        at = floordiv(-rest if pace > 0 else rest, dim(abs(pace)))
        return Span(maximum(0, at), at + 1, conjunction((divides(abs(pace), rest), at_least(at, 0))))
    if pace < 0:
        return Span(maximum(0, floordiv(rest, dim(-pace)) + ONE), None, TRUE)
    return Span(ZERO, ceildiv(-rest, dim(pace)), less_than(rest, 0))
