"""Operators of ONNX for images: regions, crops, grids and columns."""

from __future__ import annotations

from math import prod

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal, unequal
from shapesolve.symbolic.normal_forms import maximum

from ..torch.indexing import index_claims, lookup_semantics
from ..torch.operands import always_raises, check, extent_pairs
from ..transfer.extent_tensors import extent_product
from .nodes import axes, constant_list, integer_attribute, integers_attribute, left_to_the_runtime

EXAMPLE = "tests/cases/onnx/images.mlir"


@rule("onnx.RoiAlign", example=EXAMPLE, effects=STOPS)
def regions(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Regions of images, each as an image of a fixed size.

    (C1) The images have rank 4, the regions are rows of four numbers, and each has the number of an image.
    (C2) There are as many numbers of images as regions.
    (C9) Every number is that of an image.
    (R1) The result has the regions, the channels of the images, and the fixed sides.
    """
    source, boxes, numbers = op.operands[:3]
    extents, rows, wanted = (ctx.dims(each) for each in (source, boxes, numbers))
    if len(extents) != 4 or len(rows) != 2 or len(wanted) != 1:
        return always_raises(op, "C1", f"the ranks are {len(extents)}, {len(rows)} and {len(wanted)}")
    sides = [integer_attribute(op, f"output_{name}", 1) for name in ("height", "width")]
    if min(sides) < 1:
        raise UnknownValueError("the regions have no size")
    shown = (*extent_pairs(boxes.name, rows), *extent_pairs(numbers.name, wanted))
    claims = (
        check("C1", equal(rows[1], 4), "a region has not four numbers", shown),
        check("C2", equal(rows[0], wanted[0]), "there are not as many numbers of images as regions", shown),
    )
    found = index_claims(ctx, numbers, ctx.tensor(numbers), extents[0], from_end=False)
    return lookup_semantics([Tensor.of([rows[0], extents[1], *sides])], claims, [found])


@rule("onnx.CenterCropPad", example=EXAMPLE, effects=STOPS)
def cropped(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor cropped or padded around its center to given extents, along some axes.

    Whether these may be negative is left to the runtime: onnxruntime takes them for 0.

    (C1) There is one extent for each axis.
    (C2) No extent is negative, unless the runtime takes that for 0.
    (R1) The result has these extents.
    """
    extents, sizes = list(ctx.dims(op.operands[0])), ctx.integers(op.operands[1])
    named = integers_attribute(op, "axes")
    at = axes(range(len(extents)) if named is None else named, len(extents))
    if len(sizes) != len(at):
        return always_raises(op, "C1", f"there are {len(sizes)} extents for {len(at)} axes")
    shown = tuple((f"size {index}", each) for index, each in enumerate(sizes))
    for place, each in zip(at, sizes, strict=True):
        extents[place] = maximum(each, 0)
    words = (
        "an extent is negative, which some refuse",
        "the runtime takes negative extents for 0",
        "an extent may be negative",
    )
    fits = conjunction(at_least(each, 0) for each in sizes)
    return left_to_the_runtime(OpSemantics((Tensor.of(extents),)), ctx, "C2", fits, words, shown)


@rule("onnx.AffineGrid", example=EXAMPLE, effects=STOPS)
def grid(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The places of the elements of images under affine maps.

    Whether an image may have no elements is left to the runtime: ONNX divides by the extents of its sides.

    (C1) There is a map for each image, of two rows and three columns, or of three and four for images of three sides.
    (C2) No extent is negative.
    (C3) No side is empty, unless the runtime divides by 0.
    (R1) The result has the images, their sides, and as many coordinates.
    """
    maps, sizes = op.operands[:2]
    extents, given = ctx.dims(maps), ctx.integers(sizes)
    sides = len(given) - 2
    if sides not in (2, 3) or len(extents) != 3:
        return always_raises(op, "C1", f"there are {len(given)} extents, and maps of rank {len(extents)}")
    wanted = (given[0], dim(sides), dim(sides + 1))
    shown = (*extent_pairs(maps.name, extents), *extent_pairs(sizes.name, given))
    same = conjunction(equal(a, b) for a, b in zip(extents, wanted, strict=True))
    claims = (
        check("C1", same, "there is not one map of this size for each image", shown),
        check("C2", conjunction(at_least(each, 0) for each in given), "an extent is negative", shown),
    )
    semantics = OpSemantics((Tensor.of([given[0], *given[2:], dim(sides)]),), requires=claims)
    words = ("a side is empty, which some refuse", "the runtime makes a grid of an empty side", "a side may be empty")
    some = conjunction(unequal(each, 0) for each in given[2:])
    return left_to_the_runtime(semantics, ctx, "C3", some, words, shown[3:])


@rule("onnx.Col2Im", example=EXAMPLE, effects=STOPS)
def image_of_columns(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Images added up from the columns that a window of them held.

    (C1) The columns have rank 3.
    (C2) The rows are divided by the number of elements of the window.
    (C3) There is a column for each place of the window.
    (R1) The result has the batch, the rows divided by that number, and the sides of the image.
    """
    source = op.operands[0]
    extents, sides = ctx.dims(source), ctx.integers(op.operands[1])
    window = constant_list(op, ctx, "block_shape", 2)
    if len(extents) != 3:
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    if window is None or len(window) != len(sides) or min(window, default=0) < 1:
        raise UnknownValueError("the window does not fit the image")
    rank = len(window)
    gaps = integers_attribute(op, "dilations") or (1,) * rank
    strides = integers_attribute(op, "strides") or (1,) * rank
    pads = integers_attribute(op, "pads") or (0,) * (2 * rank)
    if len(gaps) != rank or len(strides) != rank or len(pads) != 2 * rank or min(*gaps, *strides) < 1:
        raise UnknownValueError("its attributes do not fit the dimensions")
    counts: list[Dim] = []
    for at, side in enumerate(sides):
        room = side + pads[at] + pads[rank + at] - ((window[at] - 1) * gaps[at] + 1)
        counts.append(floordiv(room, dim(strides[at])) + 1)
    places, size = extent_product(counts), dim(prod(window))
    shown = (*extent_pairs(source.name, extents), ("places", places), ("elements of the window", size))
    fits = conjunction((*(at_least(each, 0) for each in (*counts, *sides)), equal(extents[2], places)))
    claims: list[Claim] = [
        check("C2", divides(size, extents[1]), "the rows are not divided by the window", shown),
        check("C3", fits, "there is not a column for each place of the window", shown),
    ]
    return OpSemantics((Tensor.of([extents[0], floordiv(extents[1], size), *sides]),), requires=claims)
