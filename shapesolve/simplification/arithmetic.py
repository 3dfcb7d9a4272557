"""Simpler equivalents of conditions on sizes: ``2*(H//4) == H//2`` and ``H % 2 == 0`` are ``H % 4 == 0``.

A simpler form is guessed from what holds for small sizes, and taken only if it is proved to be equivalent.

Conditions on one size that hold up to a number become a bound: ``(n + 2**30 - 1) % 2**31 >= 2**30`` is ``n <= 2**30``.
The number is found by bisection, and taken only if it is proved to be equivalent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

from shapesolve.simplification.boolean_minimization import Grid, grid
from shapesolve.simplification.context import entails_within_budget
from shapesolve.simplification.part_guesses import guesses_from_parts
from shapesolve.simplification.readable import joined, readable
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails_each_part, not_implied
from shapesolve.solver.polynomials import decompose
from shapesolve.solver.preprocessing.division import unwrapped
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import (
    at_least,
    compatible,
    conjunction,
    conjuncts,
    disjunction,
    divides,
    equal,
    less_than,
    negation,
    unequal,
)

_MOST_CONDITIONS = 24
_LONGEST = 400
"""Characters of a condition; longer ones are left as they are."""

_MIN_LENGTH = 20
"""Characters of a condition; shorter ones are not worth another look."""

_MOST_VARIABLES = 7
_MOST_POINTS = 2500
_LARGEST_ALONE = 66
_MOST_ALONE = 512
"""Largest number of values of a variable that are enumerated."""

_LARGEST_IN_PAIR = 9
_LARGEST_DIVISOR = 16


def simplified(conditions: Sequence[Formula], known: Sequence[Formula] = ()) -> list[Formula]:
    """Return equivalent simpler conditions, in the same order of first mention.

    ``known`` holds anyway, so that what follows from it is left out.
    """
    spread: list[Formula] = []
    for condition in conditions:
        spread.extend(conjuncts(_decomposed(_without_wrapping(condition, known))))
    spread = joined(spread)
    if len(spread) > _MOST_CONDITIONS:
        return spread
    found: list[Formula] = []
    for group in _connected(spread):
        short = _as_one(group, known)
        found.extend([short] if short is not None else [_alone(piece, known) for piece in group])
    found = [piece for each in found for piece in conjuncts(each)]
    found = not_implied(found, known, budgets.MEDIUM, longest=_LONGEST)
    found = _by_parts(found, known)
    return not_implied(_under_premises(found, known), known, budgets.MEDIUM, longest=_LONGEST)


def are_contradictory(conditions: Sequence[Formula], known: Sequence[Formula] = ()) -> bool:
    """Return whether it is proved that no sizes satisfy all conditions and what is known."""
    whole = conjunction(conditions)
    return whole is FALSE or (len(str(whole)) <= _LONGEST * 3 and entails_within_budget(negation(whole), known))


def _without_wrapping(condition: Formula, known: Sequence[Formula]) -> Formula:
    """Replace a condition by the one without wrapping, and that nothing wraps, if this is equivalent."""
    found = None if len(str(condition)) > _LONGEST else unwrapped(((0, condition),))
    if found is None:
        return condition
    ((_, plain),) = found.query
    guess = conjunction((plain, found.nothing_wraps))
    return guess if guess is not FALSE and _equivalent(guess, condition, known) else condition


def _decomposed(condition: Formula) -> Formula:
    if len(str(condition)) > _LONGEST:
        return condition
    return decompose(condition)


def _alone(condition: Formula, known: Sequence[Formula]) -> Formula:
    short = _as_one([condition], known)
    return condition if short is None else short


def _connected(conditions: Sequence[Formula]) -> list[list[Formula]]:
    """Group conditions on exactly the same sizes."""
    groups: dict[frozenset[Variable], list[Formula]] = {}
    for condition in conditions:
        groups.setdefault(condition.variables, []).append(condition)
    return list(groups.values())


def _as_one(group: Sequence[Formula], known: Sequence[Formula]) -> Formula | None:
    """Return a simpler condition that is proved equivalent to a group, or None."""
    whole = conjunction(group)
    variables = sorted(whole.variables, key=lambda each: each.text)
    if len(str(whole)) > _LONGEST * 3 or len(variables) not in (1, 2):
        return None
    if any(each.lower is None for each in variables):
        return None
    form = _form_for_small_sizes(whole, tuple(variables))
    return form if form is not None and _equivalent(form, whole, known) else None


@lru_cache(maxsize=256)
def _form_for_small_sizes(whole: Formula, variables: tuple[Variable, ...]) -> Formula | None:
    """Return a shorter condition that agrees with one for all small sizes, or None; many findings ask for the same."""
    table = _table(whole, variables)
    if not any(table.values()):
        return None
    length = _length(whole)
    for guess in _guesses(variables, table):
        if _length(guess) < length and all(
            holds(guess, dict(zip(variables, sizes, strict=True))) == value for sizes, value in table.items()
        ):
            return guess
    return None


def _length(condition: Formula) -> tuple[int, int]:
    """Return the length of a condition's readable form, and then that of its normal form."""
    plain = len(str(condition))
    return min(plain, len(readable(condition))), plain


