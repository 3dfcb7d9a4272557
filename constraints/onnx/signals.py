"""Fourier transforms of ONNX."""

from __future__ import annotations

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formulas import at_least, disjunction, equal

from ..torch.operands import always_raises, check, extent_pairs
from .nodes import axis, integer_attribute, left_to_the_runtime, operand

EXAMPLE = "tests/cases/onnx/signals.mlir"


@rule("onnx.DFT", "onnx.DFT.before.20", example=EXAMPLE, effects=STOPS)
def fourier_transform(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The Fourier transform along an axis; the last dimension holds numbers, or their real and imaginary parts.

    (C1) The last dimension is 1 or 2; 1 where half of the result is wanted, and 2 where half is given.
    (C2) A length that is given is positive.
    (C3) Where half of the result is wanted or given, there is an element along the axis. Where a length is given, it is
    left to the runtime whether there is one.
    (R1) The result has the length along the axis, or its half and one more, and complex numbers, or real ones of a half
    that is given.
    """
    source, length = op.operands[0], operand(op, ctx, 1)
    extents = ctx.dims(source)
    if len(extents) < 2:
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    if op.name == "onnx.DFT":
        along = operand(op, ctx, 2)
        (number,) = (dim(-2),) if along is None else ctx.integers(along)
    else:
        number = dim(integer_attribute(op, "axis", 1))
    if not number.is_constant:
        raise UnknownValueError("the axis is computed, and not followed")
    at = axis(number.constant, len(extents))
    if at == len(extents) - 1:
        return always_raises(op, "C1", "the axis is the last one, which holds real and imaginary parts")
    is_half, is_inverse = bool(integer_attribute(op, "onesided", 0)), bool(integer_attribute(op, "inverse", 0))
    last, shown = extents[-1], extent_pairs(source.name, extents)
    parts = [equal(last, each) for each in ((1, 2) if not is_half else (2,) if is_inverse else (1,))]
    claims = [check("C1", disjunction(parts), "the last dimension does not hold such numbers", shown)]
    count = extents[at]
    some = at_least(count, 1)
    if is_half and length is None:
        claims.append(check("C3", some, f"extent {at} is 0", shown))
    if length is not None:
        (count,) = ctx.integers(length)
        claims.append(check("C2", at_least(count, 1), "the length is not positive", (("length", count),)))
    elif is_half and is_inverse:
        count = (count - 1) * 2
    made = floordiv(count, dim(2)) + 1 if is_half and not is_inverse else count
    result = [*extents[:-1], dim(1 if is_half and is_inverse else 2)]
    result[at] = made
    semantics = OpSemantics((Tensor.of(result),), requires=claims)
    if length is None:
        return semantics
    words = "there is nothing to transform, which some refuse", "the runtime fills up nothing", "a signal may be empty"
    return left_to_the_runtime(semantics, ctx, "C3", some, words, shown)


@rule("onnx.STFT", example=EXAMPLE, effects=STOPS)
def spectrogram(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The Fourier transforms of frames of a signal, which a window weights.

    (C1) The signal has a batch, a length, and perhaps a last dimension of 1 or 2.
    (C2) The step from one frame to the next is positive.
    (C3) A frame has elements, and the signal at least as many.
    (C4) The window is as long as a frame.
    (R1) The result has the frames of each signal, each with as many numbers as elements, or half of them and one more.
    """
    signal, step = op.operands[:2]
    extents, window, length = ctx.dims(signal), operand(op, ctx, 2), operand(op, ctx, 3)
    if len(extents) not in (2, 3):
        return always_raises(op, "C1", f"{signal.name} has rank {len(extents)}")
    claims: list[Claim] = []
    shown = extent_pairs(signal.name, extents)
    if len(extents) == 3:
        parts = disjunction((equal(extents[2], 1), equal(extents[2], 2)))
        claims.append(check("C1", parts, "the last dimension does not hold numbers", shown))
    (distance,) = ctx.integers(step)
    claims.append(check("C2", at_least(distance, 1), "the step is not positive", (("step", distance),)))
    size: Dim | None = None
    if length is not None:
        (size,) = ctx.integers(length)
    if window is not None:
        weights = ctx.dims(window)
        if len(weights) != 1:
            return always_raises(op, "C4", f"{window.name} has rank {len(weights)}")
        pairs = (*extent_pairs(window.name, weights), ("frame", weights[0] if size is None else size))
        if size is not None:
            claims.append(check("C4", equal(weights[0], size), "the window is not as long as a frame", pairs))
        size = weights[0]
    if size is None:
        raise UnknownValueError("without a window or a length of frames, what a frame is depends on the runtime")
    shown = (*shown, ("frame", size))
    claims.append(check("C3", at_least(size, 1), "a frame has no elements", shown))
    claims.append(check("C3", at_least(extents[1], size), "the signal is shorter than a frame", shown))
    frames = floordiv(extents[1] - size, distance) + 1
    numbers = floordiv(size, dim(2)) + 1 if integer_attribute(op, "onesided", 1) else size
    return OpSemantics((Tensor.of((extents[0], frames, numbers, dim(2))),), requires=claims)
