"""Interval analysis of expressions with symbolic bounds, on integers and on rounded floats.

Every finite float of a type is a multiple of its least positive number. So a rounded float is kept as an exact integer
multiple of that, of which only an interval is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

from shapesolve.domain.values import Float, IntegerInterval
from shapesolve.records import record
from shapesolve.symbolic.atoms import Atom, Choice, Maximum, Minimum, Monomial, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import ZERO, Dim, ceildiv, dim, floordiv, of_atom, of_monomial
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Formula, IsNonNegative, Or
from shapesolve.symbolic.formulas import at_least, conjunction, conjuncts, less_than, negation
from shapesolve.symbolic.normal_forms import choose, maximum, minimum, split_multiples
from shapesolve.symbolic.visitors import atoms_within, on_comparisons

from .floats import Format
from .integers import NEAR, is_never_negative


@record
class Interval:
    """Inclusive symbolic bounds of an integer.

    Attributes:
        low, high: The bounds, None if unbounded.
        where: The condition under which the bounds hold.
        step: If positive, every ``low + k*step`` up to ``high`` is attained.
    """

    low: Dim | None = None
    high: Dim | None = None
    where: Formula = TRUE
    step: int = 0

    @staticmethod
    def of(between: IntegerInterval | None) -> Interval:
        """Return the interval of a value with two bounds, or the unbounded interval for None."""
        return Interval() if between is None else Interval(between.low, between.high, between.where, between.step)

    @property
    def between(self) -> IntegerInterval | None:
        """The interval with two bounds, or None if one is missing."""
        return (
            None
            if self.low is None or self.high is None
            else IntegerInterval(self.low, self.high, self.where, self.step)
        )


def min_interval(parts: Sequence[Interval]) -> Interval:
    """Return the interval of the minimum: a known upper bound of any operand is an upper bound of the result."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Interval(_of_all(minimum, low), _of_known(minimum, high), conjunction(each.where for each in parts))


def max_interval(parts: Sequence[Interval]) -> Interval:
    """Return the interval of the maximum: a known lower bound of any operand is a lower bound of the result."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Interval(_of_known(maximum, low), _of_all(maximum, high), conjunction(each.where for each in parts))


def join_intervals(parts: Sequence[Interval]) -> Interval:
    """Return the least upper bound of the intervals."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Interval(_of_all(minimum, low), _of_all(maximum, high), conjunction(each.where for each in parts))


