"""Products of many atoms, each at least its bound: some of their terms are known without multiplying out."""

from __future__ import annotations

import random

import pytest

from shapesolve.solver.propagation import bounds
from shapesolve.solver.propagation.bounds import Bound, is_never_negative_beyond
from shapesolve.symbolic.atoms import Atom, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom

VARIABLES = [Variable.of(f"v{number}", None, None) for number in range(6)]


def _random_size(dice: random.Random) -> Dim:
    size = dim(dice.randint(-5, 40))
    for _ in range(dice.randint(1, 4)):
        product = dim(dice.choice([-1, 1, 1, 1, 2, 5]))
        for variable in dice.choices(VARIABLES, k=dice.randint(1, 8)):
            product = product * of_atom(variable)
        size = size + product
    return size


def test_terms_that_are_subtracted_are_those_of_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(5)
    found = [0, 0]
    for _ in range(600):
        size = _random_size(dice)
        least: dict[Atom, Bound] = {each: (None, dice.choice([-1, 0, 0, 0, 1, 1, 2, 3])) for each in VARIABLES}
        answer = is_never_negative_beyond(size, least)
        with monkeypatch.context() as patched:
            patched.setattr(bounds, "FEW_FACTORS", 100)
            assert is_never_negative_beyond(size, least) is answer, f"{size} where {least}"
        found[answer] += 1
    assert min(found) > 100


def test_a_product_of_thirty_signed_numbers_is_not_multiplied_out() -> None:
    """It would have 2**30 terms, which is too large."""
    atoms = [Variable.of(f"n{number}", None, None) for number in range(30)]
    product = dim(1)
    for atom in atoms:
        product = product * of_atom(atom)
    signed: dict[Atom, Bound] = dict.fromkeys(atoms, (None, -(2**31)))
    assert not is_never_negative_beyond(product, signed)
    assert not is_never_negative_beyond(dim(7) - product, signed)
