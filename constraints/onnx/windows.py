"""Convolutions and pooling of ONNX.

A window need not fit: where the specification's formula for the number of its places is 0, the result is empty, as in
the reference implementation. There onnxruntime refuses a convolution, and may find one place for pooling.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, ceildiv, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal
from shapesolve.symbolic.normal_forms import choose

from ..torch.operands import always_fails, always_raises, check, extent_pairs
from .nodes import integer_attribute, integers_attribute, operand, text_attribute

EXAMPLE = "tests/cases/onnx/windows.mlir"


@value_record
class _Window:
    """Attributes of a sliding window, one number for each spatial dimension.

    Attributes:
        strides: The steps of the window.
        gaps: The dilations.
        pads: The padding in front and behind, None where it keeps the extents but for the stride ("SAME").
    """

    strides: Sequence[int]
    gaps: Sequence[int]
    pads: Sequence[tuple[int, int]] | None


def _numbers(op: Operation, name: str, rank: int, default: int) -> tuple[int, ...]:
    found = integers_attribute(op, name)
    numbers = (default,) * rank if found is None else found
    if len(numbers) != rank or min(numbers, default=1) < default:
        raise UnknownValueError(f"its attribute {name} does not fit {rank} dimensions")
    return numbers


def _window(op: Operation, rank: int) -> _Window:
    """Return the window of a node.

    Raises:
        UnknownValueError: An attribute has not one number for each dimension, or one that is not allowed.
    """
    how = text_attribute(op, "auto_pad", "NOTSET")
    strides, gaps = _numbers(op, "strides", rank, 1), _numbers(op, "dilations", rank, 1)
    if how in ("SAME_UPPER", "SAME_LOWER"):
        return _Window(strides, gaps, None)
    numbers = _numbers(op, "pads", 2 * rank, 0) if how != "VALID" else (0,) * 2 * rank
    return _Window(strides, gaps, tuple(zip(numbers[:rank], numbers[rank:], strict=True)))


def _place_count(extent: Dim, window: Dim, setting: _Window, at: int, *, up: bool = False) -> Dim:
    """Return the number of places of a window, spread out, in one dimension."""
    stride = setting.strides[at]
    if setting.pads is None:
        return ceildiv(extent, dim(stride))
    first, last = setting.pads[at]
    room = extent + (first + last) - window
    if not up:
        return floordiv(room, dim(stride)) + 1
    places = ceildiv(room, dim(stride)) + 1
    # A window that would begin in the padding behind the input is left out.
    return choose(at_least((places - 1) * stride, extent + first), places - 1, places)


def _place_claim(clause: str, source: Value, at: int, extent: Dim, places: Dim, window: Dim) -> Claim:
    """Return the claim that the number of places is no negative number."""
    shown = ((f"extent {at} of {source.name}", extent), ("the window", window))
    return check(clause, at_least(places, 0), f"the window is too large for dimension {at}", shown)


def _channel_claims(ctx: RuleContext, bias: Value | None, made: Dim, pairs: Sequence[tuple[str, Dim]]) -> list[Claim]:
    """Return clause C2 on channels, two sizes by name, and C3 on the bias of a convolution."""
    (_, have), (_, wanted) = pairs
    claims = [check("C2", equal(have, wanted), "the input has not the channels that the weights have", tuple(pairs))]
    if bias is not None:
        extents = ctx.dims(bias)
        fits = equal(extents[0], made) if len(extents) == 1 else FALSE
        shown = (*extent_pairs(bias.name, extents), ("output channels", made))
        claims.append(check("C3", fits, "the bias has not one element for each output channel", shown))
    return claims


def _rank_claim(ctx: RuleContext, source: Value, weight: Value) -> Claim | None:
    """Return the violated clause C1 unless the input has a batch, channels, and the dimensions of the weights."""
    ranks = [len(ctx.dims(each)) for each in (source, weight)]
    if ranks[0] == ranks[1] and ranks[0] > 2:
        return None
    return check("C1", FALSE, f"the input has rank {ranks[0]}, the weights have rank {ranks[1]}")


_WEIGHTS = {"onnx.Conv": 1, "onnx.ConvInteger": 1, "onnx.QLinearConv": 3}
"""Positions of the weights of convolutions."""
_SCALES = {"onnx.ConvInteger": (2, 3), "onnx.QLinearConv": (1, 2, 4, 5, 6, 7)}
"""Positions of the scales and zero points of convolutions of small integers."""
_SCALES_OF_WEIGHTS = {"onnx.ConvInteger": (3,), "onnx.QLinearConv": (4, 5)}
"""Those that there may be one of for each output channel."""


@rule(*_WEIGHTS, example=EXAMPLE, effects=STOPS)
def convolution(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A window of weights that moves over the input.

    (C1) The input has as many dimensions as the weights, three at least.
    (C2) The input has the channels that the weights of all groups have, and the output channels are divided into these.
    (C3) The bias has one element for each output channel.
    (C4) The number of the places of the window is not negative.
    (R1) The result has the batch, the output channels, and as many places as the window has, perhaps none.
    """
    source, weight = op.operands[0], op.operands[_WEIGHTS[op.name]]
    wrong = _rank_claim(ctx, source, weight)
    if wrong is not None:
        return always_fails(op, wrong)
    extents, weights = ctx.dims(source), ctx.dims(weight)
    setting, groups = _window(op, len(extents) - 2), integer_attribute(op, "group", 1)
    for position in _SCALES.get(op.name, ()):
        given = operand(op, ctx, position)
        counts = (dim(1), weights[0]) if position in _SCALES_OF_WEIGHTS[op.name] else (dim(1),)
        if given is not None and ctx.dims(given) not in ((), *((each,) for each in counts)):
            raise UnknownValueError("scales and zero points of another number than output channels are not followed")
    pairs = ((f"extent 1 of {source.name}", extents[1]), ("channels of the weights", weights[1] * groups))
    bias = operand(op, ctx, 8 if op.name == "onnx.QLinearConv" else 2) if op.name != "onnx.ConvInteger" else None
    claims = _channel_claims(ctx, bias, weights[0], pairs)
    divided = divides(dim(groups), weights[0])
    claims.append(
        check("C2", divided, "the output channels are not divided into the groups", (("channels", weights[0]),))
    )
    result = [extents[0], weights[0]]
    for at, (extent, size) in enumerate(zip(extents[2:], weights[2:], strict=True)):
        spread = (size - 1) * setting.gaps[at] + 1
        places = _place_count(extent, spread, setting, at)
        claims.append(_place_claim("C4", source, at + 2, extent, places, spread))
        result.append(places)
    return OpSemantics((Tensor.of(result),), requires=claims)