def _of_known(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    known = [end for end in ends if end is not None]
    return extreme(*known) if known else None


def _of_all(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    return None if None in ends else _of_known(extreme, ends)


_NOWHERE = Interval()

_SIZES = (1, 2, 7, 64)
"""Sample sizes at which the sign of a sum is tested. That it is the sign at all sizes becomes a condition."""


@dataclass(frozen=True, eq=False)
class IntervalEnvironment:
    """Intervals of local variables, used to bound expressions in terms of the other variables.

    The bounds of an expression hold for all values of the local variables.

    Attributes:
        intervals: The intervals of the local variables that have one.
        local_names: The names of all local variables.
    """

    intervals: Mapping[Variable, IntegerInterval]
    local_names: AbstractSet[str]

    @cached_property
    def _conditions(self) -> frozenset[Formula]:
        """The conditions under which the intervals of the variables hold."""
        return frozenset(each for between in self.intervals.values() for each in conjuncts(between.where))

    def floats(self, value: Float, format: Format) -> IntegerInterval | None:
        """Return the interval of the numerators of a float of a type, or None.

        The float is exact for all values of the variables, or it is rounded.
        """
        denominator, ends = value.denominator, replace(self.interval(value.numerator), step=0)
        # Few rounded floats with more bits are exact, so they are not tested.
        may_be_exact = denominator.is_constant and (denominator.constant < 2**format.precision or value.error == 0)
        exact = self.condition_for(value.exact) if may_be_exact else None
        if exact is not None:
            between = replace(ends, where=conjunction((ends.where, exact))).between
            return between and replace(between, denominator=denominator.constant)
        defined = self.condition_for(value.defined)
        if defined is None or value.error is None or self._is_inside(denominator.variables):
            return None
        return float_interval(replace(ends, where=conjunction((ends.where, defined))), denominator, value.error, format)

    def interval(self, value: Dim) -> Interval:
        """Return the interval of a size."""
        low: Dim | None = dim(value.constant)
        high, where, steps = low, list[Formula](), list[int]()
        for part, factor, is_positive in self._parts(value):
            ends = self._of_product(part)
            least_of, most_of = (ends.low, ends.high) if is_positive else (ends.high, ends.low)
            low, high = _plus(low, least_of, factor), _plus(high, most_of, factor)
            if self._is_inside(part.variables):
                where.append(ends.where)
                steps.append(ends.step * abs(factor.constant) if factor.is_constant else 0)
            if not factor.is_constant:
                where.append(at_least(factor, 0) if is_positive else at_least(0, factor))
        return Interval(low, high, conjunction(where), _step(steps))

    def _parts(self, value: Dim) -> Iterator[tuple[Monomial, Dim, bool]]:
        """Yield the local factor of each term, the coefficient of that factor, and whether the coefficient is positive.

        ``x*n - x`` is one part, x times ``n - 1``: bounds of each term alone would be farther apart.
        """
        together: dict[Monomial, Dim] = {}
        for monomial, coefficient in value.terms:
            inside = [each for each in monomial.factors if self._is_inside(each[0].variables)]
            if not inside:
                yield monomial, dim(coefficient), coefficient > 0
                continue
            outside = Monomial.of(each for each in monomial.factors if not self._is_inside(each[0].variables))
            part = Monomial.of(inside)
            together[part] = together.get(part, ZERO) + of_monomial(outside) * coefficient
        for part, factor in together.items():
            sign = _supposed_sign(factor)
            if sign:
                yield part, factor, sign > 0
                continue
            if factor.constant:
                yield part, dim(factor.constant), factor.constant > 0
            for monomial, coefficient in factor.terms:
                yield part.times(monomial), dim(coefficient), coefficient > 0

    def _is_inside(self, variables: AbstractSet[Variable]) -> bool:
        return any(each.name in self.local_names for each in variables)

    def _of_product(self, monomial: Monomial) -> Interval:
        """Return the interval of a product.

        The factor of outer variables must not be negative, which becomes a condition. Several local factors must not be
        negative either, except two of which one has constant bounds.
        """
        if monomial.single is not None:
            return self._of_atom(monomial.single)
        outside, inside = dim(1), list[Interval]()
        for atom, power in monomial.factors:
            if self._is_inside(atom.variables):
                inside += [self._of_atom(atom)] * power
            else:
                outside = outside * of_atom(atom) ** power
        if not inside:
            return Interval(outside, outside)
        where = conjunction((at_least(outside, 0), *(each.where for each in inside)))
        if len(inside) == 1:
            low, high = inside[0].low, inside[0].high
        elif all(each.low is not None and is_never_negative(each.low) for each in inside):
            low = high = dim(1)
            for each in inside:
                low, high = _times(low, each.low), _times(high, each.high)
        elif corners := _corners(inside):
            low, high = minimum(*corners), maximum(*corners)
        else:
            return _NOWHERE
        return Interval(_times(low, outside), _times(high, outside), where)

    def _of_atom(self, atom: Atom) -> Interval:
        if not self._is_inside(atom.variables):
            return Interval(of_atom(atom), of_atom(atom))
        match atom:
            case Variable():
                return Interval.of(self.intervals.get(atom))
            case Minimum():
                ends = min_interval([self.interval(part) for part in atom.parts])
                highs = [dim(total // 2) for total in _constant_sums(atom.parts)]
                highs += [] if ends.high is None else [ends.high]
                return replace(ends, high=minimum(*highs) if highs else None)
            case Maximum():
                ends = max_interval([self.interval(part) for part in atom.parts])
                lows = [dim(-(-total // 2)) for total in _constant_sums(atom.parts)]
                lows += [] if ends.low is None else [ends.low]
                return replace(ends, low=maximum(*lows) if lows else None)
            case Quotient():
                return self._of_quotient(*atom.parts)
            case Remainder():
                return self._of_remainder(*atom.parts)
            case Choice():
                return self._of_choice(*atom.parts)
            case _:
                return _NOWHERE

    def _of_quotient(self, a: Dim, b: Dim) -> Interval:
        """Return the interval of a quotient by a positive divisor of outer variables."""
        if self._is_inside(b.variables):
            return _NOWHERE
        ends = self.interval(a)
        low, high = (None if each is None else floordiv(each, b) for each in (ends.low, ends.high))
        return Interval(low, high, conjunction((ends.where, at_least(b, 1))))

    def _of_remainder(self, a: Dim, b: Dim) -> Interval:
        """Return the interval of a remainder by a positive divisor of outer variables.

        A dividend that is known to be less than the divisor stays as it is.
        """
        if self._is_inside(b.variables):
            return _NOWHERE
        ends = self.interval(a)
        low, high = ends.low, ends.high
        if low is None or high is None:
            return Interval(ZERO, b - 1, at_least(b, 1))
        if is_never_negative(low) and is_never_negative(b - 1 - high):
            return replace(ends, step=0)
        stays = conjunction((ends.where, at_least(low, 0), less_than(high, b)))
        if not b.is_constant or b.constant <= NEAR or stays is FALSE:
            return Interval(ZERO, b - 1, at_least(b, 1))
        # A wrapped integer: it stays as it is for the sizes at which it fits.
        return Interval(choose(stays, low, ZERO), choose(stays, high, b - 1))

    def _of_choice(self, condition: Formula, a: Dim, b: Dim) -> Interval:
        """Return the interval of a select: that of the chosen side if known, else the join of both."""
        condition, given = self._where_known(condition)
        truth, where = self._truth(condition)
        where = conjunction((where, given))
        if truth is not None:
            ends = self.interval(a if truth else b)
            return replace(ends, where=conjunction((ends.where, where)), step=0)
        one, other = self.interval(a), self.interval(b)
        for chosen, left, asked in ((one, other, condition), (other, one, negation(condition))):
            sure = self.condition_for(asked) if chosen.between is not None and left.between is None else None
            if sure is not None:
                return replace(chosen, where=conjunction((chosen.where, given, sure)), step=0)
        if isinstance(condition, IsNonNegative):
            one, other = _not_negative(one, a, condition.size), _not_negative(other, b, -condition.size - 1)
        ends = join_intervals([one, other])
        return replace(ends, where=conjunction((ends.where, given)))

    def _truth(self, condition: Formula) -> tuple[bool | None, Formula]:
        """Return the truth value of a condition for all local variables or None, and the condition of that value."""
        match condition:
            case _ if condition is TRUE or condition is FALSE:
                return condition is TRUE, TRUE
            case And(parts=parts) | Or(parts=parts):
                found = [self._truth(part) for part in parts]
                settles = isinstance(condition, Or)  # the truth value of one part that decides the whole
                one = [where for truth, where in found if truth is settles]
                if one:
                    return settles, one[0]
                all_known = all(truth is not None for truth, _ in found)
                return (not settles if all_known else None), conjunction(where for _, where in found)
            case IsNonNegative():
                ends = self.interval(condition.size)
                if ends.low is not None and is_never_negative(ends.low):
                    return True, ends.where
                is_false = ends.high is not None and is_never_negative(-ends.high - 1)
                return (False if is_false else None), ends.where
            case _:
                return None, TRUE

    def _where_known(self, formula: Formula) -> tuple[Formula, Formula]:
        """Return a formula simplified by the conditions of the bounds, and the conditions that were used."""
        needed: list[Formula] = []

        def known(part: Formula) -> Formula:
            for each, truth in ((part, TRUE), (negation(part), FALSE)):
                if each in self._conditions:
                    needed.append(each)
                    return truth
            return part

        return on_comparisons(formula, known), conjunction(needed)

    def truth(self, formula: Formula) -> IntegerInterval | None:
        """Return the constant truth value of a formula as a number, 1 if it is true, or None if not known."""
        ways = [(number, self.condition_for(each)) for number, each in ((1, formula), (0, negation(formula)))]
        known = [IntegerInterval(dim(number), dim(number), where) for number, where in ways if where is not None]
        if len(known) == 2:  # fewer conditions first
            known.sort(key=lambda each: len(conjuncts(each.where)))
        return known[0] if known else None

    def condition_for(self, formula: Formula) -> Formula | None:
        """Return a condition under which a formula holds for all local variables, or None if none is known."""
        formula, given = self._where_known(formula)
        found = [given]
        for each in conjuncts(formula):
            if not self._is_inside(each.variables):
                found.append(each)
                continue
            ends = self.interval(each.size) if isinstance(each, IsNonNegative) else _NOWHERE
            if ends.low is None:
                return None
            found += [ends.where, at_least(ends.low, 0)]
        always = conjunction(found)
        return None if always is FALSE else always


def _corners(inside: Sequence[Interval]) -> list[Dim]:
    """Return the products of the ends of two factors, one of them with constant ends; nothing for other factors."""
    numbers = [end for each in inside for end in (each.low, each.high) if end is not None]
    if len(inside) != 2 or len(numbers) != 4:
        return []
    if not any(all(end.is_constant for end in pair) for pair in (numbers[:2], numbers[2:])):
        return []
    return [one * other for one in numbers[:2] for other in numbers[2:]]


def _constant_sums(parts: Sequence[Dim]) -> list[int]:
    """Return the constant sums of two of the numbers, one of which is at least half of the sum."""
    sums = [one + other for number, one in enumerate(parts) for other in parts[:number]]
    return [each.constant for each in sums if each.is_constant]


def _not_negative(ends: Interval, value: Dim, size: Dim) -> Interval:
    """Return the interval of a value where ``size`` is not negative: if it is ``size + k``, it is at least k.

    The same holds for the dividend of a quotient by a constant: a quotient rounded towards zero is at most 0 on its
    negative side.
    """
    above, below = value - size, value + size
    low = maximum(above, *([] if ends.low is None else [ends.low])) if above.is_constant else ends.low
    high = minimum(below, *([] if ends.high is None else [ends.high])) if below.is_constant else ends.high
    for dividend, divisor in _as_quotient(value):
        above, below = dividend - size, dividend + size
        low = floordiv(above, divisor) if above.is_constant else low
        high = floordiv(below, divisor) if below.is_constant else high
    return replace(ends, low=low, high=high)


def _as_quotient(value: Dim) -> Iterator[tuple[Dim, Dim]]:
    """Yield dividend and divisor of a value that is a quotient by a constant, plus terms that join the dividend."""
    for monomial, coefficient in value.terms:
        atom = monomial.single
        if isinstance(atom, Quotient) and coefficient == 1 and atom.parts[1].is_constant and atom.parts[1].constant > 0:
            yield (value - of_atom(atom)) * atom.parts[1] + atom.parts[0], atom.parts[1]


def _supposed_sign(factor: Dim) -> int:
    """Return the sign of a sum of mixed signs at sample sizes if it is the same at all of them, else 0."""
    numbers = [coefficient for _, coefficient in factor.terms] + [factor.constant]
    if max(numbers) <= 0 or min(numbers) >= 0 or any(each.lower is None for each in factor.variables):
        return 0
    by = prod({each.constant for each in _divisors(factor)})
    found = [evaluate(factor, dict.fromkeys(factor.variables, size * by)) for size in _SIZES]
    return 1 if min(found) >= 0 < max(found) else -1 if max(found) <= 0 > min(found) else 0


def _divisors(value: Dim) -> Iterator[Dim]:
    """Yield the constant divisors inside a value: for ``H//2 - 1``, sample sizes H are multiples of 2."""
    for each in atoms_within(value):
        if isinstance(each, Quotient | Remainder) and each.parts[1].is_constant and each.parts[1].constant > 0:
            yield each.parts[1]


def _plus(end: Dim | None, term: Dim | None, factor: Dim) -> Dim | None:
    return None if end is None or term is None else end + term * factor


def _times(end: Dim | None, factor: Dim | None) -> Dim | None:
    return None if end is None or factor is None else end * factor


def _step(steps: Sequence[int]) -> int:
    """Return the distance of neighboring sums of independent numbers with these distances, 0 if not known."""
    if len(steps) == 1:
        return steps[0]
    return 1 if all(step == 1 for step in steps) else 0


_STEPS = 16
"""The most steps of a long division of two sums."""

PARTS = 64
"""Ends are rounded outwards to multiples of one over this, which floats represent unless they are large."""


def float_interval(ends: Interval, denominator: Dim, error: Fraction, format: Format) -> IntegerInterval | None:
    """Return the interval of the floats whose relative error from a quotient is at most ``error``, or None.

    ``ends`` is the interval of the quotient's numerator. The divisor must be positive, which becomes a condition.
    """
    if ends.low is None or ends.high is None:
        return None
    high, below = _at_most(ends.high, denominator, error, format)
    low, above = _at_most(-ends.low, denominator, error, format)
    where = conjunction((ends.where, at_least(denominator, 1), below, above))
    return IntegerInterval(-low, high, where, denominator=format.grain)


def _at_most(numerator: Dim, denominator: Dim, error: Fraction, format: Format) -> tuple[Dim, Formula]:
    """Return an upper bound of the floats whose quotient does not exceed this one, and its condition."""
    if numerator is ZERO:
        return ZERO, TRUE
    whole, rest, short = _divided(numerator, denominator)
    if short:
        # The quotient is whole * (1 - short / denominator), and its error is less than its distance to whole.
        return whole * format.grain - 1, conjunction((at_least(whole, 1), at_least(int(short / error), denominator)))
    parts = whole * PARTS + ceildiv(rest * PARTS, denominator)
    once = error <= format.unit  # rounding is monotone, and keeps what is a float
    most = 2**format.precision if once else int(1 / error)
    where = conjunction((at_least(parts, -most), at_least(most, parts)))
    end = parts if once else parts + 1
    _, greatest = numerator.bounds()
    if greatest is not None and greatest <= 0:
        end = minimum(end, ZERO)  # no rounding changes the sign
    return end * (format.grain // PARTS), where


def _divided(numerator: Dim, denominator: Dim) -> tuple[Dim, Dim, int]:
    """Return ``(w, r, k)`` with ``numerator == w * denominator + r`` by long division, while it makes progress.

    It ends with a number k > 0 for which ``r == -w * k``, or with r = 0. Otherwise k is 0.
    """
    first = whole, rest = split_multiples(numerator, denominator)
    lead, scale = denominator.terms[0] if denominator.terms else (None, 0)
    for _ in range(_STEPS):
        short = _multiple(-rest, whole)
        if short is not None or rest is ZERO:
            return whole, rest, short or 0
        divided = [(each.divided_by(lead), coefficient) for each, coefficient in rest.terms if lead is not None]
        step = next((of_monomial(by) * (of // scale) for by, of in divided if by is not None and of % scale == 0), None)
        if step is None:
            break
        whole, rest = whole + step, rest - step * denominator
    return *first, 0


def _multiple(value: Dim, of: Dim) -> int | None:
    """Return the positive constant that a value is of another one, or None."""
    if not of.terms or not value.terms:
        return None
    times, rest = divmod(value.terms[0][1], of.terms[0][1])
    return times if times > 0 and not rest and value is of * times else None
