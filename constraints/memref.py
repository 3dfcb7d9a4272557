"""The `memref` dialect: allocation, extents, accesses and views. Contents, offsets and strides are not modeled."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from shapesolve.domain.fresh_variables import INDEX_RANGE, variables_of
from shapesolve.domain.values import Abstract, Tensor, Unmodeled
from shapesolve.ir.program import AffineMap, Operation, ScalarType, ShapedType, Value
from shapesolve.reasons import prefixed
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, PURE, READS, WRITES
from shapesolve.semantics.op_semantics import Approximations, Claim, Memory, OpSemantics, Requires, Results, Yields
from shapesolve.semantics.regions import AtMostOnce
from shapesolve.semantics.registry import ExternalEffect, rule
from shapesolve.symbolic.dims import ZERO, Dim, dim
from shapesolve.symbolic.formulas import at_least, equal
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.shapes import same_shape

from .tensor.elements import data
from .transfer.extent_tensors import extent_product
from .transfer.shape_checks import cast as cast_shape
from .transfer.shape_checks import (
    cast_shape_operands,
    collapsed_extents,
    each_non_negative,
    expanded_extents,
    extent_of,
    reshape_claims,
    within,
)
from .transfer.strided_slices import declared_extents, mixed_integers, read_slice, segment, slice_claims


@rule("memref.alloc", "memref.alloca", example="tests/cases/memref/alloc.mlir", effects=ANY_RESULT)
def alloc(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A new buffer.

    (C1) Every size is at least 0.
    (R1) The result has these sizes.
    """
    extents = declared_extents(ctx, op.results[0], segment(op, 0))
    memory = Memory(allocates=True, is_scoped=op.name == "memref.alloca")
    results = (Tensor.of(extents),)
    return OpSemantics(
        Results(results, is_poison=True, shape_operands=()), requires=each_non_negative(extents), memory=memory
    )


