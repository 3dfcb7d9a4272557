"""Elements of the results that both programs do not compute in the same way, compared by their element expressions."""

from __future__ import annotations

from collections.abc import Collection

from shapesolve.domain.values import Abstract, Tensor
from shapesolve.elements.comparison import ElementComparison, ElementSide
from shapesolve.elements.context import ElementContext
from shapesolve.elements.terms import IterationRange
from shapesolve.ir.program import ScalarType, ShapedType, Type, Value
from shapesolve.refinement.paired_interpreter import Interpretation
from shapesolve.refinement.results import equal_results, holds_sizes, returned
from shapesolve.solver.prover import Prover
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.shape_kinds import RankedShape


def compared_elements(
    source: Interpretation, target: Interpretation, prover: Prover, compared: Collection[str]
) -> tuple[dict[int, str], ElementComparison | None]:
    """Return why the elements of each result are not shown to be equal, or "" where they are.

    The second value is the comparison, with what else it found.

    Results that both programs compute alike are left out, and so are sizes and ``compared`` integers.

    Args:
        prover: Knows what holds where both programs return.
    """
    ours, theirs = returned(source), returned(target)
    if ours is None or theirs is None or len(ours.operands) != len(theirs.operands):
        return {}, None
    sides = [_side(source, ours.operands, "source"), _side(target, theirs.operands, "target")]
    comparison = ElementComparison(sides[0], sides[1], prover)
    alike = equal_results(source, target)
    found: dict[int, str] = {}
    for position, (type, value) in enumerate(zip(source.trace.function.result_types, ours.operands, strict=True)):
        extents = _extents(type, source.trace.values.get(value))
        is_new = position not in alike and f"the value of result {position}" not in compared
        if is_new and extents is not None and _is_comparable(type, theirs.operands[position].type):
            found[position] = comparison.difference(position, extents)
    return found, comparison


def _side(interpretation: Interpretation, values: tuple[Value, ...], name: str) -> ElementSide:
    trace = interpretation.trace
    iterations = {
        each: IterationRange(its.op, its.first, its.end, its.step) for each, its in interpretation.iterations.items()
    }
    context = ElementContext(
        trace.function, trace.values, f"iteration of the {name}", iterations, interpretation.makers
    )
    return ElementSide(context, interpretation.value_number, values)


def _is_comparable(ours: Type, theirs: Type) -> bool:
    if isinstance(ours, ShapedType) and isinstance(theirs, ShapedType):
        return ours.container == theirs.container == "tensor" and not holds_sizes(ours)
    return isinstance(ours, ScalarType) and ours.kind != "index"


def _extents(type: Type, value: Abstract | None) -> tuple[Dim, ...] | None:
    if isinstance(type, ScalarType):
        return ()
    if isinstance(value, Tensor) and isinstance(value.shape, RankedShape):
        return value.shape.dims
    return None
