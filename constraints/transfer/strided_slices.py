"""Strided slices of tensors and memrefs, operand segments, and lists that mix attributes and operands."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.int64 import DYNAMIC
from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Claim
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than


@record
class Slice:
    """A strided slice, per dimension of the whole.

    Attributes:
        offsets: The position of the first element.
        sizes: The number of elements.
        strides: The distance of neighboring elements.
        declared: The sizes that are attributes, None for operands.
    """

    offsets: tuple[Dim, ...]
    sizes: tuple[Dim, ...]
    strides: tuple[Dim, ...]
    declared: tuple[int | None, ...]

    def kept(self, extents: Sequence[int | None]) -> tuple[int, ...]:
        """Return the dimensions that remain in a type of lower or equal rank with these extents.

        Dimensions of constant size 1 may be missing from the type; the others are matched from the left.

        Raises:
            UnknownValueError: The type does not match the slice.
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
    """Return the slice of an operation whose offsets are operand segment ``first``, followed by sizes and strides."""
    return Slice(
        mixed_integers(op, ctx, "static_offsets", segment(op, first)),
        mixed_integers(op, ctx, "static_sizes", segment(op, first + 1)),
        mixed_integers(op, ctx, "static_strides", segment(op, first + 2)),
        tuple(None if size == DYNAMIC else size for size in integers_of(op, "static_sizes")),
    )


def slice_claims(slice: Slice, extents: Sequence[Dim], whole: str) -> tuple[Claim, ...]:
    """Return clauses C1 to C3: sizes are not negative, and offsets and all elements of the slice lie in the whole."""
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
    """Return the formula that every element of a slice lies in the whole, given C1 and C2; an empty slice has none."""
    if stride.is_constant and stride.constant == 1:
        return at_least(extent, offset + size)
    last = offset + (size - 1) * stride
    bounds = (
        [less_than(last, extent)]
        if stride.is_constant and stride.constant > 0
        else [less_than(offset, extent), at_least(last, 0), less_than(last, extent)]
    )
    return disjunction((equal(size, 0), conjunction(bounds)))


def segment(op: Operation, number: int) -> tuple[Value, ...]:
    """Return one operand segment.

    Raises:
        UnknownValueError: The segments are not known.
    """
    if number >= len(op.segments):
        raise UnknownValueError("the groups of its operands are not known")
    start = sum(op.segments[:number])
    return op.operands[start : start + op.segments[number]]


def integers_of(op: Operation, attribute: str) -> tuple[int, ...]:
    """Return an attribute that is a list of integers; nothing if it is absent."""
    value = op.attributes.get(attribute, ())
    if not isinstance(value, tuple):
        raise UnknownValueError(f"its attribute {attribute} is not a list")
    return tuple(entry for entry in value if isinstance(entry, int))


def integer_of(op: Operation, attribute: str) -> int:
    """Return an attribute that is one integer."""
    value = op.attributes.get(attribute)
    if not isinstance(value, int):
        raise UnknownValueError(f"its attribute {attribute} is not a number")
    return value


def mixed_integers(op: Operation, ctx: RuleContext, attribute: str, operands: Sequence[Value]) -> tuple[Dim, ...]:
    """Return the integers of an attribute, with the operands in place of the dynamic ones."""
    dynamic = iter(operands)
    return tuple(
        ctx.integer(next(dynamic)) if number == DYNAMIC else dim(number) for number in integers_of(op, attribute)
    )


def declared_extents(ctx: RuleContext, result: Value, operands: Sequence[Value]) -> tuple[Dim, ...]:
    """Return the declared extents of a result, with the operands in place of `?`."""
    dynamic = iter(operands)
    return tuple(ctx.integer(next(dynamic)) if extent is None else extent for extent in ctx.declared_dims(result))
