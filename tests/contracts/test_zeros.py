"""Conditions that a sum or a remainder is 0 become conditions on their parts, compared with Python's arithmetic."""

from __future__ import annotations

import random
from itertools import product

import pytest

from shapesolve.simplification.simplify import shortest
from shapesolve.simplification.zeros import zero_of_parts
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import equal
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "wanted", "where_positive"),
    [
        (
            "(H % 4)*(W % 4) == (H % 4)*W + H*(W % 4)",
            {"H == 0 or (H % 4 == 0 and W % 4 == 0) or W == 0"},
            {"H % 4 == 0", "W % 4 == 0"},
        ),
        ("(8*b*t) % (-16*b) == 0", {"b == 0 or t % 2 == 0"}, {"t % 2 == 0"}),
        ("(a*b*c) % (b*d) == 0", {"b == 0 or (a*c) % d == 0"}, {"(a*c) % d == 0"}),
    ],
)
def test_long_conditions_are_said_of_their_parts(condition: str, wanted: set[str], where_positive: set[str]) -> None:
    scope = Scope.free()
    formula = parse_formula(condition, scope)
    positive = [parse_formula(f"{each} >= 1", scope) for each in sorted(map(str, formula.variables))]
    assert {*map(str, shortest([formula], [], scope))} == wanted
    assert {*map(str, shortest([formula], positive, scope))} == where_positive


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 12))])
def test_parts_are_zero_exactly_where_the_size_is(seed: int) -> None:
    rng = random.Random(seed)
    sizes = [variable(name, 0) for name in "ab"] + [variable("n", None)]
    atoms = [atom for each in sizes if isinstance(atom := each.atom, Variable)]
    points = list(product(range(8), range(8), range(-4, 5)))
    found = 0
    for _ in range(200):
        divisor = rng.randint(2, 4)
        factors = [form for each in sizes for form in (each, each % divisor, each // divisor)]
        terms = [
            rng.choice(factors) * rng.choice(factors) * rng.choice((1, 1, 2, -1)) for _ in range(rng.randint(1, 3))
        ]
        size: Dim = sum(terms[1:], terms[0])
        if rng.random() < 0.5:
            shared = rng.choice(sizes)
            size = (shared * size) % (shared * rng.choice([*sizes, *map(dim, (-4, 2, 6))]))
        parts = zero_of_parts(size)
        if parts is None:
            continue
        found += 1
        whole = equal(size, 0)
        for values in points:
            given = dict(zip(atoms, values, strict=True))
            assert holds(parts, given) == holds(whole, given), (str(whole), str(parts), values)
    assert found > 20
