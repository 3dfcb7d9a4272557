"""Fourier transforms, spectrograms and histograms of PyTorch."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics, Requires
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal
from shapesolve.symbolic.normal_forms import choose

from ..transfer.extent_tensors import extent_product
from .operands import (
    always_raises,
    axis,
    axis_of,
    check,
    constant,
    constants,
    extent_pairs,
    integers,
    is_present,
    nonscalar_axis,
    ratio,
)
from .value_ranges import element_type_name

_HALVED = ("torch.aten.fft_rfft", "torch.aten.fft_ihfft")
"""Transforms of real numbers: the second half of the spectrum mirrors the first and is omitted."""

TRANSFORMS_NOTHING = "PyTorch transforms tensors without elements (before 2.15, on MKL, it raises an error)"

_DOUBLED = ("torch.aten.fft_irfft", "torch.aten.fft_hfft")
"""Transforms of such a half spectrum to real numbers."""


@rule(
    "torch.aten.fft_fft",
    "torch.aten.fft_ifft",
    *_HALVED,
    *_DOUBLED,
    example="tests/cases/torch/transforms.mlir",
    effects=STOPS,
)
def fourier_transform(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A Fourier transform over one dimension, cut off or filled up to a number of points if one is given.

    (C1) The tensor has a dimension.
    (C2) There is at least one point; if no number is given, there are as many as elements, and to real numbers twice as
    many less two.
    (R1) The result has the extents of the input, and in the dimension as many elements as there are points; from real
    numbers half as many, rounded down, and one.
    """
    value, number = op.operands[:2]
    extents = list(ctx.dims(value))
    if not extents:
        return always_raises(op, "C1", f"{value.name} has no dimension")
    at = axis_of(ctx, op.operands[2], len(extents))
    if is_present(ctx, number):
        points = ctx.integer(number)
        shown = ("points", points)
    else:
        points = 2 * (extents[at] - 1) if op.name in _DOUBLED else extents[at]
        shown = (f"extent {at} of {value.name}", extents[at])
    claim = check("C2", at_least(points, 1), "the transform has no points", (shown,))
    modeling = empty_transform_assumption(extents)
    extents[at] = floordiv(points, dim(2)) + 1 if op.name in _HALVED else points
    return OpSemantics((Tensor.of(extents),), requires=(claim,), assumes=modeling)


_MULTIDIMENSIONAL = ("torch.aten.fft_fftn", "torch.aten.fft_ifftn", "torch.aten.fft_fft2", "torch.aten.fft_ifft2")
_HALVED_LAST = ("torch.aten.fft_rfftn", "torch.aten.fft_rfft2")
_DOUBLED_LAST = ("torch.aten.fft_irfftn", "torch.aten.fft_irfft2")
_DEFAULT_POINTS = -1


