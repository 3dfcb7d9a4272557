"""StableHLO's gather and scatter: slices at places that a tensor of indices names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import TRUE, at_least, conjunction
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, Value
from shapesolve.records import record
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Tensor

from .agreement import Contents, contents, equal_extents, equal_shapes
from .extent_tensors import ranked_dims
from .stablehlo_attributes import integers, structure
from .stablehlo_reductions import body

EXAMPLE = "tests/cases/stablehlo/indexing.mlir"


@record
class Indices:
    """A tensor of index vectors: the extents that number them, and the claim on their length."""

    batch: tuple[Dim, ...]
    claims: tuple[Claim, ...]


def _indices(see: RuleContext, value: Value, vector_dimension: int, length: int, clause: str) -> Indices:
    extents = see.dims(value)
    if vector_dimension >= len(extents):
        return Indices(extents, ())
    given = extents[vector_dimension]
    shown = ((f"extent {vector_dimension} of {value.name}", given),)
    claim = Claim(clause, given == length, f"an index vector does not have {length} elements", shown=shown)
    batch = tuple(extent for index, extent in enumerate(extents) if index != vector_dimension)
    return Indices(batch, () if claim.formula is TRUE else (claim,))


def _same_batches(
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
def gather(op: Operation, see: RuleContext) -> Meaning:
    """One slice of the operand for every index vector; places are moved so that slices fit.

    (C1) No slice is larger than the operand.
    (C2) An index vector has one element for every dimension it is about.
    (C3) Batch dimensions that belong together have the same extent.
    (R1) The result has the extents that number the index vectors, and the extents of a slice in the offset dimensions.
    """
    sizes = tuple(map(dim, integers(op, "slice_sizes", 0, 0)))
    return _gathered(op, see, Contents(sizes))


@rule("stablehlo.dynamic_gather", example=EXAMPLE, effects=PURE)
def dynamic_gather(op: Operation, see: RuleContext) -> Meaning:
    """One slice of a computed size of the operand for every index vector; places are moved so that slices fit.

    (C1) No slice is larger than the operand, and no size of it is negative.
    (C2) An index vector has one element for every dimension it is about.
    (C3) Batch dimensions that belong together have the same extent.
    (C4) A slice is no longer than 1 in the dimensions that the result does not have.
    (R1) The result has the extents that number the index vectors, and the extents of a slice in the offset dimensions.
    """
    return _gathered(op, see, contents(see, op.operands[2], len(see.dims(op.operands[0]))))


def _gathered(op: Operation, see: RuleContext, held: Contents) -> Meaning:
    numbers = structure(op, "dimension_numbers")
    operand, starts = op.operands[0], op.operands[1]
    extents = see.dims(operand)
    (vector,) = numbers.get("index_vector_dim", (0,))
    batching = numbers.get("operand_batching_dims", ())
    claims = list(_fitting("C1", operand, extents, held.values))
    indices = _indices(see, starts, vector, len(numbers.get("start_index_map", ())), "C2")
    claims += indices.claims
    pairs = zip(batching, numbers.get("start_indices_batching_dims", ()), strict=True)
    claims += _same_batches("C3", pairs, (operand, extents), (starts, see.dims(starts)))
    left_out = (*numbers.get("collapsed_slice_dims", ()), *batching)
    claims += _single("C4", left_out, held.values)
    window = iter([size for index, size in enumerate(held.values) if index not in left_out])
    batch = iter(indices.batch)
    offsets = numbers.get("offset_dims", ())
    rank = len(offsets) + len(indices.batch)
    result = RankedShape.of(next(window) if index in offsets else next(batch) for index in range(rank))
    return Meaning((Tensor(result),), claims=tuple(claims), approximations=held.reasons, free=held.free)


def _fitting(clause: str, operand: Value, extents: Sequence[Dim], sizes: Sequence[Dim]) -> Iterable[Claim]:
    for index, (extent, size) in enumerate(zip(extents, sizes, strict=True)):
        formula = conjunction((at_least(size, 0), at_least(extent, size)))
        if formula is not TRUE:
            shown = ((f"size {index} of a slice", size), (f"extent {index} of {operand.name}", extent))
            yield Claim(clause, formula, "a slice is larger than the operand", shown=shown)


def _single(clause: str, left_out: Sequence[int], sizes: Sequence[Dim]) -> Iterable[Claim]:
    for index in left_out:
        formula = at_least(1, sizes[index])
        if formula is not TRUE:
            shown = ((f"size {index} of a slice", sizes[index]),)
            yield Claim(clause, formula, "a slice is longer than 1 where the result has no dimension", shown=shown)


@rule("stablehlo.scatter", example=EXAMPLE, effects=PURE)
def scatter(op: Operation, see: RuleContext) -> Meaning:
    """Combines slices of the updates into the inputs; slices that do not fit are left out.

    (C1) All inputs have the same shape, and so have all updates.
    (C2) An index vector has one element for every dimension it is about.
    (C3) Batch dimensions that belong together have the same extent.
    (C4) The updates are numbered as the index vectors are.
    (C5) No slice of the updates is larger than the inputs.
    (R1) The results have the inputs' shape.
    """
    count = len(op.results)
    numbers = structure(op, "scatter_dimension_numbers")
    inputs, (places, *updates) = op.operands[:count], op.operands[count:]
    shape, claims = equal_shapes(see, inputs, "C1", "the inputs' shapes differ")
    update_shape, update_claims = equal_shapes(see, updates, "C1", "the updates' shapes differ")
    extents, update = ranked_dims(shape, inputs[0].name), ranked_dims(update_shape, updates[0].name)
    (vector,) = numbers.get("index_vector_dim", (0,))
    indices = _indices(see, places, vector, len(numbers.get("scatter_dims_to_operand_dims", ())), "C2")
    batching = numbers.get("input_batching_dims", ())
    pairs = zip(batching, numbers.get("scatter_indices_batching_dims", ()), strict=True)
    demands = [*claims, *update_claims, *indices.claims]
    demands += _same_batches("C3", pairs, (inputs[0], extents), (places, see.dims(places)))
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
    runs = (body(see, op.regions[0]),)
    return Meaning(tuple(Tensor(shape) for _ in op.results), claims=tuple(demands), regions=runs)
