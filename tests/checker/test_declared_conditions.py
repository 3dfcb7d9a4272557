"""Conditions on declared sizes, joined into one text that the size language reads again."""

from __future__ import annotations

import pytest

from shapesolve.checker.declared_conditions import Conditions
from shapesolve.symbolic.grammar import MAX_TEXT
from shapesolve.symbolic.scope import Scope


@pytest.mark.parametrize(("parts", "is_short"), [(20, True), (600, False)])
def test_joined_conditions_can_be_read_again(parts: int, is_short: bool) -> None:
    """Window attention over two images of other sizes has such conditions: each can be read, all in one cannot."""
    conditions = Conditions(Scope.free(), ())
    texts = [f"height_of_window_{number}*B >= H // {number + 2}" for number in range(parts)]
    text = conditions.joined(texts)
    assert bool(text) is is_short and len(text) <= MAX_TEXT
    if text:
        conditions.add(text)
        assert all(map(conditions.entail, texts[:2]))
