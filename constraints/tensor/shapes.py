"""Operations of the tensor dialect that create, cast and reshape tensors, and read their extents."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from shapesolve.domain.values import Element, Float, Tensor
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Type
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import ANY_RESULT, PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, Folds, OpSemantics, Results
from shapesolve.semantics.regions import GenericIteration
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import ONE, ZERO, Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, less_than
from shapesolve.symbolic.shape_kinds import RankedShape

from ..linalg.generic import same_elements
from ..transfer.elements import small_extents
from ..transfer.extent_tensors import read_shapes
from ..transfer.shape_checks import cast as cast_shape
from ..transfer.shape_checks import (
    cast_shape_operands,
    collapsed_extents,
    each_non_negative,
    expanded_extents,
    extent_of,
    reshape_claims,
)
from ..transfer.strided_slices import declared_extents


def holds_integers(type: Type) -> bool:
    """Return whether the element type, of a shaped type or given itself, is an integer."""
    element = type.element if isinstance(type, ShapedType) else type
    return isinstance(element, ScalarType) and element.kind != "float"


@rule("tensor.yield", example="tests/cases/tensor/generate.mlir", effects=PURE)
def yields(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Ends the region of a tensor operation with the value of one element."""
    return OpSemantics()


@rule("tensor.empty", example="tests/cases/tensor/empty.mlir", effects=ANY_RESULT)
def empty(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of the given sizes with unspecified contents.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    extents = declared_extents(ctx, op.results[0], op.operands)
    return OpSemantics(
        Results((Tensor.of(extents),), is_poison=True, shape_operands=()), requires=each_non_negative(extents)
    )


@rule("tensor.dim", example="tests/cases/tensor/dim.mlir", effects=PURE)
def extent(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The size of one dimension.

    (C1) The index is at least 0 and below the rank.
    (R1) The result is the extent of that dimension.
    """
    return extent_of(op, ctx)


@rule("tensor.rank", example="tests/cases/tensor/dim.mlir", effects=PURE)
def rank(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of dimensions.

    (R1) The result is the rank.
    """
    return OpSemantics((ctx.shape(op.operands[0]).rank,))


@rule("tensor.cast", "tensor.bitcast", example="tests/cases/tensor/cast.mlir", effects=PURE)
def cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same tensor under another type. Nothing is checked when the program runs: the type is believed.

    (C1) The operand has the rank of the result's type.
    (C2) The operand has every extent that the result's type states.
    (R1) The result has the shape and the elements of the operand.
    """
    (operand,) = op.operands
    tensor = ctx.tensor(operand)
    declared = ctx.declared(op.results[0])
    shape, claims = cast_shape(tensor.shape, operand, declared)
    bears = cast_shape_operands(tensor.shape, operand, declared)
    simpler = Folds(copies=((operand, TRUE),) if same_elements(operand, op.results[0]) else ())
    if holds_integers(operand.type) != holds_integers(op.results[0].type) or _reads_other_floats(op):
        return OpSemantics(Results((Tensor(shape),), shape_operands=bears), requires=claims, folds=simpler)
    elements = tensor.elements
    count = shape.dims[0] if isinstance(shape, RankedShape) and shape.dims else None
    if elements is None and tensor.spells is not None and count is not None and count.is_constant:
        elements = tuple(tensor.spelled_element(count - 1 - number) for number in range(count.constant))
    between = tensor.between if operand.type == op.results[0].type or op.name == "tensor.cast" else None
    return OpSemantics(
        Results((Tensor(shape, elements, tensor.spells, between=between, signs=tensor.signs),), shape_operands=bears),
        requires=claims,
        folds=simpler,
    )


def _reads_other_floats(op: Operation) -> bool:
    """Return whether the bits of floats are read as another type."""
    before, after = (value.type.element for value in (*op.operands, *op.results) if isinstance(value.type, ShapedType))
    return not holds_integers(before) and before != after


@rule("tensor.from_elements", example="tests/cases/tensor/elements.mlir", effects=PURE)
def from_elements(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of the given elements in row-major order.

    (R1) The result has the declared shape, which is static, and these elements.
    """
    elements = [ctx.value(operand) for operand in op.operands]
    known = tuple(element for element in elements if isinstance(element, Dim | Formula | Float))
    kept: tuple[Element, ...] | None = known if len(known) == len(elements) else None
    return OpSemantics((Tensor.of(declared_extents(ctx, op.results[0], ()), kept),))


@rule("tensor.splat", example="tests/cases/tensor/elements.mlir", effects=PURE)
def splat(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor that holds one value everywhere.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    value = ctx.value(op.operands[0])
    extents = declared_extents(ctx, op.results[0], op.operands[1:])
    small = small_extents(extents)
    elements = (value,) * prod(small) if small is not None and isinstance(value, Dim | Formula | Float) else None
    return OpSemantics(Results((Tensor.of(extents, elements),), shape_operands=()), requires=each_non_negative(extents))


@rule("tensor.generate", example="tests/cases/tensor/generate.mlir", effects=PURE)
def generate(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor whose elements the region computes from their position.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    (R2) The region runs once for every position, so not at all where a size is 0.
    """
    extents = declared_extents(ctx, op.results[0], op.operands)
    run = over_positions(op, ctx, extents)
    return OpSemantics(
        Results((Tensor.of(extents),), shape_operands=()), requires=each_non_negative(extents), regions=(run,)
    )


def over_positions(
    op: Operation, ctx: RuleContext, extents: tuple[Dim, ...], *, always: bool = True
) -> GenericIteration:
    """Return the region's generic iteration over the positions of a tensor; without ``always``, some may not run."""
    region = op.regions[0]
    arguments = region.blocks[0].arguments
    names = (argument.name.lstrip("%") for argument in arguments)
    if always:
        indices = tuple(ctx.every(each, (ZERO, size, ONE)) for each, size in zip(names, extents, strict=True))
    else:
        indices = tuple(map(ctx.fresh, names))
    inside = conjunction(less_than(index, extent) for index, extent in zip(indices, extents, strict=True))
    runs = conjunction(at_least(extent, 1) for extent in extents) if always else None
    because = f"at a position of {op.results[0].name}"
    return GenericIteration(region=region, arguments=indices, condition=inside, because=because, runs=runs)


@rule("tensor.collapse_shape", example="tests/cases/tensor/reassociation.mlir", effects=PURE)
def collapse_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Adjacent dimensions as one.

    (R1) Every extent is the product of the extents that it stands for.
    """
    extents = collapsed_extents(op, ctx.dims(op.operands[0]))
    return OpSemantics((ctx.arranged(op.operands[0], RankedShape.of(extents)),))


@rule("tensor.expand_shape", example="tests/cases/tensor/reassociation.mlir", effects=PURE)
def expand_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One dimension as several.

    (C1) Every extent of the output shape is at least 0.
    (C2) The extents that a dimension is expanded to multiply to its size.
    (R1) The result has the extents of the output shape.
    """
    source = op.operands[0]
    extents, claims = expanded_extents(op, ctx, source)
    return OpSemantics(Results((ctx.arranged(source, RankedShape.of(extents)),), shape_operands=()), requires=claims)


@rule("tensor.reshape", example="tests/cases/tensor/reshape.mlir", effects=PURE)
def reshape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in row-major order, under the shape that an integer tensor spells.

    (C1) Every extent of the new shape is at least 0: -1 has no meaning here.
    (C2) The old and the new shape have the same number of elements.
    (R1) The result has the new shape.
    """
    source, shape = op.operands
    new = read_shapes(ctx, shape)
    if not isinstance(new.first, RankedShape):
        # The size language has no term for the number of elements of a shape of unknown rank.
        why = f"whether the new shape has as many elements as {source.name} is not checked"
        return replace(new.semantics(Tensor(new.first)), approximations=Approximations((why,)))
    extents, claims = reshaped(op, ctx)
    return OpSemantics(
        Results((ctx.arranged(source, RankedShape.of(extents)),), shape_operands=(shape,)), requires=claims
    )


def reshaped(op: Operation, ctx: RuleContext) -> tuple[tuple[Dim, ...], tuple[Claim, ...]]:
    """Return the new extents of a reshape, with clauses C1 and C2."""
    source, shape = op.operands
    extents = ctx.integers(shape)
    return extents, reshape_claims(source, ctx.dims(source), extents, extents)
