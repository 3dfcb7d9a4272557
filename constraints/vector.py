"""The `vector` dialect: values of fixed shape, and accesses of several adjacent elements. Contents are not modeled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from shapesolve.domain.values import Abstract, Element, Tensor, UnknownValue, Unmodeled
from shapesolve.int64 import DYNAMIC
from shapesolve.ir.program import AffineMap, Operation, ScalarType, ShapedType, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, READS, WRITES, Effects, on_values, touches_buffers
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Requires, Results
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import ZERO, Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula, IsNonNegative
from shapesolve.symbolic.formulas import (
    at_least,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
    unequal,
)
from shapesolve.symbolic.normal_forms import choose, minimum
from shapesolve.symbolic.shape_kinds import RankedShape

from .memref import unknown_alignment
from .transfer.elements import index_tuples, small_extents
from .transfer.integers import as_truth
from .transfer.shape_checks import inside, within
from .transfer.strided_slices import integers_of, segment


class Exemption(NamedTuple):
    """Claims of a buffer that need not hold where a statement does that is not modeled.

    Attributes:
        reason: What is not modeled.
        statement: The statement, up to the name of the buffer.
    """

    reason: str
    statement: str


MASKED = Exemption("which elements its mask selects is not followed", "the mask leaves out what lies outside of")
VECTORS_ALIGNED = ("buffers that are cast to vectors begin where such vectors may",)
SCALABLE = "the lengths of scalable vectors are not known"
REGISTERS = tuple(
    split_names(
        "bitcast broadcast contract deinterleave extract_strided_slice fma from_elements insert_strided_slice "
        "interleave multi_reduction outerproduct reduction scan shape_cast shuffle step to_elements transpose vscale "
        "yield"
    )
)


@rule(*(f"vector.{name}" for name in REGISTERS), example="tests/cases/vector/registers.mlir", effects=PURE)
@rule("vector.print", example="tests/cases/vector/registers.mlir", effects=WRITES)
def registers(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Computes on vectors, whose sizes are constants that the verifier has compared.

    (R1) Every result has the declared shape.
    """
    return OpSemantics(tuple(declared(result) for result in op.results))


@rule("vector.type_cast", example="tests/cases/vector/type_cast.mlir", effects=PURE)
def type_cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same memory as one vector. The verifier demands static extents and no layout, and compares the extents.

    (R1) The result has the declared shape; that a vector may begin where the buffer does is assumed.
    """
    return OpSemantics((declared(op.results[0]),), assumes=VECTORS_ALIGNED)


@rule("vector.create_mask", "vector.constant_mask", example="tests/cases/vector/accesses.mlir", effects=PURE)
def mask(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A mask that is true below a number along each dimension.

    (R1) The result has the declared shape; an element is true where every index is below the number of its dimension.
    """
    result = declared(op.results[0])
    ends = [dim(end) for end in integers_of(op, "mask_dim_sizes")] or list(map(ctx.integer, op.operands))
    if not isinstance(result, Tensor) or not isinstance(result.shape, RankedShape):
        return OpSemantics((result,))
    lengths = small_extents(result.shape.dims)
    if lengths is None or len(ends) != len(lengths):
        return OpSemantics((result,))
    elements = (conjunction(map(less_than, map(dim, place), ends)) for place in index_tuples(lengths))
    return OpSemantics((Tensor(result.shape, tuple(elements)),))


_POISON = -1
"""A position that stands for poison."""


