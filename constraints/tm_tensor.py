"""The `tm_tensor` dialect: torch-mlir's structured operations, which some operators of PyTorch are lowered to."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.fresh_variables import ELEMENT, INDEX_RANGE
from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.reasons import Reason
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, on_values
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, Ensures, OpSemantics, Results
from shapesolve.semantics.regions import GenericIteration
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies

from .torch.value_ranges import tensor_interval
from .transfer.elements import Sums, is_sum, partial_sums
from .transfer.integers import element_type
from .transfer.strided_slices import integer_of, integers_of


@rule("tm_tensor.scan", example="tests/cases/tm_tensor/scan.mlir", effects=on_values)
def scan(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds one dimension step by step and keeps every step. Loops over the input; without elements it does nothing.

    The first step is kept as it is, so nothing is combined where that dimension has but one.

    (C1) The output has the extents of the input.
    (C2) The accumulator has all of these but that of the folded dimension.
    (R1) The results have the shapes of the output and of the accumulator.
    (R2) Where the body adds integers that are bounded, so are the sums, as far as these do not wrap. Without
    ``inclusive``, they begin with what the accumulator held.
    """
    if len(op.operands) != 3:
        raise UnknownValueError("it has not one input, one output and one accumulator")
    source, out, accumulator = op.operands
    extents, folded = ctx.dims(source), integer_of(op, "dimension")
    runs = conjunction(at_least(extent, 1) for extent in extents)
    combined = conjunction(at_least(extent, 2 if number == folded else 1) for number, extent in enumerate(extents))
    left = tuple(extent for number, extent in enumerate(extents) if number != folded)
    sums = _sums(op, ctx, extents[folded]) if 0 <= folded < len(extents) else None
    results = (Tensor(ctx.tensor(out).shape, between=sums and sums.between), Tensor(ctx.tensor(accumulator).shape))
    return OpSemantics(
        Results(results if op.results else (), shape_operands=(out, accumulator) if op.results else None),
        requires=(
            *_same(ctx, runs, "C1", out, extents, source.name),
            *_same(ctx, runs, "C2", accumulator, left, source.name),
        ),
        regions=(_body(op, ctx, combined),),
        assumes=Assumes(
            () if sums is None else sums.modeling, TRUE if sums is None else implies(runs, sums.no_overflow)
        ),
    )


def _sums(op: Operation, ctx: RuleContext, count: Dim) -> Sums | None:
    """Return the bounds of all partial results of a scan that sums bounded integers, or None."""
    source, _, accumulator = op.operands
    type, held = element_type(source.type), ctx.tensor(source).between
    if held is None or not op.results or type.kind != "integer" or type.is_boolean or not is_sum(op):
        return None
    if op.attributes.get("inclusive") is True:
        return partial_sums(held, count, type.width)
    first = tensor_interval(ctx.tensor(accumulator))
    return None if first is None else partial_sums(held, count, type.width, first)


