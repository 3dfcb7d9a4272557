"""Elements of the results that both programs do not compute in the same way, compared by their element expressions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.elements.buffers import returned_arguments, writes_only_results
from shapesolve.elements.comparison import ElementComparison
from shapesolve.elements.context import ElementContext, fixed_vector_extents
from shapesolve.elements.memory import keeps_tensors, memory_difference
from shapesolve.elements.sides import ElementSide
from shapesolve.elements.terms import IterationRange
from shapesolve.ir.program import Function, ScalarType, ShapedType, Type, is_buffer
from shapesolve.refinement.effects import same_writes
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.refinement.results import equal_results, holds_sizes, returned, returns_other_buffers
from shapesolve.semantics.effects import touches_buffers
from shapesolve.solver.prover import Prover
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.shape_kinds import RankedShape

_WRITABLE = "bufferization.writable"


def compared_elements(
    source: Interpretation, target: Interpretation, prover: Prover, compared: Collection[str], *, for_runs: bool
) -> tuple[dict[int, str], str | None, ElementComparison | None]:
    """Return why the elements of each result are not shown to be equal, or "" where they are.

    The second value says so of the memory that is left behind, and is None if the programs write it alike. The third
    is the comparison, with what else it found.

    Results that both programs compute alike are left out, and so are sizes and ``compared`` integers.

    Args:
        prover: Knows what holds where both programs return.
        for_runs: Whether programs will be run, so that the comparison finds what runs are to look at.
    """
    ours, theirs = _side(source), _side(target, buffers_of_tensors(source.trace.function, target.trace.function))
    if ours is None or theirs is None or len(ours.returned) != len(theirs.returned):
        return {}, "where a program returns is not known", None
    if not (keeps_tensors(ours.context) and keeps_tensors(theirs.context)):
        return {}, "the memory of a tensor may be written", None
    comparison = ElementComparison(ours, theirs, prover, for_runs=for_runs)
    alike = equal_results(source, target)
    found: dict[int, str] = {}
    compared_extents: dict[int, Sequence[Dim]] = {}
    for position, (type, value) in enumerate(zip(source.trace.function.result_types, ours.returned, strict=True)):
        extents = _extents(type, source.trace.values.get(value))
        is_new = position not in alike and f"the value of result {position}" not in compared
        if is_new and extents is not None and _is_comparable(type, theirs.returned[position].type):
            found[position] = comparison.difference(position, extents)
            compared_extents[position] = extents
    left: str | None = None
    writes_otherwise = any(map(touches_buffers, source.trace.positions)) and not same_writes(source, target)
    if writes_otherwise or returns_other_buffers(source, alike):
        given_back = returned_arguments(theirs.context, theirs.returned)
        arguments = zip(source.trace.function.arguments, target.trace.function.arguments, strict=False)
        pairs = [(argument, other) for argument, other in arguments if other not in given_back]
        left = memory_difference(
            (ours, theirs), pairs, alike, comparison, lambda value: _extents(value.type, source.trace.values.get(value))
        )
    if left:
        left = "" if _changes_alike(comparison, found, compared_extents) else left
    return found, left, comparison


def _changes_alike(comparison: ElementComparison, found: dict[int, str], extents: Mapping[int, Sequence[Dim]]) -> bool:
    """Return whether both programs change memory in the same steps; if so, compare again what they return."""
    matched, candidates = comparison.in_lockstep(), list(comparison.candidates)
    try:
        if matched.difference():
            return False
        for position, reason in found.items():
            if reason:
                found[position] = comparison.difference(position, extents[position])
    finally:
        matched.leave()
    comparison.candidates = [each for each in candidates if not each.is_argument and found[each.position]]
    return True


def buffers_of_tensors(source: Function, target: Function) -> frozenset[int]:
    """Return the positions of tensors that became buffers which the target may write, as bufferization has it."""
    pairs = zip(source.arguments, source.argument_attributes, target.arguments, strict=False)
    return frozenset(
        position
        for position, (ours, attributes, theirs) in enumerate(pairs)
        if is_buffer(theirs.type) and not is_buffer(ours.type) and attributes.get(_WRITABLE, True) is True
    )


def leaves_only_results(source: Interpretation, target: Interpretation) -> bool:
    """Return whether the target writes to no memory but its own and that of its results."""
    side = _side(target, buffers_of_tensors(source.trace.function, target.trace.function))
    return side is not None and writes_only_results(side.context, side.returned)


def _side(interpretation: Interpretation, own_arguments: Collection[int] = ()) -> ElementSide | None:
    """Return a program for the comparison; None if it does not return in one place."""
    end, trace = returned(interpretation), interpretation.trace
    if end is None:
        return None
    iterations = {
        each: IterationRange(its.op, its.first, its.end, its.step) for each, its in interpretation.iterations.items()
    }
    results_at = [each for each in interpretation.result_arguments if each is not None]
    context = ElementContext(
        trace.function,
        trace.values,
        f"iteration of the {interpretation.side}",
        iterations,
        interpretation.makers,
        lambda op: interpretation.effects(op).writes,
        results_at,
        {*results_at, *own_arguments},
    )
    places = iter(end.operands)
    if interpretation.result_arguments:
        values = tuple(
            next(places) if each is None else trace.function.arguments[each] for each in interpretation.result_arguments
        )
    else:
        values = end.operands
    return ElementSide(context, interpretation.value_number, values, end)


def _is_comparable(ours: Type, theirs: Type) -> bool:
    if isinstance(ours, ShapedType) and isinstance(theirs, ShapedType):
        if ours.container == "vector":
            return fixed_vector_extents(ours) is not None and ours == theirs
        return ours.container == "tensor" and theirs.container in ("tensor", "memref") and not holds_sizes(ours)
    return isinstance(ours, ScalarType) and ours.kind != "index"


def _extents(type: Type, value: Abstract | None) -> tuple[Dim, ...] | None:
    if isinstance(type, ScalarType):
        return ()
    if isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
        return value.shape.dims
    return fixed_vector_extents(type)
