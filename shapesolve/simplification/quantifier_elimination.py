"""Quantifier elimination: a claim on every iteration, stated without the number of the iteration.

Such a claim fails where there is a number between some sizes for which it does not hold. For comparisons in which the
number is multiplied by constants that is stated exactly: each bound below it, rounded up, is at most each one above.
A number that is divided by a constant is a multiple of it and a rest, one case for each rest.

`alternatives` puts a claim in disjunctive form, whose parts have no select, minimum, maximum or broadcast, and no
remainder by a large number of which the dividend passes few multiples, as a signed number read without its sign has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from shapesolve.solver.propagation.bounds import centered
from shapesolve.solver.propagation.propagator import values_of
from shapesolve.symbolic.atoms import Atom, BroadcastExtent, Choice, Maximum, Minimum, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import ONE, Dim, ceildiv, dim, floordiv, of_atom
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Compatible, Formula, IsNonNegative, IsZero, Not, Or
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    disjunction,
    divides,
    equal,
    implies,
    is_zero,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.linear import Range, offset_and_stride
from shapesolve.symbolic.visitors import Instantiation, With, atoms_within

_LARGEST_DIVISOR = 16


def eliminate_forall(claim: Formula, number: Variable, range: Range) -> Formula | None:
    """Return a claim on every number of a range without the number; None if it is unknown or too long."""
    first, end, step = range
    any = Variable.of(f"any {number.name}", None, None)  # so that no bound goes without saying
    value = of_atom(any)
    inside = [at_least(value, first), less_than(value, end)]
    if step is not ONE:
        inside += [at_least(step, 1), divides(step, value - first)]
    claim = Instantiation({number: value}).formula(claim)
    failing = _alternatives(negation(implies(conjunction(inside), claim)), any)
    if failing is None:
        return None
    found: list[Formula] = []
    for parts in failing:
        there = _eliminate_exists(parts, any)
        if there is None:
            return None
        found += [disjunction(negation(each) for each in parts) for parts in there]
    return conjunction(found)


def of_all(claim: Formula, ranges: Mapping[str, Range]) -> Formula:
    """Return a claim on any position of a loop nest as one on all positions, where that is expressible."""
    for number in sorted(claim.variables, key=lambda each: each.text):
        found = eliminate_forall(claim, number, ranges[number.text]) if number.text in ranges else None
        claim = claim if found is None else found
    return claim


def _alternatives(claim: Formula, number: Variable) -> list[Alternative] | None:
    def concerns(part: Formula) -> bool:
        return number in part.variables

    def splits(atom: Atom) -> bool:
        return number in of_atom(atom).variables

    return alternatives(claim, concerns, splits)


def _eliminate_exists(parts: Alternative, number: Variable) -> list[Alternative] | None:
    """Return the condition that some number satisfies all parts, as alternatives; None if it is not found."""
    waiting, found = [(parts, number)], list[Alternative]()
    while waiting:
        if len(waiting) + len(found) > MOST:
            return None
        parts, number = waiting.pop()
        divisor = _divisor(parts, number)
        if divisor is not None:
            of_rests = _cases_by_rest(parts, number, divisor)
            if of_rests is None:
                return None
            waiting += of_rests
            continue
        apart = _split_disequality(parts, number)
        if apart is not None:
            waiting += [(each, number) for each in apart]
            continue
        bounds = _Bounds(number)
        if not all(map(bounds.take, parts)) or (len(bounds.steps) > 1 and not bounds.equals):
            return None
        there = bounds.existence_condition()
        if there is not None:
            found.append(there)
    return found


def _divisor(parts: Alternative, number: Variable) -> int | None:
    """Return a constant that a number is divided by, the innermost such division first."""
    for part in parts:
        for atom in atoms_within(part) if number in part.variables else ():
            if isinstance(atom, Quotient | Remainder) and number in atom.parts[0].variables:
                inner = (each for each in atoms_within(atom.parts[0]) if isinstance(each, Quotient | Remainder))
                if atom.parts[1].is_constant and not any(number in of_atom(each).variables for each in inner):
                    return atom.parts[1].constant
    return None


def _cases_by_rest(parts: Alternative, number: Variable, divisor: int) -> list[tuple[Alternative, Variable]] | None:
    """Return the parts for each rest of the number, in terms of the quotient."""
    if not 2 <= divisor <= _LARGEST_DIVISOR:
        return None
    multiple = Variable.of(f"{number.name}/{divisor}", None, None)
    found: list[tuple[Alternative, Variable]] = []
    for rest in range(divisor):
        put = Instantiation({number: of_atom(multiple) * divisor + rest})
        case = tuple(dict.fromkeys(map(put.formula, parts)))
        spread = _alternatives(conjunction(case), multiple)
        if spread is None:
            return None
        found += [(each, multiple) for each in spread]
    return found


def _split_disequality(parts: Alternative, number: Variable) -> list[Alternative] | None:
    """Split a disequality of the number into two alternatives, or return None."""
    for place, part in enumerate(parts):
        if isinstance(part, Not) and isinstance(part.parts[0], IsZero) and number in part.variables:
            size, rest = part.parts[0].size, (*parts[:place], *parts[place + 1 :])
            return [(*rest, at_least(each, 1)) for each in (size, -size)]
    return None


@dataclass(slots=True)
class _Bounds:
    """Constraints on a number.

    Attributes:
        lower, upper: Its bounds.
        equals: Sizes that it equals.
        others: Constraints that do not mention it.
    """

    number: Variable
    others: list[Formula] = field(default_factory=list[Formula])
    lower: list[Dim] = field(default_factory=list[Dim])
    upper: list[Dim] = field(default_factory=list[Dim])
    equals: list[Dim] = field(default_factory=list[Dim])
    steps: list[tuple[Dim, Dim]] = field(default_factory=list[tuple[Dim, Dim]])
    """The first number and the step."""

    def take(self, part: Formula) -> bool:
        """Add a constraint. Return whether it is understood."""
        if self.number not in part.variables:
            self.others.append(part)
            return True
        if not isinstance(part, IsZero | IsNonNegative):
            return False
        split = offset_and_stride(part.size, self.number)
        if split is None:
            return isinstance(part, IsZero) and self._take_step(part.size)
        rest, pace = split
        if isinstance(part, IsZero):
            self.others.append(divides(abs(pace), rest))
            self.equals.append(floordiv(-rest if pace > 0 else rest, dim(abs(pace))))
        elif pace > 0:
            self.lower.append(ceildiv(-rest, dim(pace)))
        else:
            self.upper.append(floordiv(rest, dim(-pace)))
        return True

    def _take_step(self, size: Dim) -> bool:
        """Add the constraint that the number is congruent to a first one, by a step that is a size."""
        for atom in size.atoms():
            if isinstance(atom, Remainder) and size is of_atom(atom) and self.number not in atom.parts[1].variables:
                away, step = atom.parts
                split = offset_and_stride(away, self.number)
                if split is not None and split[1] == 1:
                    self.steps.append((-split[0], step))
                    return True
        return False

    def existence_condition(self) -> Alternative | None:
        """Return the condition that such a number exists, or None if none does."""
        if self.equals:
            value = self.equals[0]
            found = [*(is_zero(value - each) for each in self.equals[1:]), *self._within(value)]
            found += [divides(step, value - first) for first, step in self.steps]
        elif self.steps:
            first, step = self.steps[0]
            least = [first + ceildiv(each - first, step) * step for each in self.lower]
            found = [at_least(high, low) for low in least for high in self.upper]
        else:
            found = [at_least(high, low) for low in self.lower for high in self.upper]
        whole = conjunction((*self.others, *found))
        return None if whole is FALSE else (*dict.fromkeys((*self.others, *found)),)

    def _within(self, value: Dim) -> Sequence[Formula]:
        return [*(at_least(value, low) for low in self.lower), *(at_least(high, value) for high in self.upper)]


Alternative = tuple[Formula, ...]
"""Parts all of which hold."""

MOST = 96
"""A claim of more alternatives is not taken apart."""

_LEAST_MODULUS = 2**8
"""Remainders by smaller numbers are arithmetic of the program, not of its integers."""

_MOST_MULTIPLES = 3


def alternatives(
    claim: Formula, concerns: Callable[[Formula], bool], splits: Callable[[Atom], bool]
) -> list[Alternative] | None:
    """Return the alternatives of a claim, or None if there are too many.

    Args:
        concerns: Returns whether a part is to be split; others stay as they are.
        splits: Returns whether an atom is to be split into cases.
    """
    waiting, found = _spread(claim, concerns), list[Alternative]()
    while waiting:
        if len(waiting) + len(found) > MOST:
            return None
        parts = waiting.pop()
        several = _cases_of(parts, concerns, splits)
        if several is None:
            found.append(parts)
            continue
        for case in several:
            waiting += _spread(case, concerns)
    return found


def _spread(claim: Formula, concerns: Callable[[Formula], bool]) -> list[Alternative]:
    """Return the alternatives of a claim by its conjunctions and disjunctions alone."""
    if claim is FALSE:
        return []
    if not concerns(claim):
        return [(claim,)] if claim is not TRUE else [()]
    match claim:
        case Or(parts=parts):
            return [each for part in parts for each in _spread(part, concerns)]
        case And(parts=parts):
            spread = [_spread(part, concerns) for part in parts]
            joined = (tuple(dict.fromkeys(each for some in chosen for each in some)) for chosen in product(*spread))
            return [each for each in _limited(joined) if conjunction(each) is not FALSE]
        case Compatible() | Not(parts=(Compatible(),)):
            return _spread(_of_pairs(claim), concerns)
        case _:
            return [(claim,)]


def _limited(joined: Iterable[Alternative]) -> Iterable[Alternative]:
    """Limit alternatives to one more than the maximum."""
    return [each for each, _ in zip(joined, range(MOST + 1), strict=False)]


def _of_pairs(claim: Formula) -> Formula:
    """Return compatibility of sizes, or its negation, as comparisons of two of them."""
    if isinstance(claim, Not):
        return negation(_of_pairs(claim.parts[0]))
    assert isinstance(claim, Compatible)
    sizes = claim.parts
    return conjunction(
        disjunction((equal(a, b), equal(a, 1), equal(b, 1))) for place, a in enumerate(sizes) for b in sizes[:place]
    )


def _cases_of(
    parts: Alternative, concerns: Callable[[Formula], bool], splits: Callable[[Atom], bool]
) -> list[Formula] | None:
    """Split an alternative by the values of its first splittable atom, or return None."""
    for part in parts:
        if not concerns(part):
            continue
        for atom in atoms_within(part):
            cases = _values_of(atom) if splits(atom) else None
            if cases is None:
                continue
            return [conjunction((where, *map(With(atom, value).formula, parts))) for where, value in cases]
    return None


def _values_of(atom: Atom) -> list[tuple[Formula, Dim]] | None:
    """Return the values of an atom with cases, each with its condition; None for any other atom."""
    match atom:
        case Choice(parts=(condition, a, b)):
            return [(condition, a), (negation(condition), b)]
        case Minimum() | Maximum():
            return values_of(atom)
        case BroadcastExtent(parts=parts):
            return [(conjunction(equal(each, 1) for each in parts), ONE), *_broadcasts(parts)]
        case Remainder(parts=(a, b)):
            whole = multiples(a, b)
            return None if whole is None else [(where, a - b * number) for where, number in whole]
        case Quotient(parts=(a, b)):
            return multiples(a, b)
        case _:
            return None


def _broadcasts(parts: Sequence[Dim]) -> list[tuple[Formula, Dim]]:
    """Return each part, with the condition under which it is the least that is not 1."""
    found: list[tuple[Formula, Dim]] = []
    for part in parts:
        is_least = (disjunction((equal(each, 1), at_least(each, part))) for each in parts)
        found.append((conjunction((unequal(part, 1), *is_least)), part))
    return found


def multiples(a: Dim, b: Dim) -> list[tuple[Formula, Dim]] | None:
    """Return the possible quotients by a large number, each with its condition; None if they are many."""
    if not b.is_constant or b.constant < _LEAST_MODULUS:
        return None
    whole, rest = centered(a, b.constant)
    low, high = rest.bounds()
    if low is None or high is None or high // b.constant - low // b.constant >= _MOST_MULTIPLES:
        return None
    numbers = range(low // b.constant, high // b.constant + 1)
    return [
        (conjunction((at_least(rest, b * each), less_than(rest, b * (each + 1)))), whole + each) for each in numbers
    ]
