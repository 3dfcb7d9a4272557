"""Slices by offsets, sizes and strides: what tensors and memrefs have in common.

Operands in groups, and lists that are partly attributes and partly operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.int64 import DYNAMIC
from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.rulebook import Claim
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than


@record
class Slice:
    """Per dimension of the whole: where the slice begins, how many elements it has and how far apart they are."""

    offsets: tuple[Dim, ...]
    sizes: tuple[Dim, ...]
    strides: tuple[Dim, ...]
    declared: tuple[int | None, ...]  # the sizes that are attributes, None for operands

    def kept(self, extents: Sequence[int | None]) -> tuple[int, ...]:
        """The dimensions that remain where a slice of these sizes is seen as a type of lower or equal rank.

        Dimensions of constant size 1 may be missing from the type; those that are there are matched from the left.
        """
        matched: list[int] = []
        for dimension, size in enumerate(self.declared):
            wanted = extents[len(matched)] if len(matched) < len(extents) else -1
            if size == wanted or (size != 1 and wanted != -1 and None in (size, wanted)):
                matched.append(dimension)
            elif size != 1:
                raise UnknownValueError("which dimensions of the slice its type leaves out is not clear")
        if len(matched) != len(extents):
            raise UnknownValueError("which dimensions of the slice its type leaves out is not clear")
        return tuple(matched)


def read_slice(op: Operation, ctx: RuleContext, first: int) -> Slice:
    """The slice of an operation whose offsets are the operand group ``first``."""
    return Slice(
        mixed(op, ctx, "static_offsets", segment(op, first)),
        mixed(op, ctx, "static_sizes", segment(op, first + 1)),
        mixed(op, ctx, "static_strides", segment(op, first + 2)),
        tuple(None if size == DYNAMIC else size for size in integers_of(op, "static_sizes")),
    )


def slice_claims(slice: Slice, extents: Sequence[Dim], whole: str) -> tuple[Claim, ...]:
    """Clauses C1 to C3: sizes are not negative, offsets lie in the whole, and so does every element of the slice."""
    claims: list[Claim] = []
    each = zip(slice.offsets, slice.sizes, slice.strides, extents, strict=True)
    for number, (offset, size, stride, extent) in enumerate(each):
        shown = (
            (f"offset in dimension {number}", offset),
            (f"size in dimension {number}", size),
            (f"stride in dimension {number}", stride),
            (f"extent {number} of {whole}", extent),
        )
        claims += (
            Claim("C1", at_least(size, 0), f"the slice has a negative size in dimension {number}", shown=shown[1:2]),
            Claim(
                "C2",
                conjunction((at_least(offset, 0), at_least(extent, offset))),
                f"the offset in dimension {number} lies outside {whole}",
                shown=(shown[0], shown[3]),
            ),
            Claim("C3", inside(offset, size, stride, extent), f"the slice runs past {whole}", shown=shown),
        )
    return tuple(claims)


def inside(offset: Dim, size: Dim, stride: Dim, extent: Dim) -> Formula:
    """Every element of a slice is one of the whole, given that C1 and C2 hold; an empty slice has none."""
    if stride.is_constant and stride.constant == 1:
        return at_least(extent, offset + size)
    last = offset + (size - 1) * stride
    bounds = (
        [less_than(last, extent)]
        if stride.is_constant and stride.constant > 0
        else [
            less_than(offset, extent),
            at_least(last, 0),
            less_than(last, extent),
        ]
    )
    return disjunction((equal(size, 0), conjunction(bounds)))


"""What an attribute says where an operand says the number."""


def segment(op: Operation, number: int) -> tuple[Value, ...]:
    """One group of operands."""
    if number >= len(op.segments):
        raise UnknownValueError("the groups of its operands are not known")
    start = sum(op.segments[:number])
    return op.operands[start : start + op.segments[number]]


def integers_of(op: Operation, attribute: str) -> tuple[int, ...]:
    """An attribute that is a list of integers; nothing where it is absent."""
    value = op.attributes.get(attribute, ())
    if not isinstance(value, tuple):
        raise UnknownValueError(f"its attribute {attribute} is not a list")
    return tuple(entry for entry in value if isinstance(entry, int))


def integer_of(op: Operation, attribute: str) -> int:
    """An attribute that is one integer."""
    value = op.attributes.get(attribute)
    if not isinstance(value, int):
        raise UnknownValueError(f"its attribute {attribute} is not a number")
    return value


def mixed(op: Operation, ctx: RuleContext, attribute: str, operands: Sequence[Value]) -> tuple[Dim, ...]:
    """The numbers of an attribute, with the operands in the places that it leaves open."""
    dynamic = iter(operands)
    return tuple(
        ctx.integer(next(dynamic)) if number == DYNAMIC else dim(number) for number in integers_of(op, attribute)
    )


def declared_with(ctx: RuleContext, result: Value, operands: Sequence[Value]) -> tuple[Dim, ...]:
    """The declared extents of a result, with the operands in the places of `?`."""
    dynamic = iter(operands)
    return tuple(ctx.integer(next(dynamic)) if extent is None else extent for extent in ctx.declared_dims(result))
