"""Tests of derivation records: they keep steps that normal forms lose; without a record, nothing is kept."""

from __future__ import annotations

import pytest

from shapesolve.certificates.semantics import OPERATIONS
from shapesolve.certificates.smtlib_terms import Terms
from shapesolve.symbolic.derivations import Record, current, recording
from shapesolve.symbolic.dims import Dim, dim, dims, floordiv
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import conjunction, equal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum
from shapesolve.symbolic.shapes import broadcast, unranked

N, M = dims("N M")


def _lines(record: Record, term: object) -> list[str]:
    terms = Terms(record)
    assert isinstance(term, Dim)
    terms.built(term, record.step_of_next_use(term))
    return [line.partition(") Int ")[2].removesuffix(")") for line in terms.definitions]


def test_nothing_is_kept_otherwise() -> None:
    plain = Dim.__add__
    with recording() as record:
        assert current() is record
        assert Dim.__add__ is not plain
    assert current() is None
    assert Dim.__add__ is plain
    assert N + M - N is M
    assert not record.steps


def test_the_language_is_itself_again_after_an_error() -> None:
    plain = Dim.__add__
    with pytest.raises(ZeroDivisionError), recording():
        raise ZeroDivisionError
    assert Dim.__add__ is plain
    assert current() is None


def test_internal_queries_are_no_steps() -> None:
    with recording() as record:
        floordiv(N * 4 + 6, 2)
    assert [step.operation for step in record.steps] == ["mul", "add", "floordiv"]


def test_terms_that_cancel_to_a_variable_are_stated_as_built() -> None:
    with recording() as record:
        total = (N + M) - N
        assert total is M
        assert _lines(record, total) == ["(+ |N| |M|)", "(- t1 |N|)"]


def test_arguments_of_one_form_are_told_apart_by_their_order() -> None:
    with recording() as record:
        first, second = equal(N + 1, N + 1), equal(M, M)
        assert first is second is TRUE
        conjunction((first, second))
        (step,) = [each for each in record.steps if each.operation == "conjunction"]
    assert [record.steps[each].operation for each in step.built_by if isinstance(each, int)] == ["equal", "equal"]
    assert step.built_by[0] != step.built_by[1]


def test_a_value_is_what_it_was_when_it_was_kept() -> None:
    with recording() as record:
        record.begin()
        larger = maximum(N, N)
        record.keep("larger", [larger])
        record.begin()
        assert record.step_of_next_use(N) is None
        record.mark_as_read("larger")
        assert record.step_of_next_use(N) == 0


def test_every_operation_that_is_recorded_has_a_meaning() -> None:
    with recording() as record:
        s = unranked("s")
        broadcast(s, [N])
        broadcast_extent(N, 3, compatible=True)
        choose(condition=equal(N, M), a=N, b=M)
        assert -N + dim(3) - M * N is not N
    assert {step.operation for step in record.steps} <= OPERATIONS
    assert "vouched_broadcast_extent" in {step.operation for step in record.steps}
    (chosen,) = [step for step in record.steps if step.operation == "choose"]
    assert chosen.arguments[1] is N
    assert chosen.arguments[2] is M
