"""Boolean minimization: as few disjunctions as possible, each of as few plain comparisons as possible.

A form is built from what holds for small sizes: for each point that the conditions exclude, the shortest disjunction
that excludes it and admits everything that they admit. It is taken only if it is proved to be equivalent. Includes the
grids of small sizes with truth tables as bit sets, and the cost of a form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import prod

from shapesolve.records import value_record
from shapesolve.solver import budgets
from shapesolve.solver.entailment import divides_by_sizes, entails_by_cases
from shapesolve.symbolic.atoms import Atom, Choice, Maximum, Minimum, Quotient, Remainder, ShapeSymbol, Variable
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import CachedAssignment, holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, And, Formula, IsNonNegative, Not, Or
from shapesolve.symbolic.formulas import (
    at_least,
    compatible,
    conjunction,
    disjunction,
    divides,
    equal,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.visitors import Instantiation, With, atoms_within, has_division, leaves_of


class Grid:
    """All combinations of some sizes; a truth table is a number with one bit for every point.

    A comparison is evaluated once for all points that agree in its own variables, an atom in all formulas of these
    once; connectives combine tables.
    """

    def __init__(self, variables: Sequence[Variable], sizes: Sequence[Sequence[int]]) -> None:
        count = prod(map(len, sizes))
        self.all = (1 << count) - 1
        self._columns: dict[Variable, list[tuple[int, int]]] = {}  # each size, and the points that have it
        period = count
        for variable, own in zip(variables, sizes, strict=True):
            stride = period // max(len(own), 1)
            again = self.all // ((1 << period) - 1) if period else 0
            block = ((1 << stride) - 1) * again
            self._columns[variable] = [(size, block << stride * place) for place, size in enumerate(own)]
            period = stride
        self._alike: dict[tuple[Variable, ...], list[tuple[CachedAssignment, int]]] = {}
        self._found: dict[Formula, int] = {}

    def where(self, formula: Formula) -> int:
        """Return the points at which a formula holds."""
        found = self._found.get(formula)
        if found is None:
            found = self._found[formula] = self._where(formula)
        return found

    def _where(self, formula: Formula) -> int:
        match formula:
            case Not(parts=(part,)):
                return self.all & ~self.where(part)
            case And(parts=parts):
                return self.where_all(parts)
            case Or(parts=parts):
                found = 0
                for part in parts:
                    found |= self.where(part)
                return found
            case _:
                found = 0
                for sizes, mask in self._sizes_of(tuple(each for each in self._columns if each in formula.variables)):
                    if holds(formula, sizes):
                        found |= mask
                return found

    def where_all(self, formulas: Sequence[Formula]) -> int:
        """Return the points at which all of some formulas hold."""
        found = self.all
        for each in formulas:
            found &= self.where(each)
        return found

    def _sizes_of(self, variables: tuple[Variable, ...]) -> list[tuple[CachedAssignment, int]]:
        """Return the combinations of values of some variables, each with the points that have them."""
        found = self._alike.get(variables)
        if found is None:
            found = self._alike[variables] = []
            for chosen in product(*(self._columns[each] for each in variables)):
                mask = self.all
                for _, there in chosen:
                    mask &= there
                own = (size for size, _ in chosen)
                found.append((CachedAssignment(dict(zip(variables, own, strict=True))), mask))
        return found


@lru_cache(maxsize=4)
def grid(variables: tuple[Variable, ...], sizes: tuple[tuple[int, ...], ...]) -> Grid:
    """Return the grid of all combinations of some sizes; the last few grids are cached with their tables."""
    return Grid(variables, sizes)


_OF_A_CONDITION = 6
_OF_AN_ALTERNATIVE = 6
_OF_A_CHOICE = 24
_OF_A_DIVIDED_SUM = 16


def cost(conditions: Sequence[Formula]) -> int:
    """Return the reading cost in characters; conditions and alternatives count a few more, hard ones many."""
    return sum(len(str(each)) + _OF_A_CONDITION + _alternatives(each) + _difficulty(each) for each in conditions)


def _alternatives(condition: Formula) -> int:
    return _OF_AN_ALTERNATIVE * len(condition.parts) if isinstance(condition, Or) else 0


def _difficulty(condition: Formula) -> int:
    return sum(map(_of_atom, dict.fromkeys(atoms_within(condition))))


def _of_atom(atom: Atom) -> int:
    if isinstance(atom, Choice):
        return _OF_A_CHOICE
    return _OF_A_DIVIDED_SUM if isinstance(atom, Quotient | Remainder) and len(atom.parts[0].terms) > 1 else 0


_PLAIN = 12
"""Characters of a condition; what is shorter is short enough."""

_MOST_VARIABLES = 6
_MOST_POINTS = 4100
_MOST_LITERALS = 4
_MOST_CLAUSES = 8
_MOST_TRIALS = 20_000
_MOST_SETTLED = 24
_LARGEST_CONSTANT = 64

_NUMBER = re.compile(r"(?<![\w\[])\d+")


def shorter(conditions: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Return equivalent conditions under ``known``, shorter if such are found."""
    found = list(conditions)
    several = sorted({each.variables for each in conditions}, key=lambda each: (-len(each), sorted(map(str, each))))
    for variables in several:
        found = _replaced(found, [each for each in found if each.variables <= variables], known)
        found = _replaced(found, [each for each in found if each.variables == variables], known)
    for each in list(found):
        if each in found and isinstance(each, Or):
            found = _replaced(found, [each], known)
    return found


