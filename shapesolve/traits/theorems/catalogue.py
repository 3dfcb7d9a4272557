"""All theorems, by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from shapesolve.errors import InputError
from shapesolve.traits.theorems import (
    comparison,
    erasure,
    inference,
    lattice,
    lowering,
    run_time,
    shape_dialect,
    verification,
)
from shapesolve.traits.theorems.statement import Theorem

CATALOGUE: Mapping[str, Theorem] = {
    theorem.name: theorem
    for module in (inference, verification, comparison, erasure, run_time, shape_dialect, lattice, lowering)
    for theorem in module.THEOREMS
}
"""The theorems in the order of their topics."""


def theorem_named(name: str) -> Theorem:
    """The theorem of a name. Raises InputError where there is none."""
    found = CATALOGUE.get(name)
    if found is None:
        near = get_close_matches(name, CATALOGUE, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise InputError(f"there is no theorem `{name}`{hint}", where="theorems")
    return found
