"""Element-wise operations of the stablehlo dialect on floats that are computed from sizes.

The parameter ``otherwise`` is the semantics if the elements are not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.join import join_floats
from shapesolve.domain.values import Element, Float
from shapesolve.ir.program import Operation, ScalarType
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.op_semantics import OpSemantics

from ..transfer.elementwise import element_rows
from ..transfer.float_elements import (
    OPERATIONS,
    Compute,
    FloatComputation,
    comparison,
    elementwise_floats,
    elementwise_floats_of_rows,
    from_integer,
    to_integer,
)
from ..transfer.integers import as_truth
from .attributes import keyword

_NAMES = {
    "stablehlo.abs": "abs",
    "stablehlo.add": "add",
    "stablehlo.ceil": "ceil",
    "stablehlo.divide": "div",
    "stablehlo.floor": "floor",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
    "stablehlo.multiply": "mul",
    "stablehlo.negate": "neg",
    "stablehlo.round_nearest_afz": "round",
    "stablehlo.round_nearest_even": "roundeven",
    "stablehlo.subtract": "sub",
}


def is_unsigned(type: ScalarType) -> bool:
    """Return whether StableHLO reads the type as unsigned: ``ui8`` and the like, and i1."""
    return type.text.startswith("u") or type.is_boolean


def float_semantics(op: Operation, ctx: RuleContext, otherwise: OpSemantics) -> OpSemantics:
    """Return the semantics of an operation from floats to floats."""
    return elementwise_floats(op, ctx, otherwise, OPERATIONS.get(_NAMES.get(op.name, "")))


def conversion(source: ScalarType | None, target: ScalarType | None) -> Compute | None:
    """Return the function that converts an element from, to or between floats, or None if unmodeled.

    Args:
        source: The integer type of the operand; None if it holds floats.
        target: The integer type of the result; None if it holds floats.
    """
    if source is not None:
        return from_integer(without_sign=is_unsigned(source))
    if target is None:
        return OPERATIONS["cast"]
    return None if target.is_boolean else to_integer(without_sign=is_unsigned(target))


def float_comparison(op: Operation, ctx: RuleContext, otherwise: OpSemantics, direction: str | None) -> OpSemantics:
    """Return the semantics of a comparison of floats.

    A total order, which distinguishes zeros and orders NaNs, is unmodeled.
    """
    is_total = keyword(op, "compare_type") == "TOTALORDER"
    return elementwise_floats(op, ctx, otherwise, None if direction is None or is_total else comparison(direction))


def select_floats(
    op: Operation, ctx: RuleContext, otherwise: OpSemantics, columns: Sequence[tuple[Element, ...] | None]
) -> OpSemantics:
    """Return the semantics of a select between floats by the elements of a predicate."""

    def compute(work: FloatComputation, row: tuple[Element, ...]) -> Element | None:
        condition, a, b = row
        return join_floats(as_truth(condition), a, b) if isinstance(a, Float) and isinstance(b, Float) else None

    rows = element_rows(columns)
    return otherwise if rows is None else elementwise_floats_of_rows(op, ctx, otherwise, compute, rows)


def clamp_floats(
    op: Operation, ctx: RuleContext, otherwise: OpSemantics, columns: Sequence[tuple[Element, ...] | None]
) -> OpSemantics:
    """Return the semantics of a clamp of floats."""
    rows = element_rows(columns)
    return otherwise if rows is None else elementwise_floats_of_rows(op, ctx, otherwise, OPERATIONS["clamp"], rows)
