"""Operations that move elements: slices, padding, concatenation, reshapes, and their kin in the ``tensor`` dialect."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.elements.context import (
    ElementContext,
    NotFollowedError,
    element_rule,
    element_type,
    integer_list,
    is_shaped,
    linear_index,
    reshaped,
)
from shapesolve.elements.scalar_functions import Body, choice
from shapesolve.elements.terms import Access, Choice, Indices, Number, Term, Unspecified
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.symbolic.dims import ONE, ZERO, Dim, floordiv
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal, less_than


@element_rule("tensor.empty")
def empty(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Elements that may be anything."""
    return Unspecified()


@element_rule("tensor.cast", "builtin.unrealized_conversion_cast", "bufferization.alloc_tensor")
def cast(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The same elements with another static type."""
    if op.name == "bufferization.alloc_tensor":
        if op.attributes.get("operandSegmentSizes") and len(op.segments) == 3 and op.segments[1]:
            return Access(op.operands[op.segments[0]], indices)
        return Unspecified()
    if op.name != "tensor.cast":
        raise NotFollowedError("")
    return Access(op.operands[0], indices)


@element_rule("tensor.splat")
def splat(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """One scalar everywhere."""
    return ctx.scalar(op.operands[0])


@element_rule("tensor.extract_slice")
def extract_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Offset plus stride times index; dropped unit dimensions have index 0."""
    source, offsets, sizes, strides = _slice(op, 1, ctx)
    wide = _with_unit_dimensions(op.results[0], sizes, indices)
    places = (offset + stride * index for offset, stride, index in zip(offsets, strides, wide, strict=True))
    return Access(source, tuple(places))


@element_rule("tensor.insert_slice")
def insert_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The inserted tensor inside of the slice, the other one elsewhere."""
    return inserted(op, indices, ctx)


def inserted(op: Operation, indices: Indices, ctx: ElementContext) -> Choice:
    """Return an element of a tensor into which a slice is inserted."""
    _, offsets, sizes, strides = _slice(op, 2, ctx)
    inside, wide = inside_slice(indices, offsets, sizes, strides)
    narrow = _without_unit_dimensions(op.operands[0], sizes, wide)
    return Choice(inside, Access(op.operands[0], narrow), Access(op.operands[1], indices))


def inside_slice(indices: Indices, offsets: Indices, sizes: Indices, strides: Indices) -> tuple[Formula, list[Dim]]:
    """Return when an element lies inside of a slice, and its place there.

    Raises:
        NotFollowedError: A stride is not known to be positive.
    """
    inside: list[Formula] = []
    wide: list[Dim] = []
    for index, offset, size, stride in zip(indices, offsets, sizes, strides, strict=True):
        if not (stride.is_constant and stride.constant > 0):
            raise NotFollowedError("a stride is not known to be positive")
        distance = index - offset
        place = distance if stride is ONE else floordiv(distance, stride)
        inside += [at_least(distance, 0), less_than(place, size)]
        if stride is not ONE:
            inside.append(divides(stride, distance))
        wide.append(place)
    return conjunction(inside), wide


def _slice(op: Operation, tensors: int, ctx: ElementContext) -> tuple[Value, Indices, Indices, Indices]:
    counts = op.segments[-3:]
    given = op.operands[tensors:]
    first, second = counts[0], counts[0] + counts[1]
    return (
        op.operands[0],
        ctx.mixed(op.attributes["static_offsets"], given[:first]),
        ctx.mixed(op.attributes["static_sizes"], given[first:second]),
        ctx.mixed(op.attributes["static_strides"], given[second:]),
    )


def kept_dimensions(value: Value, sizes: Indices) -> list[bool]:
    """Return which dimensions a rank-reduced tensor keeps: units are dropped from the last on, as MLIR does."""
    type = value.type
    assert isinstance(type, ShapedType)
    if type.extents is None:
        raise NotFollowedError("its rank is not known")
    left = list(type.extents)
    kept: list[bool] = []
    for number in range(len(sizes) - 1, -1, -1):
        too_many = number + 1 > len(left)
        is_kept = bool(left) and not (too_many and sizes[number] is ONE and left[-1] != 1)
        if is_kept:
            left.pop()
        elif sizes[number] is not ONE:
            raise NotFollowedError("which dimensions it drops is not known")
        kept.insert(0, is_kept)
    if left:
        raise NotFollowedError("which dimensions it drops is not known")
    return kept


def _with_unit_dimensions(value: Value, sizes: Indices, indices: Indices) -> list[Dim]:
    given = iter(indices)
    return [next(given) if each else ZERO for each in kept_dimensions(value, sizes)]


def _without_unit_dimensions(value: Value, sizes: Indices, indices: list[Dim]) -> Indices:
    kept = kept_dimensions(value, sizes)
    return tuple(index for index, is_kept in zip(indices, kept, strict=True) if is_kept)


@element_rule("tensor.pad")
def pad(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The operand shifted by the low padding, what the region yields elsewhere."""
    low = ctx.mixed(op.attributes["static_low"], op.operands[1 : 1 + op.segments[1]])
    block = op.regions[0].blocks[0]
    body = Body(op.regions[0], dict(zip(block.arguments, map(Number, indices), strict=True)), ctx)
    return padded(op.operands[0], indices, ctx.extents(op.operands[0]), low, body.term(body.yielded[0]))


def padded(operand: Value, indices: Indices, extents: Indices, low: Indices, outside: Term) -> Term:
    """Return an element of an operand that is shifted by the low padding, or another element outside of it."""
    moved = tuple(index - each for index, each in zip(indices, low, strict=True))
    return Choice(_are_inside(moved, extents), Access(operand, moved), outside)


def _are_inside(indices: Indices, extents: Indices) -> Formula:
    pairs = zip(indices, extents, strict=True)
    return conjunction(part for index, extent in pairs for part in (at_least(index, 0), less_than(index, extent)))


@element_rule("tensor.generate")
def generate(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Yielded element of the region at the indices."""
    block = op.regions[0].blocks[0]
    body = Body(op.regions[0], dict(zip(block.arguments, map(Number, indices), strict=True)), ctx)
    return body.term(body.yielded[0])


_AXIS = {"tensor.concat": "dim", "stablehlo.concatenate": "dimension", "tosa.concat": "axis"}


@element_rule(*_AXIS)
def concatenate(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The operand in which the index along the dimension lies."""
    axis = op.attributes[_AXIS[op.name]]
    assert isinstance(axis, int)
    start = ZERO
    parts: list[tuple[Dim, Access]] = []
    for each in op.operands:
        place = (*indices[:axis], indices[axis] - start, *indices[axis + 1 :])
        start = start + ctx.extents(each)[axis]
        parts.append((start, Access(each, place)))
    found: Term = parts[-1][1]
    for end, part in reversed(parts[:-1]):
        found = Choice(less_than(indices[axis], end), part, found)
    return found


@element_rule("tensor.collapse_shape", "tensor.expand_shape")
def regroup(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Groups of dimensions that become one, or one that becomes a group, by row-major position."""
    return Access(op.operands[0], regrouped(op, indices, ctx))


def regrouped(op: Operation, indices: Indices, ctx: ElementContext) -> Indices:
    """Return the indices in the operand of an element of a collapsed or expanded tensor or buffer."""
    is_collapsed = op.name.endswith(".collapse_shape")
    return _in_groups(op, indices, ctx.extents(op.results[0]), ctx.extents(op.operands[0]), is_collapsed=is_collapsed)


def regrouped_back(op: Operation, indices: Indices, ctx: ElementContext) -> Indices:
    """Return the indices in a collapsed or expanded buffer of an element of the operand."""
    is_collapsed = op.name.endswith(".expand_shape")
    return _in_groups(op, indices, ctx.extents(op.operands[0]), ctx.extents(op.results[0]), is_collapsed=is_collapsed)


def _in_groups(op: Operation, indices: Indices, own: Indices, other: Indices, *, is_collapsed: bool) -> Indices:
    """Return the indices of the same element in a shape in which groups of dimensions are split or joined.

    Args:
        own: The shape of the indices: with one dimension for each group if it is collapsed.
        other: The shape of the result.
    """
    groups = op.attributes["reassociation"]
    assert isinstance(groups, tuple)
    found: list[Dim] = []
    for number, group in enumerate(groups):
        assert isinstance(group, tuple)
        members = [int(str(each)) for each in group]
        if is_collapsed:
            found += reshaped([indices[number]], [own[number]], [other[each] for each in members])
        else:
            inner = [indices[each] for each in members], [own[each] for each in members]
            found += reshaped(*inner, [other[number]])
    return tuple(found) if groups or not is_collapsed else (ZERO,) * len(other)


@element_rule("stablehlo.reshape", "stablehlo.dynamic_reshape", "tensor.reshape", "tosa.reshape", "vector.shape_cast")
def reshape(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The same row-major position."""
    return Access(op.operands[0], reshaped(indices, ctx.extents(op.results[0]), ctx.extents(op.operands[0])))


@element_rule("tensor.from_elements")
def from_elements(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """One scalar for each row-major position."""
    position = linear_index(indices, ctx.extents(op.results[0]))
    found: Term | None = None
    for place, each in reversed(list(enumerate(op.operands))):
        element = ctx.scalar(each)
        found = element if found is None else Choice(equal(position, place), element, found)
    if found is None:
        return Unspecified()
    return found


@element_rule("tensor.extract")
def extract(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """One element."""
    return Access(op.operands[0], tuple(map(ctx.size, op.operands[1:])))


@element_rule("tensor.insert")
def insert(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """A scalar at one place, the tensor elsewhere."""
    places = map(ctx.size, op.operands[2:])
    here = conjunction(equal(index, place) for index, place in zip(indices, places, strict=True))
    return Choice(here, ctx.scalar(op.operands[0]), Access(op.operands[1], indices))


# StableHLO -----------------------------------------------------------------------------------------------------------


@element_rule("stablehlo.transpose")
def transpose(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Dimension i of the result is dimension ``permutation[i]`` of the operand."""
    return permuted(integer_list(op, "permutation"), op, indices)


def permuted(permutation: Sequence[int], op: Operation, indices: Indices) -> Term:
    """Return the element of an operand whose dimension ``permutation[i]`` is dimension i of the result."""
    return Access(op.operands[0], tuple(indices[permutation.index(each)] for each in range(len(permutation))))


@element_rule("stablehlo.slice")
def static_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Start plus stride times index."""
    parts = zip(indices, integer_list(op, "start_indices"), integer_list(op, "strides"), strict=True)
    return Access(op.operands[0], tuple(index * stride + start for index, start, stride in parts))


@element_rule("stablehlo.reverse")
def reverse(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The last index comes first in the reversed dimensions."""
    return reversed_along(integer_list(op, "dimensions"), op, indices, ctx)


def reversed_along(dimensions: Sequence[int], op: Operation, indices: Indices, ctx: ElementContext) -> Term:
    """Return an element of an operand that is reversed along some dimensions."""
    extents = ctx.extents(op.operands[0])
    places = (extents[place] - 1 - index if place in dimensions else index for place, index in enumerate(indices))
    return Access(op.operands[0], tuple(places))


@element_rule("stablehlo.broadcast_in_dim", "stablehlo.dynamic_broadcast_in_dim")
def broadcast(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The index of the result's dimension, or 0 where the operand has extent 1."""
    return stretched(op.operands[0], tuple(indices[each] for each in integer_list(op, "broadcast_dimensions")), ctx)


def stretched(operand: Value, indices: Indices, ctx: ElementContext) -> Term:
    """Return an element of an operand of which dimensions of extent 1 are stretched."""
    extents = ctx.extents(operand)

    def element(so_far: Indices) -> Term:
        place = len(so_far)
        if place == len(indices):
            return Access(operand, so_far)
        extent, there = extents[place], (*so_far, indices[place])
        if extent.is_constant:
            return element((*so_far, ZERO) if extent is ONE else there)
        return Choice(equal(extent, 1), element((*so_far, ZERO)), element(there))

    return element(())


@element_rule("shape.assuming")
def assuming(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Yielded element of the region."""
    yielded = op.regions[0].blocks[0].operations[-1].operands[number]
    return Access(yielded, indices) if is_shaped(yielded) else ctx.scalar(yielded)


@element_rule("scf.if")
def conditional(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Yielded element of the branch that is taken."""
    then, otherwise = (each.blocks[0].operations[-1].operands[number] for each in op.regions)
    branches = [Access(each, indices) if is_shaped(each) else ctx.scalar(each) for each in (then, otherwise)]
    return choice(op.operands[0], branches, element_type(then), ctx)
