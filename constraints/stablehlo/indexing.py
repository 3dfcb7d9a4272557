"""Gather, scatter, slices, concatenation and padding of the stablehlo dialect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapesolve.domain.values import Element, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, ceildiv, dim
from shapesolve.symbolic.formula_kinds import TRUE
from shapesolve.symbolic.formulas import at_least, conjunction
from shapesolve.symbolic.normal_forms import maximum
from shapesolve.symbolic.shape_kinds import RankedShape

from ..transfer.elements import constants, gather_elements, index_tuples, row_major_position, small_extents
from ..transfer.extent_tensors import ranked_dims
from ..transfer.integers import unsigned_reading
from ..transfer.shape_checks import (
    Contents,
    all_non_negative,
    concatenated_extents,
    contents,
    equal_extents,
    equal_shapes,
    semantics_of_reading,
)
from ..transfer.strided_slices import integer_of
from .attributes import integers, parse_structure
from .reductions import scalar_region

EXAMPLE = "tests/cases/stablehlo/indexing.mlir"


@record
class Indices:
    """Tensor of index vectors.

    Attributes:
        batch: The extents that number the index vectors.
        claims: The requirement on their length.
    """

    batch: tuple[Dim, ...]
    claims: tuple[Claim, ...]


def _index_vectors(ctx: RuleContext, value: Value, vector_dimension: int, length: int, clause: str) -> Indices:
    """Return the extents that number the index vectors, and the claim on their length."""
    extents = ctx.dims(value)
    if vector_dimension >= len(extents):
        return Indices(extents, ())
    given = extents[vector_dimension]
    shown = ((f"extent {vector_dimension} of {value.name}", given),)
    claim = Claim(clause, given == length, f"an index vector does not have {length} elements", shown=shown)
    batch = tuple(extent for index, extent in enumerate(extents) if index != vector_dimension)
    return Indices(batch, () if claim.formula is TRUE else (claim,))


def _batch_claims(
    clause: str,
    pairs: Iterable[tuple[int, int]],
    operand: tuple[Value, Sequence[Dim]],
    indices: tuple[Value, Sequence[Dim]],
) -> list[Claim]:
    return [
        equal_extents(
            clause, "the batch extents differ", (operand[0], i, operand[1][i]), (indices[0], j, indices[1][j])
        )
        for i, j in pairs
    ]


@rule("stablehlo.gather", example=EXAMPLE, effects=PURE)
def gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One slice of the operand for every index vector; places are moved so that slices fit.

    (C1) No slice is larger than the operand.
    (C2) An index vector has one element for every dimension it is about.
    (C3) Batch dimensions that belong together have the same extent.
    (R1) The result has the extents that number the index vectors, and the extents of a slice in the offset dimensions.
    """
    sizes = tuple(map(dim, integers(op, "slice_sizes", 0, 0)))
    semantics = _gather(op, ctx, Contents(sizes))
    # Neither a slice that does not fit nor another batch changes how many vectors there are, and how large slices are.
    return replace(semantics, results=replace(semantics.results, shape_operands=(op.operands[1],)))


