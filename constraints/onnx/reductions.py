"""Reductions, normalizations and sorting of ONNX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import add, mul

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal, unequal
from shapesolve.symbolic.normal_forms import maximum, minimum

from ..torch.operands import always_raises, check, extent_pairs, is_expandable
from ..torch.small_tensors import held_elements
from ..torch.value_ranges import element_type_name, with_index_interval
from ..transfer.extent_tensors import reduced_extents
from ..transfer.integers import integer
from .nodes import axes, axis, constant_list, integer_attribute, left_to_the_runtime, operand

EXAMPLE = "tests/cases/onnx/reductions.mlir"

_FOLDS: Mapping[str, Callable[[Dim, Dim], Dim]] = {"Max": maximum, "Min": minimum, "Prod": mul, "Sum": add}
_REDUCTIONS = split_names("L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare")


@rule(*(f"onnx.Reduce{name}" for name in _REDUCTIONS), example=EXAMPLE, effects=STOPS)
def reduction(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds some dimensions (all, where none is named), which go, or stay with an extent of 1.

    (R1) The result has the other extents; all elements of a small tensor of integers are folded.
    """
    extents, numbers = ctx.dims(op.operands[0]), constant_list(op, ctx, "axes", 1)
    if not numbers and integer_attribute(op, "noop_with_empty_axes", 0):
        return OpSemantics((Tensor.of(extents),))
    at = axes(numbers or range(len(extents)), len(extents))
    result = Tensor.of(reduced_extents(extents, at, bool(integer_attribute(op, "keepdims", 1))))
    fold, held = _FOLDS.get(op.name.removeprefix("onnx.Reduce")), ctx.elements(op.operands[0])
    if fold is None or not held or len(at) != len(extents) or element_type_name(op.results[0]) == "i1":
        return OpSemantics((result,))
    kept = held_elements((reduce(fold, map(integer, held)),), op.results[0])
    folded = Tensor(result.shape, kept.elements)
    return OpSemantics((folded,), assumes=Assumes(kept.modeling, kept.no_overflow))


