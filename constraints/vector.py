"""Vectors: values of a fixed shape. Their contents are not followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.index_type import DYNAMIC
from shapesolve.language.dims import dim
from shapesolve.language.formulas import at_least, conjunction, disjunction, equal, less_than
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import AffineMap, Operation, ScalarType, ShapedType, Value
from shapesolve.walking.effects import PURE, READS, WRITES, Effects, on_values, touches_buffers
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Abstract, Opaque, Tensor, Unmodelled

from .extents import inside, within
from .operand_lists import integers_of, segment
from .row_major import places, small_extents

MASKED = "which elements its mask selects is not followed"
SCALABLE = "the lengths of scalable vectors are not known"
REGISTERS = (
    "bitcast",
    "broadcast",
    "contract",
    "deinterleave",
    "extract_strided_slice",
    "fma",
    "from_elements",
    "insert_strided_slice",
    "interleave",
    "multi_reduction",
    "outerproduct",
    "reduction",
    "scan",
    "shape_cast",
    "shuffle",
    "step",
    "to_elements",
    "transpose",
    "vscale",
    "yield",
)


@rule(*(f"vector.{name}" for name in REGISTERS), example="tests/cases/vector/registers.mlir", effects=PURE)
@rule("vector.print", example="tests/cases/vector/registers.mlir", effects=WRITES)
def registers(op: Operation, see: RuleContext) -> Meaning:
    """Computes on vectors, whose sizes are constants that the verifier has compared.

    (R1) Every result has the declared shape.
    """
    return Meaning(tuple(declared(result) for result in op.results))


@rule("vector.create_mask", "vector.constant_mask", example="tests/cases/vector/accesses.mlir", effects=PURE)
def mask(op: Operation, see: RuleContext) -> Meaning:
    """A mask that is true below a number along each dimension.

    (R1) The result has the declared shape; an element is true where every index is below the number of its dimension.
    """
    result = declared(op.results[0])
    ends = [dim(end) for end in integers_of(op, "mask_dim_sizes")] or list(map(see.integer, op.operands))
    if not isinstance(result, Tensor) or not isinstance(result.shape, RankedShape):
        return Meaning((result,))
    lengths = small_extents(result.shape.dims)
    if lengths is None or len(ends) != len(lengths):
        return Meaning((result,))
    elements = (conjunction(map(less_than, map(dim, place), ends)) for place in places(lengths))
    return Meaning((Tensor(result.shape, tuple(elements)),))


@rule("vector.extract", "vector.insert", example="tests/cases/vector/positions.mlir", effects=PURE)
def at_position(op: Operation, see: RuleContext) -> Meaning:
    """An element or a part of a vector, read or replaced at a position. The position -1 that is no operand stands for
    poison.

    (C1) Every operand that is an index is at least 0 and below the extent of its dimension: the result is undefined
    elsewhere.
    (R1) The result has the declared shape.
    """
    into = 1 if op.name == "vector.insert" else 0
    whole, dynamic = op.operands[into], op.operands[into + 1 :]
    extents = whole.type.extents if isinstance(whole.type, ShapedType) else None
    listed = integers_of(op, "static_position")
    asked = [number for number, position in enumerate(listed) if position == DYNAMIC]
    lengths = [None if extents is None else extents[number] for number in asked]
    known = [dim(length) for length in lengths if length is not None]
    if len(known) != len(lengths):
        raise CannotSee(SCALABLE)
    claims = within([see.integer(index) for index in dynamic], known, whole.name)
    return Meaning((declared(op.results[0]),), claims=claims)


@rule("vector.scalable.extract", "vector.scalable.insert", example="tests/cases/vector/scalable.mlir", effects=PURE)
def at_scaled_position(op: Operation, see: RuleContext) -> Meaning:
    """A part of a vector of scalable size, read or replaced. Whether it lies inside depends on the machine.

    (R1) The result has the declared shape.
    """
    return Meaning((declared(op.results[0]),), unchecked=SCALABLE)


def declared(value: Value) -> Abstract:
    """What is known of a result by its type."""
    type = value.type
    if isinstance(type, ShapedType) and type.extents is not None:
        extents = [extent for extent in type.extents if extent is not None]
        if len(extents) == len(type.extents):
            return Tensor(RankedShape.of(extents))
        return Unmodelled(SCALABLE)
    if isinstance(type, ScalarType) and type.kind != "float":
        return Unmodelled("the contents of vectors are not followed")
    return Opaque()


def _reads_buffers(op: Operation) -> Effects:
    return READS if touches_buffers(op) else PURE


@rule("vector.transfer_read", example="tests/cases/vector/transfers.mlir", effects=_reads_buffers)
def transfer_read(op: Operation, see: RuleContext) -> Meaning:
    """Reads a vector out of a tensor or buffer. What lies beyond the end is the padding value.

    (C1) Along a dimension that is no dimension of the vector, the index is at least 0 and below the extent.
    (C2) Along a dimension that is marked in bounds, the index is at least 0 and the whole vector lies in the source.
    (C3) Along any other dimension the index is at least 0: the vector may only run past the end.
    (R1) The result has the declared shape.
    What a mask selects is not followed: with one, a clause is proved if it would hold without, and not refuted.
    """
    return _transfer(op, see, segment(op, 0)[0], segment(op, 1), op.results[0], (declared(op.results[0]),))


@rule("vector.transfer_write", example="tests/cases/vector/transfers.mlir", effects=on_values)
def transfer_write(op: Operation, see: RuleContext) -> Meaning:
    """Writes a vector into a tensor or buffer. What would lie beyond the end is dropped.

    (C1) Along a dimension that is no dimension of the vector, the index is at least 0 and below the extent.
    (C2) Along a dimension that is marked in bounds, the index is at least 0 and the whole vector lies in the
    destination.
    (C3) Along any other dimension the index is at least 0: the vector may only run past the end.
    (R1) The result has the shape of the destination, where that is a tensor.
    What a mask selects is not followed: with one, a clause is proved if it would hold without, and not refuted.
    """
    into = segment(op, 1)[0]
    results = tuple(Tensor(see.shape(into)) for _ in op.results)
    return _transfer(op, see, into, segment(op, 2), segment(op, 0)[0], results)


def _transfer(
    op: Operation,
    see: RuleContext,
    whole: Value,
    indices: tuple[Value, ...],
    vector: Value,
    results: tuple[Abstract, ...],
) -> Meaning:
    permutation, in_bounds, extents = (
        op.attributes.get("permutation_map"),
        op.attributes.get("in_bounds"),
        see.dims(whole),
    )
    if (
        not isinstance(permutation, AffineMap)
        or not isinstance(in_bounds, tuple)
        or not isinstance(vector.type, ShapedType)
    ):
        raise CannotSee("its permutation map is not known")
    lengths = vector.type.extents or ()
    along = {
        result.value: (bool(marked), length)
        for result, marked, length in zip(permutation.results, in_bounds, lengths, strict=False)
        if result.kind == "dim"
    }
    claims: list[Claim] = []
    for number, (index, extent) in enumerate(zip(map(see.integer, indices), extents, strict=True)):
        shown = ((f"index in dimension {number}", index), (f"extent {number} of {whole.name}", extent))
        marked, length = along.get(number, (False, 1))
        if number not in along:
            claims.append(inside(number, index, extent, whole.name))
        elif marked and length is not None:
            fits = conjunction((at_least(index, 0), at_least(extent, index + length)))
            claims.append(Claim("C2", fits, f"the vector runs past extent {number} of {whole.name}", shown=shown))
        elif not marked:
            before = f"the index in dimension {number} lies before the beginning of {whole.name}"
            claims.append(Claim("C3", at_least(index, 0), before, shown=shown[:1]))
    scalable = (SCALABLE,) if any(length is None for _, length in along.values()) else ()
    if not op.segments[-1]:
        return Meaning(results, claims=tuple(claims), approximations=scalable)
    return unrefuted(Meaning(results, approximations=scalable), claims, f"{whole.name}.unselected", see, MASKED)


def unrefuted(meaning: Meaning, claims: Sequence[Claim], name: str, see: RuleContext, why: str) -> Meaning:
    """A meaning with claims that are proved where they hold, and not refuted where they do not, for the reason given.

    ``name`` is that of the unknown truth which may make up for them.
    """
    unless = equal(see.fresh(name, 0, 1), 1)
    loose = (replace(claim, formula=disjunction((claim.formula, unless))) for claim in claims)
    return replace(
        meaning,
        claims=(*meaning.claims, *loose),
        approximations=(why, *meaning.approximations),
        free=meaning.free | unless.variables,
    )
