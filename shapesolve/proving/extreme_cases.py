"""One case for each part that a minimum or maximum may be."""

from __future__ import annotations

from shapesolve.language.atoms import Atom, Maximum, Minimum
from shapesolve.language.dims import Dim
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import Formula, at_least, conjunction
from shapesolve.language.substitution import Instantiation

MOST_PARTS = 3


def extreme_cases(claim: Formula) -> list[tuple[Formula, Formula]]:
    """Conditions, of which one holds always, each with what the claim is there; nothing where there is no extreme."""
    for atom in atoms_within(claim):
        if isinstance(atom, Minimum | Maximum) and len(atom.parts) <= MOST_PARTS:
            return [(where, With(atom, part).formula(claim)) for where, part in values_of(atom)]
    return []


def values_of(atom: Minimum | Maximum) -> list[tuple[Formula, Dim]]:
    """Each part of an extreme, with the condition under which it is that."""
    return [(_is_extreme(atom, part), part) for part in atom.parts]


def _is_extreme(atom: Minimum | Maximum, part: Dim) -> Formula:
    others = (other for other in atom.parts if other is not part)
    if isinstance(atom, Minimum):
        return conjunction(at_least(other, part) for other in others)
    return conjunction(at_least(part, other) for other in others)


class With(Instantiation):
    """Puts a value into the place of an atom."""

    def __init__(self, atom: Atom, value: Dim) -> None:
        super().__init__({})
        self._atom = atom
        self._value = value

    def read_atom(self, atom: Atom) -> Dim:
        return self._value if atom is self._atom else super().read_atom(atom)