@rule("onnx.ConvTranspose", example=EXAMPLE, effects=STOPS)
def transposed_convolution(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A window of weights that is put down at every place of the input.

    (C1) The input has as many dimensions as the weights, three at least.
    (C2) The input has the channels of the weights, which are divided into the groups.
    (C3) The bias has one element for each output channel.
    (C4) No extent of the result is negative.
    (C5) Nothing is not made of nothing: an extent of the input or that of the result is positive. Where the extents of
    the result are given, or are those of the input times the stride, both are positive, and the windows cover the
    result but for fewer elements than a step.
    (R1) The result has the batch, the output channels of all groups, and what the windows cover without the padding.
    """
    source, weight = op.operands[:2]
    wrong = _rank_claim(ctx, source, weight)
    if wrong is not None:
        return always_fails(op, wrong)
    extents, weights = ctx.dims(source), ctx.dims(weight)
    rank, groups = len(extents) - 2, integer_attribute(op, "group", 1)
    setting, more = _window(op, rank), _numbers(op, "output_padding", rank, 0)
    wanted = integers_attribute(op, "output_shape")
    channels = weights[1] * groups
    pairs = ((f"extent 1 of {source.name}", extents[1]), (f"extent 0 of {weight.name}", weights[0]))
    claims = _channel_claims(ctx, operand(op, ctx, 2), channels, pairs)
    divided = divides(dim(groups), weights[0])
    claims.append(check("C2", divided, "the channels are not divided into the groups", (("channels", weights[0]),)))
    result = [extents[0], channels]
    for at, (extent, size) in enumerate(zip(extents[2:], weights[2:], strict=True)):
        stride = setting.strides[at]
        covered = (extent - 1) * stride + (size - 1) * setting.gaps[at] + 1
        if wanted is not None:
            places = dim(wanted[at])
            fits = conjunction((at_least(extent, 1), at_least(places, 1), at_least(covered + (stride - 1), places)))
        elif setting.pads is None:
            places, fits = extent * stride, at_least(extent, 1)
        else:
            places = covered + more[at] - sum(setting.pads[at])
            fits = disjunction((at_least(extent, 1), at_least(places, 1)))
        shown = ((f"extent {at + 2} of {source.name}", extent), ("covered", covered), ("result", places))
        message = f"dimension {at + 2} is empty" if wanted is None else f"the windows do not cover dimension {at + 2}"
        claims.append(_place_claim("C4", source, at + 2, extent, places, size))
        claims.append(check("C5", fits, message, shown))
        result.append(places)
    return OpSemantics((Tensor.of(result),), requires=claims)


@rule("onnx.MaxPool", "onnx.AveragePool", "onnx.LpPool", example=EXAMPLE, effects=STOPS)
def pooling(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest element, the mean or a norm of every place of a window.

    (C1) The input has a batch and channels besides the dimensions of the window.
    (C4) The number of the places of the window is not negative.
    (R1) The results have the batch, the channels, and as many places as the window has, perhaps none.
    """
    source, window = op.operands[0], integers_attribute(op, "kernel_shape")
    extents = ctx.dims(source)
    if not window or min(window) < 1:
        raise UnknownValueError("the window has no size")
    if len(extents) != len(window) + 2:
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    setting, up = _window(op, len(window)), bool(integer_attribute(op, "ceil_mode", 0))
    claims: list[Claim] = []
    result = list(extents[:2])
    for at, (extent, size) in enumerate(zip(extents[2:], window, strict=True)):
        spread = dim((size - 1) * setting.gaps[at] + 1)
        places = _place_count(extent, spread, setting, at, up=up)
        claims.append(_place_claim("C4", source, at + 2, extent, places, spread))
        result.append(places)
    return OpSemantics(tuple(Tensor.of(result) for _ in op.results), requires=claims)


@rule("onnx.GlobalAveragePool", "onnx.GlobalMaxPool", "onnx.GlobalLpPool", example=EXAMPLE, effects=STOPS)
def global_pooling(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest element, the mean or a norm of a whole image.

    (C1) The input has a batch and channels.
    (R1) The result has these, and extents of 1.
    """
    extents = ctx.dims(op.operands[0])
    if len(extents) < 2:
        return always_raises(op, "C1", f"{op.operands[0].name} has rank {len(extents)}")
    return OpSemantics((Tensor.of([*extents[:2], *(1 for _ in extents[2:])]),))
