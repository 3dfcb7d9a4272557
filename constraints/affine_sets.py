"""Whether operands lie in an integer set, as `affine.if` asks."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, at_least, conjunction, equal
from shapesolve.reading.program import IntegerSet
from shapesolve.records import record
from shapesolve.walking.rule_context import CannotSee

from .affine_maps import applied


@record
class Membership:
    """Whether operands lie in a set: the condition, and the numbers that are computed to find out."""

    holds: Formula
    results: tuple[Dim, ...]


def membership(given: IntegerSet, operands: Sequence[Dim]) -> Membership:
    """Whether operands (dimensions first, then symbols) lie in a set."""
    if len(operands) != given.computed.dims + given.computed.symbols:
        raise CannotSee("the integer set has other dimensions than its operands")
    results = applied(given.computed, operands)
    pairs = zip(results, given.equalities, strict=True)
    return Membership(conjunction(equal(size, 0) if exact else at_least(size, 0) for size, exact in pairs), results)
