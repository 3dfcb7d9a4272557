"""Elements of vectors of fixed size: transfers with masks and padding, masks, broadcasts, transposes, reductions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.elements.context import (
    ElementContext,
    NotFollowedError,
    as_dim,
    element_rule,
    element_type,
    integer_list,
    is_shaped,
)
from shapesolve.elements.moves import permuted
from shapesolve.elements.scalar_functions import FLOATS, FunctionKey, selected
from shapesolve.elements.terms import Access, Choice, Indices, Number, Reduction, Term, Truth
from shapesolve.ir.program import AffineMap, Operation, ScalarType, ShapedType, Value
from shapesolve.symbolic.dims import ZERO, Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, less_than

_KIND = re.compile(r"#vector.kind<(\w+)>")
_INTEGER_KINDS = {"and": "andi", "or": "ori", "xor": "xori"}


@element_rule("vector.transfer_read")
def transfer_read(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element of the source, or the padding where the vector reaches beyond it or is masked off."""
    source, starts, padding, mask = _parts(op, 0, ctx)
    places, inside = list(starts), list[Formula]()
    extents = ctx.extents(source)
    for own, bounded, result in zip(indices, _in_bounds(op), _map(op).results, strict=True):
        if result.kind != "dim":
            continue  # a constant 0: the same element along this dimension
        place = places[result.value] = starts[result.value] + own
        if not bounded:
            inside += [at_least(place, 0), less_than(place, extents[result.value])]
    element = _masked(op, mask, indices, ctx.element(source, tuple(places), op), ctx.scalar(padding), ctx)
    return Choice(conjunction(inside), element, ctx.scalar(padding))


