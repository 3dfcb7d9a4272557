"""Counterexamples of sizes at which integers of 32 bits may wrap around."""

from __future__ import annotations

from math import prod

from shapesolve.domain.values import Tensor
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason, Verdict
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.trace.concretization import extents_at
from shapesolve.trace.events import Trace

ENORMOUS = 2**30
"""Sizes, and numbers of elements of an argument, from which on a finding comes last."""


class EnormousSizes:
    """The arguments of a function, asked whether they are enormous at some sizes.

    Hundreds of findings may be asked about hundreds of arguments: those whose extents are sizes and numbers are looked
    at one by one only where the largest size would make one of them enormous.
    """

    def __init__(self, trace: Trace) -> None:
        tensors = [each.shape for each in trace.inputs if isinstance(each, Tensor)]
        plain = {each: _plain(each) for each in tensors}
        self._plain = [each for each in tensors if plain[each] is not None]
        self._others = [each for each in tensors if plain[each] is None]
        self._products = {each for each in plain.values() if each is not None}

    def are_taken_by(self, verdict: Verdict) -> bool:
        """Return whether what may fail takes sizes that 32 bits hardly hold."""
        if isinstance(verdict, Undecided):
            return verdict.reason_kind in (UndecidedReason.MEMORY, UndecidedReason.ENORMOUS)
        if not isinstance(verdict, Refuted):
            return False
        sizes = [each for size in verdict.sizes.values() for each in (size if isinstance(size, tuple) else (size,))]
        largest = max((1, *sizes))
        if largest >= ENORMOUS or self._is_any_enormous(self._others, verdict.sizes):
            return True
        may_be = any(numbers * largest**unknown >= ENORMOUS for numbers, unknown in self._products)
        return may_be and self._is_any_enormous(self._plain, verdict.sizes)

    @staticmethod
    def _is_any_enormous(shapes: list[Shape], sizes: Sizes) -> bool:
        return any(prod(extents_at(shape, sizes) or (0,)) >= ENORMOUS for shape in shapes)


def _plain(shape: Shape) -> tuple[int, int] | None:
    """Return the product of the extents that are numbers and the number of those that are variables, if all are."""
    if not isinstance(shape, RankedShape):
        return None
    if not all(each.is_constant or isinstance(each.atom, Variable) for each in shape.dims):
        return None
    return prod(each.value for each in shape.dims if each.is_constant), sum(not each.is_constant for each in shape.dims)


def refuted_sizes(verdict: Verdict) -> Refuted | None:
    """Return the refutation in a verdict, also in one that is undecided only because the model cannot be run there."""
    if isinstance(verdict, Undecided) and verdict.reason_kind is UndecidedReason.ENORMOUS:
        return verdict.candidate
    return verdict if isinstance(verdict, Refuted) else None
