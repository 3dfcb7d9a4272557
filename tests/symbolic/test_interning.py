"""Test of interning: equal terms are one object as long as it is referenced."""

from __future__ import annotations

import gc

import pytest

from shapesolve.symbolic.atoms import Interned

pytestmark = pytest.mark.slow


class Term:
    """Object that supports weak references."""


def test_a_term_is_found_as_long_as_somebody_has_it() -> None:
    table: Interned[str, Term] = Interned()
    assert table.found("a") is None
    term = table.keep("a", Term())
    assert table.found("a") is term
    del term
    gc.collect()
    assert table.found("a") is None
    assert not table


def test_the_end_of_a_term_does_not_take_its_successor_along() -> None:
    table: Interned[str, Term] = Interned()
    first = table.keep("a", Term())
    second = table.keep("a", Term())
    del first
    gc.collect()
    assert table.found("a") is second
