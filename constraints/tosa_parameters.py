"""TOSA's operands that take no part in the shape of a result: zero points, shifts, multipliers, tables, conditions."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import DimLike
from shapesolve.language.formulas import TRUE
from shapesolve.language.shapes import RankedShape, same_extents
from shapesolve.reading.program import Value
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim

from .extent_tensors import shown_dims


def as_many(clause: str, see: RuleContext, operands: Sequence[Value], count: DimLike) -> tuple[Claim, ...]:
    """The claim that each of the operands is a list of ``count`` numbers; none of one whose type says so."""
    claims: list[Claim] = []
    for operand in operands:
        given = see.shape(operand)
        formula = same_extents(given, RankedShape.of((count,)))
        if formula is not TRUE:
            message = f"{operand.name} is not a list of length {count}"
            claims.append(Claim(clause, formula, message, shown=tuple(shown_dims(operand, given))))
    return tuple(claims)