@rule(*_MULTIDIMENSIONAL, *_HALVED_LAST, *_DOUBLED_LAST, example="tests/cases/torch/transforms.mlir", effects=STOPS)
def fourier_transform_over_several(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A Fourier transform over several dimensions: those that are listed, else the last ones, or all of them.

    (C1) The dimensions are different ones; from real numbers or to them, there is one.
    (C2) There is at least one point in each; where no number is given, or -1, there are as many as elements, and to
    real numbers, in the last of the dimensions, twice as many less two.
    (C3) As many numbers of points are given as dimensions, and no more than the tensor has.
    (R1) The result has the extents of the input, and in the dimensions as many elements as there are points; from real
    numbers, in the last of them half as many, rounded down, and one.
    """
    value = op.operands[0]
    extents = list(ctx.dims(value))
    shown = extent_pairs(value.name, extents)
    points = integers(ctx, op.operands[1]) if is_present(ctx, op.operands[1]) else None
    if is_present(ctx, op.operands[2]):
        axes = [nonscalar_axis(each, extents) for each in constants(ctx, op.operands[2])]
    else:
        first = len(extents) - len(points) if points is not None else 0
        axes = list(range(max(0, first), len(extents)))
    if points is not None and len(points) != len(axes):
        return always_raises(op, "C3", f"{len(points)} numbers of points are given for {len(axes)} dimensions")
    if len({*axes}) != len(axes):
        return always_raises(op, "C1", "a dimension is named twice")
    if not axes and op.name not in _MULTIDIMENSIONAL:
        return always_raises(op, "C1", "there is no dimension to be transformed")
    modeling = empty_transform_assumption(extents)
    counts = [extents[at] for at in axes]
    if op.name in _DOUBLED_LAST:
        counts[-1] = 2 * (counts[-1] - 1)
    wanted = [
        choose(equal(each, _DEFAULT_POINTS), count, each)
        for each, count in zip(counts if points is None else points, counts, strict=True)
    ]
    claim = check("C2", conjunction(at_least(each, 1) for each in wanted), "the transform has no points", shown)
    for at, each in zip(axes, wanted, strict=True):
        extents[at] = each
    if op.name in _HALVED_LAST:
        extents[axes[-1]] = floordiv(wanted[-1], dim(2)) + 1
    return OpSemantics((Tensor.of(extents),), requires=(claim,), assumes=modeling)


def empty_transform_assumption(extents: Sequence[Dim]) -> tuple[str, ...]:
    """Return the assumption that a transform of a possibly empty tensor relies on; empty if it has elements."""
    lows = [each.bounds()[0] for each in extents]
    return () if all(low is not None and low >= 1 for low in lows) else (TRANSFORMS_NOTHING,)


@rule(
    "torch.aten._fft_c2c",
    "torch.aten._fft_r2c",
    "torch.aten._fft_c2r",
    example="tests/cases/torch/transforms.mlir",
    effects=STOPS,
)
def decomposed_transform(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A Fourier transform over several dimensions: what the others are decomposed into.

    (C2) There are points in each dimension, where the tensor has elements otherwise.
    (C3) To real numbers, the last of the dimensions holds half as many as are wanted, rounded down, and one.
    (R1) The result has the extents of the input; the last of the dimensions half as many, rounded down, and one, if
    the other half is left out, or, to real numbers, as many as are wanted.
    """
    value = op.operands[0]
    extents = list(ctx.dims(value))
    listed = constants(ctx, op.operands[1])
    if not listed or not extents:
        raise UnknownValueError("a transform over no dimension is not followed")
    if min(listed) < 0:
        raise UnknownValueError("a dimension is counted from the end, which not all of these transforms take")
    modeling = empty_transform_assumption(extents)
    axes = [axis(each, len(extents)) for each in listed]
    last = axes[-1]
    shown = extent_pairs(value.name, extents)
    rest = extent_product(each for at, each in enumerate(extents) if at not in axes)
    points = conjunction(at_least(extents[at], 1) for at in axes)
    claims = [check("C2", disjunction((points, equal(rest, 0))), "the transform has no points", shown)]
    if op.name == "torch.aten._fft_c2r":
        wanted = ctx.integer(op.operands[3])
        fits = conjunction((at_least(wanted, 1), equal(floordiv(wanted, dim(2)) + 1, extents[last])))
        claims.append(check("C3", fits, "the half is not that of what is wanted", (*shown, ("wanted", wanted))))
        extents[last] = wanted
    elif op.name == "torch.aten._fft_r2c" and constant(ctx, op.operands[3]):
        extents[last] = floordiv(extents[last], dim(2)) + 1
    return OpSemantics((Tensor.of(extents),), requires=claims, assumes=modeling)


EXAMPLE = "tests/cases/torch/spectra.mlir"


@rule("torch.aten.stft", example=EXAMPLE, effects=STOPS)
def spectrogram(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Fourier transforms of the parts of a signal that a window sees as it moves on.

    Where nothing is said, it moves by a quarter of the points, rounded down, and sees as much as there are points.

    (C1) The signal has a dimension, and perhaps a batch.
    (C2) There is a point, and the signal is as long as there are points.
    (C3) The hop length is positive.
    (C4) The window sees something, and no more than there are points.
    (C5) The weights of the window, if there are any, are a list, and as many as it sees.
    (C6) It is said whether the result is of complex numbers, or the signal or the window is.
    (C7) Of complex numbers both halves are kept.
    (C8) Where the first window begins with the signal, the last one, of so many elements as there are points, ends with
    it, or as far behind as half of what the window does not see of the points, rounded down, twice.
    (R1) The result has the batch, as many frequencies as there are points, of real numbers half as many, rounded down,
    and one, the places of the window, and a dimension of 2, if pairs are wanted instead of complex numbers.
    """
    signal, weights = op.operands[0], op.operands[4]
    extents = ctx.dims(signal)
    if len(extents) not in (1, 2):
        return always_raises(op, "C1", f"{signal.name} has rank {len(extents)}")
    *batch, length = extents
    points = ctx.integer(op.operands[1])
    step = ctx.integer(op.operands[2]) if is_present(ctx, op.operands[2]) else floordiv(points, dim(4))
    width = ctx.integer(op.operands[3]) if is_present(ctx, op.operands[3]) else points
    shown = (*extent_pairs(signal.name, extents), ("points", points))
    claims = [
        check("C2", conjunction((at_least(points, 1), at_least(length, points))), "the signal is too short", shown),
        check("C3", at_least(step, 1), "the window does not move on", (("step", step),)),
        check("C4", conjunction((at_least(width, 1), at_least(points, width))), "the window is too wide", shown),
        *_weights_claim(ctx, weights, width),
    ]
    is_complex = any(
        element_type_name(each).startswith("complex") for each in (signal, weights) if is_present(ctx, each)
    )
    if not is_present(ctx, op.operands[7]) and not is_complex:
        claims.append(check("C6", FALSE, "nothing says whether the result is of complex numbers"))
    is_halved = bool(constant(ctx, op.operands[6])) if is_present(ctx, op.operands[6]) else not is_complex
    if is_halved and is_complex:
        claims.append(check("C7", FALSE, "a half of what complex numbers give is wanted"))
    is_aligned = any(is_present(ctx, each) and bool(constant(ctx, each)) for each in op.operands[8:9])
    places = floordiv(length - (width if is_aligned else points), step) + 1
    if is_aligned:
        end = length + 2 * floordiv(points - width, dim(2))
        inside = at_least(end, (places - 1) * step + points)
        claims.append(check("C8", inside, "the last window ends behind the signal", shown))
    frequencies = floordiv(points, dim(2)) + 1 if is_halved else points
    is_paired = is_present(ctx, op.operands[7]) and not constant(ctx, op.operands[7])
    result = Tensor.of([*batch, frequencies, places, *([2] if is_paired else [])])
    return OpSemantics((result,), requires=claims, assumes=empty_transform_assumption(batch))


def _weights_claim(ctx: RuleContext, weights: Value, width: Dim) -> tuple[Claim, ...]:
    """Return clause C5: there is one weight per point of the window."""
    if not is_present(ctx, weights):
        return ()
    extents = ctx.dims(weights)
    shown = (*extent_pairs(weights.name, extents), ("width", width))
    fits = equal(extents[0], width) if len(extents) == 1 else FALSE
    return (check("C5", fits, "the weights are not as many as the window sees", shown),)


_BOUND = 2**100
_OF_DATA = "where the bounds are equal, PyTorch takes those of the data, which it demands to be finite"


@rule("torch.aten.histc", example=EXAMPLE, effects=STOPS)
def histogram(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A histogram: the number of elements in each of the equal parts between two bounds.

    Bounds that are equal, as f32, are the least and the greatest element instead.

    (C1) There is at least one bin.
    (C2) The lower bound is not greater than the upper one.
    (R1) The result has an element for each part.
    """
    parts = ctx.integer(op.operands[1])
    some = check("C1", at_least(parts, 1), "there is no part", (("parts", parts),))
    (low, under), (high, over) = (ratio(ctx, each) for each in op.operands[2:4])
    ordered = check("C2", at_least(high * under, low * over), "the lower bound is greater than the upper one")
    numbers = [_constant_bound(each) for each in (low, under, high, over)]
    is_equal = _rounded_to_f32(numbers[0] / numbers[1]) == _rounded_to_f32(numbers[2] / numbers[3])
    unchecked = _OF_DATA if is_equal else ""
    return OpSemantics((Tensor.of([parts]),), requires=Requires((some, ordered), unknown=unchecked))


def _constant_bound(number: Dim) -> int:
    if not number.is_constant or abs(number.constant) > _BOUND:
        raise UnknownValueError("a bound is computed, or large")
    return number.constant


def _rounded_to_f32(number: float) -> float:
    """Return the number rounded to f32, in which PyTorch compares it."""
    return struct.unpack("f", struct.pack("f", number))[0]
