"""Operators of ONNX that look up elements, make tensors, and resize images."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from shapesolve.domain.values import MAX_ELEMENTS, Element, Float, Tensor
from shapesolve.ir.program import DenseIntegers, Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, ceildiv, dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, unequal
from shapesolve.symbolic.normal_forms import maximum
from shapesolve.symbolic.shape_kinds import RankedShape

from ..torch.creation import range_tensor
from ..torch.indexing import index_claims, lookup_semantics
from ..torch.operands import always_raises, check, extent_pairs
from ..torch.value_ranges import element_type_name, with_joined_intervals
from ..transfer.float_elements import FloatComputation
from .nodes import (
    axes,
    axis,
    has_attribute,
    integer_attribute,
    integers_attribute,
    left_to_the_runtime,
    operand,
    text_attribute,
)
from .small_floats import float_range, is_positive_constant, scaled_extent

EXAMPLE = "tests/cases/onnx/lookups.mlir"


@rule("onnx.Gather", example=EXAMPLE, effects=STOPS)
def gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Those places of an axis that integers number; negative ones count from the end.

    (C9) Every integer is a place.
    (R1) The result has the extents of the integers in the place of the axis.
    """
    source, numbers = op.operands[:2]
    extents, wanted = ctx.dims(source), ctx.dims(numbers)
    at = axis(integer_attribute(op, "axis", 0), len(extents))
    found = index_claims(ctx, numbers, ctx.tensor(numbers), extents[at], from_end=True)
    result = Tensor.of([*extents[:at], *wanted, *extents[at + 1 :]])
    result = with_joined_intervals(op.results[0], result, [ctx.value(source)])
    held, places = ctx.elements(source), ctx.elements(numbers)
    if len(extents) == 1 and held and places is not None:
        chosen: list[Element] = [
            held[each.constant]
            for each in places
            if isinstance(each, Dim) and each.is_constant and -len(held) <= each.constant < len(held)
        ]
        if len(chosen) == len(places):
            result = Tensor(result.shape, tuple(chosen), between=result.between)
    return lookup_semantics([result], (), [found])


