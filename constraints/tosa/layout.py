"""Reshapes, permutations, slices, repetitions, concatenation, gather and scatter of the tosa dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, Ensures, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal, truth, unequal

from ..transfer.extent_tensors import IndexCheck, Shown, check_indices, extent_product
from ..transfer.shape_checks import all_non_negative, concatenated_extents, contents, equal_counts, equal_extents
from ..transfer.strided_slices import integer_of, integers_of
from .elementwise import length_claims

LAYOUT = "tests/cases/tosa/layout.mlir"
SLICES = "tests/cases/tosa/slices.mlir"
INDEXING = "tests/cases/tosa/indexing.mlir"


def _shape_length(op: Operation, operand: int) -> int:
    """Return the number of sizes in an operand of type ``!tosa.shape<n>``."""
    return int(str(op.operands[operand].type).removeprefix("!tosa.shape<").removesuffix(">"))


@rule("tosa.reshape", example=LAYOUT, effects=PURE)
def reshape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same elements in the same order under another shape, in which one size may be -1: whatever is left.

    (C1) At most one size is -1, and no other is negative.
    (C2) The number of elements stays the same; where a size is left open, the other sizes divide it.
    (R1) The result has the sizes that the second operand holds.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    held = contents(ctx, op.operands[1], _shape_length(op, 1))
    sizes = list(held.values)
    opened = [index for index, size in enumerate(sizes) if size.is_constant and size.constant == -1]
    others = [size for index, size in enumerate(sizes) if index not in opened]
    claims = [*all_non_negative("C1", others, "a size is negative")]
    if len(opened) > 1:
        claims.append(Claim("C1", truth(False), "more than one size is -1"))
    if opened:
        total, known = extent_product(extents), extent_product(others)
        sizes[opened[0]] = floordiv(total, known)
        fits = conjunction((divides(known, total), at_least(known, 1)))
        shown = (("the elements", total), ("the sizes that are given", known))
        claims.append(Claim("C2", fits, "the sizes that are given do not divide the elements", shown=shown))
    else:
        claims.append(equal_counts("C2", operand, extents, sizes))
    result = Tensor.of(sizes, ctx.elements(operand))
    return OpSemantics((result,), requires=claims, approximations=Approximations(held.reasons, held.free))


@rule("tosa.transpose", example=LAYOUT, effects=PURE)
def transpose(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A permutation of the dimensions.

    (R1) Extent i of the result is the operand's extent perms[i].
    """
    extents = ctx.dims(op.operands[0])
    order = integers_of(op, "perms")
    if sorted(order) != list(range(len(extents))):
        raise UnknownValueError("the permutation does not fit the rank")
    return OpSemantics((Tensor.of(extents[source] for source in order),))


