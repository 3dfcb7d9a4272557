"""Shape requirements that several dialects share: extents, casts, indices, equal shapes, reassociation, windows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.domain.values import Abstract
from shapesolve.ir.program import Operation, Value
from shapesolve.reasons import Reason
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics, Results
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.dims import ONE, Dim, DimLike, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, equal, less_than, truth
from shapesolve.symbolic.normal_forms import choose, maximum
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import same_extents

from .extent_tensors import extent_product, shown_dims
from .integers import unsigned_reading
from .strided_slices import mixed_integers


def each_non_negative(sizes: Iterable[Dim]) -> tuple[Claim, ...]:
    """Return clause C1 for each computed size: it is not negative."""
    return tuple(
        Claim("C1", at_least(size, 0), "a size is negative", shown=(("size", size),))
        for size in sizes
        if not size.is_constant or size.constant < 0
    )


def extent_of(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of ``dim``, with clause C1."""
    shape = ctx.shape(op.operands[0])
    index = ctx.integer(op.operands[1])
    name = op.operands[0].name
    inside = conjunction((at_least(index, 0), less_than(index, shape.rank)))
    shown = (("index", index), (f"rank of {name}", shape.rank))
    claim = Claim("C1", inside, f"{name} has no dimension of that number", shown=shown)
    stated = isinstance(shape, RankedShape) and index.is_constant  # then the result depends on the type alone
    return OpSemantics(
        Results((shape.extent(index),), shape_operands=() if stated and inside is TRUE else None), requires=(claim,)
    )


def cast(shape: Shape, operand: Value, declared: Sequence[int | None] | None) -> tuple[Shape, tuple[Claim, ...]]:
    """Return a shape cast to another type, with clauses C1 (ranks) and C2 (extents)."""
    if declared is None:
        return shape, ()
    rank = len(declared)
    if isinstance(shape, RankedShape):
        message = f"{operand.name} is not of rank {rank}"
        claims = [Claim("C1", truth(len(shape.dims) == rank), message, of_type=True)]
        if len(shape.dims) != rank:
            return shape, tuple(claims)
        extents = shape.dims
    else:
        shown = ((f"rank of {operand.name}", shape.rank),)
        message = f"{operand.name} is not of rank {rank}"
        claims = [Claim("C1", equal(shape.rank, rank), message, shown=shown, of_type=True)]
        extents = tuple(shape.column(rank - 1 - number) for number in range(rank))
    kept: list[Dim | int] = []
    for number, (extent, wanted) in enumerate(zip(extents, declared, strict=True)):
        if wanted is None:
            kept.append(extent)
            continue
        shown = ((f"extent {number} of {operand.name}", extent),)
        message = f"the cast assumes extent {number} to be {wanted}"
        claims.append(Claim("C2", equal(extent, wanted), message, shown=shown, of_type=True))
        kept.append(wanted)
    return RankedShape.of(kept), tuple(claims)


def cast_shape_operands(
    shape: Shape, operand: Value, declared: Sequence[int | None] | None
) -> tuple[Value, ...] | None:
    """Return the shape operands of a cast: its operand, unless its rank is only a claim."""
    return (operand,) if declared is None or isinstance(shape, RankedShape) else None


def within(indices: Sequence[Dim], extents: Sequence[Dim], whole: str, clause: str = "C1") -> tuple[Claim, ...]:
    """Return the claims that each index is at least 0 and below its extent."""
    return tuple(
        inside(number, index, extent, whole, clause)
        for number, (index, extent) in enumerate(zip(indices, extents, strict=True))
    )


def inside(number: int, index: Dim, extent: Dim, whole: str, clause: str = "C1") -> Claim:
    """Return the claim that the index in dimension ``number`` is at least 0 and below the extent."""
    return Claim(
        clause,
        conjunction((at_least(index, 0), less_than(index, extent))),
        f"the index in dimension {number} is out of the bounds of {whole}",
        shown=((f"index in dimension {number}", index), (f"extent {number} of {whole}", extent)),
    )


