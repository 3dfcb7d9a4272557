"""Affine maps over sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.language.dims import Dim, ceildiv, dim
from shapesolve.language.formulas import Formula, at_least, conjunction
from shapesolve.reading.program import AffineExpression, AffineMap


def evaluate_map(map: AffineMap, dims: Sequence[Dim], symbols: Sequence[Dim] = ()) -> tuple[Dim, ...]:
    """What the map gives for these dimensions and symbols."""
    return tuple(evaluate_expression(result, dims, symbols) for result in map.results)


def applied(map: AffineMap, operands: Sequence[Dim]) -> tuple[Dim, ...]:
    """What the map gives for operands that list its dimensions first, then its symbols."""
    return evaluate_map(map, operands[: map.dims], operands[map.dims :])


def evaluate_expression(expression: AffineExpression, dims: Sequence[Dim], symbols: Sequence[Dim] = ()) -> Dim:
    """What one expression gives. Divisors are positive: anything else is undefined in MLIR."""
    match expression:
        case AffineExpression(kind="dim", value=position):
            return dims[position]
        case AffineExpression(kind="symbol", value=position):
            return symbols[position]
        case AffineExpression(kind="constant", value=value):
            return dim(value)
        case AffineExpression(left=AffineExpression() as left, right=AffineExpression() as right):
            return _combined(
                expression.kind, evaluate_expression(left, dims, symbols), evaluate_expression(right, dims, symbols)
            )
        case _:
            raise ValueError(f"an affine expression of kind {expression.kind} needs two sides")


def _combined(kind: str, left: Dim, right: Dim) -> Dim:
    match kind:
        case "add":
            return left + right
        case "mul":
            return left * right
        case "mod":
            return left % right
        case "floordiv":
            return left // right
        case "ceildiv":
            return ceildiv(left, right)
        case _:
            raise ValueError(f"no affine expression is of kind {kind}")


def divisors_positive(map: AffineMap, operands: Sequence[Dim]) -> Formula:
    """Every divisor in the map is positive: anything else is undefined in MLIR."""
    dims, symbols = operands[: map.dims], operands[map.dims :]
    divisors = (divisor for result in map.results for divisor in _divisors(result))
    return conjunction(at_least(evaluate_expression(divisor, dims, symbols), 1) for divisor in divisors)


def _divisors(expression: AffineExpression) -> Iterator[AffineExpression]:
    if expression.left is None or expression.right is None:
        return
    if expression.kind in ("mod", "floordiv", "ceildiv"):
        yield expression.right
    yield from _divisors(expression.left)
    yield from _divisors(expression.right)