@rule("stablehlo.dynamic_gather", example=EXAMPLE, effects=PURE)
def dynamic_gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One slice of a computed size of the operand for every index vector; places are moved so that slices fit.

    (C1) No slice is larger than the operand, and no size of it is negative.
    (C2) An index vector has one element for every dimension it is about.
    (C3) Batch dimensions that belong together have the same extent.
    (C4) A slice is no longer than 1 in the dimensions that the result does not have.
    (R1) The result has the extents that number the index vectors, and the extents of a slice in the offset dimensions.
    """
    return _gather(op, ctx, contents(ctx, op.operands[2], len(ctx.dims(op.operands[0]))))


def _gather(op: Operation, ctx: RuleContext, held: Contents) -> OpSemantics:
    numbers = parse_structure(op, "dimension_numbers")
    operand, starts = op.operands[0], op.operands[1]
    extents = ctx.dims(operand)
    (vector,) = numbers.get("index_vector_dim", (0,))
    batching = numbers.get("operand_batching_dims", ())
    claims = list(_slice_claims("C1", operand, extents, held.values))
    indices = _index_vectors(ctx, starts, vector, len(numbers.get("start_index_map", ())), "C2")
    claims += indices.claims
    pairs = zip(batching, numbers.get("start_indices_batching_dims", ()), strict=True)
    claims += _batch_claims("C3", pairs, (operand, extents), (starts, ctx.dims(starts)))
    left_out = (*numbers.get("collapsed_slice_dims", ()), *batching)
    claims += _single_element_claims("C4", left_out, held.values)
    window = iter([size for index, size in enumerate(held.values) if index not in left_out])
    batch = iter(indices.batch)
    offsets = numbers.get("offset_dims", ())
    rank = len(offsets) + len(indices.batch)
    result = RankedShape.of(next(window) if index in offsets else next(batch) for index in range(rank))
    return OpSemantics((Tensor(result),), requires=claims, approximations=Approximations(held.reasons, held.free))


def _slice_claims(clause: str, operand: Value, extents: Sequence[Dim], sizes: Sequence[Dim]) -> Iterable[Claim]:
    """Yield claims that a slice is no larger than the operand."""
    for index, (extent, size) in enumerate(zip(extents, sizes, strict=True)):
        formula = conjunction((at_least(size, 0), at_least(extent, size)))
        if formula is not TRUE:
            shown = ((f"size {index} of a slice", size), (f"extent {index} of {operand.name}", extent))
            yield Claim(clause, formula, "a slice is larger than the operand", shown=shown)


def _single_element_claims(clause: str, left_out: Sequence[int], sizes: Sequence[Dim]) -> Iterable[Claim]:
    """Yield claims that a slice has at most one index along each dimension that the result omits."""
    for index in left_out:
        formula = at_least(1, sizes[index])
        if formula is not TRUE:
            shown = ((f"size {index} of a slice", sizes[index]),)
            yield Claim(clause, formula, "a slice is longer than 1 where the result has no dimension", shown=shown)


@rule("stablehlo.scatter", example=EXAMPLE, effects=PURE)
def scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Combines slices of the updates into the inputs; slices that do not fit are left out.

    (C1) All inputs have the same shape, and so have all updates.
    (C2) An index vector has one element for every dimension it is about.
    (C3) Batch dimensions that belong together have the same extent.
    (C4) The updates are numbered as the index vectors are.
    (C5) No slice of the updates is larger than the inputs.
    (R1) The results have the inputs' shape.
    """
    count = len(op.results)
    numbers = parse_structure(op, "scatter_dimension_numbers")
    inputs, (places, *updates) = op.operands[:count], op.operands[count:]
    shape, claims = equal_shapes(ctx, inputs, "C1", "the inputs' shapes differ")
    update_shape, update_claims = equal_shapes(ctx, updates, "C1", "the updates' shapes differ")
    extents, update = ranked_dims(shape, inputs[0].name), ranked_dims(update_shape, updates[0].name)
    (vector,) = numbers.get("index_vector_dim", (0,))
    indices = _index_vectors(ctx, places, vector, len(numbers.get("scatter_dims_to_operand_dims", ())), "C2")
    batching = numbers.get("input_batching_dims", ())
    pairs = zip(batching, numbers.get("scatter_indices_batching_dims", ()), strict=True)
    demands = [*claims, *update_claims, *indices.claims]
    demands += _batch_claims("C3", pairs, (inputs[0], extents), (places, ctx.dims(places)))
    window_dimensions = numbers.get("update_window_dims", ())
    numbering = [index for index in range(len(update)) if index not in window_dimensions]
    for index, wanted in zip(numbering, indices.batch, strict=True):
        shown = ((f"extent {index} of {updates[0].name}", update[index]), (f"index vectors of {places.name}", wanted))
        demands.append(Claim("C4", update[index] == wanted, "updates and index vectors differ in number", shown=shown))
    left_out = (*numbers.get("inserted_window_dims", ()), *batching)
    window = [extent for index, extent in enumerate(extents) if index not in left_out]
    for index, extent in zip(window_dimensions, window, strict=True):
        formula = at_least(extent, update[index])
        if formula is not TRUE:
            shown = ((f"extent {index} of {updates[0].name}", update[index]), (f"extent of {inputs[0].name}", extent))
            demands.append(Claim("C5", formula, "a slice of the updates is larger than the inputs", shown=shown))
    runs = (scalar_region(ctx, op.regions[0]),)
    results = Results(tuple(Tensor(shape) for _ in op.results), shape_operands=None if claims else tuple(inputs))
    return OpSemantics(results, requires=demands, regions=runs)