def equal_shapes(
    ctx: RuleContext, values: Sequence[Value], clause: str = "C1", message: str = "the operands' shapes differ"
) -> tuple[Shape, tuple[Claim, ...]]:
    """Return the common shape of one or more values, and the claim that they are equal."""
    shapes = [ctx.shape(value) for value in values]
    first, *others = shapes
    if not others:
        return first, ()
    formula = conjunction(same_extents(first, other) for other in others)
    shown = tuple(pair for value, shape in zip(values, shapes, strict=True) for pair in shown_dims(value, shape))
    return _best_known(shapes), (Claim(clause, formula, message, shown=shown),)


def _best_known(shapes: Sequence[Shape]) -> Shape:
    """Return one of several equal shapes, with a constant extent wherever any has one."""
    ranked = [shape for shape in shapes if isinstance(shape, RankedShape)]
    if not ranked:
        return shapes[0]
    if any(len(shape.dims) != len(ranked[0].dims) for shape in ranked):
        return ranked[0]
    columns = zip(*(shape.dims for shape in ranked), strict=True)
    return RankedShape.of(next((e for e in column if e.is_constant), column[0]) for column in columns)


def equal_extents(
    clause: str, message: str, first: tuple[Value, int, Dim], second: tuple[Value, int, Dim], factor: int = 1
) -> Claim:
    """Return the claim that one extent (value, dimension, size) is another one times a factor."""
    shown = tuple((f"extent {index} of {value.name}", extent) for value, index, extent in (first, second))
    return Claim(clause, equal(first[2], second[2] * factor), message, shown=shown)


def equal_counts(clause: str, operand: Value, before: Sequence[Dim], after: Sequence[Dim]) -> Claim:
    """Return the claim that two lists of extents have the same number of elements."""
    shown = tuple((f"extent {index} of {operand.name}", extent) for index, extent in enumerate(before))
    shown += tuple((f"extent {index} of the result", extent) for index, extent in enumerate(after))
    return Claim(
        clause, equal(extent_product(before), extent_product(after)), "the number of elements changes", shown=shown
    )


def concatenated_extents(operands: Sequence[Value], ctx: RuleContext, along: int) -> tuple[list[Dim], list[Claim]]:
    """Return the extents of the concatenation of tensors, and clause C1: all other extents are equal.

    Raises:
        UnknownValueError: The tensors do not have the dimension, or differ in rank.
    """
    every = [ctx.dims(operand) for operand in operands]
    if any(len(extents) != len(every[0]) for extents in every) or not 0 <= along < len(every[0]):
        raise UnknownValueError("the tensors do not have the dimension to join along")
    result = list(every[0])
    claims: list[Claim] = []
    for operand, extents in zip(operands[1:], every[1:], strict=True):
        for index, extent in enumerate(extents):
            if index == along:
                result[index] = result[index] + extent
                continue
            first, other = (operands[0], index, every[0][index]), (operand, index, extent)
            claim = equal_extents("C1", f"extent {index} differs between the parts", first, other)
            claims += [claim] if claim.formula is not TRUE else []
            if extent.is_constant:
                result[index] = extent
    return result, claims


@value_record
class Contents:
    """The integers in a small tensor.

    Attributes:
        values: The integers, fresh ones if they are not known.
        reasons: The reason why they are not known.
        free: The variables that stand for unknown integers.
    """

    values: tuple[Dim, ...]
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()


def contents(ctx: RuleContext, value: Value, count: int) -> Contents:
    """Return the integers of a one-dimensional tensor of known length, so that claims about them can always be made.

    Raises:
        UnknownValueError: The tensor is known to have another length, which MLIR's verifier does not always check.
    """
    found = ctx.tensor(value)
    length = extent_product(found.shape.dims) if isinstance(found.shape, RankedShape) else None
    if length is not None and length.is_constant and length.constant != count:
        raise UnknownValueError(f"{value.name} does not hold {count} numbers")
    if found.elements is not None and len(found.elements) == count:
        return Contents(tuple(map(unsigned_reading(value), ctx.integers(value))))
    unknown = tuple(ctx.fresh(f"{value.name}[{index}]", None, None) for index in range(count))
    free = variables_in(unknown)
    return Contents(unknown, (f"the contents of {value.name} are not known",), free)


