"""PyTorch's Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim, floordiv
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import FALSE, at_least, conjunction, disjunction, equal
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, rule

from .torch_values import (
    axis,
    axis_of,
    check,
    constant,
    constants,
    extent_pairs,
    integers,
    is_given,
    of_extents,
    own_axis,
    product,
    refused,
)

_HALVED = ("torch.aten.fft_rfft", "torch.aten.fft_ihfft")
"""From real numbers: the other half of the result is its mirror image, and left out."""

TRANSFORMS_NOTHING = "PyTorch transforms tensors without elements (before 2.15, on MKL, it raises an error)"

_DOUBLED = ("torch.aten.fft_irfft", "torch.aten.fft_hfft")
"""To real numbers, from such a half."""


@rule(
    "torch.aten.fft_fft",
    "torch.aten.fft_ifft",
    *_HALVED,
    *_DOUBLED,
    example="tests/cases/torch/transforms.mlir",
    effects=STOPS,
)
def fourier_transform(op: Operation, see: RuleContext) -> Meaning:
    """A Fourier transform over one dimension, cut off or filled up to a number of points if one is given.

    (C1) The tensor has a dimension.
    (C2) There is at least one point; if no number is given, there are as many as elements, and to real numbers twice as
    many less two.
    (R1) The result has the extents of the input, and in the dimension as many elements as there are points; from real
    numbers half as many, rounded down, and one.
    """
    value, number = op.operands[:2]
    extents = list(see.dims(value))
    if not extents:
        return refused(op, check("C1", FALSE, f"{value.name} has no dimension"))
    at = axis_of(see, op.operands[2], len(extents))
    if is_given(see, number):
        points = see.integer(number)
        shown = ("points", points)
    else:
        points = 2 * (extents[at] - 1) if op.name in _DOUBLED else extents[at]
        shown = (f"extent {at} of {value.name}", extents[at])
    claim = check("C2", at_least(points, 1), "the transform has no points", (shown,))
    leans_on = of_nothing(extents)
    extents[at] = floordiv(points, dim(2)) + 1 if op.name in _HALVED else points
    return Meaning((of_extents(extents),), claims=(claim,), leans_on=leans_on)


_OVER_SEVERAL = ("torch.aten.fft_fftn", "torch.aten.fft_ifftn", "torch.aten.fft_fft2", "torch.aten.fft_ifft2")
_HALVED_LAST = ("torch.aten.fft_rfftn", "torch.aten.fft_rfft2")
_DOUBLED_LAST = ("torch.aten.fft_irfftn", "torch.aten.fft_irfft2")
_AS_IT_IS = -1


@rule(
    *_OVER_SEVERAL,
    *_HALVED_LAST,
    *_DOUBLED_LAST,
    example="tests/cases/torch/transforms.mlir",
    effects=STOPS,
)
def fourier_transform_over_several(op: Operation, see: RuleContext) -> Meaning:
    """A Fourier transform over several dimensions: those that are listed, else the last ones, or all of them.

    (C1) The dimensions are different ones; from real numbers or to them, there is one.
    (C2) There is at least one point in each; where no number is given, or -1, there are as many as elements, and to
    real numbers, in the last of the dimensions, twice as many less two.
    (C3) As many numbers of points are given as dimensions, and no more than the tensor has.
    (R1) The result has the extents of the input, and in the dimensions as many elements as there are points; from real
    numbers, in the last of them half as many, rounded down, and one.
    """
    value = op.operands[0]
    extents = list(see.dims(value))
    shown = extent_pairs(value.name, extents)
    points = integers(see, op.operands[1]) if is_given(see, op.operands[1]) else None
    if is_given(see, op.operands[2]):
        axes = [own_axis(each, extents) for each in constants(see, op.operands[2])]
    else:
        first = len(extents) - len(points) if points is not None else 0
        axes = list(range(max(0, first), len(extents)))
    if points is not None and len(points) != len(axes):
        return refused(op, check("C3", FALSE, f"{len(points)} numbers of points are given for {len(axes)} dimensions"))
    if len({*axes}) != len(axes):
        return refused(op, check("C1", FALSE, "a dimension is named twice"))
    if not axes and op.name not in _OVER_SEVERAL:
        return refused(op, check("C1", FALSE, "there is no dimension to be transformed"))
    leans_on = of_nothing(extents)
    counts = [extents[at] for at in axes]
    if op.name in _DOUBLED_LAST:
        counts[-1] = 2 * (counts[-1] - 1)
    wanted = [_given(each, count) for each, count in zip(counts if points is None else points, counts, strict=True)]
    claim = check("C2", conjunction(at_least(each, 1) for each in wanted), "the transform has no points", shown)
    for at, each in zip(axes, wanted, strict=True):
        extents[at] = each
    if op.name in _HALVED_LAST:
        extents[axes[-1]] = floordiv(wanted[-1], dim(2)) + 1
    return Meaning((of_extents(extents),), claims=(claim,), leans_on=leans_on)


def _given(points: Dim, otherwise: Dim) -> Dim:
    """A number of points that is given, or what it is where -1 is."""
    return choose(equal(points, _AS_IT_IS), otherwise, points)


def of_nothing(extents: Sequence[Dim]) -> tuple[str, ...]:
    """What is assumed of a tensor that may have no elements."""
    lows = [each.bounds()[0] for each in extents]
    return () if all(low is not None and low >= 1 for low in lows) else (TRANSFORMS_NOTHING,)


@rule(
    "torch.aten._fft_c2c",
    "torch.aten._fft_r2c",
    "torch.aten._fft_c2r",
    example="tests/cases/torch/transforms.mlir",
    effects=STOPS,
)
def decomposed_transform(op: Operation, see: RuleContext) -> Meaning:
    """A Fourier transform over several dimensions: what the others are decomposed into.

    (C2) There are points in each dimension, where the tensor has elements otherwise.
    (C3) To real numbers, the last of the dimensions holds half as many as are wanted, rounded down, and one.
    (R1) The result has the extents of the input; the last of the dimensions half as many, rounded down, and one, if
    the other half is left out, or, to real numbers, as many as are wanted.
    """
    value = op.operands[0]
    extents = list(see.dims(value))
    listed = constants(see, op.operands[1])
    if not listed or not extents:
        raise CannotSee("a transform over no dimension is not followed")
    if min(listed) < 0:
        raise CannotSee("a dimension is counted from the end, which not all of these transforms take")
    leans_on = of_nothing(extents)
    axes = [axis(each, len(extents)) for each in listed]
    last = axes[-1]
    shown = extent_pairs(value.name, extents)
    rest = product(each for at, each in enumerate(extents) if at not in axes)
    points = conjunction(at_least(extents[at], 1) for at in axes)
    claims = [check("C2", disjunction((points, equal(rest, 0))), "the transform has no points", shown)]
    if op.name == "torch.aten._fft_c2r":
        wanted = see.integer(op.operands[3])
        fits = conjunction((at_least(wanted, 1), equal(floordiv(wanted, dim(2)) + 1, extents[last])))
        claims.append(check("C3", fits, "the half is not that of what is wanted", (*shown, ("wanted", wanted))))
        extents[last] = wanted
    elif op.name == "torch.aten._fft_r2c" and constant(see, op.operands[3]):
        extents[last] = floordiv(extents[last], dim(2)) + 1
    return Meaning((of_extents(extents),), claims=tuple(claims), leans_on=leans_on)