SLICES = "tests/cases/stablehlo/slices.mlir"
JOINS = "tests/cases/stablehlo/joins.mlir"


def _slice_result(
    op: Operation, ctx: RuleContext, starts: Sequence[Dim], limits: Sequence[Dim], strides: Sequence[Dim]
) -> tuple[Tensor, tuple[Claim, ...]]:
    """Return the slice from starts to limits, and clauses C1 (bounds) and C2 (strides)."""
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    claims: list[Claim] = []
    for index, (start, limit, stride, extent) in enumerate(zip(starts, limits, strides, extents, strict=True)):
        inside = conjunction((at_least(start, 0), at_least(limit, start), at_least(extent, limit)))
        shown = ((f"start {index}", start), (f"limit {index}", limit), (f"extent {index} of {operand.name}", extent))
        if inside is not TRUE:
            claims.append(Claim("C1", inside, f"the slice leaves dimension {index}", shown=shown))
        positive = at_least(stride, 1)
        if positive is not TRUE:
            message = f"the stride in dimension {index} is not positive"
            claims.append(Claim("C2", positive, message, shown=((f"stride in dimension {index}", stride),)))
    result = [ceildiv(b - a, c) for a, b, c in zip(starts, limits, strides, strict=True)]
    first, step = constants(starts), constants(strides)
    elements = None
    if first is not None and step is not None:
        elements = gather_elements(
            ctx.elements(operand),
            extents,
            result,
            lambda index: [a + i * s for a, i, s in zip(first, index, step, strict=True)],
        )
    return Tensor.of(result, elements), tuple(claims)


@rule("stablehlo.slice", example=SLICES, effects=PURE)
def slice_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Every so many elements between two bounds that are constant.

    (C1) In every dimension 0 <= start <= limit <= extent.
    (R1) Extent i of the result is (limit - start) / stride, rounded up.
    """
    rank = len(ctx.dims(op.operands[0]))
    starts, limits, strides = (
        tuple(map(dim, integers(op, name, rank, 1))) for name in ("start_indices", "limit_indices", "strides")
    )
    result, claims = _slice_result(op, ctx, starts, limits, strides)
    return OpSemantics((result,), requires=claims)


@rule("stablehlo.real_dynamic_slice", example=SLICES, effects=PURE)
def real_dynamic_slice(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Every so many elements between two bounds that are computed.

    (C1) In every dimension 0 <= start <= limit <= extent.
    (C2) Every stride is positive.
    (R1) Extent i of the result is (limit - start) / stride, rounded up.
    """
    rank = len(ctx.dims(op.operands[0]))
    held = [contents(ctx, operand, rank) for operand in op.operands[1:]]
    result, claims = _slice_result(op, ctx, held[0].values, held[1].values, held[2].values)
    return semantics_of_reading(held, (result,), claims)


