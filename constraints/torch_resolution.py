"""PyTorch's changes of resolution."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim, floordiv
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import FALSE, at_least, conjunction, divides, equal, unequal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Meaning, rule
from shapesolve.walking.values import Float

from .float_elements import HOLDS_SIZES, ROUNDS
from .torch_values import check, constant, extent_pairs, integers, is_given, items, of_extents, product, refused

EXAMPLE = "tests/cases/torch/resolution.mlir"
MODEST = 2**16
EXACT = 2**53 // MODEST
"""Numbers up to this, times one below `MODEST`, are exact in f64, in which PyTorch computes sizes."""

_IMAGES = {
    "nearest1d": 1,
    "nearest2d": 2,
    "nearest3d": 3,
    "_nearest_exact1d": 1,
    "_nearest_exact2d": 2,
    "_nearest_exact3d": 3,
    "linear1d": 1,
    "bilinear2d": 2,
    "bicubic2d": 2,
    "trilinear3d": 3,
}
"""Ways to find what lies between elements, and the dimensions of an image."""


def _named(way: str) -> str:
    return f"torch.aten._upsample{way}" if way.startswith("_") else f"torch.aten.upsample_{way}"


_UPSAMPLED = {_named(way) + kind: rank for way, rank in _IMAGES.items() for kind in ("", ".vec")}
_ANY_IMAGE = "torch.aten.__interpolate.size_list_scale_list"


@rule(*_UPSAMPLED, _ANY_IMAGE, example=EXAMPLE, effects=STOPS)
def upsampling(op: Operation, see: RuleContext) -> Meaning:
    """An image in another resolution: of given sizes, or by factors, which are followed where floats hold them exactly.

    (C1) The input has a batch and channels besides the image; sizes or factors are given, not both.
    (C2) No extent but that of the batch is 0, and every wanted size is positive.
    (R1) The result has the leading extents and the wanted sizes; of factors, the extents times these, rounded down.
    """
    extents = see.dims(op.operands[0])
    rank = _UPSAMPLED.get(op.name, min(max(len(extents) - 2, 1), 3))
    if len(extents) != rank + 2:
        message = f"{op.operands[0].name} has rank {len(extents)}"
        return refused(op, check("C1", FALSE, message))
    by_factors = not is_given(see, op.operands[1])
    factors = op.operands[2 if op.name == _ANY_IMAGE else -1]
    if (op.name == _ANY_IMAGE or op.name.endswith(".vec")) and is_given(see, factors) != by_factors:
        return refused(op, check("C1", FALSE, "sizes or factors are given, one of them"))
    sizes = _scaled(see, factors, extents[2:]) if by_factors else [*integers(see, op.operands[1])]
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


@rule("torch.aten.pixel_shuffle", "torch.aten.pixel_unshuffle", example=EXAMPLE, effects=STOPS)
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
