"""Test of counterexamples derived from others by evaluation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from shapesolve.solver.local_search import LARGE, lowered, mixed
from shapesolve.solver.models import Model
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import NOTHING
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dims, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, negation

H, W = dims("H W")
ROW, COLUMN = variable("row", None), variable("column", None)


def _atom(size: Dim) -> Variable:
    (found,) = size.variables
    return found


def _model(high: int, wide: int, row: int, column: int) -> Model:
    return Model({_atom(H): high, _atom(W): wide, _atom(ROW): row, _atom(COLUMN): column})


def _within(place: Dim, most: Dim) -> Formula:
    return conjunction((at_least(place, 0), less_than(place, most)))


def _rounding(*facts: Formula, limit: int) -> tuple[Propagator, list[Formula]]:
    """Return facts of two places, each of which is within its extent unless that is beyond a limit."""
    known = [disjunction((less_than(limit, size), _within(place, size))) for size, place in ((H, ROW), (W, COLUMN))]
    known += [disjunction((equal(size, 0), less_than(place, 2 * size))) for size, place in ((H, ROW), (W, COLUMN))]
    propagator = Propagator()
    for each in (*known, *facts):
        propagator.assume(each, NOTHING)
    return propagator, [*known, *facts]


def test_a_mixture_takes_only_what_the_claim_needs() -> None:
    propagator, facts = _rounding(limit=2**20)
    claim = _within(ROW, H)
    large = 2**25
    (mixture,) = mixed(propagator, [_model(1, 2, 0, 1)], _model(large, large, large + 3, large + 5), claim.variables)
    assert dict(mixture) == dict(_model(large, 2, large + 3, 1))
    assert not holds(claim, mixture) and all(holds(each, mixture) for each in facts)


def test_a_mixture_takes_what_a_fact_connects_as_well() -> None:
    propagator, facts = _rounding(at_least(W, H), limit=2**20)
    claim = _within(ROW, H)
    sizes = _model(2**25, 2**26, 2**25 + 3, 7)
    (mixture,) = mixed(propagator, [_model(1, 2, 0, 1)], sizes, claim.variables)
    assert mixture[_atom(W)] == 2**26
    assert not holds(claim, mixture) and all(holds(each, mixture) for each in facts)


@given(st.integers(LARGE, 2**31), st.integers(0, 2**31))
@examples(30)
def test_large_numbers_are_lowered_to_the_least_that_fails(limit: int, more: int) -> None:
    propagator, facts = _rounding(limit=limit)
    claim = _within(ROW, H)
    high = limit + 1 + more
    sizes = _model(high, 2, high + 3, 1)
    found = lowered(propagator, negation(claim), sizes, [_atom(H), _atom(W)])
    assert found[_atom(H)] == limit + 1 and found[_atom(W)] == 2
    assert not holds(claim, found) and all(holds(each, found) for each in facts)
    assert sizes[_atom(H)] == high, "the sizes that were given stay as they are"


def test_numbers_that_a_fact_holds_up_stay() -> None:
    propagator, _ = _rounding(at_least(H, 2**24), limit=2**20)
    found = lowered(propagator, negation(_within(ROW, H)), _model(2**25, 2, 2**25 + 3, 1), [_atom(H)])
    assert found[_atom(H)] == 2**24