@rule("stablehlo.dynamic_slice", example=SLICES, effects=PURE)
def dynamic_slice(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A part of constant size; the place where it begins is moved so that it fits.

    (C1) No size is greater than the operand's extent.
    (R1) The result has the given sizes.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    sizes = [dim(size) for size in integers(op, "slice_sizes", len(extents), 0)]
    claims = _update_claims("C1", operand, extents, sizes, "the slice is larger than the tensor")
    starts = [(unsigned_reading(each), ctx.elements(each)) for each in op.operands[1:]]
    known = constants(read(start) for read, held in starts for start in held or () if isinstance(start, Dim))
    whole = constants(extents)
    elements = None
    if known is not None and whole is not None and len(known) == len(extents):
        first = [max(0, min(s, e - z.constant)) for s, e, z in zip(known, whole, sizes, strict=True)]
        elements = gather_elements(
            ctx.elements(operand), extents, sizes, lambda index: [a + i for a, i in zip(first, index, strict=True)]
        )
    return OpSemantics(Results((Tensor.of(sizes, elements),), shape_operands=()), requires=claims)


@rule("stablehlo.dynamic_update_slice", example=SLICES, effects=PURE)
def dynamic_update_slice(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of which a part is replaced; the place where the part begins is moved so that it fits.

    (C1) No extent of the part is greater than the tensor's.
    (R1) The result has the tensor's shape.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    update = ctx.dims(op.operands[1])
    claims = _update_claims("C1", operand, extents, update, "the update is larger than the tensor")
    return OpSemantics(Results((Tensor.of(extents),), shape_operands=(operand,)), requires=claims)


def _update_claims(
    clause: str, whole: Value, extents: Sequence[Dim], sizes: Sequence[Dim], message: str
) -> tuple[Claim, ...]:
    """Return claims that a part is no larger than the whole."""
    claims: list[Claim] = []
    for index, (extent, size) in enumerate(zip(extents, sizes, strict=True)):
        formula = at_least(extent, size)
        if formula is not TRUE:
            shown = ((f"size {index}", size), (f"extent {index} of {whole.name}", extent))
            claims.append(Claim(clause, formula, message, shown=shown))
    return tuple(claims)


@rule("stablehlo.concatenate", example=JOINS, effects=PURE)
def concatenate(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors one behind the other along a dimension.

    (C1) All other extents are equal.
    (R1) The extent along the dimension is the sum; the others are the operands'.
    """
    along = integer_of(op, "dimension")
    result, claims = concatenated_extents(op.operands, ctx, along)
    elements = None
    parts = [ctx.elements(operand) for operand in op.operands]
    if along == 0 and all(part is not None for part in parts):
        elements = tuple(element for part in parts for element in part or ())
    return OpSemantics((Tensor.of(result, elements),), requires=claims)


@rule("stablehlo.pad", example=JOINS, effects=PURE)
def pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Room before, behind and between the elements; negative room takes elements away.

    (C1) No extent of the result is negative.
    (R1) Extent i of the result is low + extent + interior * max(extent - 1, 0) + high.
    """
    rank = len(ctx.dims(op.operands[0]))
    low, high, interior = (
        tuple(map(dim, integers(op, name, rank, 0)))
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    return _pad(op, ctx, [Contents(low), Contents(high), Contents(interior)])


@rule("stablehlo.dynamic_pad", example=JOINS, effects=PURE)
def dynamic_pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Computed room before, behind and between the elements; negative room before or behind takes elements away.

    (C1) No extent of the result is negative.
    (C2) The room between elements is not negative.
    (R1) Extent i of the result is low + extent + interior * max(extent - 1, 0) + high.
    """
    rank = len(ctx.dims(op.operands[0]))
    return _pad(op, ctx, [contents(ctx, operand, rank) for operand in op.operands[2:5]])


def _pad(op: Operation, ctx: RuleContext, held: list[Contents]) -> OpSemantics:
    extents = ctx.dims(op.operands[0])
    low, high, interior = (each.values for each in held)
    result = [
        a + extent + between * maximum(extent - 1, 0) + b
        for extent, a, b, between in zip(extents, low, high, interior, strict=True)
    ]
    claims = (
        *all_non_negative("C2", interior, "the room between elements is negative"),
        *all_non_negative("C1", result, "more is taken away than there is"),
    )
    elements = None
    if all(amount.is_constant and amount.constant == 0 for amount in (*interior,)) and constants((*low, *high)):
        elements = _padded_elements(op, ctx, extents, result, [a.constant for a in low])
    return semantics_of_reading(held, (Tensor.of(result, elements),), claims)


def _padded_elements(
    op: Operation, ctx: RuleContext, extents: Sequence[Dim], result: Sequence[Dim], low: Sequence[int]
) -> tuple[Element, ...] | None:
    elements, filler = ctx.elements(op.operands[0]), ctx.elements(op.operands[1])
    source, target = small_extents(extents), small_extents(result)
    if elements is None or filler is None or source is None or target is None:
        return None
    padded: list[Element] = []
    for index in index_tuples(target):
        there = [i - a for i, a in zip(index, low, strict=True)]
        inside = all(0 <= i < extent for i, extent in zip(there, source, strict=True))
        padded.append(elements[row_major_position(source, there)] if inside else filler[0])
    return tuple(padded)
