"""Control flow of ONNX: branches and loops, whose graphs use values of the graph around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import Abstract, Tensor, Unmodeled
from shapesolve.ir.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, OpSemantics, Results, Successors, Yields
from shapesolve.semantics.regions import AtMostOnce, ShapesOfIterations
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, negation
from shapesolve.symbolic.normal_forms import choose, maximum
from shapesolve.symbolic.shape_kinds import RankedShape

from ..scf import loop_results
from ..torch.control_flow import always_continues, count_up
from ..torch.operands import check
from ..transfer.control_flow import condition_of, join_region_results
from .nodes import axis as axis_of
from .nodes import integer_attribute, integers_attribute, left_to_the_runtime, operand

EXAMPLE = "tests/cases/onnx/control.mlir"
_WITHIN = (0, 2**63 - 1)


@rule("torch.operator_terminator", example=EXAMPLE, effects=PURE)
def ends(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends a graph inside a node with its results; in a loop, the condition to go on comes first."""
    return OpSemantics()


@rule("onnx.If", example=EXAMPLE, effects=PURE)
def branch(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of two graphs, by a condition. The importer orders them by name: `else_branch`, `then_branch`.

    (R1) The results are those of the second graph where the condition holds, else those of the first.
    """
    found = condition_of(ctx, op.operands[0])
    otherwise = negation(found.formula)
    return OpSemantics(
        Results(compute=lambda yields: join_region_results(op, [otherwise], yields)),
        regions=(
            AtMostOnce.where(otherwise, "the condition does not hold", region=op.regions[0]),
            AtMostOnce.where(found.formula, "the condition holds", region=op.regions[1]),
        ),
        approximations=Approximations(found.reasons, found.free),
    )


@rule("onnx.Loop", example=EXAMPLE, effects=PURE)
def counted_loop(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop that counts from 0 up to, not including, a number, as long as a condition holds.

    (C1) What is collected has the same shape in each iteration.
    (R1) The results are what the last iteration yields behind the condition, or the initial values where there is none:
    followed as those of `scf.for` where the condition is always true. Else some iterations may be left out.
    (R2) The last results collect a value of each iteration, in as many rows. Without iterations, their other extents
    are those of the body's type; where that leaves one open, it depends on the runtime.
    """
    initial = op.operands[2:]
    block = op.regions[0].blocks[0]
    most, goes_on = operand(op, ctx, 0), operand(op, ctx, 1)
    begins = TRUE if goes_on is None else condition_of(ctx, goes_on).formula
    if most is None:
        upper = ctx.fresh(f"{op.results[0].name}.trips" if op.results else "trips", 0, _WITHIN[1])
    else:
        (upper,) = ctx.integers(most)
    is_counted = most is not None and begins is TRUE
    always = is_counted and always_continues(block, lambda each: condition_of(ctx, each).formula, block.arguments[1])
    count = len(op.results) - len(initial)
    counted = count_up(
        op,
        ctx,
        upper,
        begins,
        initial,
        always=always,
        arguments=lambda number: (_scalar(number), _scalar(TRUE)),
        shapes=ShapesOfIterations(clause="C1", collected=count) if count else None,
    )
    behind = Successors(may_not_return="" if most is not None else "whether a loop ends is not followed")
    counted = replace(counted, successors=behind)
    if always or not count:
        return _collecting(op, ctx, counted, maximum(0, upper), [0] * count)
    rows = ctx.fresh(f"{op.results[-1].name}.rows", 0, _WITHIN[1])
    unknown = Approximations(("how often a loop runs is not followed",), rows.variables)
    counted = replace(counted, approximations=counted.approximations.joined(unknown))
    return _collecting(op, ctx, counted, rows, [0] * count)


def _collecting(
    op: Operation, ctx: RuleContext, counted: OpSemantics, trips: Dim, axes: Sequence[int], *, is_filled: bool = False
) -> OpSemantics:
    """Return the semantics of a loop whose last results collect a value of each iteration along an axis.

    Args:
        op: The loop.
        counted: The semantics of the loop with what it carries alone.
        trips: The number of iterations.
        axes: For each result that collects, the axis.
        is_filled: Whether there is an iteration wherever the results exist.
    """
    if not axes:
        return counted
    first, ends = len(op.results) - len(axes), op.regions[0].blocks[0].operations[-1].operands
    is_filled = is_filled or trips.bounds()[0] not in (None, 0)
    empty = [None if is_filled else _EmptyExtents.of(each, ctx) for each in ends[len(ends) - len(axes) :]]

    def compute(yields: Yields) -> tuple[Abstract, ...]:
        last = yields[0]
        if last is None:
            return loop_results(op, yields)
        collected: tuple[Abstract | None, ...] = last[first:] or (None,) * len(axes)
        stacked = [_stacked(a, b, at, trips) for a, b, at in zip(collected, empty, axes, strict=True)]
        return (*last[:first], *stacked)

    open_ones = frozenset[Variable]().union(*(each.free for each in empty if each is not None))
    reasons = ("what a loop without iterations collects has extents that depend on the runtime",) if open_ones else ()
    approximations = counted.approximations.joined(Approximations(reasons, open_ones))
    return replace(counted, results=Results(compute=compute), approximations=approximations)


@value_record
class _EmptyExtents:
    """The extents of what a loop collects besides their number, where it has no iterations.

    Attributes:
        extents: The extents; None if the rank is not known.
        free: The variables that stand for extents that are not known.
    """

    extents: tuple[Dim, ...] | None
    free: frozenset[Variable]

    @staticmethod
    def of(yielded: Value, ctx: RuleContext) -> _EmptyExtents:
        """Return the extents that the type of a yielded value states, and variables for the others."""
        declared = ctx.declared(yielded)
        if declared is None:
            return _EmptyExtents(None, frozenset())
        extents = tuple(ctx.fresh(yielded.name) if each is None else dim(each) for each in declared)
        return _EmptyExtents(extents, frozenset[Variable]().union(*(each.variables for each in extents)))


def _stacked(collected: Abstract | None, empty: _EmptyExtents | None, axis: int, trips: Dim) -> Abstract:
    """Return the tensor of what the iterations of a loop yield, all of the same shape, along a new axis.

    ``empty`` is None if there is an iteration.
    """
    extents = None if empty is None else empty.extents
    if isinstance(collected, Tensor) and isinstance(collected.shape, RankedShape):
        found = collected.shape.dims
        if empty is None:
            extents = found
        elif extents is not None and len(found) == len(extents):
            extents = tuple(choose(at_least(trips, 1), *each) for each in zip(found, extents, strict=True))
    elif collected is not None:
        return Unmodeled("the shape of what the iterations yield is not followed")
    if extents is None:
        return Unmodeled("the rank of what a loop without iterations collects is not known")
    at = axis % (len(extents) + 1)
    return Tensor.of((*extents[:at], trips, *extents[at:]))


@rule("onnx.Scan", example=EXAMPLE, effects=PURE)
def scan(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loop over the parts of some tensors along an axis of each, which carries a state and collects results.

    (C1) The tensors have as many parts.
    (C2) The state keeps its shape, and what is collected has the same shape in each iteration.
    (C3) There is a part: without any, ONNX's reference implementation and onnxruntime raise errors. Where nothing is
    collected, the former does not.
    (R1) The first results are the state behind the last part.
    (R2) The last results collect a value of each iteration along an axis.
    """
    scanned = integer_attribute(op, "num_scan_inputs", 0)
    initial, sources = op.operands[: len(op.operands) - scanned], op.operands[len(op.operands) - scanned :]
    count = len(op.results) - len(initial)
    if not sources or count < 0:
        raise UnknownValueError("there is nothing to scan")
    elements: list[Tensor] = []
    parts: list[tuple[str, Dim]] = []
    for source, given in zip(sources, _axes(op, "scan_input_axes", scanned), strict=True):
        extents = ctx.dims(source)
        at = axis_of(given, len(extents))
        elements.append(Tensor.of([*extents[:at], *extents[at + 1 :]]))
        parts.append((f"extent {at} of {source.name}", extents[at]))
    trips = parts[0][1]
    alike = conjunction(equal(trips, each) for _, each in parts[1:])
    counted = count_up(
        op,
        ctx,
        trips,
        TRUE,
        initial,
        always=True,
        arguments=lambda _: (),
        elements=tuple(elements),
        shapes=ShapesOfIterations(clause="C2", collected=count, keeps_carried=True),
    )
    semantics = _collecting(op, ctx, counted, trips, _axes(op, "scan_output_axes", count), is_filled=True)
    semantics = semantics.with_claims(check("C1", alike, "the tensors have different numbers of parts", tuple(parts)))
    words = "there is no part to scan, which some refuse", "the runtime scans no parts", "a scan may have no parts"
    some = at_least(trips, 1)
    if not count:
        return left_to_the_runtime(semantics, ctx, "C3", some, words, (parts[0],))
    return semantics.with_claims(check("C3", some, "there is no part to scan", (parts[0],)))


def _axes(op: Operation, name: str, count: int) -> tuple[int, ...]:
    found = integers_attribute(op, name) or (0,) * count
    if len(found) != count:
        raise UnknownValueError(f"its attribute {name} has not one axis for each tensor")
    return found


def _scalar(held: Dim | Formula) -> Tensor:
    return Tensor.of((), (held,))
