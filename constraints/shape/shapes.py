"""Operations of the shape dialect that make, compare, join and split shapes."""

from __future__ import annotations

from shapesolve.domain.fresh_variables import variables_of
from shapesolve.domain.values import Abstract, Size, Tensor, Unmodeled
from shapesolve.int64 import DYNAMIC, MIN_INDEX
from shapesolve.ir.program import SHAPE_TYPE, DenseIntegers, Operation, ShapedType
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, PURE, WRITES
from shapesolve.semantics.op_semantics import Approximations, Claim, Ensures, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.atoms import variables_in
from shapesolve.symbolic.dims import dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies
from shapesolve.symbolic.segments import cut_at
from shapesolve.symbolic.shape_kinds import INVALID, RankedShape, Shape, restricted
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_extents
from shapesolve.symbolic.shapes import concat as concatenation

from ..transfer.extent_tensors import (
    ShapeOperands,
    as_result_shape,
    as_result_size,
    authors_messages,
    is_error_free,
    ranked_dims,
    read_shapes,
    shown_extents,
    size_of,
)
from ..transfer.integers import WORD, wrapped
from .errors import error_claim

EXAMPLE = "tests/cases/shape/shapes.mlir"
ANY_OF_UNEQUAL = "the shapes may differ in rank, and then the result may be anything"


@rule("shape.const_shape", example=EXAMPLE, effects=PURE)
def const_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A known shape.

    (R1) The result has the listed extents; the marker of a dynamic extent stands for any.
    """
    listed = op.attributes.get("shape")
    if not isinstance(listed, DenseIntegers) or listed.values is None:
        raise UnknownValueError("the constant's extents are not known")
    extents = [wrapped(dim(value), WORD) for value in listed.values]
    dynamic = [index for index, extent in enumerate(extents) if extent.is_constant and extent.constant == DYNAMIC]
    lower = MIN_INDEX if is_error_free(op.results[0]) else 0  # an element of a tensor is the marker itself
    for index in dynamic:
        extents[index] = ctx.unknowns.size(f"{op.results[0].name}[{index}]", lower)
    free = variables_in(extents[index] for index in dynamic)
    why = tuple(f"extent {index} of the constant is dynamic" for index in dynamic)
    result = as_result_shape(op.results[0], RankedShape.of(extents))
    return OpSemantics(results=(result,), approximations=Approximations(why, free))


@rule("shape.shape_of", example=EXAMPLE, effects=PURE)
def shape_of(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The shape of a tensor, memref or value_shape.

    (R1) The result is the operand's shape; an error where the operand is one.
    """
    return OpSemantics(results=(as_result_shape(op.results[0], ctx.shape(op.operands[0])),))


