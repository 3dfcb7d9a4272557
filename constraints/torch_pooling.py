"""PyTorch's pooling, and changes of resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.dims import Dim, dim, floordiv
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import FALSE, at_least, conjunction, disjunction, divides, equal, unequal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Float

from .float_elements import HOLDS_SIZES, ROUNDS
from .torch_parameters import parameters
from .torch_values import (
    check,
    constant,
    constants,
    extent_pairs,
    integers,
    is_given,
    items,
    of_extents,
    product,
    refused,
)
from .torch_windows import per_dimension

EXAMPLE = "tests/cases/torch/pooling.mlir"
MODEST = 2**16
EXACT = 2**53 // MODEST
"""Numbers up to this, times one below `MODEST`, are exact in f64, in which PyTorch computes sizes."""
RESOLUTION = "tests/cases/torch/resolution.mlir"

_MAXIMA = {f"torch.aten.max_pool{rank}d{kind}": rank for rank in (1, 2, 3) for kind in ("", "_with_indices")}
_AVERAGES = {f"torch.aten.avg_pool{rank}d": rank for rank in (1, 2, 3)}


def _ranked(op: Operation, extents: Sequence[Dim], rank: int) -> tuple[Claim, ...]:
    """Clause C1, where it fails: the input has channels, and perhaps a batch, besides what the window moves over."""
    if len(extents) in (rank + 1, rank + 2):
        return ()
    message = f"{op.operands[0].name} has rank {len(extents)} where a window moves over {rank} dimensions"
    return (check("C1", FALSE, message),)


@rule(*_MAXIMA, *_AVERAGES, example=EXAMPLE, effects=STOPS)
def pooling(op: Operation, see: RuleContext) -> Meaning:
    """The greatest element, or the mean, of every place of a window.

    (C1) The input has one or two dimensions besides those that the window moves over.
    (C2) No extent but that of the batch is 0.
    (C3) There is a place for the window in each dimension; means over three dimensions take no larger window at all.
    (C4) What sums are divided by instead of the number of elements, if it is given, is not 0.
    (R1) The results have the leading extents, and as many places as the window has.
    """
    rank = _MAXIMA.get(op.name) or _AVERAGES[op.name]
    extents = see.dims(op.operands[0])
    wrong = _ranked(op, extents, rank)
    if wrong:
        return refused(op, wrong[0])
    window = per_dimension(constants(see, op.operands[1]), rank)
    strides = constants(see, op.operands[2])
    strides = per_dimension(strides, rank) if strides else window
    padding = per_dimension(constants(see, op.operands[3]), rank)
    is_maximum = op.name in _MAXIMA
    gaps = per_dimension(constants(see, op.operands[4]), rank) if is_maximum else (1,) * rank
    up = bool(constant(see, op.operands[5 if is_maximum else 4]))
    if min(*window, *strides, *gaps) < 1 or any(not 0 <= 2 * p <= w for p, w in zip(padding, window, strict=True)):
        raise CannotSee("the window has no size, or more padding than half of it")
    leading = len(extents) - rank
    shown = extent_pairs(op.operands[0].name, extents)
    some = conjunction(unequal(each, 0) for each in extents[leading - 1 :])
    claims = [check("C2", some, "an extent besides that of the batch is 0", shown)]
    result = list(extents[:leading])
    moves = zip(extents[leading:], window, strides, padding, gaps, strict=True)
    for at, (extent, size, stride, pad, gap) in enumerate(moves, leading):
        places = _places(extent, (size - 1) * gap + 1, stride, pad, up)
        name = f"extent {at} of {op.operands[0].name}"
        fits = at_least(places, 1)
        if op.name == "torch.aten.avg_pool3d":
            fits = conjunction((fits, at_least(extent, size)))
        claims.append(check("C3", fits, f"the window does not fit in dimension {at}", ((name, extent),)))
        result.append(places)
    claims += parameters(op, see, "C4")
    return Meaning(tuple(of_extents(result) for _ in op.results), claims=tuple(claims))


def _places(extent: Dim, window: int, stride: int, padding: int, up: bool) -> Dim:
    room = extent + 2 * padding - window
    if not up:
        return floordiv(room, dim(stride)) + 1
    places = floordiv(room + stride - 1, dim(stride)) + 1
    # The last window must begin in the input or in the padding before it.
    return choose(at_least((places - 1) * stride, extent + padding), places - 1, places)


_ADAPTIVE = {
    **{f"torch.aten.adaptive_{kind}_pool{rank}d": rank for kind in ("avg", "max") for rank in (1, 2, 3)},
    "torch.aten._adaptive_avg_pool2d": 2,
    "torch.aten._adaptive_avg_pool3d": 3,
}


_MEANS = ("torch.aten.adaptive_avg_pool2d", "torch.aten.adaptive_avg_pool3d")
"""What PyTorch computes as one mean where one place is wanted."""


@rule(*_ADAPTIVE, example=EXAMPLE, effects=STOPS)
def adaptive_pooling(op: Operation, see: RuleContext) -> Meaning:
    """The greatest element, or the mean, of as many windows as places are wanted.

    (C1) The input has one or two dimensions besides those that the windows move over, or any where one mean of two or
    three dimensions is wanted; and there is a wanted size for each of these.
    (C2) No extent that the windows move over is 0, unless one mean of all is wanted; of the greatest elements, and
    over three dimensions, no extent but the first is.
    (C3) No wanted size is negative.
    (R1) The results have the leading extents and the wanted sizes.
    """
    rank = _ADAPTIVE[op.name]
    extents, sizes = see.dims(op.operands[0]), integers(see, op.operands[1])
    if len(sizes) != rank:
        return refused(op, check("C1", FALSE, f"there are {len(sizes)} sizes for {rank} dimensions"))
    ranked = _ranked(op, extents, rank)
    if ranked and (op.name not in _MEANS or len(extents) < rank):
        return refused(op, ranked[0])
    one = conjunction(equal(size, 1) for size in sizes)
    first = len(extents) - rank if "avg" in op.name and rank < 3 else 1
    some = conjunction(unequal(each, 0) for each in extents[first:])
    if op.name.startswith("torch.aten.adaptive_avg"):
        some = disjunction((some, one))
    shown = extent_pairs(op.operands[0].name, extents)
    positive = conjunction(at_least(size, 0) for size in sizes)
    claims = (
        *(replace(each, formula=one) for each in ranked),
        check("C2", some, "an extent is 0", shown),
        check("C3", positive, "a wanted size is negative"),
    )
    result = of_extents([*extents[: len(extents) - rank], *sizes])
    return Meaning(tuple(result for _ in op.results), claims=tuple(claims))


# Resolution ----------------------------------------------------------------------------------------------------------

_UPSAMPLED = {
    "torch.aten.upsample_nearest1d": 1,
    "torch.aten.upsample_nearest2d": 2,
    "torch.aten.upsample_bilinear2d": 2,
    "torch.aten.upsample_nearest1d.vec": 1,
    "torch.aten.upsample_nearest2d.vec": 2,
    "torch.aten.upsample_bilinear2d.vec": 2,
}


@rule(*_UPSAMPLED, example=RESOLUTION, effects=STOPS)
def upsampling(op: Operation, see: RuleContext) -> Meaning:
    """An image in another resolution: of given sizes, or by factors, which are followed where floats hold them exactly.

    (C1) The input has a batch and channels besides the image; sizes or factors are given, not both.
    (C2) No extent but that of the batch is 0, and every wanted size is positive.
    (R1) The result has the leading extents and the wanted sizes; of factors, the extents times these, rounded down.
    """
    rank = _UPSAMPLED[op.name]
    extents = see.dims(op.operands[0])
    if len(extents) != rank + 2:
        message = f"{op.operands[0].name} has rank {len(extents)}"
        return refused(op, check("C1", FALSE, message))
    by_factors = not is_given(see, op.operands[1])
    if op.name.endswith(".vec") and is_given(see, op.operands[-1]) != by_factors:
        return refused(op, check("C1", FALSE, "sizes or factors are given, one of them"))
    sizes = _scaled(see, op.operands[-1], extents[2:]) if by_factors else [*integers(see, op.operands[1])]
    if len(sizes) != rank:
        raise CannotSee(f"there are {len(sizes)} sizes for {rank} dimensions")
    some = conjunction((*(unequal(each, 0) for each in extents[1:]), *(at_least(size, 1) for size in sizes)))
    shown = (*extent_pairs(op.operands[0].name, extents), *((f"size {at}", size) for at, size in enumerate(sizes)))
    claim = check("C2", some, "a size is 0", shown)
    result = (of_extents([*extents[:2], *sizes]),)
    if not by_factors:
        return Meaning(result, claims=(claim,))
    fits = conjunction(at_least(EXACT, each) for each in extents[2:])
    return Meaning(result, claims=(claim,), presumes=fits, leans_on=(HOLDS_SIZES,), otherwise=ROUNDS)


def _scaled(see: RuleContext, factors: Value, extents: Sequence[Dim]) -> list[Dim]:
    """Extents times floats, rounded down."""
    listed = items(see, factors)
    if len(listed) != len(extents):
        raise CannotSee(f"there are {len(listed)} factors for {len(extents)} dimensions")
    sizes: list[Dim] = []
    for extent, factor in zip(extents, listed, strict=True):
        if not isinstance(factor, Float) or not factor.numerator.is_constant or not factor.denominator.is_constant:
            raise CannotSee("a factor of the sizes is not known")
        above, below = factor.numerator.constant, factor.denominator.constant
        if not 0 <= above < MODEST or below & (below - 1) or below >= MODEST:
            raise CannotSee("a size times a float that is rounded is not followed")
        sizes.append(floordiv(extent * above, factor.denominator))
    return sizes


@rule("torch.aten.pixel_shuffle", "torch.aten.pixel_unshuffle", example=RESOLUTION, effects=STOPS)
def pixel_shuffle(op: Operation, see: RuleContext) -> Meaning:
    """Channels spread out over the image, or the image folded into channels.

    (C1) There is an image with channels.
    (C2) The channels are divided by the square of the factor; or the image by the factor.
    (R1) The result has that many channels, and an image so much larger or smaller.
    """
    extents, factor = see.dims(op.operands[0]), constant(see, op.operands[1])
    if len(extents) < 3:
        return refused(op, check("C1", FALSE, f"{op.operands[0].name} has no channels"))
    if factor < 1:
        raise CannotSee("the factor is not positive")
    *batch, channels, height, width = extents
    shown = extent_pairs(op.operands[0].name, extents)
    if op.name == "torch.aten.pixel_shuffle":
        whole = divides(dim(factor * factor), channels)
        result = [*batch, floordiv(channels, dim(factor * factor)), height * factor, width * factor]
    else:
        whole = conjunction((divides(dim(factor), height), divides(dim(factor), width)))
        folded = [channels * (factor * factor), *(floordiv(each, dim(factor)) for each in (height, width))]
        nothing = equal(product(extents), 0)  # PyTorch then gives a copy
        pairs = zip((channels, height, width), folded, strict=True)
        result = [*batch, *(choose(nothing, own, made) for own, made in pairs)]
    return Meaning((of_extents(result),), claims=(check("C2", whole, "the factor does not divide", shown),))
