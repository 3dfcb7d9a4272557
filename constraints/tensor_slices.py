"""Slices of tensors."""

from __future__ import annotations

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Element, Tensor

from .row_major import constants, gathered, places, position, small_extents
from .strided_slices import Slice, read_slice, slice_claims


@rule("tensor.extract_slice", example="tests/cases/tensor/extract_slice.mlir", effects=PURE)
def extract_slice(op: Operation, see: RuleContext) -> Meaning:
    """Part of a tensor, by offsets, sizes and strides.

    (C1) Every size is at least 0.
    (C2) Every offset is at least 0 and at most the extent.
    (C3) Along every dimension in which the slice has elements, all of them lie in the source.
    (R1) The result has the sizes of the slice, without the dimensions of size 1 that its type leaves out.
    """
    source = op.operands[0]
    extents = see.dims(source)
    slice = read_slice(op, see, 1)
    kept = slice.kept(_declared(see, op.results[0].name, see.declared(op.results[0])))
    sizes = tuple(slice.sizes[dimension] for dimension in kept)
    elements = _taken(see.elements(source), extents, slice, kept)
    between = see.tensor(source).between
    result = Tensor(RankedShape.of(sizes), elements, between=None if between is None else between.loosely)
    return Meaning((result,), claims=slice_claims(slice, extents, source.name), bears=())


@rule(
    "tensor.insert_slice", "tensor.parallel_insert_slice", example="tests/cases/tensor/insert_slice.mlir", effects=PURE
)
def insert_slice(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with part of it, by offsets, sizes and strides, replaced by another tensor.

    (C1) Every size is at least 0.
    (C2) Every offset is at least 0 and at most the extent.
    (C3) Along every dimension in which the slice has elements, all of them lie in the destination.
    (C4) The source has the sizes of the slice, without the dimensions of size 1 that its type leaves out.
    (R1) The result has the shape of the destination.
    """
    source, into = op.operands[:2]
    extents, given = see.dims(into), see.dims(source)
    slice = read_slice(op, see, 2)
    kept = slice.kept(_declared(see, source.name, see.declared(source)))
    fits = tuple(
        Claim(
            "C4",
            equal(extent, slice.sizes[dimension]),
            f"extent {number} of {source.name} is not the size of the slice",
            shown=((f"extent {number} of {source.name}", extent), (f"size {dimension}", slice.sizes[dimension])),
        )
        for number, (extent, dimension) in enumerate(zip(given, kept, strict=True))
    )
    claims = (*slice_claims(slice, extents, into.name), *fits)
    if not op.results:
        return Meaning(claims=claims)
    elements = _replaced(see.elements(into), extents, see.elements(source), slice)
    return Meaning((Tensor(RankedShape.of(extents), elements),), claims=claims, bears=(into,))


def _declared(see: RuleContext, name: str, extents: tuple[int | None, ...] | None) -> tuple[int | None, ...]:
    if extents is None:
        raise CannotSee(f"the rank of {name} is not known")
    return extents


def _taken(
    elements: tuple[Element, ...] | None, extents: tuple[Dim, ...], slice: Slice, kept: tuple[int, ...]
) -> tuple[Element, ...] | None:
    offsets, strides = constants(slice.offsets), constants(slice.strides)
    if offsets is None or strides is None:
        return None

    def place(index: tuple[int, ...]) -> list[int]:
        there = list(offsets)
        for dimension, each in zip(kept, index, strict=True):
            there[dimension] += each * strides[dimension]
        return there

    return gathered(elements, extents, (slice.sizes[dimension] for dimension in kept), place)


def _replaced(
    elements: tuple[Element, ...] | None, extents: tuple[Dim, ...], source: tuple[Element, ...] | None, slice: Slice
) -> tuple[Element, ...] | None:
    whole, part = small_extents(extents), small_extents(slice.sizes)
    offsets, strides = constants(slice.offsets), constants(slice.strides)
    if elements is None or source is None or whole is None or part is None or offsets is None or strides is None:
        return None
    written = list(elements)
    for number, index in enumerate(places(part)):
        there = [o + i * s for o, i, s in zip(offsets, index, strides, strict=True)]
        if number >= len(source) or not all(0 <= each < extent for each, extent in zip(there, whole, strict=True)):
            return None
        written[position(whole, there)] = source[number]
    return tuple(written)
