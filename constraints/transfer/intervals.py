"""Between which numbers an expression lies some variables of which are bounded.

Between which numbers the least and the greatest of numbers lie, of which all or some are bounded.

Between which numbers floats lie that are off from quotients of sizes.

Every finite float of a type is a multiple of the least one that is positive, so that what is rounded is followed from
there on as an exact number of these, of which nothing but the ends is known.
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
from shapesolve.symbolic.normal_forms import choose, maximum, minimum, whole_multiples
from shapesolve.symbolic.visitors import atoms_within, on_comparisons

from .floats import Format
from .integers import NEAR


@record
class Interval:
    """The least and the greatest that a number may be, None where nobody knows, as far as ``where`` holds.

    With a ``step``, all that lie so far apart between them are reached.
    """

    low: Dim | None = None
    high: Dim | None = None
    where: Formula = TRUE
    step: int = 0

    @staticmethod
    def of(between: IntegerInterval | None) -> Interval:
        """Those of what is bounded, or none."""
        return Interval() if between is None else Interval(between.low, between.high, between.where, between.step)

    @property
    def between(self) -> IntegerInterval | None:
        """The bounds, where there are two."""
        return (
            None
            if self.low is None or self.high is None
            else IntegerInterval(self.low, self.high, self.where, self.step)
        )


def least(parts: Sequence[Interval]) -> Interval:
    """The ends of the least of several numbers: it is above none that is bounded."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Interval(_of_all(minimum, low), _of_known(minimum, high), conjunction(each.where for each in parts))


def greatest(parts: Sequence[Interval]) -> Interval:
    """The ends of the greatest of several numbers: it is below none that is bounded."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Interval(_of_known(maximum, low), _of_all(maximum, high), conjunction(each.where for each in parts))


def join_intervals(parts: Sequence[Interval]) -> Interval:
    """The ends of what is one of several numbers."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Interval(_of_all(minimum, low), _of_all(maximum, high), conjunction(each.where for each in parts))


