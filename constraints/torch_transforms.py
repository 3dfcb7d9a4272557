"""PyTorch's Fourier transforms over one dimension."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim, floordiv
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
    is_given,
    of_extents,
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


def of_nothing(extents: Sequence[Dim]) -> tuple[str, ...]:
    """What is assumed of a tensor that may have no elements."""
    lows = [each.bounds()[0] for each in extents]
    return () if all(low is not None and low >= 1 for low in lows) else (TRANSFORMS_NOTHING,)


@rule("torch.aten._fft_r2c", "torch.aten._fft_c2r", example="tests/cases/torch/transforms.mlir", effects=STOPS)
def decomposed_transform(op: Operation, see: RuleContext) -> Meaning:
    """A Fourier transform over several dimensions, from real numbers or to them: what the others are decomposed into.

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
    elif constant(see, op.operands[3]):
        extents[last] = floordiv(extents[last], dim(2)) + 1
    return Meaning((of_extents(extents),), claims=tuple(claims), leans_on=leans_on)