def semantics_of_reading(
    held: Sequence[Contents], results: tuple[Abstract, ...], claims: tuple[Claim, ...] = ()
) -> OpSemantics:
    """Return the semantics of an operation that read tensors, with the unknown values in them."""
    reasons = tuple(reason for each in held for reason in each.reasons)
    free = frozenset[Variable]().union(*(each.free for each in held))
    return OpSemantics(results, requires=claims, approximations=Approximations(reasons, free))


def all_non_negative(clause: str, sizes: Iterable[Dim], message: str) -> tuple[Claim, ...]:
    """Return the claim that sizes are not negative, or none if they cannot be."""
    kept = tuple(sizes)
    formula = conjunction(at_least(size, 0) for size in kept)
    if formula is TRUE:
        return ()
    shown = tuple((f"size {index}", size) for index, size in enumerate(kept) if not size.is_constant)
    return (Claim(clause, formula, message, shown=shown),)


def reshape_claims(
    source: Value, extents: Sequence[Dim], sizes: Sequence[Dim], wanted: Sequence[Dim]
) -> tuple[Claim, ...]:
    """Return clauses C1 and C2 of a reshape to some sizes, which keeps the number of elements with those ``wanted``."""
    claims = [
        Claim("C1", at_least(size, 0), f"extent {number} of the new shape is negative", shown=(("extent", size),))
        for number, size in enumerate(sizes)
    ]
    before, after = extent_product(tuple(extents)), extent_product(tuple(wanted))
    shown = ((f"elements of {source.name}", before), ("elements of the new shape", after))
    claims.append(Claim("C2", equal(before, after), "the new shape has another number of elements", shown=shown))
    return tuple(claims)


def reassociation_groups(op: Operation) -> tuple[tuple[int, ...], ...]:
    """Return the reassociation: for each dimension of the lower rank, its dimensions of the higher rank."""
    listed = op.attributes.get("reassociation", ())
    if not isinstance(listed, tuple):
        raise UnknownValueError("its reassociation is not a list")
    return tuple(tuple(i for i in group if isinstance(i, int)) if isinstance(group, tuple) else () for group in listed)


def collapsed_extents(op: Operation, extents: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the extents after collapsing."""
    return tuple(extent_product(extents[dimension] for dimension in group) for group in reassociation_groups(op))


def expanded_extents(op: Operation, ctx: RuleContext, source: Value) -> tuple[tuple[Dim, ...], tuple[Claim, ...]]:
    """Return the extents after expanding, with clauses C1 (sizes are not negative) and C2 (products stay)."""
    extents = mixed_integers(op, ctx, "static_output_shape", op.operands[1:])
    claims = [
        Claim(
            "C1", at_least(extent, 0), f"extent {number} of the output shape is negative", shown=(("extent", extent),)
        )
        for number, extent in enumerate(extents)
        if not extent.is_constant or extent.constant < 0
    ]
    for number, (group, extent) in enumerate(zip(reassociation_groups(op), ctx.dims(source), strict=True)):
        factors = tuple((f"extent {dimension} of the output shape", extents[dimension]) for dimension in group)
        claims.append(
            Claim(
                "C2",
                equal(extent_product(extents[dimension] for dimension in group), extent),
                f"the extents that dimension {number} is expanded to do not multiply to its size",
                shown=((f"extent {number} of {source.name}", extent), *factors),
            )
        )
    return extents, tuple(claims)


def dilated_extent(size: Dim, dilation: DimLike) -> Dim:
    """Return a size after ``dilation - 1`` gaps between its elements; 0 stays 0."""
    if dim(dilation) is ONE:
        return size
    return choose(equal(size, 0), 0, (size - 1) * dilation + 1)


def window_count(room: Dim, window: Dim, stride: DimLike) -> Dim:
    """Return the number of window positions: 0 if the room is empty or the window is larger."""
    fitting = floordiv(room - window, dim(stride)) + 1
    if at_least(window, 1) is FALSE or window.bounds()[0] in (None, 0):
        return choose(conjunction((at_least(room, 1), at_least(room, window))), fitting, 0)
    return maximum(fitting, 0)


def padded_extent(extent: Dim, low: DimLike, high: DimLike) -> Dim:
    """Return an extent with padding at both ends."""
    return extent + low + high
