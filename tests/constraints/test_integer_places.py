"""Test of claims on indices of which only bounds are known."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from shapesolve.domain.values import IntegerInterval, Tensor
from shapesolve.ir.reader import read_text
from shapesolve.semantics.op_semantics import Claim
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, less_than
from shapesolve.symbolic.shape_kinds import RankedShape

places = import_module("shapesolve.constraints.transfer.extent_tensors").check_indices

N, COUNT = variable("n"), variable("count", 1)
ELEMENT = variable("element", None, None)


def _fresh(*_: object) -> Dim:
    return ELEMENT


def _why_unknown(*_: object) -> str:
    return "nobody knows"


SEE: Any = SimpleNamespace(fresh=_fresh, reason_unknown=_why_unknown)
PROGRAM = read_text("func.func @f(%x: tensor<?xi64>) { return }")
(PLACES,) = PROGRAM.functions["f"].arguments


def asked(between: IntegerInterval, *, between_them_too: bool = True) -> Any:
    """Return the claim on elements that must be at least 0 and less than n."""

    def inside(place: Dim) -> Formula:
        return conjunction((at_least(place, 0), less_than(place, N)))

    def demand(formula: Formula, _: object) -> Claim:
        return Claim("C1", formula, "a place")

    held = Tensor(RankedShape.of([COUNT]), between=between)
    return places(SEE, PLACES, held, inside, demand, between_them_too=between_them_too)


def test_both_ends_speak_for_all_where_they_are_elements() -> None:
    found = asked(IntegerInterval(dim(0), N, step=1))
    assert ELEMENT.variables.isdisjoint(found.claim.formula.variables) and not found.free


@pytest.mark.parametrize(
    ("between", "too"),
    [
        (IntegerInterval(dim(0), N), True),
        (IntegerInterval(dim(0), N, at_least(N, 3), step=1), True),
        (IntegerInterval(dim(0), N, step=1), False),
    ],
    ids=["which there are is not known", "only for some sizes", "what is demanded has gaps"],
)
def test_otherwise_an_unknown_element_stands_there(between: IntegerInterval, too: bool) -> None:
    found = asked(between, between_them_too=too)
    assert ELEMENT.variables <= found.claim.formula.variables
    assert found.free == ELEMENT.variables and found.reasons
    ((known, _),) = found.known
    assert known is between.contains(ELEMENT)