@rule("memref.realloc", example="tests/cases/memref/alloc.mlir", effects=READS | WRITES | ANY_RESULT)
def realloc(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A buffer of one dimension with another size.

    (C1) The size is at least 0.
    (R1) The result has this size.
    """
    extents = declared_extents(ctx, op.results[0], op.operands[1:])
    memory = Memory(frees=op.operands[:1], allocates=True)
    return OpSemantics(
        Results((Tensor.of(extents),), shape_operands=()), requires=each_non_negative(extents), memory=memory
    )


@rule("memref.dealloc", example="tests/cases/memref/alloc.mlir", effects=WRITES)
def dealloc(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Frees a buffer.

    Demands nothing of sizes; that it is freed once and not used afterwards is followed where two programs are
    compared, and only there.
    """
    return OpSemantics(memory=Memory(frees=op.operands))


@rule("memref.atomic_yield", "memref.alloca_scope.return", example="tests/cases/memref/alloc.mlir", effects=PURE)
@rule("memref.global", "memref.prefetch", example="tests/cases/memref/alloc.mlir")
def nothing(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Demands nothing of sizes."""
    return OpSemantics()


@rule("memref.get_global", example="tests/cases/memref/alloc.mlir", effects=PURE)
def get_global(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A buffer of the module.

    (R1) The result has the declared shape, which is static.
    """
    return OpSemantics((Tensor.of(declared_extents(ctx, op.results[0], ())),))


@rule("memref.dim", example="tests/cases/memref/load_store.mlir", effects=PURE)
def extent(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The size of one dimension.

    (C1) The index is at least 0 and below the rank.
    (R1) The result is the extent of that dimension.
    """
    return extent_of(op, ctx)


@rule("memref.rank", example="tests/cases/memref/load_store.mlir", effects=PURE)
def rank(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of dimensions.

    (R1) The result is the rank.
    """
    return OpSemantics((ctx.shape(op.operands[0]).rank,))


@rule("memref.load", example="tests/cases/memref/load_store.mlir", effects=READS)
def load(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads one element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    source, *indices = op.operands
    claims = within([ctx.integer(index) for index in indices], ctx.dims(source), source.name)
    return OpSemantics(
        (data(op.results[0], source, ctx),), requires=Requires(claims, unknown=unknown_alignment(op, source))
    )


def unknown_alignment(op: Operation, buffer: Value) -> str:
    """Return the reason why an access may not be aligned as its operation claims, or "" if every element is."""
    wanted = op.attributes.get("alignment")
    if not isinstance(wanted, int):
        return ""
    element = buffer.type.element if isinstance(buffer.type, ShapedType) else None
    stored = ceil(element.width / 8) if isinstance(element, ScalarType) else 0
    return "" if stored and stored % wanted == 0 else "the alignment of addresses is not followed"


@rule("memref.store", example="tests/cases/memref/load_store.mlir", effects=WRITES)
def store(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Writes one element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    into, *indices = op.operands[1:]
    claims = within([ctx.integer(index) for index in indices], ctx.dims(into), into.name)
    return OpSemantics(requires=Requires(claims, unknown=unknown_alignment(op, into)))


@rule("memref.atomic_rmw", example="tests/cases/memref/load_store.mlir", effects=READS | WRITES)
def atomic_rmw(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads and writes one element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    into, *indices = op.operands[1:]
    claims = within([ctx.integer(index) for index in indices], ctx.dims(into), into.name)
    return OpSemantics((data(op.results[0], into, ctx),), requires=claims)


@rule("memref.generic_atomic_rmw", example="tests/cases/memref/load_store.mlir", effects=READS | WRITES)
def generic_atomic_rmw(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads and writes one element; the region computes the new one from the old.

    (C1) Every index is at least 0 and below the extent of its dimension.
    """
    into, *indices = op.operands
    claims = within([ctx.integer(index) for index in indices], ctx.dims(into), into.name)
    region = op.regions[0]
    current = ctx.unknown(region.blocks[0].arguments[0])
    why = (ctx.reason_unknown(into),) if variables_of(current) else ()
    run = AtMostOnce(region=region, arguments=(current,))
    return OpSemantics(
        (data(op.results[0], into, ctx),),
        requires=claims,
        regions=(run,),
        approximations=Approximations(why, variables_of(current)),
    )


@rule("memref.copy", example="tests/cases/memref/copy.mlir", effects=READS | WRITES)
def copy(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Copies one buffer into another.

    (C1) Both have the same shape.
    """
    return OpSemantics(requires=same_shapes(op.operands[0], op.operands[1], ctx))


def same_shapes(source: Value, into: Value, ctx: RuleContext) -> tuple[Claim, ...]:
    """Return clause C1: two values have the same shape."""
    a, b = ctx.shape(source), ctx.shape(into)
    if not isinstance(a, RankedShape) or not isinstance(b, RankedShape) or len(a.dims) != len(b.dims):
        return (Claim("C1", same_shape(a, b), f"{source.name} and {into.name} differ in shape"),)
    return tuple(
        Claim(
            "C1",
            equal(x, y),
            f"extent {number} of {into.name} is not that of {source.name}",
            shown=((f"extent {number} of {source.name}", x), (f"extent {number} of {into.name}", y)),
        )
        for number, (x, y) in enumerate(zip(a.dims, b.dims, strict=True))
    )


@rule("memref.alloca_scope", example="tests/cases/memref/alloc.mlir", effects=PURE)
def alloca_scope(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A scope for buffers on the stack.

    (R1) The results are what the region returns.
    """

    def finish(yields: Yields) -> tuple[Abstract, ...]:
        returned = yields[0]
        return returned if returned is not None else tuple(Unmodeled("the scope is not followed") for _ in op.results)

    return OpSemantics(Results(compute=finish), regions=(AtMostOnce(region=op.regions[0]),))


@rule("memref.extract_strided_metadata", example="tests/cases/memref/views.mlir", effects=PURE)
def extract_strided_metadata(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The base, offset, sizes and strides of a buffer.

    (R1) The results are the base buffer of rank 0, the offset, the sizes and the strides. The offset and the strides
    are those that the type of the buffer states; of those that it leaves open nothing is known.
    """
    sizes = ctx.dims(op.operands[0])
    *strides, offset = _stated_layout(op.operands[0], sizes)
    return OpSemantics((Tensor.of(()), offset, *sizes, *strides))


def _stated_layout(buffer: Value, sizes: Sequence[Dim]) -> list[Dim | Unmodeled]:
    """Return the strides and the offset of a buffer as its type states them."""
    type = buffer.type
    if isinstance(type, ShapedType) and type.layout is None and type.is_injective:
        return [*(extent_product(sizes[place + 1 :]) for place in range(len(sizes))), ZERO]
    layout = type.layout if isinstance(type, ShapedType) else None
    stated = layout if layout is not None else (None,) * (len(sizes) + 1)
    why = "offsets and strides of buffers are not followed"
    return [Unmodeled(why) if each is None else dim(each) for each in stated]


@rule(
    "memref.extract_aligned_pointer_as_index",
    example="tests/cases/memref/views.mlir",
    effects=PURE,
    outside=ExternalEffect("it hands out an address of the process"),
)
def pointer(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The address of a buffer."""
    return OpSemantics((Unmodeled("addresses are not followed"),))


@rule(
    "memref.assume_alignment",
    "memref.memory_space_cast",
    "memref.distinct_objects",
    example="tests/cases/memref/views.mlir",
    effects=PURE,
)
def same_buffer(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same buffers. What is said of them is believed: how they are aligned, or that they do not overlap.

    (R1) The results have the shapes of the operands.
    """
    believed = () if op.name == "memref.memory_space_cast" else (f"{op.name} says what is so of memory",)
    return OpSemantics(tuple(Tensor(ctx.shape(operand)) for operand in op.operands), assumes=believed)


LARGEST_ALIGNMENT = 16
"""The largest alignment in bytes, of wide integers and 80-bit floats, on the machines that programs run on."""

LAYOUTS = ("strided layouts of buffers fit where they are cast, collapsed or reinterpreted",)
ALIGNED = ("views of bytes begin where elements of their type may",)


@rule("memref.cast", example="tests/cases/memref/views.mlir", effects=PURE)
def cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same buffer under another type. No lowering checks the words "fails at runtime" of its doc.

    (C1) The operand has the rank of the result's type.
    (C2) The operand has every extent that the result's type states.
    (R1) The result has the shape of the operand.
    """
    (operand,) = op.operands
    source, declared = ctx.shape(operand), ctx.declared(op.results[0])
    shape, claims = cast_shape(source, operand, declared)
    return OpSemantics(
        Results((Tensor(shape),), shape_operands=cast_shape_operands(source, operand, declared)),
        requires=claims,
        assumes=LAYOUTS,
    )


@rule("memref.subview", example="tests/cases/memref/subview.mlir", effects=PURE)
def subview(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Part of a buffer, by offsets, sizes and strides.

    (C1) Every size is at least 0.
    (C2) Every offset is at least 0 and at most the extent.
    (C3) Along every dimension in which the slice has elements, all of them lie in the source.
    (R1) The result has the sizes of the slice, without the dimensions of size 1 that its type leaves out.
    """
    source, result = op.operands[0], op.results[0]
    slice = read_slice(op, ctx, 1)
    declared = ctx.declared(result)
    if declared is None:
        raise UnknownValueError(f"the rank of {result.name} is not known")
    sizes = (slice.sizes[dimension] for dimension in slice.kept(declared))
    return OpSemantics(
        Results((Tensor.of(sizes),), shape_operands=()), requires=slice_claims(slice, ctx.dims(source), source.name)
    )


@rule("memref.expand_shape", example="tests/cases/memref/views.mlir", effects=PURE)
def expand_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One dimension as several.

    (C1) Every extent of the output shape is at least 0.
    (C2) The extents that a dimension is expanded to multiply to its size.
    (R1) The result has the extents of the output shape.
    """
    extents, claims = expanded_extents(op, ctx, op.operands[0])
    return OpSemantics(Results((Tensor.of(extents),), shape_operands=()), requires=claims)


@rule("memref.collapse_shape", example="tests/cases/memref/views.mlir", effects=PURE)
def collapse_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Adjacent dimensions as one.

    (R1) Every extent is the product of the extents that it stands for.
    """
    return OpSemantics((Tensor.of(collapsed_extents(op, ctx.dims(op.operands[0]))),), assumes=LAYOUTS)


@rule("memref.reshape", example="tests/cases/memref/views.mlir", effects=READS)
def reshape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in row-major order, under the shape that an integer buffer spells. What that holds is not followed.

    (C1) Every extent of the new shape is at least 0.
    (C2) The old and the new shape have the same number of elements.
    (R1) The result has the new shape.
    """
    source, shape = op.operands
    lengths = ctx.declared(shape)
    why = ctx.reason_unknown(shape)
    length = lengths[0] if lengths else None
    if length is None:
        return OpSemantics((Unmodeled(why),), approximations=(prefixed("whether the new shape fits ", why),))
    declared = ctx.declared(op.results[0]) or (None,) * length
    spelled = [ctx.fresh(f"{shape.name}[{number}]", *INDEX_RANGE) for number in range(length)]
    wanted = [extent if size is None else dim(size) for extent, size in zip(spelled, declared, strict=True)]
    claims = reshape_claims(source, ctx.dims(source), spelled, wanted)
    free = frozenset(variable for extent in spelled for variable in extent.variables)
    reasons = (prefixed("the new shape ", why),)
    return OpSemantics(
        Results((Tensor.of(spelled),), shape_operands=(shape,)),
        requires=claims,
        approximations=Approximations(reasons, free),
    )


@rule("memref.transpose", example="tests/cases/memref/views.mlir", effects=PURE)
def transpose(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The dimensions in another order.

    (R1) Every extent is that of the dimension that the permutation names.
    """
    permutation = op.attributes.get("permutation")
    if not isinstance(permutation, AffineMap):
        raise UnknownValueError("its permutation is not known")
    extents = ctx.dims(op.operands[0])
    return OpSemantics((Tensor.of(extents[result.value] for result in permutation.results),))


@rule("memref.reinterpret_cast", example="tests/cases/memref/views.mlir", effects=PURE)
def reinterpret_cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A buffer of any sizes over the memory of another.

    (C1) Every size is at least 0.
    (R1) The result has these sizes; that they stay inside the memory is assumed.
    """
    extents = mixed_integers(op, ctx, "static_sizes", segment(op, 2))
    return OpSemantics(
        Results((Tensor.of(extents),), shape_operands=()), requires=each_non_negative(extents), assumes=LAYOUTS
    )


@rule("memref.view", example="tests/cases/memref/views.mlir", effects=PURE)
def view(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements of any type in a buffer of bytes.

    (C1) Every size is at least 0.
    (C2) The offset is at least 0, and the elements end within the buffer. That they are aligned is assumed.
    (R1) The result has these sizes.
    """
    source, shift, *sizes = op.operands
    extents = declared_extents(ctx, op.results[0], sizes)
    offset, (length,) = ctx.integer(shift), ctx.dims(source)
    claims = [*each_non_negative(extents)]
    claims.append(Claim("C2", at_least(offset, 0), "the offset is negative", shown=(("offset", offset),)))
    width = _bytes(op)
    if width is None:
        why = "how many bytes its elements take is not known"
        return OpSemantics(
            Results((Tensor.of(extents),), shape_operands=()), requires=Requires(tuple(claims), unknown=why)
        )
    end: Dim = offset + extent_product(extents) * width
    shown = (("end of the elements", end), (f"extent 0 of {source.name}", length))
    claims.append(Claim("C2", at_least(length, end), f"the view runs past {source.name}", shown=shown))
    return OpSemantics(
        Results((Tensor.of(extents),), shape_operands=()), requires=claims, assumes=() if width == 1 else ALIGNED
    )


def _bytes(op: Operation) -> int | None:
    """Return the stride of the elements of a buffer in bytes, or None.

    MLIR takes the stride from LLVM's layout of the element type.
    """
    type = op.results[0].type
    if isinstance(type, ShapedType) and isinstance(type.element, ScalarType):
        stored = ceil(type.element.width / 8)
        aligned = min(1 << (stored - 1).bit_length(), LARGEST_ALIGNMENT)
        return ceil(stored / aligned) * aligned
    return None