@rule("tosa.reverse", example="tests/cases/tosa/unary.mlir", effects=PURE)
def reverse(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in reverse order along an axis.

    (C1) The operand has that axis.
    (R1) The result has the operand's shape.
    """
    shape, axis = ctx.shape(op.operands[0]), integer_of(op, "axis")
    there = conjunction((at_least(axis, 0), at_least(shape.rank, axis + 1)))
    shown = ((f"rank of {op.operands[0].name}", shape.rank),)
    claims = () if there is TRUE else (Claim("C1", there, f"there is no axis {axis}", shown=shown),)
    return OpSemantics((Tensor(shape),), requires=claims)


@rule("tosa.concat", example=LAYOUT, effects=PURE)
def concat(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors one behind the other along an axis.

    (C1) All other extents are equal.
    (R1) The extent along the axis is the sum; the others are the operands'.
    """
    result, claims = concatenated_extents(op.operands, ctx, integer_of(op, "axis"))
    return OpSemantics((Tensor.of(result),), requires=claims)


@rule("tosa.pad", example=SLICES, effects=PURE)
def pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Room before and behind the elements.

    (C1) No amount is negative.
    (C2) What the room is filled with is one number.
    (R1) Extent i of the result is before[i] + extent + behind[i].
    """
    extents = ctx.dims(op.operands[0])
    held = contents(ctx, op.operands[1], 2 * len(extents))
    amounts = held.values
    result = [amounts[2 * i] + extent + amounts[2 * i + 1] for i, extent in enumerate(extents)]
    claims = (
        *all_non_negative("C1", amounts, "the padding is negative"),
        *length_claims("C2", ctx, op.operands[2:], 1),
    )
    return OpSemantics((Tensor.of(result),), requires=claims, approximations=Approximations(held.reasons, held.free))


@rule("tosa.slice", example=SLICES, effects=PURE)
def slice_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A part of a tensor; size -1 means all that follows the start.

    (C1) In every dimension start and size are not negative, and start + size is at most the extent.
    (R1) The result has the sizes that the third operand holds.
    """
    operand, extents = op.operands[0], ctx.dims(op.operands[0])
    starts, sizes = (contents(ctx, value, len(extents)) for value in op.operands[1:3])
    result: list[Dim] = []
    claims: list[Claim] = []
    for index, (extent, start, size) in enumerate(zip(extents, starts.values, sizes.values, strict=True)):
        taken = extent - start if size.is_constant and size.constant == -1 else size
        inside = conjunction((at_least(start, 0), at_least(taken, 0), at_least(extent, start + taken)))
        result.append(taken)
        if inside is not TRUE:
            shown = ((f"start {index}", start), (f"size {index}", taken), (f"extent {index} of {operand.name}", extent))
            claims.append(Claim("C1", inside, f"the slice leaves dimension {index}", shown=shown))
    reasons, free = (*starts.reasons, *sizes.reasons), starts.free | sizes.free
    return OpSemantics((Tensor.of(result),), requires=claims, approximations=Approximations(reasons, free))


@rule("tosa.tile", example=SLICES, effects=PURE)
def tile(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor repeated along its dimensions.

    (C1) No multiple is negative.
    (R1) Extent i of the result is extent * multiple[i].
    """
    extents = ctx.dims(op.operands[0])
    held = contents(ctx, op.operands[1], len(extents))
    result = [extent * multiple for extent, multiple in zip(extents, held.values, strict=True)]
    claims = all_non_negative("C1", held.values, "a multiple is negative")
    return OpSemantics((Tensor.of(result),), requires=claims, approximations=Approximations(held.reasons, held.free))


# Places that a tensor of indices names -----------------------------------------------------------------------------


@rule("tosa.gather", example=INDEXING, effects=PURE)
def gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Rows of values [N, K, C] at indices [N, W].

    (C1) Both operands have the same N.
    (C2) Every index is at least 0 and less than K, unless C is 0.
    (R1) The result is [N, W, C].
    """
    values, indices = _dims_of_ranks(op, ctx, (3, 2))
    claim = equal_extents(
        "C1", "the batch sizes differ", (op.operands[0], 0, values[0]), (op.operands[1], 0, indices[0])
    )
    result = Tensor.of((_prefer_constant(values[0], indices[0]), indices[1], values[2]))
    made_of = op.operands if claim.formula is TRUE else None  # otherwise either of the batch sizes may be the result's
    return _lookup_semantics(result, (claim,), _row_claims("C2", op, ctx, values, dim(1)), made_of)


@rule("tosa.row_gather", example=INDEXING, effects=PURE)
def row_gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Groups of consecutive rows of values [N, K, C], beginning at indices [N, W].

    (C1) Both operands have the same N.
    (C2) Every index is at least 0, and the last row of its group is less than K, unless C is 0.
    (C3) A group has at least one row.
    (R1) The result is [N, W * row_count, C].
    """
    values, indices = _dims_of_ranks(op, ctx, (3, 2))
    held = contents(ctx, op.operands[2], 1)
    claim = equal_extents(
        "C1", "the batch sizes differ", (op.operands[0], 0, values[0]), (op.operands[1], 0, indices[0])
    )
    (count,) = held.values
    result = Tensor.of((_prefer_constant(values[0], indices[0]), indices[1] * count, values[2]))
    there = Claim("C3", at_least(count, 1), "a group has no rows", shown=(("rows of a group", count),))
    claims = (claim,) if there.formula is TRUE else (claim, there)
    semantics = _lookup_semantics(result, claims, _row_claims("C2", op, ctx, values, count))
    return replace(semantics, approximations=Approximations(held.reasons, held.free).joined(semantics.approximations))


@rule("tosa.scatter", example=INDEXING, effects=PURE)
def scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Values [N, K, C] of which the rows at indices [N, W] are replaced by those of the input [N, W, C].

    (C1) All three operands have the same N.
    (C2) Indices and input have the same W, values and input the same C.
    (C3) There are no more indices than rows: W <= K, for no row is written twice.
    (C4) Every index is at least 0 and less than K, unless C is 0.
    (C5) No two indices for the same of N are equal; this is asked where it is known what they are.
    (R1) The result is [N, K, C].
    """
    values, indices, source = _dims_of_ranks(op, ctx, (3, 2, 3))
    a, b, c = op.operands
    claims = [
        equal_extents("C1", "the batch sizes differ", (a, 0, values[0]), (b, 0, indices[0])),
        equal_extents("C1", "the batch sizes differ", (a, 0, values[0]), (c, 0, source[0])),
        equal_extents("C2", "there is not one row for every index", (b, 1, indices[1]), (c, 1, source[1])),
        equal_extents("C2", "the channels differ", (a, 2, values[2]), (c, 2, source[2])),
    ]
    shown = ((f"extent 1 of {b.name}", indices[1]), (f"extent 1 of {a.name}", values[1]))
    claims.append(Claim("C3", at_least(values[1], indices[1]), "a row is written twice", shown=shown))
    claims += _distinct_claims("C5", ctx, b)
    result = Tensor.of(values)
    return _lookup_semantics(result, claims, _row_claims("C4", op, ctx, values, dim(1)), (a,))


def _distinct_claims(clause: str, ctx: RuleContext, indices: Value) -> tuple[Claim, ...]:
    """Return the claim that indices [N, W], if they are known, are distinct within each of the N rows."""
    width = ctx.dims(indices)[1]
    if ctx.elements(indices) is None or not width.is_constant:
        return ()
    numbers = ctx.integers(indices)
    starts = range(0, len(numbers), max(width.constant, 1))
    pairs = (pair for start in starts for pair in combinations(numbers[start : start + width.constant], 2))
    formula = conjunction(unequal(first, second) for first, second in pairs)
    return () if formula is TRUE else (Claim(clause, formula, "a row is written twice"),)


def _row_claims(clause: str, op: Operation, ctx: RuleContext, values: Sequence[Dim], count: Dim) -> IndexCheck:
    """Return the claim that ``count`` rows from each index (the second operand) on exist in values [N, K, C]."""
    indices = op.operands[1]

    def inside(index: Dim) -> Formula:
        return conjunction((at_least(index, 0), at_least(values[1], index + count)))

    def required(formula: Formula, shown: Shown) -> Claim:
        extent = (f"extent 1 of {op.operands[0].name}", values[1])
        return Claim(clause, formula, f"an index in {indices.name} is not that of a row", shown=(extent, *shown))

    return check_indices(ctx, indices, ctx.tensor(indices), inside, required, unless=equal(values[2], 0))


def _lookup_semantics(
    result: Tensor, claims: Sequence[Claim], rows: IndexCheck, shape_operands: tuple[Value, ...] | None = None
) -> OpSemantics:
    """Return the semantics of a gather or scatter with a requirement on its indices."""
    kept = claims if rows.claim.formula is TRUE else (*claims, rows.claim)
    return OpSemantics(
        Results((result,), shape_operands=shape_operands),
        requires=kept,
        ensures=Ensures(operand_facts=rows.known, are_invariants=True),
        approximations=Approximations(rows.reasons, rows.free),
    )


def _dims_of_ranks(op: Operation, ctx: RuleContext, ranks: Sequence[int]) -> tuple[tuple[Dim, ...], ...]:
    every = tuple(ctx.dims(operand) for operand in op.operands[: len(ranks)])
    if tuple(map(len, every)) != tuple(ranks):
        raise UnknownValueError("an operand is not of the rank that the operation is about")
    return every


def _prefer_constant(a: Dim, b: Dim) -> Dim:
    """Return the constant one of two equal sizes, or the first."""
    return b if b.is_constant else a
