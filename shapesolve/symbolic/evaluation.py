"""Evaluation: the values of sizes, shapes and formulas under an assignment of plain integers.

This is the oracle: everything that proves, simplifies or searches is tested against it. It is written for obviousness,
not for speed, and shares no traversal of the terms with the code that it tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any, cast

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Column,
    Largest,
    Maximum,
    Minimum,
    Product,
    Quotient,
    Rank,
    Remainder,
    Smallest,
    Total,
    Variable,
)
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import (
    TRUE,
    And,
    AnyFormula,
    Compatible,
    CompatibleShapes,
    Constant,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    SameShape,
)
from shapesolve.symbolic.shape_kinds import (
    AnyShape,
    BroadcastShape,
    ConcatShape,
    InvalidShape,
    RankedShape,
    Shape,
    SliceShape,
    UnrankedShape,
)
from shapesolve.symbolic.visitors import unhandled

AnyFold = Product | Total | Largest | Smallest
"""Every kind of fold over a shape."""

AnyAtom = Variable | Quotient | Remainder | Minimum | Maximum | BroadcastExtent | Choice | Rank | Column | AnyFold
"""Every kind of atom: what has a meaning here, and what a solver is told of."""

Assignment = Mapping[Variable, "int | tuple[int, ...]"]
"""A number for every size variable, and a tuple of extents for the symbol of every shape of unknown rank."""


class CachedAssignment(dict[Variable, "int | tuple[int, ...]"]):
    """Assignment with a cache of atom values, for many formulas with the same deep atoms. It never changes."""

    def __init__(self, sizes: Assignment) -> None:
        super().__init__(sizes)
        self.atoms: dict[Atom, int] = {}


def broadcast_sizes(sizes: Sequence[int]) -> int:
    """Return the least size that is not 1, or 1: for compatible sizes, numpy's result."""
    return min((size for size in sizes if size != 1), default=1)


@lru_cache(maxsize=1 << 14)
def broadcast_tuples(shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], bool]:
    """Return the broadcast of concrete shapes, column by column, and whether every column is compatible."""
    rank = max(map(len, shapes), default=0)
    columns = list(zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True))
    fits = all(len({size for size in column if size != 1}) <= 1 for column in columns)
    return tuple(map(broadcast_sizes, columns)), fits


def evaluate(size: Dim, sizes: Assignment) -> int:
    """Return the value of an expression.

    Raises:
        KeyError: A variable has no value.
    """
    total = size.constant
    for monomial, coefficient in size.terms:
        product = coefficient
        for atom, power in monomial.factors:
            known: Any = sizes[atom] if type(atom) is Variable else evaluate_atom(atom, sizes)
            product *= known if power == 1 else known**power
        total += product
    return total


def evaluate_atom(atom: Atom, sizes: Assignment) -> int:
    """Return the value of an atom."""
    if not isinstance(sizes, CachedAssignment):
        return _evaluate_atom(atom, sizes)
    known = sizes.atoms.get(atom)
    if known is None:
        known = sizes.atoms[atom] = _evaluate_atom(atom, sizes)
    return known


def _evaluate_atom(atom: Atom, sizes: Assignment) -> int:
    kind = cast("AnyAtom", atom)
    match kind:
        case Variable():
            return cast("int", sizes[kind])
        case Quotient(parts=(a, b)):
            divisor = evaluate(b, sizes)
            return evaluate(a, sizes) // divisor if divisor else 0
        case Remainder(parts=(a, b)):
            divisor = evaluate(b, sizes)
            return evaluate(a, sizes) % divisor if divisor else evaluate(a, sizes)
        case BroadcastExtent(parts=parts):
            return broadcast_sizes([evaluate(part, sizes) for part in parts])
        case Maximum(parts=parts):
            return max(evaluate(part, sizes) for part in parts)
        case Minimum(parts=parts):
            return min(evaluate(part, sizes) for part in parts)
        case Choice(parts=(condition, a, b)):
            return evaluate(a if holds(condition, sizes) else b, sizes)
        case Rank(parts=(shape,)):
            return len(evaluate_extents(shape, sizes))
        case Column(parts=(shape, column)):
            extents = evaluate_extents(shape, sizes)
            index = evaluate(column, sizes)
            return extents[-1 - index] if 0 <= index < len(extents) else 1
        case Product() | Total() | Largest() | Smallest():
            return _evaluate_fold(kind, evaluate_extents(kind.parts[0], sizes))
        case _:
            raise unhandled(kind, "evaluation")


def _evaluate_fold(fold: AnyFold, extents: tuple[int, ...]) -> int:
    match fold:
        case Product():
            return prod(extents)
        case Total():
            return sum(extents)
        case Largest():
            return max((0, *extents))
        case Smallest():
            return min((MAX_SIZE, *extents))


def evaluate_shape(shape: Shape, sizes: Assignment) -> tuple[int, ...] | None:
    """Return the extents of a shape, or None if it is invalid."""
    return evaluate_extents(shape, sizes) if holds(shape.valid, sizes) else None


def evaluate_extents(shape: Shape, sizes: Assignment) -> tuple[int, ...]:
    """Return the extents of a shape, assuming that it is valid; column by column where parts do not broadcast."""
    kind = cast("AnyShape", shape)
    match kind:
        case RankedShape(dims=dims):
            return tuple(evaluate(extent, sizes) for extent in dims)
        case UnrankedShape(symbol=symbol):
            return cast("tuple[int, ...]", sizes[symbol])
        case BroadcastShape(parts=parts):
            return broadcast_tuples(tuple(evaluate_extents(part, sizes) for part in parts))[0]
        case ConcatShape(parts=parts):
            return tuple(extent for part in parts for extent in evaluate_extents(part, sizes))
        case SliceShape(whole=whole, start=start, stop=stop):
            return evaluate_extents(whole, sizes)[max(evaluate(start, sizes), 0) : max(evaluate(stop, sizes), 0)]
        case InvalidShape():
            return ()
        case _:
            raise unhandled(kind, "evaluation")


def holds_if_determined(formula: Formula, sizes: Assignment) -> bool | None:
    """Return whether a formula is true under an assignment; None if it has variables without a value."""
    return holds(formula, sizes) if formula.variables <= frozenset[Variable](sizes) else None


def holds(formula: Formula, sizes: Assignment) -> bool:
    """Return whether a formula is true under an assignment."""
    kind: AnyFormula = formula  # type: ignore[assignment]
    match kind:
        case IsNonNegative(parts=(size,)):
            return evaluate(size, sizes) >= 0
        case IsZero(parts=(size,)):
            return evaluate(size, sizes) == 0
        case And(parts=parts):
            return all(holds(part, sizes) for part in parts)
        case Or(parts=parts):
            return any(holds(part, sizes) for part in parts)
        case Not(parts=(part,)):
            return not holds(part, sizes)
        case Compatible(parts=parts):
            return len({evaluate(part, sizes) for part in parts} - {1}) <= 1
        case SameShape(parts=(a, b)):
            return evaluate_extents(a, sizes) == evaluate_extents(b, sizes)
        case CompatibleShapes(parts=parts):
            return broadcast_tuples(tuple(evaluate_extents(part, sizes) for part in parts))[1]
        case Constant():
            return kind is TRUE
        case _:
            raise unhandled(kind, "evaluation")


Sizes = Mapping[Variable, int | tuple[int, ...]]
