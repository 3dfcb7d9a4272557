"""Iteration spans: the iterations in which a condition on their number fails, the first of them, and how many hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd, lcm

from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Atom, Choice, Maximum, Minimum, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, ceildiv, dim, floordiv, of_atom, remainder
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, divides, equal, less_than, negation
from shapesolve.symbolic.linear import offset_and_stride
from shapesolve.symbolic.normal_forms import choose, maximum, minimum


@value_record
class IterationSpan:
    """The iterations from ``first`` on, before ``end`` (None: all), under the condition ``exists``."""

    first: Dim
    end: Dim | None
    exists: Formula


@value_record
class FirstIteration:
    """The iteration with number ``at``, under the condition ``exists``."""

    at: Dim
    exists: Formula


def first_false_iteration(condition: Formula, round: Variable) -> FirstIteration | None:
    """Return the first iteration in which a condition is false, or None if its form does not tell."""
    moments: list[FirstIteration] = []
    for part in conjuncts(condition):
        if isinstance(part, IsZero) and round in part.variables:
            rest = offset_and_stride(part.size, round)
            moment = None if rest is None else FirstIteration(choose(equal(rest[0], 0), 1, 0), TRUE)
        else:
            span = _failing(part, round)
            moment = None if span is None else FirstIteration(span.first, span.exists)
        if moment is None:
            return None
        moments.append(moment)
    return _earliest(moments)


def ends_at(condition: Formula, round: Variable) -> Dim | None:
    """Return the iteration before which a condition holds, and from which on it never does; None if unknown."""
    span = _failing(condition, round)
    return span.first if span is not None and span.end is None and span.exists is TRUE else None


def times_before(condition: Formula, round: Variable) -> Dim | None:
    """Return the number of earlier iterations in which a condition holds, or None if its form does not tell."""
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
    """Return the number of earlier iterations in which the number has, or does not have, a wanted remainder."""
    if isinstance(condition, Not) and isinstance(condition.parts[0], IsZero):
        found = _in_step(condition.parts[0], round)
        return None if found is None else of_atom(round) - found
    if not isinstance(condition, IsZero):
        return None
    for atom in condition.size.atoms():
        if isinstance(atom, Remainder) and round in atom.parts[0].variables and atom.parts[1].is_constant:
            wanted, divisor = _zero_of(condition.size, atom), atom.parts[1].constant
            split = offset_and_stride(atom.parts[0], round)
            if wanted is None or split is None or divisor < 2 or not 0 <= wanted < divisor:
                return None
            rest, pace = split
            if gcd(pace, divisor) != 1:
                return None
            first = remainder((wanted - rest) * pow(pace, -1, divisor), dim(divisor))
            return ceildiv(of_atom(round) - first, dim(divisor))
    return None


def _zero_of(size: Dim, atom: Atom) -> int | None:
    """Return the constant that an atom equals where a size is 0, or None."""
    for sign in (1, -1):
        other = of_atom(atom) - size * sign
        if other.is_constant:
            return other.constant
    return None


def _length(span: IterationSpan, number: Dim) -> Dim:
    """Return the number of iterations of a span before one."""
    end = number if span.end is None else minimum(number, span.end)
    return choose(span.exists, maximum(0, end - span.first), 0)


def _earliest(moments: Sequence[FirstIteration]) -> FirstIteration:
    sure = [each.at for each in moments if each.exists is TRUE]
    found = FirstIteration(minimum(*sure), TRUE) if sure else FirstIteration(ZERO, FALSE)
    for each in moments:
        if each.exists is TRUE or each.exists is FALSE:
            continue
        both = minimum(found.at, each.at)
        if found.exists is TRUE:
            found = FirstIteration(choose(each.exists, both, found.at), TRUE)
        elif found.exists is FALSE:
            found = each
        else:
            either = choose(found.exists, choose(each.exists, both, found.at), each.at)
            found = FirstIteration(either, negation(conjunction((negation(found.exists), negation(each.exists)))))
    return found


def _failing(condition: Formula, round: Variable) -> IterationSpan | None:
    """Return the span of iterations in which a condition is false, if they are one span."""
    parts = condition.parts if isinstance(condition, Or) else (condition,)
    spans = [_failing_part(part, round) for part in parts]
    return _common(each for each in spans if each is not None) if None not in spans else None


def _common(spans: Iterable[IterationSpan]) -> IterationSpan:
    several = list(spans)
    first = maximum(*(each.first for each in several))
    ends = [each.end for each in several if each.end is not None]
    end = minimum(*ends) if ends else None
    exists = [each.exists for each in several]
    if end is not None and len(several) > 1:
        exists.append(less_than(first, end))
    return IterationSpan(first, end, conjunction(exists))


def _failing_part(part: Formula, round: Variable) -> IterationSpan | None:
    if round not in part.variables:
        return IterationSpan(ZERO, None, negation(part))
    apart = isinstance(part, Not) and isinstance(part.parts[0], IsZero)
    size = part.size if isinstance(part, IsNonNegative) else None
    if apart:
        (inner,) = part.parts
        assert isinstance(inner, IsZero)
        size = inner.size
    split = None if size is None else offset_and_stride(size, round)
    if split is None:
        return None
    rest, pace = split
    if apart:
        at = floordiv(-rest if pace > 0 else rest, dim(abs(pace)))
        return IterationSpan(maximum(0, at), at + 1, conjunction((divides(abs(pace), rest), at_least(at, 0))))
    if pace < 0:
        return IterationSpan(maximum(0, floordiv(rest, dim(-pace)) + ONE), None, TRUE)
    return IterationSpan(ZERO, ceildiv(-rest, dim(pace)), less_than(rest, 0))


def plain_terms(size: Dim) -> Iterator[tuple[Variable, int]]:
    """Yield the variables that are terms of a sum, with their coefficients."""
    for monomial, factor in size.terms:
        variable = monomial.single
        if isinstance(variable, Variable):
            yield variable, factor


_MOST_SPLITS = 4
"""The most nested selects, minima and maxima that are split into cases."""


def cases_of(size: Dim, splits: int = _MOST_SPLITS) -> list[Dim]:
    """Return sizes of which one is the size, without the selects that it consists of as far as they are split."""
    for monomial, _ in size.terms if splits else ():
        if isinstance(atom := monomial.single, Choice):
            cases = (where(size, atom.parts[0], holds) for holds in (True, False))
            return [each for case in cases for each in cases_of(case, splits - 1)]
    return [size]


def is_non_negative(size: Dim, premise: Dim, splits: int = _MOST_SPLITS) -> bool:
    """Return whether a size is seen to be at least 0 wherever ``premise`` is. Incomplete."""
    for monomial, factor in size.terms if splits else ():
        atom = monomial.single
        if isinstance(atom, Choice):
            cases = (where(size, atom.parts[0], holds) for holds in (True, False))
            return all(is_non_negative(each, premise, splits - 1) for each in cases)
        if isinstance(atom, Minimum | Maximum):
            rest = size - of_atom(atom) * factor
            found = (is_non_negative(rest + part * factor, premise, splits - 1) for part in atom.parts)
            return all(found) if isinstance(atom, Minimum) == (factor > 0) else any(found)
    return _is_natural_sum(size, premise)


def where(size: Dim, condition: Formula, holds: bool) -> Dim:
    """Return the size where a condition holds, or does not, in all terms that select by it."""
    for monomial, factor in size.terms:
        atom = monomial.single
        if isinstance(atom, Choice) and atom.parts[0] is condition:
            _, then, otherwise = atom.parts
            size = size + ((then if holds else otherwise) - of_atom(atom)) * factor
    return size


def _is_natural_sum(size: Dim, premise: Dim) -> bool:
    least, times = _below(size)
    least = least + (times - 1)  # a whole number that is more than -1
    if _has_no_sign(least):
        return True
    factors = dict(plain_terms(least))
    for variable, pace in plain_terms(premise):
        factor = factors.get(variable, 0)
        if factor * pace > 0 and _has_no_sign(least * abs(pace) - premise * abs(factor)):
            return True
    return False


def _below(size: Dim) -> tuple[Dim, int]:
    """Return a lower bound of a multiple of a size, without quotients by constants, and which multiple."""
    divided = [
        (of_atom(atom), *atom.parts, factor)
        for monomial, factor in size.terms
        if isinstance(atom := monomial.single, Quotient) and atom.parts[1].is_constant and atom.parts[1].constant > 0
    ]
    times = lcm(*(divisor.constant for _, _, divisor, _ in divided))
    least = size * times
    for quotient, whole, divisor, factor in divided:
        bound = whole if factor < 0 else whole - divisor + 1
        least = least + (bound * (times // divisor.constant) - quotient * times) * factor
    return least, times


def _has_no_sign(size: Dim) -> bool:
    low = size.bounds()[0]
    return low is not None and low >= 0