def _of_known(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    known = [end for end in ends if end is not None]
    return extreme(*known) if known else None


def _of_all(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    return None if None in ends else _of_known(extreme, ends)


_NOWHERE = Interval()

_SIZES = (1, 2, 7, 64)
"""At which the sign of a sum is looked at. Whether it is that of other sizes is a condition of what is said then."""


@dataclass(frozen=True, eq=False)
class IntervalEnvironment:
    """What is known of variables that others do not know: they are called as in ``made``, and some are bounded.

    What is said of an expression over these is said in terms of the rest, for all values that they have.
    """

    inside: Mapping[Variable, IntegerInterval]
    made: AbstractSet[str]

    @cached_property
    def _given(self) -> frozenset[Formula]:
        """What has to hold for the bounds to do."""
        return frozenset(each for between in self.inside.values() for each in conjuncts(between.where))

    def floats(self, value: Float, format: Format) -> IntegerInterval | None:
        """The numerators of a float of a type: of one that is exact whatever the variables are, or is rounded."""
        denominator, ends = value.denominator, replace(self.ends(value.numerator), step=0)
        # Of those that are rounded and have more digits, hardly any are exact.
        may_be_exact = denominator.is_constant and (denominator.constant < 2**format.precision or value.error == 0)
        exact = self.always(value.exact) if may_be_exact else None
        if exact is not None:
            between = replace(ends, where=conjunction((ends.where, exact))).between
            return between and replace(between, denominator=denominator.constant)
        defined = self.always(value.defined)
        if defined is None or value.error is None or self._is_inside(denominator.variables):
            return None
        return between_floats(replace(ends, where=conjunction((ends.where, defined))), denominator, value.error, format)

    def ends(self, value: Dim) -> Interval:
        """The ends of a sum of multiples."""
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
        """What the terms of a sum multiply, by how much, and whether that is positive.

        ``x*n - x`` is x times ``n - 1``: of each term alone, the ends would be further apart.
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
        return any(each.name in self.made for each in variables)

    def _of_product(self, monomial: Monomial) -> Interval:
        """The ends of a product, where what is known outside is not negative, nor any factor if there are several."""
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
        elif all(each.low is not None and _is_never_negative(each.low) for each in inside):
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
                return Interval.of(self.inside.get(atom))
            case Minimum():
                ends = least([self.ends(part) for part in atom.parts])
                highs = [dim(total // 2) for total in _constant_sums(atom.parts)]
                highs += [] if ends.high is None else [ends.high]
                return replace(ends, high=minimum(*highs) if highs else None)
            case Maximum():
                ends = greatest([self.ends(part) for part in atom.parts])
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
        """Of what is divided by what is known outside, where that is positive."""
        if self._is_inside(b.variables):
            return _NOWHERE
        ends = self.ends(a)
        low, high = (None if each is None else floordiv(each, b) for each in (ends.low, ends.high))
        return Interval(low, high, conjunction((ends.where, at_least(b, 1))))

    def _of_remainder(self, a: Dim, b: Dim) -> Interval:
        """Of what is divided by what is known outside, where that is positive; what is small enough stays as it is."""
        if self._is_inside(b.variables):
            return _NOWHERE
        ends = self.ends(a)
        low, high = ends.low, ends.high
        if low is None or high is None:
            return Interval(ZERO, b - 1, at_least(b, 1))
        if _is_never_negative(low) and _is_never_negative(b - 1 - high):
            return replace(ends, step=0)
        stays = conjunction((ends.where, at_least(low, 0), less_than(high, b)))
        if not b.is_constant or b.constant <= NEAR or stays is FALSE:
            return Interval(ZERO, b - 1, at_least(b, 1))
        # What integers of a type wrap around to: by whoever has so few elements that it fits, it is left as it is.
        return Interval(choose(stays, low, ZERO), choose(stays, high, b - 1))

    def _of_choice(self, condition: Formula, a: Dim, b: Dim) -> Interval:
        """Of what is chosen; of both, each where it is chosen, if nobody knows which one."""
        condition, given = self._where_known(condition)
        truth, where = self._truth(condition)
        where = conjunction((where, given))
        if truth is not None:
            ends = self.ends(a if truth else b)
            return replace(ends, where=conjunction((ends.where, where)), step=0)
        one, other = self.ends(a), self.ends(b)
        for chosen, left, asked in ((one, other, condition), (other, one, negation(condition))):
            sure = self.always(asked) if chosen.between is not None and left.between is None else None
            if sure is not None:
                return replace(chosen, where=conjunction((chosen.where, given, sure)), step=0)
        if isinstance(condition, IsNonNegative):
            one, other = _not_negative(one, a, condition.size), _not_negative(other, b, -condition.size - 1)
        ends = join_intervals([one, other])
        return replace(ends, where=conjunction((ends.where, given)))

    def _truth(self, condition: Formula) -> tuple[bool | None, Formula]:
        """Whether a condition holds whatever the sizes are, as far as a formula does."""
        match condition:
            case _ if condition is TRUE or condition is FALSE:
                return condition is TRUE, TRUE
            case And(parts=parts) | Or(parts=parts):
                found = [self._truth(part) for part in parts]
                settles = isinstance(condition, Or)  # the truth of one part that is that of the whole
                one = [where for truth, where in found if truth is settles]
                if one:
                    return settles, one[0]
                all_known = all(truth is not None for truth, _ in found)
                return (not settles if all_known else None), conjunction(where for _, where in found)
            case IsNonNegative():
                ends = self.ends(condition.size)
                if ends.low is not None and _is_never_negative(ends.low):
                    return True, ends.where
                is_false = ends.high is not None and _is_never_negative(-ends.high - 1)
                return (False if is_false else None), ends.where
            case _:
                return None, TRUE

    def _where_known(self, formula: Formula) -> tuple[Formula, Formula]:
        """A formula as it is where the bounds hold, and what of that was needed."""
        needed: list[Formula] = []

        def known(part: Formula) -> Formula:
            for each, truth in ((part, TRUE), (negation(part), FALSE)):
                if each in self._given:
                    needed.append(each)
                    return truth
            return part

        return on_comparisons(formula, known), conjunction(needed)

    def truth(self, formula: Formula) -> IntegerInterval | None:
        """The truth value that a formula has whatever the variables are, as a number: 1 where it holds."""
        ways = [(number, self.always(each)) for number, each in ((1, formula), (0, negation(formula)))]
        known = [IntegerInterval(dim(number), dim(number), where) for number, where in ways if where is not None]
        if len(known) == 2:  # where less has to hold
            known.sort(key=lambda each: len(conjuncts(each.where)))
        return known[0] if known else None

    def always(self, formula: Formula) -> Formula | None:
        """Where a formula holds whatever the variables are; None where nobody knows."""
        formula, given = self._where_known(formula)
        found = [given]
        for each in conjuncts(formula):
            if not self._is_inside(each.variables):
                found.append(each)
                continue
            ends = self.ends(each.size) if isinstance(each, IsNonNegative) else _NOWHERE
            if ends.low is None:
                return None
            found += [ends.where, at_least(ends.low, 0)]
        always = conjunction(found)
        return None if always is FALSE else always


def _corners(inside: Sequence[Interval]) -> list[Dim]:
    """What two factors come to at their ends, where those of one are numbers; nothing where nobody knows."""
    numbers = [end for each in inside for end in (each.low, each.high) if end is not None]
    if len(inside) != 2 or len(numbers) != 4:
        return []
    if not any(all(end.is_constant for end in pair) for pair in (numbers[:2], numbers[2:])):
        return []
    return [one * other for one in numbers[:2] for other in numbers[2:]]


def _constant_sums(parts: Sequence[Dim]) -> list[int]:
    """The sums of two of the numbers that are the same whatever these are: one of the two is at least half of it."""
    sums = [one + other for number, one in enumerate(parts) for other in parts[:number]]
    return [each.constant for each in sums if each.is_constant]


def _not_negative(ends: Interval, value: Dim, size: Dim) -> Interval:
    """The ends of a value where ``size`` is not negative: if it is ``size + k``, it is at least k.

    So is what a number divides if that is such a sum: of what is rounded towards zero, what is negative ends at 0.
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
    """A value as a quotient by a number, whole multiples of which stand beside it."""
    for monomial, coefficient in value.terms:
        atom = monomial.single
        if isinstance(atom, Quotient) and coefficient == 1 and atom.parts[1].is_constant and atom.parts[1].constant > 0:
            yield (value - of_atom(atom)) * atom.parts[1] + atom.parts[0], atom.parts[1]


def _supposed_sign(factor: Dim) -> int:
    """The sign of a sum whose terms have several, if it is the same for some sizes; 0 where that is of no use."""
    numbers = [coefficient for _, coefficient in factor.terms] + [factor.constant]
    if max(numbers) <= 0 or min(numbers) >= 0 or any(each.lower is None for each in factor.variables):
        return 0
    by = prod({each.constant for each in _divisors(factor)})
    found = [evaluate(factor, dict.fromkeys(factor.variables, size * by)) for size in _SIZES]
    return 1 if min(found) >= 0 < max(found) else -1 if max(found) <= 0 > min(found) else 0


def _divisors(value: Dim) -> Iterator[Dim]:
    """The numbers that sizes are divided by in it: of ``H//2 - 1``, H is not 1 but at least 2."""
    for each in atoms_within(value):
        if isinstance(each, Quotient | Remainder) and each.parts[1].is_constant and each.parts[1].constant > 0:
            yield each.parts[1]


def _is_never_negative(value: Dim) -> bool:
    low, _ = value.bounds()
    return low is not None and low >= 0


def _plus(end: Dim | None, term: Dim | None, factor: Dim) -> Dim | None:
    return None if end is None or term is None else end + term * factor


def _times(end: Dim | None, factor: Dim | None) -> Dim | None:
    return None if end is None or factor is None else end * factor


def _step(steps: Sequence[int]) -> int:
    """How far apart sums are of what is so far apart, and varies independently; 0 where nobody knows."""
    if len(steps) == 1:
        return steps[0]
    return 1 if all(step == 1 for step in steps) else 0


_STEPS = 16
"""Of the long division of two sums."""

PARTS = 64
"""Ends are rounded outwards to multiples of one over this: floats that are not large hold them."""


def between_floats(ends: Interval, denominator: Dim, error: Fraction, format: Format) -> IntegerInterval | None:
    """What floats lie between that are off by at most ``error`` times a quotient, of which the numerator has ends.

    As ``Float`` has it; the divisor is positive, or nothing is said.
    """
    if ends.low is None or ends.high is None:
        return None
    high, below = _at_most(ends.high, denominator, error, format)
    low, above = _at_most(-ends.low, denominator, error, format)
    where = conjunction((ends.where, at_least(denominator, 1), below, above))
    return IntegerInterval(-low, high, where, denominator=format.grain)


def _at_most(numerator: Dim, denominator: Dim, error: Fraction, format: Format) -> tuple[Dim, Formula]:
    """What no such float exceeds if its quotient does not exceed this one, and where."""
    if numerator is ZERO:
        return ZERO, TRUE
    whole, rest, short = _divided(numerator, denominator)
    if short:
        # The quotient is whole * (1 - short / denominator), and off by less than what it is short of.
        return whole * format.grain - 1, conjunction((at_least(whole, 1), at_least(int(short / error), denominator)))
    parts = whole * PARTS + ceildiv(rest * PARTS, denominator)
    once = error <= format.unit  # rounding keeps the order, and what is a float stays as it is
    most = 2**format.precision if once else int(1 / error)
    where = conjunction((at_least(parts, -most), at_least(most, parts)))
    end = parts if once else parts + 1
    _, greatest = numerator.bounds()
    if greatest is not None and greatest <= 0:
        end = minimum(end, ZERO)  # no rounding changes the sign
    return end * (format.grain // PARTS), where


def _divided(numerator: Dim, denominator: Dim) -> tuple[Dim, Dim, int]:
    """``(w, r, k)`` with ``numerator == w * denominator + r``, by long division as long as something comes of it.

    That is a number k > 0 for which ``r == -w * k``, or that nothing is left; else k is 0.
    """
    first = whole, rest = whole_multiples(numerator, denominator)
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
    """How many times a number a value is, whatever the sizes are, if it is so a positive number of times."""
    if not of.terms or not value.terms:
        return None
    times, rest = divmod(value.terms[0][1], of.terms[0][1])
    return times if times > 0 and not rest and value is of * times else None