@rule("onnx.GatherElements", "onnx.Scatter", "onnx.ScatterElements", example=EXAMPLE, effects=STOPS)
def elements_by_index(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Reads or writes one element for each of a tensor of integers, which number places of an axis.

    (C1) The integers have the rank of the tensor, and what is written has their shape.
    (C2) The integers exceed no extent of the tensor but that of the axis.
    (C9) Every integer is a place.
    (R1) What is read has the shape of the integers; what is written to keeps its own.
    """
    source, numbers = op.operands[:2]
    extents, wanted = ctx.dims(source), ctx.dims(numbers)
    is_read = op.name == "onnx.GatherElements"
    if len(extents) != len(wanted):
        return always_raises(op, "C1", f"{numbers.name} has rank {len(wanted)}, not {len(extents)}")
    at = axis(integer_attribute(op, "axis", 0), len(extents))
    claims: list[Claim] = []
    if not is_read:
        updates = ctx.dims(op.operands[2])
        same = len(updates) == len(wanted)
        pairs = (*extent_pairs(numbers.name, wanted), *extent_pairs(op.operands[2].name, updates))
        formula = conjunction(equal(a, b) for a, b in zip(updates, wanted, strict=True)) if same else FALSE
        claims.append(check("C1", formula, "what is written has not the shape of the integers", pairs))
    shown = (*extent_pairs(source.name, extents), *extent_pairs(numbers.name, wanted))
    others = [
        at_least(have, want) for index, (have, want) in enumerate(zip(extents, wanted, strict=True)) if index != at
    ]
    claims.append(check("C2", conjunction(others), "the integers reach beyond another dimension", shown))
    found = index_claims(ctx, numbers, ctx.tensor(numbers), extents[at], from_end=True)
    return lookup_semantics([Tensor.of(wanted if is_read else extents)], claims, [found])


@rule("onnx.ConstantOfShape", example=EXAMPLE, effects=STOPS)
def filled(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of given extents that holds one number everywhere.

    (C1) No extent is negative.
    (R1) The result has the extents.
    """
    sizes = ctx.integers(op.operands[0])
    shown = tuple((f"size {at}", each) for at, each in enumerate(sizes))
    claim = check("C1", conjunction(at_least(each, 0) for each in sizes), "a size is negative", shown)
    elements: tuple[Element, ...] | None = None
    value = op.attributes.get("torch.onnx.value")
    count = prod(each.constant for each in sizes) if all(each.is_constant for each in sizes) else None
    if count is not None and 0 <= count <= MAX_ELEMENTS and isinstance(value, DenseIntegers):
        number = value.splat if value.splat is not None else (value.values or (None,))[0]
        if number is not None and element_type_name(op.results[0]) in ("i64", "i32"):
            elements = (dim(number),) * count
    return OpSemantics((Tensor.of(sizes, elements),), requires=(claim,))


@rule("onnx.Range", example=EXAMPLE, effects=STOPS)
def numbers_in_range(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The numbers from one on, in steps, up to another, which is not among them.

    (R1) The result has as many, perhaps none: the distance divided by the step, as floats where these are floats.
    """
    if element_type_name(op.results[0]).startswith(("f", "bf")):
        return float_range(op, ctx)
    start, end, step = (ctx.integers(each)[0] for each in op.operands[:3])
    if not step.is_constant or not step.constant:
        raise UnknownValueError("the step is no constant, or 0")
    room = end - start if step.constant > 0 else start - end
    count = maximum(ceildiv(room, dim(abs(step.constant))), 0)
    return OpSemantics((range_tensor(op, RankedShape.of([count]), start, step, count),))


@rule("onnx.HannWindow", "onnx.HammingWindow", "onnx.BlackmanWindow", example=EXAMPLE, effects=STOPS)
def weights_of_window(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The weights of a window of given length.

    (C1) The length is a scalar and not negative.
    (R1) The result is a vector of that length.
    """
    given = op.operands[0]
    if ctx.dims(given):
        return always_raises(op, "C1", f"{given.name} has rank {len(ctx.dims(given))}")
    (length,) = ctx.integers(given)
    claim = check("C1", at_least(length, 0), "the length is negative", (("length", length),))
    return OpSemantics((Tensor.of([length]),), requires=(claim,))


@rule("onnx.RandomNormal", "onnx.RandomUniform", example=EXAMPLE, effects=STOPS | ANY_RESULT)
def random_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements that chance decides.

    (R1) The result has the extents that are written down.
    """
    sizes = integers_attribute(op, "shape")
    if sizes is None or min(sizes, default=0) < 0:
        raise UnknownValueError("the extents are not given, or negative")
    return OpSemantics((Tensor.of(sizes),))


@rule("onnx.OneHot", example=EXAMPLE, effects=STOPS)
def one_hot(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A number of its own where each integer says, along a new axis.

    Whether the axis may be empty is left to the runtime: onnxruntime refuses it.

    (C1) The length of the axis is not negative.
    (C2) It is not 0, unless the runtime takes that.
    (R1) The result has the extents of the integers, and the length of the axis.
    """
    extents, depth = list(ctx.dims(op.operands[0])), ctx.integers(op.operands[1])[0]
    at = axis(integer_attribute(op, "axis", -1), len(extents) + 1)
    shown = (("classes", depth),)
    claim = check("C1", at_least(depth, 0), "the number of classes is negative", shown)
    extents.insert(at, depth)
    semantics = OpSemantics((Tensor.of(extents),), requires=(claim,))
    words = ("there is no class, which some refuse", "the runtime takes no classes", "there may be no class")
    return left_to_the_runtime(semantics, ctx, "C2", unequal(depth, 0), words, shown)


@rule("onnx.Resize", "onnx.Upsample", example=EXAMPLE, effects=STOPS)
def resize(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An image enlarged or reduced to given sizes, or by given factors.

    (C1) There is one size or factor for each dimension, or for each named axis.
    (C2) No size is negative, and where there is nothing, nothing is made of it.
    (R1) The result has the sizes, or the extents times the factors, rounded down.
    """
    source = op.operands[0]
    extents = list(ctx.dims(source))
    if text_attribute(op, "keep_aspect_ratio_policy", "stretch") != "stretch":
        raise UnknownValueError("sizes that keep the aspect ratio are not followed")
    if text_attribute(op, "coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize":
        raise UnknownValueError("cropped images are not followed")
    named = integers_attribute(op, "axes")
    at = axes(range(len(extents)) if named is None else named, len(extents))
    scales, sizes = _scales_and_sizes(op, ctx)
    count = len(scales if sizes is None else sizes)
    if count != len(at):
        return always_raises(op, "C1", f"there are {count} numbers for {len(at)} axes")
    claims, work = list[Claim](), FloatComputation(op, ctx)
    if sizes is not None:
        shown = tuple((f"size {index}", each) for index, each in enumerate(sizes))
        claims.append(check("C2", conjunction(at_least(each, 0) for each in sizes), "a size is negative", shown))
    for number, place in enumerate(at):
        if sizes is not None:
            some = disjunction((at_least(extents[place], 1), at_least(0, sizes[number])))
            pairs = ((f"extent {place} of {source.name}", extents[place]), ("size", sizes[number]))
            claims.append(check("C2", some, f"dimension {place} has no elements to resize", pairs))
            extents[place] = sizes[number]
        else:
            extents[place] = scaled_extent(work, extents[place], scales[number])
    return work.with_assumptions(OpSemantics((Tensor.of(extents),), requires=claims))


def _scales_and_sizes(op: Operation, ctx: RuleContext) -> tuple[Sequence[Float], tuple[Dim, ...] | None]:
    """Return positive factors that are constants, or sizes.

    Raises:
        UnknownValueError: The factors are not known.
    """
    sizes = operand(op, ctx, 3)
    if sizes is not None:
        return (), ctx.integers(sizes)
    factors = operand(op, ctx, 2 if len(op.operands) > 2 else 1)
    held = None if factors is None or has_attribute(op, "scales") else ctx.elements(factors)
    found = [each for each in held or () if isinstance(each, Float) and is_positive_constant(each)]
    if held is None or len(found) != len(held):
        raise UnknownValueError("the factors are not known")
    return found, None
