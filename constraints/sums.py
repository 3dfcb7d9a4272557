"""What sums lie between of integers that are bounded."""

from __future__ import annotations

from shapesolve.language.dims import ZERO, Dim, dim
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import TRUE, Formula, conjunction
from shapesolve.reading.program import Operation
from shapesolve.records import record
from shapesolve.walking.values import Between

from .integers import NO_WRAP, fitting_ends


@record
class Sums:
    """``between``: what they lie between. ``presumes``: where this is right; ``leans_on``: what that says in words."""

    between: Between
    presumes: Formula = TRUE
    leans_on: tuple[str, ...] = ()


def partial_sums(of: Between, count: Dim, width: int, first: Between | None = None) -> Sums | None:
    """The sums of the first numbers, of the first two, and so on up to all of so many, in signed integers of a width.

    With a ``first`` number, sums begin with that one alone, and never have the last of the others. None of floats.
    """
    if of.denominator != 1 or (first is not None and first.denominator != 1):
        return None
    # With n numbers the sum of k of them, k from 1 to n, is furthest from 0 at one of these two ends.
    if first is None:
        low, high = minimum(of.low, of.low * count), maximum(of.high, of.high * count)
        return _fitting(low, high, of.where, width)
    low, high = minimum(ZERO, of.low * (count - 1)), maximum(ZERO, of.high * (count - 1))
    return _fitting(first.low + low, first.high + high, conjunction((of.where, first.where)), width)


def whole_sums(of: Between, count: Dim, width: int) -> Sums | None:
    """The sums of so many numbers, or of none, in signed integers of a width. None of floats."""
    if of.denominator != 1:
        return None
    return _fitting(of.low * count, of.high * count, of.where, width)


def truths_as_numbers(of: Between | None) -> Between:
    """What truth values lie between, each 0 or 1."""
    return Between(dim(0), dim(1)) if of is None or of.where is not TRUE else of.loosely


def is_sum(op: Operation) -> bool:
    """Whether a body adds its two arguments."""
    return joins(op) in ("arith.addi", "stablehlo.add")


def joins(op: Operation) -> str | None:
    """The operation that a body applies to its two arguments, if that is all it does."""
    (block,) = op.regions[0].blocks
    if len(block.operations) != 2 or len(block.arguments) != 2:
        return None
    join, end = block.operations
    both = set(join.operands) == set(block.arguments) and len(join.operands) == 2
    return join.name if both and end.operands == join.results else None


def _fitting(low: Dim, high: Dim, where: Formula, width: int) -> Sums:
    sure, presumes = fitting_ends((low, high), width)
    return Sums(Between(low, high, conjunction((where, sure))), presumes, () if presumes is TRUE else (NO_WRAP,))
