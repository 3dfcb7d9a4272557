"""Operations of the shape dialect on sizes: arithmetic that propagates errors, and sizes of shapes."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.domain.fresh_variables import variables_of
from shapesolve.domain.values import Size
from shapesolve.ir.program import SHAPE_TYPE, Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, Ensures, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, implies, less_than, unequal
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.symbolic.segments import number_of_elements
from shapesolve.symbolic.shape_kinds import INVALID, RankedShape, Shape, restricted, unconditional
from shapesolve.symbolic.shapes import same_extents
from shapesolve.trace.events import Kind
from shapesolve.trace.trust import NO_WRAP

from ..transfer.extent_tensors import as_result_size, is_error_free, read_shapes, size_of
from ..transfer.integers import word_result
from .errors import error_claim

EXAMPLE = "tests/cases/shape/sizes.mlir"


@rule("shape.const_size", example=EXAMPLE, effects=PURE)
def const_size(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A known size.

    (C1) The constant is not negative.
    (R1) The result is the constant.
    """
    value = op.attributes.get("value")
    if not isinstance(value, int):
        raise UnknownValueError("the constant is not an integer")
    claim = Claim("C1", FALSE, f"{value} is no size: a size is at least 0", Kind.TYPE)
    return OpSemantics(results=(Size(dim(value)),), requires=() if value >= 0 else (claim,))