@rule("shape.value_of", example=EXAMPLE, effects=PURE)
def value_of(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The value of a value_shape.

    (C1) The operand is not an error.
    (R1) The result has the operand's shape.
    """
    found = ctx.tensor(op.operands[0])
    claim = error_claim(ctx, "the value_shape", op.operands[0], found.shape.valid)
    return OpSemantics(results=(found,), requires=(claim,))


@rule("shape.with_shape", example=EXAMPLE, effects=PURE)
def with_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A value together with its declared shape.

    (R1) The result has the given shape; it is an error where an operand is, or where the value has another shape.
    """
    found = ctx.tensor(op.operands[0])
    read = read_shapes(ctx, op.operands[1])
    conforms = conjunction((found.shape.valid, same_extents(found.shape, read.first)))
    return read.semantics(Tensor(restricted(read.first, conforms), found.elements))


@rule("shape.value_as_shape", example=EXAMPLE, effects=PURE)
def value_as_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The shape that the contents of a one-dimensional tensor spell.

    (C1) The contents are sizes, where the result has no error state.
    (R1) The result has these extents; it is an error where an operand is, or where an element is negative.
    """
    operand, result = op.operands[0], op.results[0]
    found = ctx.tensor(operand)
    if not isinstance(found.shape, RankedShape):
        raise UnknownValueError(f"the rank of {operand.name} is not known")
    if len(found.shape.dims) != 1:
        valid, shape = FALSE, INVALID
    elif found.elements is None and found.spells is not None:
        read = read_shapes(ctx, operand)
        return read.semantics(as_result_shape(result, read.first))
    else:
        extents = ctx.integers(operand)
        valid = conjunction((found.shape.valid, *(at_least(extent, 0) for extent in extents)))
        shape = RankedShape.of(extents, valid)
    if is_error_free(result):
        claim = Claim("C1", valid, "the contents are no shape", shown=shown_extents(op, (shape,)))
        return OpSemantics(results=(as_result_shape(result, shape),), requires=(claim,))
    return OpSemantics(results=(shape,))


@rule("shape.from_extents", example=EXAMPLE, effects=PURE)
def from_extents(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shape of given extents.

    (R1) The result has the operands as extents; it is an error where one of them is.
    """
    sizes = [size_of(ctx, operand) for operand in op.operands]
    valid = conjunction(size.valid for size in sizes)
    return OpSemantics(results=(RankedShape.of((size.value for size in sizes), valid),))


@rule("shape.from_extent_tensor", example=EXAMPLE, effects=PURE)
def from_extent_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The shape that an extent tensor holds.

    (R1) The result has the elements as extents.
    """
    read = read_shapes(ctx, op.operands[0])
    return read.semantics(as_result_shape(op.results[0], read.first))


@rule("shape.to_extent_tensor", example=EXAMPLE, effects=PURE)
def to_extent_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shape as a tensor of its extents.

    (C1) The shape is not an error.
    (R1) The result's elements are the extents.
    """
    read = read_shapes(ctx, op.operands[0])
    claim = error_claim(ctx, "the shape", op.operands[0], read.first.valid)
    return read.semantics(as_result_shape(op.results[0], read.first), claims=(claim,))


@rule("shape.broadcast", example=EXAMPLE, effects=PURE)
def broadcasts(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The broadcast of shapes, aligned from the right: of two extents the one that is not 1.

    (C1) In every column all extents that are not 1 are equal, where the result has no error state.
    (R1) The result is the broadcast; an error where an operand is, or where the shapes do not broadcast.
    """
    read = read_shapes(ctx, *op.operands)
    result = as_result_shape(op.results[0], broadcast(*read.shapes))
    if not is_error_free(op.results[0]):
        return read.semantics(result)
    shown = shown_extents(op, read.shapes)
    messages = authors_messages(op, "error")
    claim = Claim(
        "C1", broadcastable(*read.shapes), "the shapes do not broadcast", shown=shown, authors_messages=messages
    )
    return read.semantics(result, claims=(claim,))


@rule("shape.meet", example=EXAMPLE, effects=PURE)
def meet(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The common value of two sizes or two shapes.

    (C1) The operands are equal, where the result has no error state.
    (R1) The result is what both are; an error where they differ or one of them is an error.
    """
    messages, message = authors_messages(op, "error"), "what meets is not equal"
    result = op.results[0]
    if not isinstance(result.type, ShapedType) and str(result.type) != SHAPE_TYPE:
        a, b = (size_of(ctx, operand) for operand in op.operands)
        agree = equal(a.value, b.value)
        value = b.value if b.value.is_constant else a.value
        if not is_error_free(result):
            return OpSemantics(results=(Size(value, conjunction((a.valid, b.valid, agree))),))
        shown = tuple((operand.name, size.value) for operand, size in zip(op.operands, (a, b), strict=True))
        return OpSemantics(
            results=(as_result_size(result, value),),
            requires=(Claim("C1", agree, message, shown=shown, authors_messages=messages),),
        )
    read = read_shapes(ctx, *op.operands)
    valid, met = _met(*read.shapes)
    if not is_error_free(result):
        return read.semantics(restricted(met, valid) if valid is not FALSE else INVALID)
    claim = Claim("C1", valid, message, shown=shown_extents(op, read.shapes), authors_messages=messages)
    return read.semantics(as_result_shape(result, met), claims=(claim,))


def _met(a: Shape, b: Shape) -> tuple[Formula, Shape]:
    """Return the condition under which two shapes agree, and their common shape, with all constants of either."""
    if a is b:
        return a.valid, a
    if a is INVALID or b is INVALID:
        return FALSE, INVALID
    valid = conjunction((a.valid, b.valid, same_extents(a, b)))
    if isinstance(a, RankedShape) and isinstance(b, RankedShape) and len(a.dims) == len(b.dims):
        return valid, RankedShape.of(y if y.is_constant else x for x, y in zip(a.dims, b.dims, strict=True))
    return valid, b if isinstance(b, RankedShape) else a


@rule("shape.any", example=EXAMPLE, effects=ANY_RESULT)
def any_of(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One of several shapes that are believed to be equal.

    (R1) Where all operands are equal the result is what they are, said by the best known extent of each; elsewhere it
    may be anything.
    """
    read = read_shapes(ctx, *op.operands)
    first, *others = read.shapes
    if all(other is first for other in others):
        return read.semantics(as_result_shape(op.results[0], first))
    if any(not isinstance(shape, RankedShape) for shape in read.shapes):
        return _any_of_unranked(op, ctx, read)
    ranks = {len(ranked_dims(shape, "it")) for shape in read.shapes}
    if len(ranks) > 1:
        return read.semantics(Unmodeled(""))
    agree = conjunction((*(same_extents(first, other) for other in others), *(shape.valid for shape in read.shapes)))
    result = op.results[0]
    extents = [ctx.fresh(f"{result.name}[{index}]", None, None) for index in range(ranks.pop())]
    columns = zip(*(ranked_dims(shape, "it") for shape in read.shapes), strict=True)
    best = [next((each for each in column if each.is_constant), column[0]) for column in columns]
    equalities = conjunction(equal(x, y) for x, y in zip(extents, best, strict=True))
    valid = TRUE
    if not is_error_free(result):
        valid = ctx.validity(result.name)
        equalities = conjunction((equalities, valid))
    fact = (implies(agree, equalities), "equal shapes have one meaning")
    known = read.semantics(as_result_shape(result, RankedShape.of(extents, valid)))
    return OpSemantics(
        known.results,
        ensures=Ensures((fact,), operand_facts=known.ensures.operand_facts),
        assumes=known.assumes.modeling,
    )


def _any_of_unranked(op: Operation, ctx: RuleContext, read: ShapeOperands) -> OpSemantics:
    """Return the semantics of `shape.any` of shapes of which one is of unknown rank."""
    some = ctx.unknown(op.results[0])
    if isinstance(some, Tensor) and some.spells is not None and isinstance(some.shape, RankedShape):
        result = some.spells
        is_result = conjunction((some.holds_sizes, equal(some.shape.dims[0], result.rank)))
    elif isinstance(some, Shape):
        result, is_result = some, some.valid
    else:
        return _not_followed(op, read, ANY_OF_UNEQUAL)
    first, *others = read.shapes
    agree = conjunction((*(same_extents(first, other) for other in others), *(shape.valid for shape in read.shapes)))
    best = next((shape for shape in read.shapes if isinstance(shape, RankedShape)), first)
    fact = implies(agree, conjunction((is_result, same_extents(result, best))))
    known = read.semantics(some)
    return OpSemantics(
        known.results,
        ensures=Ensures(((fact, "equal shapes have one meaning"),), operand_facts=known.ensures.operand_facts),
        assumes=known.assumes.modeling,
        approximations=Approximations((ANY_OF_UNEQUAL,), variables_of(some)),
    )


@rule("shape.concat", example=EXAMPLE, effects=PURE)
def concat(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One shape's extents followed by another's.

    (R1) The result is an error where an operand is.
    """
    read = read_shapes(ctx, *op.operands)
    return read.semantics(as_result_shape(op.results[0], concatenation(*read.shapes)))


def _not_followed(op: Operation, read: ShapeOperands, why: str) -> OpSemantics:
    """Return the semantics of an operation whose result is an unknown shape.

    Raises:
        UnknownValueError: The result is an extent tensor, whose type may state its rank.
    """
    if is_error_free(op.results[0]):
        raise UnknownValueError(why)
    return read.semantics(Unmodeled(why))


@rule("shape.split_at", example=EXAMPLE, effects=PURE)
def split_at(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A shape cut in two before a dimension; a negative one counts from the end.

    (C1) The dimension is in [-rank, rank], where a result has no error state.
    (R1) The results are the extents before and from the dimension.
    (R2) The results are errors where the dimension is out of range or an operand is an error.
    """
    read = read_shapes(ctx, op.operands[0])
    shape, index = read.first, size_of(ctx, op.operands[1])
    inside = conjunction((at_least(index.value, -shape.rank), at_least(shape.rank, index.value)))
    valid = conjunction((shape.valid, index.valid, inside))
    claims: tuple[Claim, ...] = ()
    if any(is_error_free(result) for result in op.results):
        shown = (("the dimension", index.value), (f"rank of {op.operands[0].name}", shape.rank))
        claims = (Claim("C1", valid, "the dimension to split at is out of range", shown=shown),)
    return read.semantics(*_halves(op, shape, index, valid), claims=claims)


def _halves(op: Operation, shape: Shape, index: Size, valid: Formula) -> tuple[Abstract, ...]:
    if valid is FALSE:
        return tuple(Unmodeled("") if is_error_free(result) else INVALID for result in op.results)
    halves = cut_at(shape, index.value, valid)
    return tuple(as_result_shape(result, half) for result, half in zip(op.results, halves, strict=True))


@rule("shape.debug_print", example=EXAMPLE, effects=WRITES)
def debug_print(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Prints a size or a shape.

    (R1) The result is the operand.
    """
    return OpSemantics(results=(ctx.value(op.operands[0]),))