@rule("onnx.ArgMax", "onnx.ArgMin", example=EXAMPLE, effects=STOPS)
def place_of_extreme(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The places of the greatest or the least elements along an axis.

    (C1) There is an element along the axis.
    (R1) The result has the other extents, and holds places of the axis.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    at = axis(integer_attribute(op, "axis", 0), len(extents))
    claim = check("C1", unequal(extents[at], 0), f"extent {at} is 0", ((f"extent {at} of {source.name}", extents[at]),))
    result = Tensor.of(reduced_extents(extents, (at,), bool(integer_attribute(op, "keepdims", 1))))
    return OpSemantics((with_index_interval(op.results[0], result, extents[at]),), requires=(claim,))


@rule("onnx.TopK", example=EXAMPLE, effects=STOPS)
def greatest(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest or the least elements along an axis, and their places.

    (C1) There are as many elements as are wanted, which is no negative number.
    (R1) The results have that number along the axis.
    """
    source = op.operands[0]
    wanted = ctx.integers(op.operands[1])[0] if len(op.operands) > 1 else dim(integer_attribute(op, "k", -1))
    extents = ctx.dims(source)
    at = axis(integer_attribute(op, "axis", -1), len(extents))
    shown = ((f"extent {at} of {source.name}", extents[at]), ("wanted", wanted))
    claims = (
        check("C1", at_least(wanted, 0), "the number of elements is negative", shown),
        check("C1", at_least(extents[at], wanted), f"there are too few elements in dimension {at}", shown),
    )
    result = Tensor.of([*extents[:at], wanted, *extents[at + 1 :]])
    places = with_index_interval(op.results[1], result, extents[at])
    return OpSemantics((result, places), requires=claims)


@rule(
    *(f"onnx.{name}" for name in ("Softmax", "LogSoftmax", "Hardmax", "LpNormalization", "MeanVarianceNormalization")),
    example=EXAMPLE,
    effects=STOPS,
)
def normalized(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalizes the elements along some axes.

    (R1) The result has the operand's shape, also where that has no elements.
    """
    extents = ctx.dims(op.operands[0])
    if extents:
        axis(integer_attribute(op, "axis", -1), len(extents))
    return OpSemantics((Tensor.of(extents),))


def _vector_claim(ctx: RuleContext, value: Value, wanted: Dim) -> Claim:
    """Return clause C1: a parameter of a normalization has one element for each channel."""
    extents = ctx.dims(value)
    fits = equal(extents[0], wanted) if len(extents) == 1 else FALSE
    shown = (*extent_pairs(value.name, extents), ("channels", wanted))
    return check("C1", fits, f"{value.name} has not one element for each channel", shown)


@rule("onnx.BatchNormalization", "onnx.InstanceNormalization", example=EXAMPLE, effects=STOPS)
def normalized_channels(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalizes the elements of each channel.

    (C1) Each parameter has one element for each channel.
    (C2) The input has channels.
    (R1) The first result has the input's shape, the others, where there are any, that of the parameters.
    """
    source, *parameters = op.operands
    extents = ctx.dims(source)
    if len(extents) < 2:
        return always_raises(op, "C2", f"{source.name} has rank {len(extents)}")
    if not integer_attribute(op, "spatial", 1):
        raise UnknownValueError("parameters of single places, which opsets before 9 have, are not followed")
    claims = tuple(_vector_claim(ctx, each, extents[1]) for each in parameters)
    others = (Tensor.of([extents[1]]) for _ in op.results[1:])
    return OpSemantics((Tensor.of(extents), *others), requires=claims)


@rule("onnx.GroupNormalization", example=EXAMPLE, effects=STOPS)
def normalized_groups(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalizes the elements of each group of channels.

    (C1) The scale and the shift have one element for each channel.
    (C2) The input has channels.
    (C3) The channels are divided into the groups.
    (C4) The input has elements, without which there is no mean.
    (R1) The result has the input's shape.
    """
    source, *parameters = op.operands[:3]
    extents = ctx.dims(source)
    if len(extents) < 2:
        return always_raises(op, "C2", f"{source.name} has rank {len(extents)}")
    groups, channels = dim(integer_attribute(op, "num_groups", 1)), extents[1]
    of_groups = [each for each in parameters if any(one is groups for one in ctx.dims(each))]
    if of_groups and groups is not channels:
        raise UnknownValueError("parameters of groups, which opsets before 21 have, are not followed")
    shown = (("channels", channels), ("groups", groups))
    divided = check("C3", divides(groups, channels), "the channels are not divided into the groups", shown)
    some = conjunction(at_least(each, 1) for each in extents)
    filled = check("C4", some, f"{source.name} has no elements", extent_pairs(source.name, extents))
    claims = (*(_vector_claim(ctx, each, channels) for each in parameters), divided, filled)
    return OpSemantics((Tensor.of(extents),), requires=claims)


@rule("onnx.Det", example=EXAMPLE, effects=STOPS)
def determinant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The determinants of square matrices.

    (C1) The operand is a square matrix, or a batch of these.
    (R1) The result has the extents of the batch.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    fits = equal(extents[-2], extents[-1]) if len(extents) > 1 else FALSE
    claim = check("C1", fits, "the matrices are not square", extent_pairs(source.name, extents))
    return OpSemantics((Tensor.of(extents[:-2]),), requires=(claim,))


@rule("onnx.LayerNormalization", "onnx.RMSNormalization", example=EXAMPLE, effects=STOPS)
def normalized_layers(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalizes over all dimensions from an axis on.

    Whether these may have no elements is left to the runtime: onnxruntime refuses that.

    (C1) The scale and the shift broadcast to the input.
    (C2) There is an element from the axis on, unless the runtime takes none.
    (R1) The first result has the input's shape; means and deviations have extents of 1 from the axis on.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    at = axis(integer_attribute(op, "axis", -1), len(extents))
    claims: list[Claim] = []
    for position in (1, 2):
        value = operand(op, ctx, position)
        if value is not None:
            have = ctx.dims(value)
            shown = (*extent_pairs(value.name, have), *extent_pairs(source.name, extents))
            fits = is_expandable(have, extents)
            claims.append(check("C1", fits, f"{value.name} does not broadcast to {source.name}", shown))
    means = Tensor.of([*extents[:at], *(1 for _ in extents[at:])])
    semantics = OpSemantics((Tensor.of(extents), *(means for _ in op.results[1:])), requires=claims)
    words = (
        "there is nothing to take the mean of, which some refuse",
        "the runtime takes means of nothing",
        "what is normalized may be empty",
    )
    some = conjunction(unequal(each, 0) for each in extents[at:])
    return left_to_the_runtime(semantics, ctx, "C2", some, words, extent_pairs(source.name, extents))
