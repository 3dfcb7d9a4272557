"""Proof that findings need huge sizes: of 2^30 and more, or as many elements in one argument."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from shapesolve.checker.enormous_sizes import ENORMOUS
from shapesolve.checker.report import FunctionReport
from shapesolve.diagnosis.diagnosis import Diagnosis, FunctionDiagnosis
from shapesolve.diagnosis.findings import Finding
from shapesolve.diagnosis.requirements import Requirements
from shapesolve.domain.values import Tensor
from shapesolve.ir.program import ScalarType
from shapesolve.solver import budgets
from shapesolve.solver.entailment import entails_each_part
from shapesolve.solver.verdicts import Undecided, UndecidedReason
from shapesolve.symbolic.atoms import variables_in
from shapesolve.symbolic.dims import ONE, Dim, of_atom
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Trace


def findings_at_huge_sizes_only(diagnosis: Diagnosis) -> tuple[Finding, ...]:
    """Return the findings of which it is proved that nothing fails unless some size is huge.

    That the sizes shown are huge is no proof: other ones, which were not found, may be small.
    """
    return tuple(finding for function in diagnosis.functions for finding in _of_function(function))


def _of_function(function: FunctionDiagnosis) -> Iterator[Finding]:
    found = [each for each in function.findings if each.is_enormous]
    if found:
        usual, requirements = list(_no_size_is_huge(function.report.trace)), Requirements(function.report)
        yield from (each for each in found if _holds(each, function.report, requirements, usual))


def _holds(finding: Finding, function: FunctionReport, requirements: Requirements, usual: list[Formula]) -> bool:
    """Return whether all that a finding claims holds for usual sizes. Sizes that are assumed to be huge are usual."""
    for checked_obligation in finding.checked_obligations:
        obligation, verdict = checked_obligation.obligation, checked_obligation.verdict
        if isinstance(verdict, Undecided) and verdict.reason_kind is UndecidedReason.MEMORY:
            continue  # proved for all that fits into memory
        if function.deadline.passed:
            return False
        premises = [*requirements.known_there(obligation), *usual]
        if not entails_each_part(obligation.claim, premises, budgets.BRIEF):
            return False
    return True


def _no_size_is_huge(trace: Trace) -> Iterator[Formula]:
    """Yield bounds of extents and of index arguments. Elements, and integers of a width, are data, and may be large."""
    for value, argument in zip(trace.inputs, trace.function.arguments, strict=True):
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
            sizes = value.shape.dims
            yield at_least(ENORMOUS - 1, prod(sizes, start=ONE))
        else:
            is_index = isinstance(argument.type, ScalarType) and argument.type.kind == "index"
            sizes = (value,) if is_index and isinstance(value, Dim) else ()
        yield from (at_least(ENORMOUS - 1, of_atom(each)) for each in variables_in(sizes))
