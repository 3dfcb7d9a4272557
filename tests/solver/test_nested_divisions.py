"""Work for divisions that are nested in each other: in proportion to their number."""

from __future__ import annotations

import pytest

from shapesolve.solver.propagation.intervals import Intervals
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.symbolic.atoms import Atom
from shapesolve.symbolic.dims import Dim, variable
from shapesolve.symbolic.formulas import at_least


def nested(depth: int) -> Dim:
    size = variable("n")
    for number in range(depth):
        size = (size + variable(f"m{number % 3}")) // (number % 5 + 2) + variable("k") % (number % 7 + 2)
    return size


@pytest.mark.parametrize("depth", [6, 12, 24])
def test_a_bound_is_computed_once_while_nothing_is_learned(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, Atom]] = []
    atom_least = Intervals._atom_least

    def counting(self: Intervals, atom: Atom) -> object:
        asked.append((self._trail.version, atom))
        return atom_least(self, atom)

    monkeypatch.setattr(Intervals, "_atom_least", counting)
    propagator = Propagator()
    propagator.assume(at_least(nested(depth), 3), 0)
    assert len(asked) <= 8 * depth
