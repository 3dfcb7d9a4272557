"""Linear affine expressions: what one access of a loop nest touches, in closed form."""

from __future__ import annotations

from shapesolve.reading.program import AffineExpression


def linear_coefficients(expression: AffineExpression, count: int) -> tuple[tuple[int, ...], int] | None:
    """The coefficient of each of ``count`` dimensions, and the constant; None where the expression is not linear."""
    match expression:
        case AffineExpression(kind="dim", value=position):
            return tuple(int(number == position) for number in range(count)), 0
        case AffineExpression(kind="constant", value=value):
            return (0,) * count, value
        case AffineExpression(kind="add", left=AffineExpression() as left, right=AffineExpression() as right):
            return _sum(linear_coefficients(left, count), linear_coefficients(right, count))
        case AffineExpression(kind="mul", left=AffineExpression() as left, right=AffineExpression() as right):
            return _product(linear_coefficients(left, count), linear_coefficients(right, count))
        case _:
            return None


_Linear = tuple[tuple[int, ...], int]


def _sum(a: _Linear | None, b: _Linear | None) -> _Linear | None:
    if a is None or b is None:
        return None
    return tuple(x + y for x, y in zip(a[0], b[0], strict=True)), a[1] + b[1]


def _product(a: _Linear | None, b: _Linear | None) -> _Linear | None:
    if a is None or b is None:
        return None
    if any(a[0]):
        a, b = b, a
    if any(a[0]):
        return None
    return tuple(a[1] * coefficient for coefficient in b[0]), a[1] * b[1]
