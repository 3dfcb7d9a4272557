"""How much there is to read."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.formulas import Formula, Or

_OF_A_CONDITION = 6
_OF_AN_ALTERNATIVE = 6


def cost(conditions: Sequence[Formula]) -> int:
    """Characters, where every condition and every alternative of one counts a few more."""
    return sum(len(str(each)) + _OF_A_CONDITION + _alternatives(each) for each in conditions)


def _alternatives(condition: Formula) -> int:
    return _OF_AN_ALTERNATIVE * len(condition.parts) if isinstance(condition, Or) else 0
