"""Elements of index tensors of unknown length are named in conditions as they are in assumptions."""

from __future__ import annotations

import pytest

from shapesolve.errors import InputError
from shapesolve.simplification.simplify import condition_texts, shortest
from shapesolve.symbolic.dims import variable
from shapesolve.symbolic.formulas import at_least, equal, less_than
from shapesolve.symbolic.integer_lists import IntegerList
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope
from shapesolve.symbolic.shapes import unranked

EXTENTS, SIGNS = unranked("s.extents"), unranked("s.signs")
LIST = IntegerList(EXTENTS, SIGNS)
N = variable("n", 0)
SCOPE = Scope.closed({"n": N}, {"s.extents": EXTENTS, "s.signs": SIGNS}, lists={"s.values": LIST})


def test_an_element_is_the_extent_or_negative() -> None:
    assert parse_formula("s.values[0] < n", SCOPE) is less_than(LIST.element(0), N)
    assert parse_formula("s.values[-1] < n", SCOPE) is less_than(LIST.from_the_right(variable("n", 0) * 0), N)


def test_conditions_name_the_element_only_together() -> None:
    position = EXTENTS.rank - 1
    is_size, is_less = at_least(SIGNS.column(position), 1), less_than(EXTENTS.column(position), N)
    assert condition_texts([is_less, is_size], SCOPE) == ["n > s.values[0]", "s.values[0] >= 0"]
    # Without the sign, the extent of a negative element is not the element.
    assert condition_texts([is_less], SCOPE) == ["n > s.extents[0]"]
    assert condition_texts([equal(SIGNS.column(position), 0)], SCOPE) == ["s.values[0] <= -1"]


def test_the_signs_are_not_offered() -> None:
    with pytest.raises(InputError, match=r"known are n, s\.extents, s\.values\n"):
        parse_formula("m == 0", SCOPE)
    with pytest.raises(InputError, match=r"`s\.values` is a list of integers; use one, such as `s\.values\[0\]`"):
        parse_formula("rank(s.values) == 1", SCOPE)


def test_an_equality_of_an_element_needs_no_word_about_its_sign() -> None:
    position = EXTENTS.rank - 1
    is_size, is_three = at_least(SIGNS.column(position), 1), equal(EXTENTS.column(position), 3)
    short = shortest([is_three, is_size], (), SCOPE)
    assert condition_texts(short, SCOPE) == ["s.values[0] == 3"]
    assert len(short) == 1
    # Less than a size is no such condition: the element may be negative.
    is_less = less_than(EXTENTS.column(position), N)
    assert len(shortest([is_less, is_size], (), SCOPE)) == 2
