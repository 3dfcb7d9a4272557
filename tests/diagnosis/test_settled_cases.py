"""Sizes that are chosen by cases, where what is known tells which case it is."""

from __future__ import annotations

from itertools import product

import pytest

from shapesolve.simplification.context import without_settled_cases
from shapesolve.simplification.simplify import conjunction_text, shortest
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

SUBSAMPLED = (
    "((T + 29)//32 != 0 and B*select((T + 1)//4 == 0, select(((T + 1)//4)*B + 1 == B, (B*select((T + 1)//4 == 0, "
    "((T + 1)//4 - 1)//select((T + 1)//4 == 0, 1, (T + 1)//4 - 1), (T + 1)//4 - 1))//select(((T + 1)//4)*B + 1 == B, "
    "1, ((T + 1)//4)*B - B), ((T + 1)//4)*B - B)//(B*select((T + 1)//4 == 0, 1, (T + 1)//4 - 1)), (T + 1)//4 - 1) == "
    "8*B*select((T + 29)//32 == 0, 1, (T + 29)//32 - 1)) or ((T + 29)//32 == 0 and B*select((T + 29)//32 == 0, 1, "
    "(T + 29)//32 - 1) >= 1 and select((T + 1)//4 == 0, 0, (T + 1)//4 - 1) % (8*select((T + 29)//32 == 0, 1, "
    "(T + 29)//32 - 1)) == 0)"
)
"""Condition of a view to chunks of eight frames behind two convolutions with stride 2: longer than is shortened."""


def test_a_long_condition_is_short_where_declared_sizes_settle_its_cases() -> None:
    scope = Scope.free()
    condition = parse_formula(SUBSAMPLED, scope)
    known = [parse_formula(each, scope) for each in ("B >= 1", "T >= 16")]
    found = shortest([condition], known, scope)
    assert "select" not in conjunction_text(found, scope) and len(conjunction_text(found, scope)) < 50
    for b, t in product(range(1, 4), range(16, 120)):
        sizes = {each: {"B": b, "T": t}[each.text] for each in condition.variables}
        assert all(holds(each, sizes) for each in found) == holds(condition, sizes), (b, t)


@pytest.mark.parametrize(
    ("text", "known", "settled"),
    [
        ("select(n == 0, 1, n) == m", "n >= 1", "n == m"),
        ("select(n <= 3, m, 2*m) == 8", "n <= 2", "m == 8"),
        ("select(n <= 3, m, 2*m) == 8", "n >= 2", "select(n <= 3, m, 2*m) == 8"),
        ("select(select(n == 0, 5, n) >= 1, m, k) == 2 or n == 0", "n >= 1", "m == 2"),
        ("select(n == 0, 1, n) == m", "m >= 1", "select(n == 0, 1, n) == m"),
    ],
)
def test_only_what_is_known_settles_a_case(text: str, known: str, settled: str) -> None:
    scope = Scope.free()
    condition, expected = parse_formula(text, scope), parse_formula(settled, scope)
    (found,) = without_settled_cases([condition], [parse_formula(known, scope)])
    assert found is expected
