"""Recurrences: the closed form of one number that a loop carries, by the form of its recurrence.

With K the number of the iteration: a number that does not depend on itself is a function of K - 1; one to which
something is added is a sum; a minimum or maximum of it and something else is that of where it began and ended; a select
by a condition that holds up to some iteration is two such numbers, one after the other. Each of these is an identity of
integers, for all sizes.

Numbers that change together are found from their first iterations: after a beginning each grows by the same amount from
one period to the next, as in ``a, b, a, b`` and ``0, 2, 2, 4, 4``. The first iterations show the beginning, the period
and the amounts; all others follow by induction, for which every iteration of a period is computed once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapesolve.int64 import MAX_SIZE
from shapesolve.interpreter.loops.iteration_spans import ends_at, first_false_iteration, times_before
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import Atom, Choice, Maximum, Minimum, Remainder, Variable
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, floordiv, of_atom, remainder
from shapesolve.symbolic.formula_kinds import FALSE, Formula, IsNonNegative, IsZero
from shapesolve.symbolic.formulas import at_least, conjuncts, equal, negation
from shapesolve.symbolic.normal_forms import choose, maximum, minimum
from shapesolve.symbolic.visitors import Instantiation, With, atoms_within

ITERATION = Variable.of("the number of the round", 0, MAX_SIZE)
"""The iteration number in closed forms; all other variables in them are the same in every iteration."""

_K = of_atom(ITERATION)
_DEEPEST = 4


@value_record
class Recurrence:
    """The recurrence of the number ``itself``: its value ``after`` an iteration in which ``known`` holds."""

    itself: Variable
    after: Dim
    known: tuple[Formula, ...] = ()

    def with_after(self, after: Dim) -> Recurrence:
        """Return the recurrence of the same number with another right side, and nothing known."""
        return Recurrence(self.itself, after)


def at_iteration(form: Dim, round: Dim) -> Dim:
    """Return the value of a form in an iteration."""
    return Instantiation({ITERATION: round}).size(form)


def closed_form_of(first: Dim, step: Recurrence, depth: int = 0) -> Dim | None:
    """Return the closed form of a number that begins with ``first``, or None if it is not found."""
    if depth > _DEEPEST:
        return None
    if step.itself not in step.after.variables:
        return _memoryless(first, step.after)
    for form in (_sum, _periodic, _extreme, _accumulated_remainder):
        found = form(first, step)
        if found is not None:
            return found
    found = _in_phases(first, step, depth)
    return _until_fixpoint(first, step, depth) if found is None else found


def with_first_value(form: Dim, first: Dim) -> Dim:
    """Return a form that holds from iteration 1 on, completed by the first value in iteration 0."""
    return form if at_iteration(form, ZERO) is first else choose(at_least(_K, 1), form, first)


def _memoryless(first: Dim, after: Dim) -> Dim:
    """Return the closed form of a number that does not depend on the one before."""
    return with_first_value(at_iteration(after, _K - 1), first)


def _periodic(first: Dim, step: Recurrence) -> Dim | None:
    """Return the closed form of a number that repeats with a period."""
    found = repeating({step.itself: first}, {step.itself: step.after}, ITERATION)
    return None if found is None else found[step.itself]


# Sums -----------------------------------------------------------------------------------------------------------------


def _sum(first: Dim, step: Recurrence) -> Dim | None:
    """Return the closed form of a number to which something is added that does not depend on it."""
    added = _added(step.after, step.itself)
    if added is None:
        return None
    total = _total(added)
    if total is None:
        total = _of_chunks(added, step.known)
    return None if total is None else first + total


def _added(after: Dim, itself: Variable) -> Dim | None:
    """Return what is added to a number, or None if that depends on it."""
    added = after - of_atom(itself)
    if itself not in added.variables:
        return added
    atom = after.atom
    match atom:
        case Choice(parts=(condition, a, b)) if itself not in condition.variables:
            first, second = _added(a, itself), _added(b, itself)
            return None if first is None or second is None else choose(condition, first, second)
        case Minimum() | Maximum():
            several = [_added(part, itself) for part in atom.parts]
            found = [each for each in several if each is not None]
            extreme = minimum if isinstance(atom, Minimum) else maximum
            return extreme(*found) if len(found) == len(several) else None
        case _:
            return None


def _total(added: Dim) -> Dim | None:
    """Return the sum of something over all iterations before this one, or None."""
    total = _K * added.constant
    for monomial, coefficient in added.terms:
        part = _total_of_product(monomial.factors, coefficient)
        if part is None:
            return None
        total = total + part
    return total


def _total_of_product(factors: Sequence[tuple[Atom, int]], coefficient: int) -> Dim | None:
    """The sum of a product of which the number of the round is a factor, or something that chooses by it."""
    changing = [(atom, power) for atom, power in factors if ITERATION in of_atom(atom).variables]
    rest = ONE
    for atom, power in factors:
        rest = rest * (ONE if (atom, power) in changing else of_atom(atom) ** power)
    match changing:
        case []:
            return _K * rest * coefficient
        case [(atom, 1)] if atom is ITERATION:
            pairs = _K * _K - _K
            half = pairs * (coefficient // 2) if coefficient % 2 == 0 else floordiv(pairs, dim(2)) * coefficient
            return half * rest
        case [(Choice() as choice, 1)]:
            part = _total_of_choice(choice)
            return None if part is None else part * rest * coefficient
        case _:
            return None


def _total_of_choice(choice: Choice) -> Dim | None:
    """The sum of a choice between numbers that no round changes."""
    condition, a, b = choice.parts
    if ITERATION in a.variables | b.variables:
        return None
    times = times_before(condition, ITERATION)
    return None if times is None else _K * b + times * (a - b)


def _of_chunks(added: Dim, known: Sequence[Formula]) -> Dim | None:
    """The sum of chunks of one size, the last of which may be shorter: ``min(c, n - c*K)``."""
    atom = added.atom
    if not isinstance(atom, Minimum) or len(atom.parts) != 2:
        return None
    for chunk, left in (atom.parts, atom.parts[::-1]):
        if ITERATION in chunk.variables:
            continue
        whole = left + chunk * _K
        if ITERATION in whole.variables or not any(_implies(each, left) for each in known):
            continue
        return minimum(chunk * _K, whole) - minimum(ZERO, whole)
    return None


def _implies(fact: Formula, size: Dim) -> bool:
    """Return whether a size is at least 0 where a fact holds."""
    low = (size - fact.size).bounds()[0] if isinstance(fact, IsNonNegative) else None
    return low is not None and low >= 0


# Extremes and remainders ----------------------------------------------------------------------------------------------


def _extreme(first: Dim, step: Recurrence) -> Dim | None:
    """The least, or the greatest, of a number that is moved by the same amount each time and of other numbers."""
    shift = step.after.constant
    atom = (step.after - shift).atom
    if not isinstance(atom, Minimum | Maximum):
        return None
    of = minimum if isinstance(atom, Minimum) else maximum
    parts = [part + shift for part in atom.parts]
    moved = [part for part in parts if step.itself in part.variables]
    if len(moved) != 1:
        return None
    pace = moved[0] - of_atom(step.itself)
    if {step.itself, ITERATION} & pace.variables:
        return _between(first, step, parts, of is minimum)
    ends: list[Dim] = []
    for part in parts:
        if part is moved[0]:
            continue
        slope = at_iteration(part, _K + 1) - part
        if ITERATION in slope.variables:
            return None
        ends += _reached(part, pace, slope, of is minimum)
    return with_first_value(of(first + pace * _K, *ends), first)


def _reached(limit: Dim, pace: Dim, slope: Dim, is_least: bool) -> list[Dim]:
    """Return the value of a moving limit in this iteration, if it was met in the last one or in the first."""
    low, high = (slope - pace).bounds()
    met_last, met_first = at_iteration(limit, _K - 1), at_iteration(limit, ZERO) + pace * (_K - 1)
    if (high is not None and high <= 0) if is_least else (low is not None and low >= 0):
        return [met_last]
    if (low is not None and low >= 0) if is_least else (high is not None and high <= 0):
        return [met_first]
    return [met_last, met_first]


def _between(first: Dim, step: Recurrence, parts: Sequence[Dim], is_least: bool) -> Dim | None:
    """A number that moves from one to the other of two limits that stay, of which the second counts in any case."""
    (inner,) = (part for part in parts if step.itself in part.variables)
    limits = [part for part in parts if part is not inner]
    within = (inner - inner.constant).atom
    if ITERATION in step.after.variables or not isinstance(within, Maximum if is_least else Minimum):
        return None
    outer, of = (minimum, maximum) if is_least else (maximum, minimum)
    of_both = [part + inner.constant for part in within.parts]
    moved = [part for part in of_both if step.itself in part.variables]
    pace = moved[0] - of_atom(step.itself) if len(moved) == 1 else None
    if pace is None or not pace.is_constant or (pace.constant < 0 if is_least else pace.constant > 0):
        return None
    others = [part + pace * (_K - 1) for part in of_both if part is not moved[0]]
    return with_first_value(outer(of(first + pace * _K, *others), *limits), first)


def _accumulated_remainder(first: Dim, step: Recurrence) -> Dim | None:
    """Return the closed form of a remainder of a number that changes by the same amount each time."""
    atom = step.after.atom
    if not isinstance(atom, Remainder):
        return None
    whole, divisor = atom.parts
    pace = whole - of_atom(step.itself)
    if {step.itself, ITERATION} & (pace.variables | divisor.variables):
        return None
    found = remainder(first + pace * _K, divisor)
    low, high = first.bounds()
    stays = divisor.is_constant and low is not None and low >= 0 and high is not None and high < divisor.constant
    return found if stays else with_first_value(found, first)


# One thing after the other --------------------------------------------------------------------------------------------


def _in_phases(first: Dim, step: Recurrence, depth: int) -> Dim | None:
    """Return the closed form of a number with one recurrence up to some iteration, and another from then on."""
    for atom in atoms_within(step.after):
        if not isinstance(atom, Choice):
            continue
        condition, a, b = atom.parts
        if ITERATION not in condition.variables or step.itself in condition.variables:
            continue
        once, then = step.with_after(With(atom, a).size(step.after)), step.with_after(With(atom, b).size(step.after))
        return _phases(first, step, condition, once, then, depth)
    return None


def _phases(
    first: Dim, step: Recurrence, condition: Formula, once: Recurrence, then: Recurrence, depth: int
) -> Dim | None:
    """Return the closed form of a number with recurrence ``once`` where a condition holds, and ``then`` elsewhere."""
    parts = conjuncts(condition)
    if len(parts) != 1:
        return None
    if not isinstance(condition, IsNonNegative | IsZero):
        condition, once, then = negation(condition), then, once
    if isinstance(condition, IsZero):
        moment = first_false_iteration(negation(condition), ITERATION)
        return None if moment is None else _one_exception(first, step, moment.at, moment.exists, then, depth)
    if not isinstance(condition, IsNonNegative):
        return None
    end = ends_at(condition, ITERATION)
    if end is None:  # it may hold from some round on
        once, then, end = then, once, ends_at(negation(condition), ITERATION)
    return None if end is None else _one_after_other(first, end, once, then, depth)


def _one_after_other(first: Dim, end: Dim, once: Recurrence, then: Recurrence, depth: int) -> Dim | None:
    before = closed_form_of(first, once, depth + 1)
    if before is None:
        return None
    since = closed_form_of(at_iteration(before, end), then.with_after(at_iteration(then.after, _K + end)), depth + 1)
    if since is None:
        return None
    if ITERATION not in since.variables:
        return (
            at_iteration(before, minimum(_K, end))
            if since is at_iteration(before, end)
            else _switched(before, end, since)
        )
    if ITERATION not in before.variables:
        return at_iteration(since, maximum(0, _K - end))
    return _switched(before, end, since)


def _switched(before: Dim, end: Dim, since: Dim) -> Dim:
    return choose(at_least(end, _K), before, at_iteration(since, _K - end))


def _one_exception(
    first: Dim, step: Recurrence, round: Dim, exists: Formula, usual: Recurrence, depth: int
) -> Dim | None:
    """Return the closed form of a number with the same recurrence in every iteration but one."""
    before = closed_form_of(first, usual, depth + 1)
    if before is None:
        return None
    there = Instantiation({ITERATION: round, step.itself: at_iteration(before, round)}).size(step.after)
    since = closed_form_of(there, usual.with_after(at_iteration(usual.after, _K + round + 1)), depth + 1)
    if since is None:
        return None
    found = choose(at_least(round, _K), before, at_iteration(since, _K - round - 1))
    return before if exists is FALSE else choose(exists, found, before)


def _until_fixpoint(first: Dim, step: Recurrence, depth: int) -> Dim | None:
    """Return the closed form of a number that stays the same once a condition on it fails."""
    atom = step.after.atom
    if not isinstance(atom, Choice):
        return None
    condition, a, b = atom.parts
    if b is not of_atom(step.itself):
        condition, a, b = negation(condition), b, a
    if b is not of_atom(step.itself) or ITERATION in condition.variables:
        return None
    form = closed_form_of(first, step.with_after(a), depth + 1)
    if form is None:
        return None
    moment = first_false_iteration(Instantiation({step.itself: form}).formula(condition), ITERATION)
    if moment is None:
        return None
    stopped = at_iteration(form, minimum(_K, moment.at))
    return choose(moment.exists, stopped, form)


_BEGINNINGS = range(5)
_PERIODS = range(1, 5)
_SHAPES = sorted(
    ((before, period) for before in _BEGINNINGS for period in _PERIODS), key=lambda each: (sum(each), each)
)
_LONGEST = 300
"""The most characters of a number whose period is searched."""

_TURN = Variable.of("how many periods before", 0, MAX_SIZE)

State = Mapping[Variable, Dim]


def repeating(first: State, after: State, round: Variable) -> dict[Variable, Dim] | None:
    """Return the closed forms of numbers that begin with ``first`` and are ``after`` an iteration, or None."""
    states = [first]
    for before, period in _SHAPES:
        while len(states) < before + 2 * period:
            state = _next(states[-1], after, round, dim(len(states) - 1))
            if any(len(str(each)) > _LONGEST for each in state.values()):
                return None
            states.append(state)
        growth = _growth(states, before, period)
        if _is_inductive(states, growth, before, after, round):
            return {each: _form([s[each] for s in states], [g[each] for g in growth], before, round) for each in first}
    return None


def _next(state: State, after: State, round: Variable, number: Dim) -> State:
    put = Instantiation({**state, round: number})
    return {each: put.size(size) for each, size in after.items()}


def _growth(states: Sequence[State], before: int, period: int) -> list[State]:
    """Return the growth of numbers from one period to the next, at each place of a period."""
    growth: list[State] = []
    for place in range(before, before + period):
        once, then = states[place], states[place + period]
        growth.append({each: then[each] - once[each] for each in once})
    return growth


def _is_inductive(states: Sequence[State], growth: Sequence[State], before: int, after: State, round: Variable) -> bool:
    """Return whether every iteration of any period leads to the next one."""
    period, turn = len(growth), of_atom(_TURN)

    def state(place: int, turns: Dim) -> State:
        return {each: states[before + place][each] + growth[place][each] * turns for each in after}

    for place in range(period):
        reached = _next(state(place, turn), after, round, turn * period + (before + place))
        following = state(place + 1, turn) if place + 1 < period else state(0, turn + 1)
        if any(reached[each] is not following[each] for each in after):
            return False
    return True


def _form(values: Sequence[Dim], growth: Sequence[Dim], before: int, round: Variable) -> Dim:
    """Return the number in an iteration that is one of the first, or at some place of a period."""
    number, period = of_atom(round), len(growth)
    turns, place = floordiv(number - before, dim(period)), remainder(number - before, dim(period))
    found = values[before + period - 1] + growth[period - 1] * turns
    for each in reversed(range(period - 1)):
        found = choose(equal(place, each), values[before + each] + growth[each] * turns, found)
    for each in reversed(range(before)):
        found = choose(at_least(number, each + 1), found, values[each])
    return found
