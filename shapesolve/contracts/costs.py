"""How much there is to read."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.atoms import Atom, Choice, Quotient, Remainder
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import Formula, Or

_OF_A_CONDITION = 6
_OF_AN_ALTERNATIVE = 6
_OF_A_CHOICE = 24
_OF_A_DIVIDED_SUM = 16


def cost(conditions: Sequence[Formula]) -> int:
    """Characters, where every condition and every alternative of one counts a few more; what is hard to read, many."""
    return sum(len(str(each)) + _OF_A_CONDITION + _alternatives(each) + _difficulty(each) for each in conditions)


def _alternatives(condition: Formula) -> int:
    return _OF_AN_ALTERNATIVE * len(condition.parts) if isinstance(condition, Or) else 0


def _difficulty(condition: Formula) -> int:
    return sum(map(_of_atom, dict.fromkeys(atoms_within(condition))))


def _of_atom(atom: Atom) -> int:
    if isinstance(atom, Choice):
        return _OF_A_CHOICE
    return _OF_A_DIVIDED_SUM if isinstance(atom, Quotient | Remainder) and len(atom.parts[0].terms) > 1 else 0