def _table(condition: Formula, variables: Sequence[Variable]) -> dict[tuple[int, ...], bool]:
    largest = _LARGEST_ALONE if len(variables) == 1 else _LARGEST_IN_PAIR
    ranges = [_range(each, largest) for each in variables]
    return {sizes: holds(condition, dict(zip(variables, sizes, strict=True))) for sizes in product(*ranges)}


def _range(variable: Variable, largest: int) -> range:
    """Return small values of a variable; all within its bounds if it is the only one and they are few."""
    least, most = variable.lower, variable.upper
    if largest == _LARGEST_ALONE and least is not None and most is not None and most - least < _MOST_ALONE:
        return range(least, most + 1)
    return range(-largest if least is None or least < 0 else 0, largest + 1)


def _guesses(variables: Sequence[Variable], table: Mapping[tuple[int, ...], bool]) -> Iterator[Formula]:
    if len(variables) == 1:
        return _guesses_alone(variables[0], table)
    return _guesses_of_pair(variables[0], variables[1], table)


def _guesses_alone(variable: Variable, table: Mapping[tuple[int, ...], bool]) -> Iterator[Formula]:
    size = of_atom(variable)
    good = [sizes[0] for sizes, value in table.items() if value]
    bad = [sizes[0] for sizes, value in table.items() if not value]
    if len(good) <= 3:
        yield disjunction(equal(size, each) for each in good)
    if len(bad) <= 3:
        yield conjunction(unequal(size, each) for each in bad)
    yield at_least(size, good[0])
    yield at_least(good[-1], size)
    yield conjunction((at_least(size, good[0]), at_least(good[-1], size)))
    if len(good) > 2:
        step = good[-1] - good[-2]
        multiple = equal(size % step, good[-1] % step) if step > 1 else divides(1, size)
        yield multiple
        yield conjunction((multiple, at_least(size, good[0])))
        yield from _guesses_of_remainders(variable, good)
    yield _in_runs(variable, table, True)
    yield negation(_in_runs(variable, table, False))


def _guesses_of_remainders(variable: Variable, good: Sequence[int]) -> Iterator[Formula]:
    """Guess that the remainders by a small number lie in one run: ``2*(H//4) == H//2`` is ``H % 4 <= 1``."""
    size, numbers, first = of_atom(variable), set(good), good[0]
    for divisor in range(3, _LARGEST_DIVISOR + 1):
        remainders = {each % divisor for each in numbers}
        if len(remainders) == divisor or any(
            each % divisor in remainders and each not in numbers for each in range(first, good[-1])
        ):
            continue
        starts = [each for each in remainders if (each - 1) % divisor not in remainders]
        if len(starts) != 1 or len(remainders) == 1:
            return
        low, high = min(remainders), max(remainders)
        within = conjunction((at_least(size % divisor, low), at_least(high, size % divisor)))
        if high - low >= len(remainders):  # from one multiple to behind the next
            within = at_least(len(remainders) - 1, (size + (divisor - starts[0])) % divisor)
        yield within
        yield conjunction((within, at_least(size, first)))
        return


def _in_runs(variable: Variable, table: Mapping[tuple[int, ...], bool], wanted: bool) -> Formula:
    """Return the condition that the variable is in one of at most two runs of numbers with one value in the table."""
    size, numbers = of_atom(variable), [sizes[0] for sizes in table]
    starts = [each for each in numbers if table[each,] == wanted and table.get((each - 1,)) != wanted]
    ends = [each for each in numbers if table[each,] == wanted and table.get((each + 1,)) != wanted]
    if len(starts) > 2:
        return FALSE
    runs: list[Formula] = []
    for start, end in zip(starts, ends, strict=True):
        low = [at_least(size, start)] if start != numbers[0] else []
        high = [at_least(end, size)] if end != numbers[-1] else []
        runs.append(conjunction((*low, *high)))
    return disjunction(runs)


def _guesses_of_pair(first: Variable, second: Variable, table: Mapping[tuple[int, ...], bool]) -> Iterator[Formula]:
    a, b = of_atom(first), of_atom(second)
    positive = conjunction((at_least(a, 1), at_least(b, 1)))
    yield equal(a, b)
    yield positive
    yield disjunction((at_least(a, 1), at_least(b, 1)))
    yield compatible((a, b))
    for x, y in ((a, b), (b, a)):
        yield at_least(x, y)
        yield less_than(x, y)
        yield disjunction((equal(x, y), equal(x, 1)))
        for factor in (2, 3, 4):
            yield equal(x, y * factor)
        yield disjunction((equal(x, y), conjunction((equal(x, 1), at_least(y, 1)))))
    yield conjunction((equal(a, b), at_least(a, 1)))
    yield conjunction((compatible((a, b)), positive))
    yield conjunction((compatible((a, b)), disjunction((equal(a, b), positive))))
    for constant in (2, 3, 4, 8):
        yield conjunction(disjunction((equal(x, 1), equal(x, constant))) for x in (a, b))
    good = [sizes for sizes, value in table.items() if value]
    for factor in (1, 2, 3, 4):
        yield at_least(a - b * factor, min(x - y * factor for x, y in good))
        yield at_least(b - a * factor, min(y - x * factor for x, y in good))


