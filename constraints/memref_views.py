"""Buffers seen otherwise. Offsets and strides are not followed: a view is its sizes."""

from __future__ import annotations

from math import ceil

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import at_least, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import AffineMap, Operation, ScalarType, ShapedType
from shapesolve.walking.effects import PURE, READS
from shapesolve.walking.reasons import prefixed
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.unknowns import INDEX_RANGE
from shapesolve.walking.values import Tensor, Unmodelled

from .extents import borne_by_cast, not_negative
from .extents import cast as cast_shape
from .operand_lists import declared_with, mixed, segment
from .reassociation import collapsed, expanded, product
from .strided_slices import read_slice, slice_claims

LARGEST_ALIGNMENT = 16
"""The bytes that LLVM aligns the greatest integers to, and 80-bit floats, on the machines that programs are run on."""

LAYOUTS = ("strided layouts of buffers fit where they are cast, collapsed or reinterpreted",)
ALIGNED = ("views of bytes begin where elements of their type may",)


@rule("memref.cast", example="tests/cases/memref/views.mlir", effects=PURE)
def cast(op: Operation, see: RuleContext) -> Meaning:
    """The same buffer under another type. No lowering checks the words "fails at runtime" of its doc.

    (C1) The operand has the rank of the result's type.
    (C2) The operand has every extent that the result's type states.
    (R1) The result has the shape of the operand.
    """
    (operand,) = op.operands
    source, declared = see.shape(operand), see.declared(op.results[0])
    shape, claims = cast_shape(source, operand, declared)
    return Meaning((Tensor(shape),), claims=claims, leans_on=LAYOUTS, bears=borne_by_cast(source, operand, declared))


@rule("memref.subview", example="tests/cases/memref/subview.mlir", effects=PURE)
def subview(op: Operation, see: RuleContext) -> Meaning:
    """Part of a buffer, by offsets, sizes and strides.

    (C1) Every size is at least 0.
    (C2) Every offset is at least 0 and at most the extent.
    (C3) Along every dimension in which the slice has elements, all of them lie in the source.
    (R1) The result has the sizes of the slice, without the dimensions of size 1 that its type leaves out.
    """
    source, result = op.operands[0], op.results[0]
    slice = read_slice(op, see, 1)
    declared = see.declared(result)
    if declared is None:
        raise CannotSee(f"the rank of {result.name} is not known")
    sizes = (slice.sizes[dimension] for dimension in slice.kept(declared))
    return Meaning(
        (Tensor(RankedShape.of(sizes)),), claims=slice_claims(slice, see.dims(source), source.name), bears=()
    )


@rule("memref.expand_shape", example="tests/cases/memref/views.mlir", effects=PURE)
def expand_shape(op: Operation, see: RuleContext) -> Meaning:
    """One dimension as several.

    (C1) Every extent of the output shape is at least 0.
    (C2) The extents that a dimension is expanded to multiply to its size.
    (R1) The result has the extents of the output shape.
    """
    extents, claims = expanded(op, see, op.operands[0])
    return Meaning((Tensor(RankedShape.of(extents)),), claims=claims, bears=())


@rule("memref.collapse_shape", example="tests/cases/memref/views.mlir", effects=PURE)
def collapse_shape(op: Operation, see: RuleContext) -> Meaning:
    """Adjacent dimensions as one.

    (R1) Every extent is the product of the extents that it stands for.
    """
    return Meaning((Tensor(RankedShape.of(collapsed(op, see.dims(op.operands[0])))),), leans_on=LAYOUTS)


