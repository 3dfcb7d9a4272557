"""Differential test of closed forms of carried numbers against computing each iteration."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.interpreter.loops.closed_forms import boolean_recurrence, closed_forms
from shapesolve.interpreter.loops.iteration_spans import ends_at, first_false_iteration, times_before
from shapesolve.interpreter.loops.recurrences import ITERATION
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, floordiv, of_atom, remainder
from shapesolve.symbolic.evaluation import evaluate, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, negation, unequal
from shapesolve.symbolic.normal_forms import choose, maximum, minimum

X, Y = Variable.of("x", None, None), Variable.of("y", None, None)
A, B = Variable.of("a", None, None), Variable.of("b", 0)
x, y, a, b, k = map(of_atom, (X, Y, A, B, ITERATION))
ROUNDS = 14


def followed(first: Mapping[Variable, Dim], after: Mapping[Variable, Dim], sizes: Mapping[Variable, int]) -> None:
    """See that each form is what computing shows."""
    forms = closed_forms(first, after, (), frozenset())
    now = {each: evaluate(size, sizes) for each, size in first.items()}
    for number in range(ROUNDS):
        at = {**sizes, ITERATION: number}
        for each, form in forms.items():
            assert evaluate(form, at) == now[each], (str(each), str(form), number)
        now = {each: evaluate(size, {**at, **now}) for each, size in after.items()}


SHAPES: dict[str, tuple[Dim, Dim]] = {
    "the number of the round": (x + k, a),
    "multiples of it": (x + 3 * k * b + 2, a),
    "not more than a size": (minimum(x, b), a),
    "up to a size": (minimum(x + 2, b), a),
    "down to nothing": (maximum(x - 3, 0), b),
    "the greatest number so far": (maximum(x, 2 * k - 3), a),
    "the least number so far": (minimum(x + 1, 5 - 2 * k), a),
    "between two limits": (minimum(maximum(x + 1, 2), b), a),
    "between two limits, falling": (maximum(minimum(x - 2, b), -3), a),
    "what is left of it": (remainder(x + 1, dim(3)), a),
    "by turns": (b - x, a),
    "in every other round": (choose(equal(remainder(k, dim(2)), 1), x + 3, x), a),
    "in every third round from somewhere on": (choose(equal(remainder(k * 2 + b, dim(3)), 1), x + 3, x - 1), a),
    "in the first rounds": (choose(less_than(k, b), x + 3, x), a),
    "in all but the first rounds": (choose(less_than(k, a), x, x + 3), b),
    "in one round": (choose(equal(k, a), x + 3, x), b),
    "something else in one round": (choose(equal(k, a), b, x + 1), b),
    "something else after some rounds": (choose(less_than(k, a), b - x, x + 1), b),
    "until it is large": (choose(less_than(x, b), x + 3, x), a),
    "until it is something": (choose(unequal(x, b), x + 1, x), a),
    "what was before": (k * k + b, a),
    "nothing, by halves": (floordiv(x, dim(2)), dim(9)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_a_number_is_followed(name: str) -> None:
    after, first = SHAPES[name]
    assert closed_forms({X: first}, {X: after}, (), frozenset())
    for of_a in range(-4, 6):
        for of_b in range(6):
            followed({X: first}, {X: after}, {A: of_a, B: of_b})


PAIRS: dict[str, tuple[Dim, Dim]] = {
    "by turns": (y, x),
    "by turns, one more": (y, x + 1),
    "by turns, each more": (y + 2, x + b),
    "one after the other": (x + 1, x),
    "the sum of what counts": (x + 1, y + x),
    "what the other was": (minimum(x + 1, b), x),
    "a truth that lasts": (x + 1, boolean_recurrence(disjunction((equal(y, 1), equal(x, b))), Y)),
    "a truth that ends": (x + 1, boolean_recurrence(conjunction((equal(y, 1), less_than(x, b))), Y)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_two_numbers_are_followed(name: str) -> None:
    of_x, of_y = PAIRS[name]
    first = {X: a, Y: dim(0)}
    assert len(closed_forms(first, {X: of_x, Y: of_y}, (), frozenset())) == 2
    for of_a in range(-4, 6):
        for of_b in range(6):
            followed(first, {X: of_x, Y: of_y}, {A: of_a, B: of_b})


def test_facts_of_one_iteration_are_not_followed() -> None:
    assert not closed_forms({X: a}, {X: x + b}, (), frozenset({"b"}))
    assert not closed_forms({X: a, Y: a}, {X: x + y, Y: y + b}, (), frozenset({"b"}))


def test_chunks_and_what_is_left_are_the_whole() -> None:
    for size in (dim(3), b):
        after = x + minimum(size, a - size * k)
        (form,) = closed_forms({X: dim(0)}, {X: after}, (at_least(a, size * k + 1),), frozenset()).values()
        for of_a in range(1, 12):
            for of_b in range(1, 5):
                at, total = {A: of_a, B: of_b}, 0
                for number in range(-(-of_a // evaluate(size, at)) + 1):
                    assert evaluate(form, {**at, ITERATION: number}) == total
                    total = evaluate(after, {**at, ITERATION: number, X: total})
    assert not closed_forms({X: dim(0)}, {X: x + minimum(b, a - b * k)}, (), frozenset())


def _plus(p: Dim, q: Dim) -> Dim:
    return p + q


def _minus(p: Dim, q: Dim) -> Dim:
    return p - q


def _rest(p: Dim, q: int) -> Dim:
    return remainder(p, dim(q))


def _quotient(p: Dim, q: int) -> Dim:
    return floordiv(p, dim(q))


def _both(p: Formula, q: Formula) -> Formula:
    return conjunction((p, q))


def _one(p: Formula, q: Formula) -> Formula:
    return disjunction((p, q))


def _on_rounds(p: Dim, q: int) -> Dim:
    return p + q * k


def _leaves_one(p: Dim, q: int) -> Formula:
    return equal(remainder(p, dim(q)), 1)


def _numbers(depth: int) -> st.SearchStrategy[Dim]:
    leaf = st.sampled_from([x, y, a, b, k, dim(0), dim(1), dim(3)])
    if not depth:
        return leaf
    number, divisor = _numbers(depth - 1), st.integers(2, 4)
    truth = st.builds(at_least, number, leaf) | st.builds(equal, number, leaf)
    several = st.builds(_both, truth, truth) | st.builds(_one, truth, truth) | st.builds(negation, truth)
    return (
        leaf
        | st.builds(_plus, number, number)
        | st.builds(_minus, number, number)
        | st.builds(minimum, number, number)
        | st.builds(maximum, number, number)
        | st.builds(_rest, number, divisor)
        | st.builds(_quotient, number, divisor)
        | st.builds(choose, truth | several, number, number)
    )


def _truths_of_rounds(depth: int) -> st.SearchStrategy[Formula]:
    number = st.builds(_on_rounds, st.sampled_from([a, b, a - b, dim(2), dim(-3)]), st.integers(-3, 3))
    leaf = (
        st.builds(at_least, number, st.integers(-2, 3))
        | st.builds(equal, number, st.integers(-2, 3))
        | st.builds(_leaves_one, number, st.integers(2, 4))
    )
    if not depth:
        return leaf
    truth = _truths_of_rounds(depth - 1)
    return leaf | st.builds(_both, truth, truth) | st.builds(_one, truth, truth) | st.builds(negation, truth)


NUMBERS, ON_ROUNDS = _numbers(2), _truths_of_rounds(2)
STEPS = st.builds(_plus, st.sampled_from([x, y, dim(0)]), NUMBERS) | NUMBERS
SIZES = st.fixed_dictionaries({A: st.integers(-4, 6), B: st.integers(0, 6)})


@examples(300)
@given(STEPS, STEPS, SIZES)
def test_whatever_is_followed_is_what_computing_shows(of_x: Dim, of_y: Dim, sizes: dict[Variable, int]) -> None:
    followed({X: a, Y: b}, {X: of_x, Y: of_y}, sizes)


@examples(300)
@given(ON_ROUNDS, SIZES)
def test_when_a_condition_holds_is_what_computing_shows(condition: Formula, sizes: dict[Variable, int]) -> None:
    rounds = range(40)  # what comes comes before: no number of these is larger
    found = [holds(condition, {**sizes, ITERATION: each}) for each in rounds]
    times, moment, end = (
        times_before(condition, ITERATION),
        first_false_iteration(condition, ITERATION),
        ends_at(condition, ITERATION),
    )
    for each in rounds:
        assert times is None or evaluate(times, {**sizes, ITERATION: each}) == sum(found[:each])
    if moment is not None:
        assert holds(moment.exists, sizes) == (not all(found))
        assert all(found) or evaluate(moment.at, sizes) == found.index(False)
    if end is not None:
        last = evaluate(end, sizes)
        assert found == [each < last for each in rounds]
