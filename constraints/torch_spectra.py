"""PyTorch's spectrograms and histograms."""

from __future__ import annotations

import struct

from shapesolve.language.dims import Dim, dim, floordiv
from shapesolve.language.formulas import FALSE, at_least, conjunction, equal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .torch_bounds import spelled
from .torch_parameters import ratio
from .torch_transforms import of_nothing
from .torch_values import check, constant, extent_pairs, is_given, of_extents, refused

EXAMPLE = "tests/cases/torch/spectra.mlir"


@rule("torch.aten.stft", example=EXAMPLE, effects=STOPS)
def spectrogram(op: Operation, see: RuleContext) -> Meaning:
    """Fourier transforms of the parts of a signal that a window sees as it moves on.

    Where nothing is said, it moves by a quarter of the points, rounded down, and sees as much as there are points.

    (C1) The signal has a dimension, and perhaps a batch.
    (C2) There is a point, and the signal is as long as there are points.
    (C3) The window moves on.
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
    extents = see.dims(signal)
    if len(extents) not in (1, 2):
        return refused(op, check("C1", FALSE, f"{signal.name} has rank {len(extents)}"))
    *batch, length = extents
    points = see.integer(op.operands[1])
    step = see.integer(op.operands[2]) if is_given(see, op.operands[2]) else floordiv(points, dim(4))
    width = see.integer(op.operands[3]) if is_given(see, op.operands[3]) else points
    shown = (*extent_pairs(signal.name, extents), ("points", points))
    claims = [
        check("C2", conjunction((at_least(points, 1), at_least(length, points))), "the signal is too short", shown),
        check("C3", at_least(step, 1), "the window does not move on", (("step", step),)),
        check("C4", conjunction((at_least(width, 1), at_least(points, width))), "the window is too wide", shown),
        *_weights(see, weights, width),
    ]
    is_complex = any(spelled(each).startswith("complex") for each in (signal, weights) if is_given(see, each))
    if not is_given(see, op.operands[7]) and not is_complex:
        claims.append(check("C6", FALSE, "nothing says whether the result is of complex numbers"))
    is_halved = bool(constant(see, op.operands[6])) if is_given(see, op.operands[6]) else not is_complex
    if is_halved and is_complex:
        claims.append(check("C7", FALSE, "a half of what complex numbers give is wanted"))
    is_aligned = any(is_given(see, each) and bool(constant(see, each)) for each in op.operands[8:9])
    places = floordiv(length - (width if is_aligned else points), step) + 1
    if is_aligned:
        end = length + 2 * floordiv(points - width, dim(2))
        inside = at_least(end, (places - 1) * step + points)
        claims.append(check("C8", inside, "the last window ends behind the signal", shown))
    frequencies = floordiv(points, dim(2)) + 1 if is_halved else points
    is_paired = is_given(see, op.operands[7]) and not constant(see, op.operands[7])
    result = of_extents([*batch, frequencies, places, *([2] if is_paired else [])])
    return Meaning((result,), claims=tuple(claims), leans_on=of_nothing(batch))


def _weights(see: RuleContext, weights: Value, width: Dim) -> tuple[Claim, ...]:
    """Clause C5."""
    if not is_given(see, weights):
        return ()
    extents = see.dims(weights)
    shown = (*extent_pairs(weights.name, extents), ("width", width))
    fits = equal(extents[0], width) if len(extents) == 1 else FALSE
    return (check("C5", fits, "the weights are not as many as the window sees", shown),)


_BOUND = 2**100
_OF_DATA = "where the bounds are equal, PyTorch takes those of the data, which it demands to be finite"


@rule("torch.aten.histc", example=EXAMPLE, effects=STOPS)
def histogram(op: Operation, see: RuleContext) -> Meaning:
    """How many elements lie in each of the equal parts between two bounds.

    Bounds that are equal, as f32, are the least and the greatest element instead.

    (C1) There is a part.
    (C2) The lower bound is not greater than the upper one.
    (R1) The result has an element for each part.
    """
    parts = see.integer(op.operands[1])
    some = check("C1", at_least(parts, 1), "there is no part", (("parts", parts),))
    (low, under), (high, over) = (ratio(see, each) for each in op.operands[2:4])
    ordered = check("C2", at_least(high * under, low * over), "the lower bound is greater than the upper one")
    numbers = [_constant(each) for each in (low, under, high, over)]
    is_equal = _single(numbers[0] / numbers[1]) == _single(numbers[2] / numbers[3])
    unchecked = _OF_DATA if is_equal else ""
    return Meaning((of_extents([parts]),), claims=(some, ordered), unchecked=unchecked)


def _constant(number: Dim) -> int:
    if not number.is_constant or abs(number.constant) > _BOUND:
        raise CannotSee("a bound is computed, or large")
    return number.constant


def _single(number: float) -> float:
    """The number as PyTorch compares it."""
    return struct.unpack("f", struct.pack("f", number))[0]