@rule("vector.extract", "vector.insert", example="tests/cases/vector/positions.mlir", effects=PURE)
def at_position(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An element or a part of a vector, read or replaced at a position.

    The position -1 that is no operand stands for poison.

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
        raise UnknownValueError(SCALABLE)
    claims = within([ctx.integer(index) for index in dynamic], known, whole.name)
    return OpSemantics(Results((declared(op.results[0]),), is_poison=_POISON in listed), requires=claims)


@rule("vector.scalable.extract", "vector.scalable.insert", example="tests/cases/vector/scalable.mlir", effects=PURE)
def at_scaled_position(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A part of a vector of scalable size, read or replaced. Whether it lies inside depends on the machine.

    (R1) The result has the declared shape.
    """
    return OpSemantics((declared(op.results[0]),), requires=Requires(unknown=SCALABLE))


def declared(value: Value) -> Abstract:
    """Return the value of a result by its type alone."""
    type = value.type
    if isinstance(type, ShapedType) and type.extents is not None:
        extents = [extent for extent in type.extents if extent is not None]
        if len(extents) == len(type.extents):
            return Tensor.of(extents)
        return Unmodeled(SCALABLE)
    if isinstance(type, ScalarType) and type.kind != "float":
        return Unmodeled("the contents of vectors are not followed")
    return UnknownValue()


def _reads_buffers(op: Operation) -> Effects:
    return READS if touches_buffers(op) else PURE


@rule("vector.transfer_read", example="tests/cases/vector/transfers.mlir", effects=_reads_buffers)
def transfer_read(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads a vector out of a tensor or buffer. What lies beyond the end is the padding value.

    (C1) Along a dimension that is no dimension of the vector, the index is at least 0 and below the extent.
    (C2) Along a dimension that is marked in bounds, the index is at least 0 and the whole vector lies in the source.
    (C3) Along any other dimension the index is at least 0: the vector may only run past the end.
    (R1) The result has the declared shape.
    What a mask selects is not followed: with one, a clause is proved if it would hold without, and not refuted.
    """
    return _read(op, ctx, is_masked=bool(op.segments[-1]))


def _read(op: Operation, ctx: RuleContext, *, is_masked: bool) -> OpSemantics:
    result = op.results[0]
    return _transfer(op, ctx, segment(op, 0)[0], segment(op, 1), result, (declared(result),), is_masked=is_masked)


@rule("vector.transfer_write", example="tests/cases/vector/transfers.mlir", effects=on_values)
def transfer_write(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes a vector into a tensor or buffer. What would lie beyond the end is dropped.

    (C1) Along a dimension that is no dimension of the vector, the index is at least 0 and below the extent.
    (C2) Along a dimension that is marked in bounds, the index is at least 0 and the whole vector lies in the
    destination.
    (C3) Along any other dimension the index is at least 0: the vector may only run past the end.
    (R1) The result has the shape of the destination, where that is a tensor.
    What a mask selects is not followed: with one, a clause is proved if it would hold without, and not refuted.
    """
    return _write(op, ctx, is_masked=bool(op.segments[-1]))


def _write(op: Operation, ctx: RuleContext, *, is_masked: bool) -> OpSemantics:
    into = segment(op, 1)[0]
    results = tuple(Tensor(ctx.shape(into)) for _ in op.results)
    return _transfer(op, ctx, into, segment(op, 2), segment(op, 0)[0], results, is_masked=is_masked)


def _transfer(
    op: Operation,
    ctx: RuleContext,
    whole: Value,
    indices: tuple[Value, ...],
    vector: Value,
    results: tuple[Abstract, ...],
    *,
    is_masked: bool,
) -> OpSemantics:
    permutation, in_bounds, extents = (
        op.attributes.get("permutation_map"),
        op.attributes.get("in_bounds"),
        ctx.dims(whole),
    )
    if (
        not isinstance(permutation, AffineMap)
        or not isinstance(in_bounds, tuple)
        or not isinstance(vector.type, ShapedType)
    ):
        raise UnknownValueError("its permutation map is not known")
    lengths = vector.type.extents or ()
    along = {
        result.value: (bool(marked), length)
        for result, marked, length in zip(permutation.results, in_bounds, lengths, strict=False)
        if result.kind == "dim"
    }
    claims: list[Claim] = []
    for number, (index, extent) in enumerate(zip(map(ctx.integer, indices), extents, strict=True)):
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
    if not is_masked:
        return OpSemantics(results, requires=claims, approximations=scalable)
    return with_unrefutable_claims(OpSemantics(results, approximations=scalable), claims, MASKED, whole, ctx)


TRANSFERS = {"vector.transfer_read": _read, "vector.transfer_write": _write}


def _of_masked(op: Operation) -> Effects:
    inner = _masked_operation(op)
    if inner is None or inner.name not in TRANSFERS:
        return PURE
    return _reads_buffers(inner) if inner.name == "vector.transfer_read" else on_values(inner)


def _masked_operation(op: Operation) -> Operation | None:
    inside = (each for region in op.regions for block in region.blocks for each in block.operations)
    return next((each for each in inside if each.name != "vector.yield"), None)


@rule("vector.mask", example="tests/cases/vector/masks.mlir", effects=_of_masked)
def masked(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Runs an operation for the elements that a mask selects.

    (C1) A transfer, along a dimension that is no dimension of the vector: as of the transfer.
    (C2) A transfer, along a dimension that is marked in bounds: as of the transfer.
    (C3) A transfer, along any other dimension: as of the transfer.
    (R1) The results are those of the operation.
    What the mask selects is not followed: a clause is proved if it would hold without, and not refuted.
    """
    inner = _masked_operation(op)
    results = tuple(map(declared, op.results))
    if inner is None or inner.name.removeprefix("vector.") in REGISTERS:
        return OpSemantics(results)
    if inner.name in TRANSFERS:
        return TRANSFERS[inner.name](inner, ctx, is_masked=True)
    return OpSemantics(
        results, requires=Requires(unknown=f"{MASKED.reason}, so what {inner.name} demands is not known")
    )


def with_unrefutable_claims(
    semantics: OpSemantics, claims: Sequence[Claim], unless: Exemption, buffer: Value, ctx: RuleContext
) -> OpSemantics:
    """Return semantics with claims on a buffer that can be proved but not refuted."""
    exempt = ctx.unmodeled_truth(f"{unless.statement} {buffer.name}")
    loose = (replace(claim, formula=disjunction((claim.formula, exempt))) for claim in claims)
    return replace(
        semantics.with_claims(*loose),
        approximations=Approximations((unless.reason,), exempt.variables).joined(semantics.approximations),
    )


EXAMPLE = "tests/cases/vector/accesses.mlir"
BEYOND = Exemption(
    "what the machine does beyond the end of a buffer is not known", "the machine allows access beyond the end of"
)


@rule("vector.load", example=EXAMPLE, effects=READS)
def load(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads as many elements as a vector has, along the last dimensions of a buffer.

    (C1) The whole vector lies inside. Reading outside is up to the machine, so that this is not refuted. Where the
    vector is one element of the buffer, every index is at least 0 and below the extent of its dimension.
    (R1) The result has the declared shape.
    """
    into, *indices = op.operands
    return _access(op, ctx, into, indices, op.results[0])


@rule("vector.store", example=EXAMPLE, effects=WRITES)
def store(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes the elements of a vector, along the last dimensions of a buffer.

    (C1) The whole vector lies inside. Writing outside is up to the machine, so that this is not refuted. Where the
    vector is one element of the buffer, every index is at least 0 and below the extent of its dimension.
    """
    vector, into, *indices = op.operands
    return _access(op, ctx, into, indices, vector)


@rule("vector.maskedload", "vector.expandload", example=EXAMPLE, effects=READS)
def masked_load(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads the elements that a mask selects (maskedload), or as many as it selects, one after the other (expandload).

    (C1) Every element that is read lies inside. Of a mask that is not known this is proved where all do that it could
    select, and not refuted.
    (R1) The result has the declared shape.
    """
    into, *indices = op.operands[:-2]
    return _masked(op, ctx, into, indices, op.results[0])


@rule("vector.maskedstore", "vector.compressstore", example=EXAMPLE, effects=WRITES)
def masked_store(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes the elements that a mask selects, to their places (maskedstore) or one after the other (compressstore).

    (C1) Every element that is written lies inside. Of a mask that is not known this is proved where all do that it
    could select, and not refuted.
    """
    into, *indices = op.operands[:-2]
    return _masked(op, ctx, into, indices, op.operands[-1])


def _access(op: Operation, ctx: RuleContext, buffer: Value, indices: Sequence[Value], vector: Value) -> OpSemantics:
    place = [ctx.integer(index) for index in indices]
    semantics = _of_results(op, buffer)
    if is_one_element(buffer, vector):
        return semantics.with_claims(*within(place, ctx.dims(buffer), buffer.name))
    return with_all_inside(semantics, "C1", vector, buffer, place, ctx)


def _masked(op: Operation, ctx: RuleContext, buffer: Value, indices: Sequence[Value], vector: Value) -> OpSemantics:
    place, extents = [ctx.integer(index) for index in indices], ctx.dims(buffer)
    mask, semantics = op.operands[-2], _of_results(op, buffer)
    selected = ctx.elements(mask) if isinstance(mask.type, ShapedType) and len(mask.type.extents or ()) == 1 else None
    if selected is None:
        return with_all_inside(semantics, "C1", vector, buffer, place, ctx, MASKED)
    inside = _selected_inside(op, list(map(as_truth, selected)), place, extents)
    return semantics.with_claims(Claim("C1", inside, f"an element that is selected lies outside of {buffer.name}"))


def _selected_inside(op: Operation, mask: Sequence[Formula], place: Sequence[Dim], extents: Sequence[Dim]) -> Formula:
    """Return the formula that all elements that a mask selects lie inside."""
    end = _end(mask)
    if end is not None:
        return disjunction((at_least(0, end), _inside(place, extents, [minimum(end, len(mask))])))
    if op.name in ("vector.expandload", "vector.compressstore"):
        count = sum((choose(each, 1, 0) for each in mask), ZERO)
        return disjunction((equal(count, 0), _inside(place, extents, [count])))
    lanes = [_inside([*place[:-1], place[-1] + lane], extents, []) for lane in range(len(mask))]
    return conjunction(map(implies, mask, lanes))


def _end(mask: Sequence[Formula]) -> Dim | None:
    """Return the end of a mask that is true below it, as `vector.create_mask` makes it, or None for another mask."""
    if all(each is TRUE or each is FALSE for each in mask):
        end = dim(sum(each is TRUE for each in mask))
    elif isinstance(mask[0], IsNonNegative):
        end = mask[0].size + 1
    else:
        return None
    return end if all(each is less_than(lane, end) for lane, each in enumerate(mask)) else None


@rule("vector.gather", example="tests/cases/vector/gathers.mlir", effects=_reads_buffers)
def gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads the elements that a mask selects, each at an index of its own along the last dimension.

    (C1) Every element that is read lies inside. Of a mask that is not known this is proved where all elements that it
    could select do, and not refuted.
    (R1) The result has the declared shape.
    """
    return _at_lanes(op, ctx, tuple(map(declared, op.results)))


@rule("vector.scatter", example="tests/cases/vector/gathers.mlir", effects=WRITES)
def scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes the elements that a mask selects, each at an index of its own along the last dimension.

    (C1) Every element that is written lies inside. Of a mask that is not known this is proved where all elements that
    it could select do, and not refuted.
    (C2) No two elements are written to the same place; as C1, where the mask is not known.
    (R1) The result, where there is one, has the shape of the destination.
    """
    into, indices = op.operands[0], op.operands[-3]
    semantics = _at_lanes(op, ctx, tuple(Tensor(ctx.shape(into)) for _ in op.results))
    lanes, selected = ctx.elements(indices), ctx.elements(op.operands[-2])
    if lanes is None:
        return semantics
    pairs = combinations(zip(ctx.integers(indices), _selects(selected, len(lanes)), strict=True), 2)
    distinct = (disjunction((unequal(a, b), negation(one), negation(two))) for (a, one), (b, two) in pairs)
    claim = Claim("C2", conjunction(distinct), f"two elements are written to the same place of {into.name}")
    if selected is None:
        return with_unrefutable_claims(semantics, [claim], MASKED, into, ctx)
    return semantics.with_claims(claim)


def _at_lanes(op: Operation, ctx: RuleContext, results: tuple[Abstract, ...]) -> OpSemantics:
    """Return the semantics of an access whose last index has a vector's elements added to it."""
    buffer, *indices, lanes, mask = op.operands[:-1]
    place, extents = [ctx.integer(index) for index in indices], ctx.dims(buffer)
    semantics = OpSemantics(results, requires=Requires(unknown=unknown_alignment(op, buffer)))
    if ctx.elements(lanes) is None:
        unknown = f"the elements of {lanes.name} are not followed"
        return replace(semantics, requires=replace(semantics.requires, unknown=unknown))
    numbers, selected = ctx.integers(lanes), ctx.elements(mask)
    inside = (_inside([*place[:-1], place[-1] + lane], extents, []) for lane in numbers)
    formula = conjunction(map(implies, _selects(selected, len(numbers)), inside))
    claim = Claim("C1", formula, f"an element that is selected lies outside of {buffer.name}")
    if selected is None:
        return with_unrefutable_claims(semantics, [claim], MASKED, buffer, ctx)
    return semantics.with_claims(claim)


def _selects(mask: Sequence[Element] | None, count: int) -> list[Formula]:
    """Return for each element whether a mask selects it; of a mask that is not known, all."""
    return [TRUE] * count if mask is None else list(map(as_truth, mask))


def _of_results(op: Operation, buffer: Value) -> OpSemantics:
    return OpSemantics(
        tuple(declared(result) for result in op.results), requires=Requires(unknown=unknown_alignment(op, buffer))
    )


def is_one_element(buffer: Value, part: Value) -> bool:
    """Return whether the value has the element type of the buffer."""
    whole = buffer.type
    return isinstance(whole, ShapedType) and str(whole.element) == str(part.type)


def with_all_inside(
    semantics: OpSemantics,
    clause: str,
    vector: Value,
    buffer: Value,
    place: Sequence[Dim],
    ctx: RuleContext,
    unless: Exemption = BEYOND,
) -> OpSemantics:
    """Return semantics with the claim that a vector lies inside a buffer, which can be proved but not refuted."""
    type = vector.type
    extents = type.extents if isinstance(type, ShapedType) else None
    lengths = [extent for extent in extents or () if extent is not None]
    if extents is None or len(lengths) != len(extents):
        return replace(semantics, requires=replace(semantics.requires, unknown=SCALABLE))
    inside = _inside(place, ctx.dims(buffer), lengths)
    claim = Claim(clause, inside, f"the vector is not known to lie inside of {buffer.name}")
    return with_unrefutable_claims(semantics, [claim], unless, buffer, ctx)


def _inside(place: Sequence[Dim], extents: Sequence[Dim], lengths: Sequence[int | Dim]) -> Formula:
    """Return the formula that all elements of a vector lie inside; its lengths are along the last dimensions."""
    counts = [*(1 for _ in extents[len(lengths) :]), *lengths]
    dimensions = zip(place, extents, counts, strict=True)
    return conjunction(conjunction((at_least(at, 0), at_least(extent, at + count))) for at, extent, count in dimensions)
