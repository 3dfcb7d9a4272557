"""One case for each part that a minimum or maximum may be."""

from __future__ import annotations

from shapesolve.language.atoms import Maximum, Minimum
from shapesolve.language.dims import Dim
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import Formula, at_least, conjunction
from shapesolve.language.substitution import With

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