@rule("tm_tensor.sort", example="tests/cases/tm_tensor/sort.mlir", effects=on_values)
def sort(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sorts along one dimension, by what the body says; what else is given is moved in the same way.

    Elements are compared where that dimension has two or more, and no other is empty.

    (C1) All operands have the extents of the first.
    (R1) The results have the shapes of the operands.
    (R2) All elements of a result lie between the bounds of the operand's.
    """
    first, *others = op.operands
    extents, sorted_by = ctx.dims(first), integer_of(op, "dimension")
    runs = conjunction(at_least(extent, 2 if number == sorted_by else 1) for number, extent in enumerate(extents))
    given = [ctx.tensor(each) for each in op.operands]
    return OpSemantics(
        Results(
            tuple(Tensor(each.shape, between=each.between and each.between.subset_bounds) for each in given)
            if op.results
            else (),
            shape_operands=op.operands if op.results else None,
        ),
        requires=tuple(claim for each in others for claim in _same(ctx, runs, "C1", each, extents, first.name)),
        regions=(_body(op, ctx, runs),),
    )


@rule("tm_tensor.scatter", example="tests/cases/tm_tensor/scatter.mlir", effects=on_values)
def scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Puts slices of the updates into the output at the places that the rows of a matrix of integers number.

    The first dimension of the updates counts them, the last ones are those of the output; the columns of the matrix
    move along the dimensions that ``dimension_map`` names. Loops over the updates: without elements it does nothing.

    (C1) Every update has a row of the matrix.
    (C2) Along every dimension that no column moves along, the updates are at most as long as the output.
    (C3) Wherever a slice is put, all of it lies in the output.
    (R1) The result has the shape of the output.
    """
    if len(op.operands) != 3:
        raise UnknownValueError("it has not updates, one matrix of places and one output")
    updates, places, out = op.operands
    extents, rows, into = ctx.dims(updates), ctx.dims(places), ctx.dims(out)
    columns = {moved: column for column, moved in enumerate(integers_of(op, "dimension_map"))}
    first = len(into) - len(extents) + 1
    if first < 0 or len(rows) != 2 or any(at not in columns for at in range(first)):
        raise UnknownValueError("the updates and the places do not reach all dimensions of the output")
    runs = conjunction(at_least(extent, 1) for extent in extents)
    shown = ((f"extent 0 of {places.name}", rows[0]), (f"extent 0 of {updates.name}", extents[0]))
    enough = implies(runs, at_least(rows[0], extents[0]))
    claims = [Claim("C1", enough, f"{places.name} has fewer rows than there are updates", shown=shown)]
    found: list[_Numbers] = []
    for at, extent in enumerate(into):
        length = extents[at - first + 1] if at >= first else ONE
        shown = ((f"extent {at} of {out.name}", extent), ("the length of a slice", length))
        if at in columns:
            numbers = _column(ctx, places, extents[0], columns[at])
            fits = (conjunction((at_least(each, 0), at_least(extent, each + length))) for each in numbers.each)
            message = f"an element of {places.name} puts a slice outside of dimension {at} of {out.name}"
            claims.append(Claim("C3", implies(runs, conjunction(fits)), message, shown=shown))
            found += [numbers] if claims[-1].formula is not TRUE else []
        else:
            message = f"the updates are longer than dimension {at} of {out.name}"
            claims.append(Claim("C2", implies(runs, at_least(extent, length)), message, shown=shown))
    return OpSemantics(
        Results((Tensor(ctx.tensor(out).shape),) if op.results else (), shape_operands=(out,) if op.results else None),
        requires=claims,
        ensures=Ensures(operand_facts=tuple(fact for each in found for fact in each.known), are_invariants=True),
        regions=(_body(op, ctx, runs),),
        approximations=Approximations(
            tuple(dict.fromkeys(each.reason for each in found if each.reason)),
            frozenset[Variable]().union(*(each.free for each in found)),
        ),
    )


@record
class _Numbers:
    """The integers in a column of coordinates.

    Attributes:
        each: All integers, or one that stands for all of them.
        reason: The reason why they are not known.
        free: The variables that stand for unknown integers.
        known: Facts about them, each with its reason.
    """

    each: Sequence[Dim]
    reason: Reason = ""
    free: frozenset[Variable] = frozenset()
    known: tuple[tuple[Formula, str], ...] = ()


def _column(ctx: RuleContext, places: Value, count: Dim, column: int) -> _Numbers:
    """Return the integers of one column of the coordinates of ``count`` updates."""
    held, (rows, width) = ctx.tensor(places), ctx.dims(places)
    numbers = [each for each in held.elements or () if isinstance(each, Dim)]
    if numbers and len(numbers) == len(held.elements or ()) and rows is count and width.is_constant:
        return _Numbers(numbers[column :: width.constant])
    element = ctx.fresh(f"{places.name}{ELEMENT}", *INDEX_RANGE)
    known = (
        () if held.between is None else ((held.between.contains(element), f"elements of {places.name} are bounded"),)
    )
    return _Numbers((element,), ctx.reason_unknown(places), element.variables, known)


@rule("tm_tensor.yield", example="tests/cases/tm_tensor/scan.mlir", effects=PURE)
def yields(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends the body of a structured operation."""
    return OpSemantics()


def _same(
    ctx: RuleContext, runs: Formula, clause: str, value: Value, wanted: Sequence[Dim], model: str
) -> tuple[Claim, ...]:
    """Return the claims that a value has the extents of ``model``, if anything runs."""
    given = ctx.dims(value)
    if len(given) != len(wanted):
        raise UnknownValueError(f"the rank of {value.name} does not fit that of {model}")
    return tuple(
        Claim(
            clause,
            implies(runs, equal(extent, other)),
            f"extent {number} of {value.name} is not that of {model}",
            shown=((f"extent {number} of {value.name}", extent), (f"extent of {model}", other)),
        )
        for number, (extent, other) in enumerate(zip(given, wanted, strict=True))
    )


def _body(op: Operation, ctx: RuleContext, runs: Formula) -> GenericIteration:
    """Return the generic iteration of the body on unknown elements."""
    region = op.regions[0]
    arguments = tuple(map(ctx.unknown, region.blocks[0].arguments))
    return GenericIteration(
        region=region, arguments=arguments, condition=runs, because=f"inside the loops of {op.name}"
    )