def _replaced(conditions: list[Formula], group: Sequence[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Replace a group of conditions by a shorter form."""
    if len(group) > _MOST_CLAUSES or all(len(str(each)) <= _PLAIN or not _is_complicated(each) for each in group):
        return conditions
    others = [each for each in conditions if each not in group]
    whole = conjunction(group)
    variables = sorted(whole.variables, key=lambda each: each.text)
    context = [each for each in (*known, *others) if each.variables <= whole.variables]
    form = _form(whole, context, variables)
    if form is None or cost(form) >= cost(group):
        return conditions
    there = [*known, *others]
    if not (_entails(whole, [*there, *form]) and all(_entails(each, [*there, whole]) for each in form)):
        return conditions
    place = conditions.index(group[0])
    before = [each for each in conditions[:place] if each not in group]
    after = [each for each in conditions[place:] if each not in group]
    return list(dict.fromkeys([*before, *form, *after]))


def _is_complicated(condition: Formula) -> bool:
    text = str(condition)
    if isinstance(condition, Or | And) or any(word in text for word in ("select", "max", "min", "broadcast")):
        return True
    return divides_by_sizes(condition)


@value_record
class _Literal:
    formula: Formula
    where: int  # one bit for every point
    cost: int


def _form(whole: Formula, context: Sequence[Formula], variables: Sequence[Variable]) -> list[Formula] | None:
    """Return a shorter form if there is one, found once for all conditions that differ in names of equal length."""
    if not 1 <= len(variables) <= _MOST_VARIABLES or any(isinstance(each, ShapeSymbol) for each in variables):
        return None
    names = [chr(ord("a") + number) + "_" * (len(each.text) - 1) for number, each in enumerate(variables)]
    fresh = [Variable.of(name, each.lower, each.upper) for name, each in zip(names, variables, strict=True)]
    there = Instantiation(dict(zip(variables, map(of_atom, fresh), strict=True)))
    back = Instantiation(dict(zip(fresh, map(of_atom, variables), strict=True)))
    found = _form_of(there.formula(whole), tuple(map(there.formula, context)), tuple(fresh))
    return None if found is None else list(map(back.formula, found))


@lru_cache(maxsize=256)
def _form_of(whole: Formula, context: tuple[Formula, ...], variables: tuple[Variable, ...]) -> list[Formula] | None:
    points = grid(variables, tuple(map(tuple, _sizes_to_try(whole, variables))))
    admitted = points.where_all(context)
    good = points.where(whole) & admitted
    bad = admitted & ~good
    if not good or not bad:
        return None
    literals = _literals(whole, variables, points, admitted)
    covers = [each for extra in (0, 1) if (each := _cover(good, bad, literals, extra)) is not None]
    alone = _clauses(good, [each for each in literals if not each.where & bad], 1)
    covers += [[disjunction(part.formula for part in each)] for each in alone]
    return min(covers, key=cost, default=None)


def _cover(good: int, bad: int, literals: Sequence[_Literal], extra: int) -> list[Formula] | None:
    """Return disjunctions that hold at all good points and exclude all bad ones.

    The one that excludes the most for its length comes first; each has at most ``extra`` literals too many.
    """
    clauses: list[tuple[_Literal, ...]] = []
    left = bad
    while left:
        if len(clauses) == _MOST_CLAUSES:
            return None
        point = left & -left
        options = _clauses(good, [each for each in literals if not each.where & point], extra)
        if not options:
            return None
        best = min(options, key=lambda each: sum(part.cost for part in each) / _excluded(each, left))
        clauses.append(best)
        left &= _union(best)
    for each in sorted(clauses, key=lambda each: -sum(part.cost for part in each)):
        rest = [other for other in clauses if other is not each]
        if not _all(rest) & bad:
            clauses = rest
    return [disjunction(part.formula for part in each) for each in clauses]


def _all(clauses: Sequence[Sequence[_Literal]]) -> int:
    """Return the points at which all clauses hold."""
    found = ~0
    for each in clauses:
        found &= _union(each)
    return found


def _union(clause: Sequence[_Literal]) -> int:
    found = 0
    for each in clause:
        found |= each.where
    return found


def _excluded(clause: Sequence[_Literal], bad: int) -> int:
    return (bad & ~_union(clause)).bit_count()


def _sizes_to_try(whole: Formula, variables: Sequence[Variable]) -> list[list[int]]:
    """Return small sizes, and those around the constants of the conditions, as many as are quickly evaluated."""
    near = {number + step for number in _constants(whole) for step in (-1, 0, 1)}
    for most in (9, 6, 4, 3):
        ranges = [sorted(_within(each, {*range(-2, most + 1), *near})) for each in variables]
        count = prod(len(each) for each in ranges)
        if count <= _MOST_POINTS or most == 3:
            break
    return ranges if count <= _MOST_POINTS * 4 else [[] for _ in variables]


def _within(variable: Variable, values: set[int]) -> set[int]:
    least, most = variable.lower, variable.upper
    return {each for each in values if (least is None or each >= least) and (most is None or each <= most)}


def _constants(whole: Formula) -> set[int]:
    numbers = {int(each) for each in _NUMBER.findall(str(whole)) if len(each) <= 3}
    return {each for each in numbers if each <= _LARGEST_CONSTANT}


def _literals(whole: Formula, variables: Sequence[Variable], points: Grid, admitted: int) -> list[_Literal]:
    """Return the comparisons that people would write, short ones first; of equivalent ones the first."""
    found: dict[int, _Literal] = {}
    divisors = _divisors(whole, variables, points, admitted)
    formulas = dict.fromkeys((*_plain(whole, variables, divisors), *_leaves(whole)))
    for formula in sorted(formulas, key=lambda each: len(str(each))):
        where = points.where(formula) & admitted
        if where:
            found.setdefault(where, _Literal(formula, where, _words(formula)))
    return list(found.values())


def _words(literal: Formula) -> int:
    """Return the reading cost of a literal: an order between two sizes costs more than equality or compatibility."""
    is_order = len(literal.variables) > 1 and isinstance(literal, IsNonNegative)
    is_apart = len(literal.variables) > 1 and isinstance(literal, Not)
    return len(str(literal)) + (18 if is_order else 10 if is_apart else 6)


def _divisors(whole: Formula, variables: Sequence[Variable], points: Grid, admitted: int) -> list[Variable]:
    """Return the variables that a guess may divide by: the condition never holds where they are 0.

    Else ``f == 1 or n == 3`` of a flag would be ``(n - 3) % f == 0``, which says something of a division by 0.
    """
    if not divides_by_sizes(whole):
        return []
    holds = points.where(whole) & admitted
    return [each for each in variables if not points.where(equal(of_atom(each), 0)) & holds]


def _plain(whole: Formula, variables: Sequence[Variable], divisors: Sequence[Variable]) -> Iterator[Formula]:
    constants = sorted({0, 1, 2, *_constants(whole)})
    for variable in variables:
        size = of_atom(variable)
        for constant in constants:
            yield equal(size, constant)
            yield at_least(size, constant)
            yield unequal(size, constant)
            yield at_least(constant, size)
    for first, second in combinations(variables, 2):
        a, b = of_atom(first), of_atom(second)
        yield equal(a, b)
        yield compatible((a, b))
        for x, y in ((a, b), (b, a)):
            yield at_least(x, y)
            yield less_than(x, y)
            yield at_least(x + 1, y)
        yield unequal(a, b)
    for (variable, divisor), constant in product(product(variables, divisors), constants):
        if variable is not divisor:
            yield divides(of_atom(divisor), of_atom(variable) - constant)
    if has_division(whole):
        for variable, divisor in product(variables, [each for each in constants if 2 <= each <= 16]):
            yield divides(divisor, of_atom(variable))
    for several in combinations(variables, 3):
        yield compatible([of_atom(each) for each in several])


def _leaves(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And | Or):
        for part in formula.parts:
            yield from _leaves(part)
    else:
        for each in _settled(formula):
            yield each
            yield negation(each)


def _settled(comparison: Formula) -> Iterator[Formula]:
    """Yield the comparison itself, or, if it has a select, its values in both cases and the condition of the select."""
    waiting, seen = [comparison], {comparison}
    while waiting and len(seen) <= _MOST_SETTLED:
        found = waiting.pop(0)
        chosen = next((each for each in atoms_within(found) if isinstance(each, Choice | Minimum | Maximum)), None)
        if chosen is None:
            yield found
            continue
        sides = chosen.parts[1:] if isinstance(chosen, Choice) else chosen.parts
        following = [With(chosen, side).formula(found) for side in sides]
        if isinstance(chosen, Choice):
            following += leaves_of(chosen.parts[0])
        waiting += [each for each in dict.fromkeys(following) if each not in {*seen, TRUE, FALSE}]
        seen.update(following)


def _clauses(good: int, literals: Sequence[_Literal], extra: int) -> list[tuple[_Literal, ...]]:
    """Return the disjunctions that hold at every good point, of the fewest literals or ``extra`` more than these."""
    fewest = None
    for size in range(1, _MOST_LITERALS + 1):
        found = _clauses_of(good, literals, size)
        if found and fewest is None:
            fewest = size
        if fewest is not None and (size == fewest + extra or size == _MOST_LITERALS):
            return found or _clauses_of(good, literals, fewest)
    return []


def _clauses_of(good: int, literals: Sequence[_Literal], most: int) -> list[tuple[_Literal, ...]]:
    """Return the disjunctions of at most so many literals that hold at every good point."""
    found: dict[frozenset[int], tuple[_Literal, ...]] = {}
    there: dict[int, list[_Literal]] = {}  # by point: those that hold there
    waiting: list[tuple[int, tuple[_Literal, ...]]] = [(good, ())]
    tried = 0
    while waiting and tried < _MOST_TRIALS:
        left, chosen = waiting.pop()
        if not left:
            found.setdefault(frozenset(each.where for each in chosen), chosen)
            continue
        point = left & -left
        fitting = there.get(point)
        if fitting is None:
            fitting = there[point] = [each for each in literals if each.where & point]
        tried += len(fitting)
        if len(chosen) + 1 == most:
            fitting = [each for each in fitting if not left & ~each.where]
        waiting += [(left & ~each.where, (*chosen, each)) for each in fitting]
    return list(found.values())


def _entails(claim: Formula, premises: Sequence[Formula]) -> bool:
    return entails_by_cases(claim, premises, budgets.LARGE)