@rule("shape.add", "shape.mul", example=EXAMPLE, effects=PURE)
def add_or_multiply(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The sum (add) or product (mul) of two sizes.

    (R1) An error in either operand is an error in the result.
    """
    a, b = (size_of(ctx, operand) for operand in op.operands)
    value, fits = word_result(a.value + b.value if op.name == "shape.add" else a.value * b.value)
    result = as_result_size(op.results[0], value, conjunction((a.valid, b.valid)))
    return OpSemantics(results=(result,), assumes=Assumes((NO_WRAP,), fits))


@rule("shape.div", example=EXAMPLE, effects=PURE)
def divide(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The quotient of two sizes, rounded down.

    (C1) The divisor is not 0.
    (C2) Where a size takes part, neither operand is negative.
    (R1) An error in either operand is an error in the result.
    """
    a, b = (size_of(ctx, operand) for operand in op.operands)
    valid = conjunction((a.valid, b.valid))
    shown = (("the dividend", a.value), ("the divisor", b.value))
    claims = [Claim("C1", implies(valid, unequal(b.value, 0)), "the divisor is 0", shown=shown)]
    if not all(is_error_free(value) for value in (*op.operands, *op.results)):
        positive = conjunction((at_least(a.value, 0), at_least(b.value, 0)))
        claims.append(Claim("C2", implies(valid, positive), "a negative number is divided as a size", shown=shown))
    return OpSemantics(results=(as_result_size(op.results[0], floordiv(a.value, b.value), valid),), requires=claims)


@rule("shape.max", "shape.min", example=EXAMPLE, effects=PURE)
def extreme(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greater (max) or lesser (min) of two sizes, or of two shapes extent by extent.

    (R1) The result is an error where an operand is, and where the operands differ in rank or kind.
    (R2) Of two shapes of unknown rank, the rank and the first and last extents are modeled, and that equal shapes have
    one meaning.
    """
    pick = maximum if op.name == "shape.max" else minimum
    a, b = (ctx.value(operand) for operand in op.operands)
    if isinstance(a, Shape) and isinstance(b, Shape):
        return OpSemantics(results=(a,)) if a is b else _extreme_shape(op, ctx, a, b, pick)
    if isinstance(a, Shape) or isinstance(b, Shape):
        return OpSemantics(results=(INVALID if str(op.results[0].type) == SHAPE_TYPE else Size(dim(0), FALSE),))
    x, y = (size_of(ctx, operand) for operand in op.operands)
    return OpSemantics(results=(Size(pick(x.value, y.value), conjunction((x.valid, y.valid))),))


def _extreme_shape(op: Operation, ctx: RuleContext, a: Shape, b: Shape, pick: Callable[[Dim, Dim], Dim]) -> OpSemantics:
    valid = conjunction((a.valid, b.valid, equal(a.rank, b.rank)))
    if a is INVALID or b is INVALID or valid is FALSE:
        return OpSemantics(results=(INVALID,))
    ranked = a if isinstance(a, RankedShape) else b
    if isinstance(ranked, RankedShape):
        positions = range(len(ranked.dims))
        return OpSemantics(
            results=(RankedShape.of((pick(a.extent(each), b.extent(each)) for each in positions), valid),)
        )
    return _extreme_of_unranked(op, ctx, (a, b), valid, pick)


_NAMED_EXTENTS = 4
"""Extents at either end of a shape of unknown rank about which facts are stated."""

NOT_ALL_EXTENTS = f"only the first {_NAMED_EXTENTS} and the last {_NAMED_EXTENTS} extents are modeled"


def _extreme_of_unranked(
    op: Operation, ctx: RuleContext, operands: tuple[Shape, Shape], valid: Formula, pick: Callable[[Dim, Dim], Dim]
) -> OpSemantics:
    a, b = operands
    unknown = ctx.unknown(op.results[0])
    assert isinstance(unknown, Shape)
    result = unconditional(unknown)
    stated = [equal(result.rank, a.rank), implies(same_extents(a, b), same_extents(result, a))]
    for number in range(_NAMED_EXTENTS):
        for at in (dim(number), a.rank - 1 - number):  # beyond the rank, all of them are 1
            stated.append(equal(result.column(at), pick(a.column(at), b.column(at))))
    return OpSemantics(
        results=(restricted(result, valid),),
        ensures=Ensures(((implies(valid, conjunction(stated)), "extent by extent"),)),
        approximations=Approximations((NOT_ALL_EXTENTS,), variables_of(result)),
    )


@rule("shape.index_to_size", example=EXAMPLE, effects=PURE)
def index_to_size(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An index as a size.

    (C1) The index is not negative.
    (R1) The result is the index.
    """
    value = ctx.integer(op.operands[0])
    claim = Claim("C1", at_least(value, 0), "a negative index becomes a size", shown=((op.operands[0].name, value),))
    return OpSemantics(results=(Size(value),), requires=(claim,))


@rule("shape.size_to_index", example=EXAMPLE, effects=PURE)
def size_to_index(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A size as an index.

    (C1) The size is not an error.
    (R1) The result is the size.
    """
    size = size_of(ctx, op.operands[0])
    claim = error_claim(ctx, "the size", op.operands[0], size.valid)
    return OpSemantics(results=(size.value,), requires=(claim,))


@rule("shape.rank", example=EXAMPLE, effects=PURE)
def rank(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of extents of a shape.

    (R1) The result is the rank; an error where the shape is.
    """
    operand = op.operands[0]
    if isinstance(ctx.value(operand), Shape):
        shape = ctx.shape(operand)
        return OpSemantics(results=(as_result_size(op.results[0], shape.rank, shape.valid),))
    return OpSemantics(results=(as_result_size(op.results[0], ctx.dims(operand)[0]),))


@rule("shape.num_elements", example=EXAMPLE, effects=PURE)
def num_elements(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The product of all extents; 1 for a scalar's shape.

    (R1) The result is an error where the shape is.
    """
    read = read_shapes(ctx, op.operands[0])
    if read.first is INVALID:
        return read.semantics(Size(dim(0), FALSE))
    total, fits = word_result(number_of_elements(read.first))
    semantics = read.semantics(as_result_size(op.results[0], total, read.first.valid))
    return OpSemantics(
        semantics.results,
        ensures=Ensures(operand_facts=semantics.ensures.operand_facts),
        assumes=Assumes((*semantics.assumes.modeling, NO_WRAP), fits),
    )


@rule("shape.get_extent", example=EXAMPLE, effects=PURE)
def get_extent(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One extent of a shape.

    (C1) The index is less than the rank, where the result has no error state.
    (R1) The result is the extent at the index; an error where the shape is, or where the index is out of range.
    """
    read = read_shapes(ctx, op.operands[0])
    return _extent(op, ctx, read.first, read.semantics())


@rule("shape.dim", example=EXAMPLE, effects=PURE)
def dimension(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One extent of a tensor.

    (C1) The index is less than the rank, where the result has no error state.
    (R1) The result is the extent at the index; an error where the index is one or is out of range.
    """
    return _extent(op, ctx, ctx.shape(op.operands[0]), OpSemantics())


def _extent(op: Operation, ctx: RuleContext, shape: Shape, known: OpSemantics) -> OpSemantics:
    index = size_of(ctx, op.operands[1])
    inside = conjunction((at_least(index.value, 0), less_than(index.value, shape.rank)))
    value = _extent_at(shape, index.value)
    if not is_error_free(op.results[0]):
        valid = conjunction((shape.valid, index.valid, inside))
        return OpSemantics(
            results=(Size(value, valid),),
            ensures=Ensures(operand_facts=known.ensures.operand_facts),
            assumes=known.assumes.modeling,
        )
    shown = ((f"index {op.operands[1].name}", index.value), (f"rank of {op.operands[0].name}", shape.rank))
    claim = Claim("C1", conjunction((shape.valid, index.valid, inside)), "the index is out of range", shown=shown)
    return OpSemantics(
        results=(value,),
        requires=(claim,),
        ensures=Ensures(operand_facts=known.ensures.operand_facts),
        assumes=known.assumes.modeling,
    )


def _extent_at(shape: Shape, index: Dim) -> Dim:
    if isinstance(shape, RankedShape) and index.is_constant and not 0 <= index.constant < len(shape.dims):
        return dim(0)
    return shape.extent(index)