def _under_premises(conditions: list[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Replace long conditions by short ones that are equivalent wherever the others hold."""
    variables = sorted(variables_in(conditions), key=lambda v: v.text)
    if len(conditions) < 2 or not 1 <= len(variables) <= _MOST_VARIABLES:
        return conditions
    if sum(len(str(each)) for each in conditions) > _LONGEST * 3 or any(
        v.lower is None or v.lower < 0 for v in variables
    ):
        return conditions
    points = _points(variables)
    found = list(conditions)
    for number, condition in enumerate(conditions):
        if len(str(condition)) < _MIN_LENGTH:
            continue
        rest = [*found[:number], *found[number + 1 :]]
        there = points.where_all(rest)
        truth = points.where(condition) & there
        for guess in _guesses_under_premises(sorted(condition.variables, key=lambda v: v.text)):
            if (
                len(str(guess)) < len(str(condition))
                and points.where(guess) & there == truth
                and _equivalent(guess, condition, [*known, *rest])
            ):
                found[number] = guess
                break
    return found


def _by_parts(conditions: list[Formula], known: Sequence[Formula]) -> list[Formula]:
    """Replace conditions by shorter ones on parts of them that are equivalent where the others hold."""
    found = list(conditions)
    for number, condition in enumerate(found):
        guesses = guesses_from_parts(condition) if len(str(condition)) <= _LONGEST else []
        around = [*known, *found[:number], *found[number + 1 :]] if guesses else []
        found[number] = next((each for each in guesses if _equivalent(each, condition, around)), condition)
    return [piece for each in found for piece in conjuncts(each)]


def _points(variables: Sequence[Variable]) -> Grid:
    """Return small sizes for all variables, as many as are quickly looked at."""
    largest = next(
        largest for largest in (6, 5, 4, 3, 2) if (largest + 1) ** len(variables) <= _MOST_POINTS or largest == 2
    )
    return grid(tuple(variables), (tuple(range(largest + 1)),) * len(variables))


def _guesses_under_premises(variables: Sequence[Variable]) -> Iterator[Formula]:
    sizes = [of_atom(each) for each in variables]
    for size in sizes:
        yield unequal(size, 0)
        yield equal(size, 1)
    for a, b in combinations(sizes, 2):
        yield equal(a, b)
        yield compatible((a, b))
        for factor in (2, 4):
            yield equal(a, b * factor)
            yield equal(b, a * factor)


def _equivalent(a: Formula, b: Formula, known: Sequence[Formula]) -> bool:
    return entails_within_budget(b, [*known, a]) and entails_within_budget(a, [*known, b])


_MIN_THRESHOLD_LENGTH = 16
"""Characters of a condition; shorter ones need no other form."""
_FIRST = 64
"""A size up to this one must satisfy the condition: a limit below which nothing is known is of no use."""


def as_upper_bound(condition: Formula, known: Sequence[Formula]) -> Formula:
    """Return the condition as ``n <= number`` if that is equivalent under ``known``; otherwise unchanged."""
    if len(condition.variables) != 1 or len(str(condition)) < _MIN_THRESHOLD_LENGTH:
        return condition
    (variable,) = condition.variables
    if isinstance(variable, ShapeSymbol):
        return condition
    most = _last(condition, variable, [each for each in known if each.variables == condition.variables])
    if most is None:
        return condition
    limit = at_least(most, of_atom(variable))
    same = entails_each_part(condition, [limit, *known], budgets.MEDIUM) and entails_each_part(
        limit, [condition, *known], budgets.MEDIUM
    )
    return limit if same and len(str(limit)) < len(str(condition)) else condition


def _last(condition: Formula, variable: Variable, known: Sequence[Formula]) -> int | None:
    """Return the last size that satisfies the condition, if it holds up to some size and not beyond."""

    def admitted(size: int) -> bool:
        return all(holds(each, {variable: size}) for each in known)

    first = max(variable.lower or 0, 0)
    good = next((size for size in range(first, first + _FIRST) if admitted(size)), None)
    bad = variable.upper
    if good is None or bad is None or bad <= good:
        return None
    if not holds(condition, {variable: good}) or holds(condition, {variable: bad}):
        return None
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(condition, {variable: middle}) else (good, middle)
    return good
