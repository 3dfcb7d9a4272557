"""Test that conditions rewritten part by part are equivalent wherever the premises hold."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.simplification.readable import readable_claim
from shapesolve.simplification.simplify import shortest
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

CASES = [
    (["T == max(0, min(26, P + T) - P)"], ["T >= 1", "P <= 20", "T <= 26"], ["P + T <= 26"]),
    (["(B*T) % (8*B) == 0"], ["B >= 1"], ["T % 8 == 0"]),
    (["4*(H//2)*(W//2) == H*W"], ["H >= 1", "W >= 1"], ["H % 2 == 0", "W % 2 == 0"]),
    (["64*B*(H//8)*(W//8) == B*H*W"], ["H >= 1", "W >= 1"], ["B == 0 or (H % 8 == 0 and W % 8 == 0)"]),
    (["min(T, 12) == T"], ["T >= 1"], ["T <= 12"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("needed", "known", "expected"), CASES)
def test_conditions_on_parts_are_short(needed: list[str], known: list[str], expected: list[str]) -> None:
    scope = Scope.free()
    conditions, premises = ([parse_formula(each, scope) for each in texts] for texts in (needed, known))
    found = shortest(conditions, premises, scope)
    assert [readable_claim(each) for each in found] == expected
    variables = sorted({each for one in (*conditions, *premises) for each in one.variables}, key=lambda each: each.text)
    for values in product((0, 1, 2, 3, 6, 7, 8, 9, 16, 24, 25, 26, 27), repeat=len(variables)):
        sizes = dict(zip(variables, values, strict=True))
        if all(holds(each, sizes) for each in premises):
            assert all(holds(each, sizes) for each in found) == all(holds(each, sizes) for each in conditions), sizes


def test_a_guess_that_is_not_equivalent_is_not_taken() -> None:
    scope = Scope.free()
    (found,) = shortest([parse_formula("4*(H//2)*(W//2) == H*W", scope)], [], scope)
    assert holds(found, dict.fromkeys(found.variables, 0))
    (other,) = shortest([parse_formula("(B*T) % (8*B) == 0", scope)], [], scope)
    sizes = {each: {"B": 0, "T": 3}.get(each.text, 1) for each in other.variables}
    assert holds(other, sizes)