@rule("memref.reshape", example="tests/cases/memref/views.mlir", effects=READS)
def reshape(op: Operation, see: RuleContext) -> Meaning:
    """The elements in row-major order, under the shape that an integer buffer spells. What that holds is not followed.

    (C1) Every extent of the new shape is at least 0.
    (C2) The old and the new shape have the same number of elements.
    (R1) The result has the new shape.
    """
    source, shape = op.operands
    lengths = see.declared(shape)
    why = see.why_unknown(shape)
    length = lengths[0] if lengths else None
    if length is None:
        return Meaning((Unmodelled(why),), approximations=(prefixed("whether the new shape fits ", why),))
    declared = see.declared(op.results[0]) or (None,) * length
    spelled = [see.fresh(f"{shape.name}[{number}]", *INDEX_RANGE) for number in range(length)]
    claims = [
        Claim("C1", at_least(extent, 0), f"extent {number} of the new shape is negative", shown=(("extent", extent),))
        for number, extent in enumerate(spelled)
    ]
    wanted = (extent if size is None else dim(size) for extent, size in zip(spelled, declared, strict=True))
    before, after = product(see.dims(source)), product(tuple(wanted))
    shown = ((f"elements of {source.name}", before), ("elements of the new shape", after))
    claims.append(Claim("C2", equal(before, after), "the new shape has another number of elements", shown=shown))
    free = frozenset(variable for extent in spelled for variable in extent.variables)
    reasons = (prefixed("the new shape ", why),)
    return Meaning(
        (Tensor(RankedShape.of(spelled)),), claims=tuple(claims), approximations=reasons, free=free, bears=(shape,)
    )


@rule("memref.transpose", example="tests/cases/memref/views.mlir", effects=PURE)
def transpose(op: Operation, see: RuleContext) -> Meaning:
    """The dimensions in another order.

    (R1) Every extent is that of the dimension that the permutation names.
    """
    permutation = op.attributes.get("permutation")
    if not isinstance(permutation, AffineMap):
        raise CannotSee("its permutation is not known")
    extents = see.dims(op.operands[0])
    return Meaning((Tensor(RankedShape.of(extents[result.value] for result in permutation.results)),))


@rule("memref.reinterpret_cast", example="tests/cases/memref/views.mlir", effects=PURE)
def reinterpret_cast(op: Operation, see: RuleContext) -> Meaning:
    """A buffer of any sizes over the memory of another.

    (C1) Every size is at least 0.
    (R1) The result has these sizes; that they stay inside the memory is assumed.
    """
    extents = mixed(op, see, "static_sizes", segment(op, 2))
    return Meaning((Tensor(RankedShape.of(extents)),), claims=not_negative(extents), leans_on=LAYOUTS, bears=())


@rule("memref.view", example="tests/cases/memref/views.mlir", effects=PURE)
def view(op: Operation, see: RuleContext) -> Meaning:
    """Elements of any type in a buffer of bytes.

    (C1) Every size is at least 0.
    (C2) The offset is at least 0, and the elements end within the buffer. That they are aligned is assumed.
    (R1) The result has these sizes.
    """
    source, shift, *sizes = op.operands
    extents = declared_with(see, op.results[0], sizes)
    offset, (length,) = see.integer(shift), see.dims(source)
    claims = [*not_negative(extents)]
    claims.append(Claim("C2", at_least(offset, 0), "the offset is negative", shown=(("offset", offset),)))
    width = _bytes(op)
    if width is None:
        why = "how many bytes its elements take is not known"
        return Meaning((Tensor(RankedShape.of(extents)),), claims=tuple(claims), unchecked=why, bears=())
    end: Dim = offset + product(extents) * width
    shown = (("end of the elements", end), (f"extent 0 of {source.name}", length))
    claims.append(Claim("C2", at_least(length, end), f"the view runs past {source.name}", shown=shown))
    return Meaning(
        (Tensor(RankedShape.of(extents)),), claims=tuple(claims), leans_on=() if width == 1 else ALIGNED, bears=()
    )


def _bytes(op: Operation) -> int | None:
    """How far apart the elements of a buffer are: MLIR takes the stride from LLVM's layout of their type."""
    type = op.results[0].type
    if isinstance(type, ShapedType) and isinstance(type.element, ScalarType):
        stored = ceil(type.element.width / 8)
        aligned = min(1 << (stored - 1).bit_length(), LARGEST_ALIGNMENT)
        return ceil(stored / aligned) * aligned
    return None
