"""Evaluation of affine maps and integer sets over symbolic sizes, and coefficients of linear affine expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shapesolve.ir.program import AffineExpression, AffineMap, IntegerSet
from shapesolve.records import record
from shapesolve.semantics.context import UnknownValueError
from shapesolve.symbolic.dims import Dim, ceildiv, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal


def evaluate_map(map: AffineMap, dims: Sequence[Dim], symbols: Sequence[Dim] = ()) -> tuple[Dim, ...]:
    """Return the results of the map at these dimensions and symbols."""
    return tuple(evaluate_expression(result, dims, symbols) for result in map.results)


def apply_map(map: AffineMap, operands: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the results of the map at operands that list its dimensions first, then its symbols, as MLIR does."""
    return evaluate_map(map, operands[: map.dims], operands[map.dims :])


def computed_before(map: AffineMap, operands: Sequence[Dim]) -> list[Dim]:
    """Return what is computed on the way to the results of the map, without the results."""
    dims, symbols = operands[: map.dims], operands[map.dims :]
    parts = dict.fromkeys(part for result in map.results for part in _parts(result))
    return [evaluate_expression(part, dims, symbols) for part in parts]


def _parts(expression: AffineExpression) -> Iterator[AffineExpression]:
    """Yield the sums, products and quotients inside of an expression."""
    for part in (expression.left, expression.right):
        if part is not None and part.left is not None:
            yield from _parts(part)
            yield part


def evaluate_expression(expression: AffineExpression, dims: Sequence[Dim], symbols: Sequence[Dim] = ()) -> Dim:
    """Return the value of one affine expression. Divisors are positive: anything else is undefined in MLIR.

    Raises:
        ValueError: The expression is of an unknown kind or has only one side.
    """
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
    """Return the formula that every divisor in the map is positive: anything else is undefined in MLIR."""
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


@record
class Membership:
    """Membership of operands in an integer set.

    Attributes:
        holds: The condition under which the operands lie in the set.
        results: The values of the set's constraint expressions and of their parts, whose computation may overflow.
    """

    holds: Formula
    results: tuple[Dim, ...]


def membership(given: IntegerSet, operands: Sequence[Dim]) -> Membership:
    """Return the membership of operands (dimensions first, then symbols) in an integer set.

    Raises:
        UnknownValueError: The number of operands is not that of the set.
    """
    if len(operands) != given.computed.dims + given.computed.symbols:
        raise UnknownValueError("the integer set has other dimensions than its operands")
    results = apply_map(given.computed, operands)
    pairs = zip(results, given.equalities, strict=True)
    holds = conjunction(equal(size, 0) if exact else at_least(size, 0) for size, exact in pairs)
    return Membership(holds, (*computed_before(given.computed, operands), *results))


def linear_coefficients(expression: AffineExpression, count: int) -> tuple[tuple[int, ...], int] | None:
    """Return the coefficients of ``count`` dimensions and the constant, or None if the expression is not linear.

    A loop nest touches the extremes of a linear access at the corners of its iteration space, in closed form.
    """
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
