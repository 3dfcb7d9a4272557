"""Slices by offsets, sizes and strides: what tensors and memrefs have in common."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.index_type import DYNAMIC
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula, at_least, conjunction, disjunction, equal, less_than
from shapesolve.reading.program import Operation
from shapesolve.records import record
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim

from .operand_lists import integers_of, mixed, segment


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
                raise CannotSee("which dimensions of the slice its type leaves out is not clear")
        if len(matched) != len(extents):
            raise CannotSee("which dimensions of the slice its type leaves out is not clear")
        return tuple(matched)


def read_slice(op: Operation, see: RuleContext, first: int) -> Slice:
    """The slice of an operation whose offsets are the operand group ``first``."""
    return Slice(
        mixed(op, see, "static_offsets", segment(op, first)),
        mixed(op, see, "static_sizes", segment(op, first + 1)),
        mixed(op, see, "static_strides", segment(op, first + 2)),
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