@element_rule("vector.transfer_write")
def transfer_write(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element of the vector where it lies and is not masked off, the one of the tensor elsewhere."""
    return transferred(op, indices, Access(op.operands[1], indices), ctx)


def transferred(op: Operation, indices: Indices, before: Term, ctx: ElementContext) -> Term:
    """Return an element of a tensor or a buffer after a write of a vector.

    Args:
        before: The element before it.
    """
    _, starts, vector, mask = _parts(op, 1, ctx)
    written = _map(op).results
    if any(each.kind != "dim" for each in written):
        raise NotFollowedError("its permutation map is not followed")
    dimensions = [each.value for each in written]
    inside: list[Formula] = []
    own: list[Dim] = []
    for dimension, extent in zip(dimensions, ctx.extents(vector), strict=True):
        own.append(indices[dimension] - starts[dimension])
        inside += [at_least(own[-1], 0), less_than(own[-1], extent)]
    inside += [equal(indices[each], starts[each]) for each in range(len(starts)) if each not in dimensions]
    element = _masked(op, mask, tuple(own), Access(vector, tuple(own)), before, ctx)
    return Choice(conjunction(inside), element, before)


def _parts(op: Operation, tensor: int, ctx: ElementContext) -> tuple[Value, list[Dim], Value, Value | None]:
    """Return the tensor or buffer, where the vector begins in it, the other value, and the mask."""
    _require_scalar_elements(op.operands[tensor])
    counts = op.segments
    first = tensor + 1
    starts = [ctx.size(each) for each in op.operands[first : first + counts[1 + tensor]]]
    mask = op.operands[-1] if counts[-1] else None
    other = op.operands[first + len(starts)] if tensor == 0 else op.operands[0]
    return op.operands[tensor], starts, other, mask


def _map(op: Operation) -> AffineMap:
    found = op.attributes.get("permutation_map")
    if not isinstance(found, AffineMap) or any(each.kind not in ("dim", "constant") for each in found.results):
        raise NotFollowedError("its permutation map is not followed")
    return found


def _require_scalar_elements(value: Value) -> None:
    """Require that elements lie in memory as they do in a vector.

    LLVM packs the elements of a vector without padding, and those of a buffer each take a power of two of bytes:
    lowered, vector<4xi1> is read from the bits of one byte, and memref<4xi1> takes four bytes. Tensors become buffers.
    """
    type = value.type.element if isinstance(value.type, ShapedType) else value.type
    if not isinstance(type, ScalarType):
        raise NotFollowedError("its elements are no scalars")
    if type.kind != "index" and (type.width < 8 or type.width.bit_count() != 1):
        raise NotFollowedError(f"a vector packs elements of {type.width} bits, memory does not")


def _in_bounds(op: Operation) -> Sequence[object]:
    found = op.attributes.get("in_bounds")
    assert isinstance(found, tuple)
    return found


def _masked(
    op: Operation, mask: Value | None, indices: Indices, element: Term, otherwise: Term, ctx: ElementContext
) -> Term:
    """Return an element where a mask allows it; the dimensions of the mask are in the order of the tensor."""
    if mask is None:
        return element
    places = {each.value: index for each, index in zip(_map(op).results, indices, strict=True) if each.kind == "dim"}
    allowed = ctx.computed(Access(mask, tuple(places[each] for each in sorted(places))))
    if isinstance(allowed, Truth):
        return Choice(allowed.holds, element, otherwise)
    return selected(allowed, element, otherwise, element_type(op.operands[0]))


@element_rule("vector.create_mask", "vector.constant_mask")
def mask(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """True below an end in every dimension."""
    if op.name == "vector.constant_mask":
        ends = list(map(dim, integer_list(op, "mask_dim_sizes")))
    else:
        ends = [ctx.size(each) for each in op.operands]
    return Truth(conjunction(less_than(index, end) for index, end in zip(indices, ends, strict=True)))


@element_rule("vector.step")
def step(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The index."""
    return Number(indices[0])


@element_rule("vector.broadcast")
def broadcast(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The operand's element; leading dimensions and those of extent 1 are stretched."""
    (operand,) = op.operands
    if not is_shaped(operand):
        return ctx.scalar(operand)
    extents = ctx.extents(operand)
    kept = indices[len(indices) - len(extents) :]
    pairs = zip(kept, extents, ctx.extents(op.results[0])[len(indices) - len(extents) :], strict=True)
    return Access(operand, tuple(index if extent is result else ZERO for index, extent, result in pairs))


@element_rule("vector.transpose")
def transpose(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Dimension i of the result is dimension ``permutation[i]`` of the operand."""
    return permuted(integer_list(op, "permutation"), op, indices)


@element_rule("vector.extract")
def extract(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The part at a constant position."""
    if len(op.operands) != 1:
        raise NotFollowedError("its position is an operand")
    return Access(op.operands[0], (*map(dim, integer_list(op, "static_position")), *indices))


@element_rule("vector.extract_strided_slice")
def extract_strided_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Offset plus stride times index in the leading dimensions."""
    offsets, strides = integer_list(op, "offsets"), integer_list(op, "strides")
    places = [index * stride + offset for index, offset, stride in zip(indices, offsets, strides, strict=False)]
    return Access(op.operands[0], (*places, *indices[len(places) :]))


@element_rule("vector.multi_reduction")
def multi_reduction(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The accumulator, combined with all elements along the dimensions."""
    vector, accumulator = op.operands
    reduced = integer_list(op, "reduction_dims")
    extents = ctx.extents(vector)
    atoms = [ctx.fresh_index() for _ in reduced]
    inner, outer = iter(map(as_dim, atoms)), iter(indices)
    places = tuple(next(inner) if place in reduced else next(outer) for place in range(len(extents)))
    initial = Access(accumulator, indices) if is_shaped(accumulator) else ctx.scalar(accumulator)
    sizes = tuple(extents[each] for each in sorted(reduced))
    return Reduction(_combining(op, vector), initial, tuple(atoms), sizes, Access(vector, places))


def _combining(op: Operation, vector: Value) -> FunctionKey:
    """Return the scalar function of a kind of reduction."""
    found = _KIND.search(str(getattr(op.attributes.get("kind"), "text", "")))
    type = element_type(vector)
    if found is None or ("fastmath" in op.attributes and "none" not in str(op.attributes["fastmath"])):
        raise NotFollowedError("how it combines elements is not followed")
    kind = found.group(1)
    if kind in ("add", "mul"):
        kind += "f" if type in FLOATS else "i"
    return FunctionKey(f"arith.{_INTEGER_KINDS.get(kind, kind)}", (), (type, type), (type,))


@element_rule("vector.load")
def load(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The element of a buffer at the position plus the index in its last dimensions."""
    buffer, *position = op.operands
    _require_scalar_elements(buffer)
    starts = list(map(ctx.size, position))
    leading = len(starts) - len(indices)
    places = [*starts[:leading], *(start + index for start, index in zip(starts[leading:], indices, strict=True))]
    return ctx.element(buffer, tuple(places), op)
