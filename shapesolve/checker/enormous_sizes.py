"""Counterexamples of sizes at which integers of 32 bits may wrap around."""

from __future__ import annotations

from math import prod

from shapesolve.checker.report import FunctionReport
from shapesolve.domain.values import Tensor
from shapesolve.solver.verdicts import Refuted, Undecided, UndecidedReason, Verdict
from shapesolve.trace.concretization import extents_at

ENORMOUS = 2**30
"""Sizes, and numbers of elements of an argument, from which on a finding comes last."""


def takes_enormous_sizes(function: FunctionReport, verdict: Verdict) -> bool:
    """Return whether what may fail takes sizes that 32 bits hardly hold."""
    if isinstance(verdict, Undecided):
        return verdict.reason_kind in (UndecidedReason.MEMORY, UndecidedReason.ENORMOUS)
    if not isinstance(verdict, Refuted):
        return False
    tensors = [each.shape for each in function.trace.inputs if isinstance(each, Tensor)]
    elements = [prod(extents_at(shape, verdict.sizes) or (0,)) for shape in tensors]
    sizes = [each for size in verdict.sizes.values() for each in (size if isinstance(size, tuple) else (size,))]
    return max((*sizes, *elements), default=0) >= ENORMOUS


def refuted_sizes(verdict: Verdict) -> Refuted | None:
    """Return the refutation in a verdict, also in one that is undecided only because the model cannot be run there."""
    if isinstance(verdict, Undecided) and verdict.reason_kind is UndecidedReason.ENORMOUS:
        return verdict.candidate
    return verdict if isinstance(verdict, Refuted) else None
