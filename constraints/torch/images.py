"""Resampling of images, and patches: windows of an image as columns, and images summed up from these."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Float, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formulas import at_least, conjunction, divides, equal, unequal
from shapesolve.symbolic.normal_forms import choose
from shapesolve.trace.trust import HOLDS_SIZES

from ..transfer.extent_tensors import extent_product
from ..transfer.float_elements import ROUNDS
from .convolution import adaptive_pooling_result
from .operands import always_raises, check, constant, constants, extent_pairs, integers, is_present, list_items, text

EXAMPLE = "tests/cases/torch/resolution.mlir"
MODEST = 2**16
EXACT = 2**53 // MODEST
"""Largest integer whose product with one below `MODEST` is exact in f64, in which PyTorch computes sizes."""

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
"""Interpolation mode -> number of spatial dimensions."""


def _operator_name(way: str) -> str:
    return f"torch.aten._upsample{way}" if way.startswith("_") else f"torch.aten.upsample_{way}"


_UPSAMPLED = {_operator_name(way) + kind: rank for way, rank in _IMAGES.items() for kind in ("", ".vec")}


@rule(*_UPSAMPLED, example=EXAMPLE, effects=STOPS)
def upsampling(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An image in another resolution: of given sizes, or by factors, which are followed where floats hold them exactly.

    (C1) The input has a batch and channels besides the image; sizes or factors are given, not both.
    (C2) No extent but that of the batch is 0, and every wanted size is positive.
    (R1) The result has the leading extents and the wanted sizes; of factors, the extents times these, rounded down.
    """
    extents = ctx.dims(op.operands[0])
    rank = _UPSAMPLED[op.name]
    if len(extents) != rank + 2:
        message = f"{op.operands[0].name} has rank {len(extents)}"
        return always_raises(op, "C1", message)
    by_factors = not is_present(ctx, op.operands[1])
    if op.name.endswith(".vec") and is_present(ctx, op.operands[-1]) != by_factors:
        return always_raises(op, "C1", _ONE_OF_THEM)
    sizes = _output_sizes(ctx, op.operands[1], op.operands[-1], extents[2:])
    result, claim = _resized(op, extents, sizes)
    return _resize_semantics(result, (claim,), extents if by_factors else ())


_ONE_OF_THEM = "sizes or factors are given, one of them"


def _output_sizes(ctx: RuleContext, listed: Value, factors: Value, extents: Sequence[Dim]) -> list[Dim]:
    """Return the wanted sizes: those listed, else the extents times the factors."""
    if not is_present(ctx, listed):
        return _scaled_extents(ctx, factors, extents)
    sizes = [*integers(ctx, listed)]
    if len(sizes) != len(extents):
        raise UnknownValueError(f"there are {len(sizes)} sizes for {len(extents)} dimensions")
    return sizes


def _resized(op: Operation, extents: Sequence[Dim], sizes: Sequence[Dim]) -> tuple[Tensor, Claim]:
    """Return the resized image and clause C2: neither the input nor the result is empty, but for the batch."""
    some = conjunction((*(unequal(each, 0) for each in extents[1:]), *(at_least(size, 1) for size in sizes)))
    shown = (*extent_pairs(op.operands[0].name, extents), *((f"size {at}", size) for at, size in enumerate(sizes)))
    return Tensor.of([*extents[:2], *sizes]), check("C2", some, "a size is 0", shown)


def _resize_semantics(result: Tensor, claims: tuple[Claim, ...], scaled: Sequence[Dim]) -> OpSemantics:
    """Return the semantics of a resized image.

    The extents that were ``scaled`` by floats, if any, are assumed to be at most `EXACT`: then no product is rounded.
    """
    if not scaled:
        return OpSemantics((result,), requires=claims)
    fits = conjunction(at_least(EXACT, each) for each in scaled[2:])
    return OpSemantics((result,), requires=claims, assumes=Assumes((HOLDS_SIZES,), fits, overflow_effect=ROUNDS))


_PLAIN = ("nearest", "nearest-exact", "area")
_MODES = {**dict.fromkeys(_PLAIN, (1, 2, 3)), "linear": (1,), "bilinear": (2,), "bicubic": (2,), "trilinear": (3,)}
"""Interpolation mode -> supported numbers of spatial dimensions."""


_OF_ONNX = {"cubic": "bicubic_"}


@rule("torch.aten.__interpolate.size_list_scale_list", example=EXAMPLE, effects=STOPS)
def interpolation(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An image in another resolution, as a text says; "area" takes the means of as many windows as there are places.

    torch-mlir has ways of ONNX besides: what follows an underscore says which places are meant, and no more.

    (C1) The input has a batch and channels besides an image of as many dimensions as there is such a way for; sizes or
    factors are given, not both.
    (C2) No extent but that of the batch is 0, and every wanted size is positive; of means, no extent of the image (of
    three dimensions, none but the batch) is 0, unless one mean of all is wanted.
    (C3) Of means, no wanted size is negative.
    (C4) Corners are not said to be aligned, or not, where there is nothing between elements.
    (R1) The result has the leading extents and the wanted sizes; of factors, the extents times these, rounded down.
    """
    extents, mode = ctx.dims(op.operands[0]), text(ctx, op.operands[3])
    way, _, of_onnx = _OF_ONNX.get(mode, mode).partition("_")
    if way not in _MODES or constant(ctx, op.operands[6]):
        raise UnknownValueError(f"such an interpolation as {mode} is not followed")
    if len(extents) - 2 not in _MODES[way]:
        return always_raises(op, "C1", f"{op.operands[0].name} has rank {len(extents)}")
    by_factors = not is_present(ctx, op.operands[1])
    if is_present(ctx, op.operands[2]) != by_factors:
        return always_raises(op, "C1", _ONE_OF_THEM)
    if is_present(ctx, op.operands[4]) and way in _PLAIN and not of_onnx:
        return always_raises(op, "C4", "corners are aligned, or not, where nothing is between them")
    if is_present(ctx, op.operands[5]) and not by_factors:
        raise UnknownValueError("factors are computed again from sizes")
    sizes = _output_sizes(ctx, op.operands[1], op.operands[2], extents[2:])
    if way == "area":
        result, claims = adaptive_pooling_result(op.operands[0], extents, sizes, is_mean=True)
    else:
        result, claim = _resized(op, extents, sizes)
        claims = (claim,)
    return _resize_semantics(result, claims, extents if by_factors else ())


def _scaled_extents(ctx: RuleContext, factors: Value, extents: Sequence[Dim]) -> list[Dim]:
    """Return the extents times the float factors, rounded down.

    Raises:
        UnknownValueError: A factor is unknown, or has more bits than `MODEST` allows, so that a product may be rounded.
    """
    listed = list_items(ctx, factors)
    if len(listed) != len(extents):
        raise UnknownValueError(f"there are {len(listed)} factors for {len(extents)} dimensions")
    sizes: list[Dim] = []
    for extent, factor in zip(extents, listed, strict=True):
        if not isinstance(factor, Float) or not factor.numerator.is_constant or not factor.denominator.is_constant:
            raise UnknownValueError("a factor of the sizes is not known")
        above, below = factor.numerator.constant, factor.denominator.constant
        if not 0 <= above < MODEST or below & (below - 1) or below >= MODEST:
            raise UnknownValueError("a size times a float that is rounded is not followed")
        sizes.append(floordiv(extent * above, factor.denominator))
    return sizes


@rule("torch.aten.pixel_shuffle", "torch.aten.pixel_unshuffle", example=EXAMPLE, effects=STOPS)
def pixel_shuffle(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Channels spread out over the image, or the image folded into channels.

    (C1) There is an image with channels.
    (C2) The channels are divided by the square of the factor; or the image by the factor.
    (R1) The result has that many channels, and an image so much larger or smaller.
    """
    extents, factor = ctx.dims(op.operands[0]), constant(ctx, op.operands[1])
    if len(extents) < 3:
        return always_raises(op, "C1", f"{op.operands[0].name} has no channels")
    if factor < 1:
        raise UnknownValueError("the factor is not positive")
    *batch, channels, height, width = extents
    shown = extent_pairs(op.operands[0].name, extents)
    if op.name == "torch.aten.pixel_shuffle":
        whole = divides(dim(factor * factor), channels)
        result = [*batch, floordiv(channels, dim(factor * factor)), height * factor, width * factor]
    else:
        whole = conjunction((divides(dim(factor), height), divides(dim(factor), width)))
        folded = [channels * (factor * factor), *(floordiv(each, dim(factor)) for each in (height, width))]
        nothing = equal(extent_product(extents), 0)  # PyTorch returns a copy of an empty tensor
        pairs = zip((channels, height, width), folded, strict=True)
        result = [*batch, *(choose(nothing, own, made) for own, made in pairs)]
    return OpSemantics((Tensor.of(result),), requires=(check("C2", whole, "the factor does not divide", shown),))


_GRIDS = {"torch.aten.grid_sampler": (2, 3), "torch.aten.grid_sampler_2d": (2,), "torch.aten.grid_sampler_3d": (3,)}


@rule(*_GRIDS, example=EXAMPLE, effects=STOPS)
def grid_sampler(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An image looked up at the points of a grid.

    (C1) Image and grid have two dimensions besides those of the image, and these are two or three.
    (C2) The batches are equal.
    (C3) The grid's last extent is the number of the image's dimensions.
    (C4) The image is not empty.
    (R1) The result has the batch, the channels, and the extents of the grid but its last.
    """
    source, grid = op.operands[:2]
    extents, points = ctx.dims(source), ctx.dims(grid)
    rank = len(extents) - 2
    if len(points) != len(extents) or rank not in _GRIDS[op.name]:
        return always_raises(op, "C1", f"the image has rank {len(extents)}, the grid rank {len(points)}")
    shown = (*extent_pairs(source.name, extents), *extent_pairs(grid.name, points))
    some = conjunction(unequal(each, 0) for each in extents[2:])
    claims = (
        check("C2", equal(extents[0], points[0]), "the batches differ", shown),
        check("C3", equal(points[-1], rank), f"the points have not {rank} coordinates", shown),
        check("C4", some, "the image is empty", extent_pairs(source.name, extents)),
    )
    return OpSemantics((Tensor.of([*extents[:2], *points[1:-1]]),), requires=claims)


PATCH_EXAMPLE = "tests/cases/torch/patches.mlir"


def _window_positions(ctx: RuleContext, extents: Sequence[Dim], settings: Sequence[Value]) -> tuple[list[Dim], int]:
    """Return the number of window positions in each of two dimensions, and the elements of a window."""
    window, gaps, padding, strides = (constants(ctx, each) for each in settings)
    if {len(window), len(gaps), len(padding), len(strides)} != {2}:
        raise UnknownValueError("a window moves over two dimensions")
    if min(*window, *gaps, *strides) < 1 or min(padding) < 0:
        raise UnknownValueError("the window moves by steps that are not positive")
    moves = zip(extents, window, gaps, padding, strides, strict=True)
    places = [floordiv(e + 2 * pad - (size - 1) * gap - 1, dim(step)) + 1 for e, size, gap, pad, step in moves]
    return places, window[0] * window[1]


def _window_claim(value: Value, extents: Sequence[Dim], places: Sequence[Dim]) -> Claim:
    fits = conjunction(at_least(each, 1) for each in places)
    return check("C3", fits, "the window does not fit", extent_pairs(value.name, extents))


@rule("torch.aten.im2col", example=PATCH_EXAMPLE, effects=STOPS)
def patches(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The windows over an image, one after the other, as columns (im2col).

    (C1) The input has channels, and perhaps a batch, besides an image.
    (C2) No extent but that of the batch is 0.
    (C3) There is a place for the window in each dimension.
    (R1) The result has the batch, the channels times the elements of the window, and the number of places.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    if len(extents) not in (3, 4):
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    *batch, channels, _, _ = extents
    places, window = _window_positions(ctx, extents[-2:], op.operands[1:5])
    some = conjunction(unequal(each, 0) for each in extents[-3:])
    claims = (
        check("C2", some, "an extent besides that of the batch is 0", extent_pairs(source.name, extents)),
        _window_claim(source, extents, places),
    )
    return OpSemantics((Tensor.of([*batch, channels * window, extent_product(places)]),), requires=claims)


@rule("torch.aten.col2im", example=PATCH_EXAMPLE, effects=STOPS)
def put_together(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An image summed up from windows, which are columns (col2im).

    (C1) The input has columns of places, and perhaps a batch.
    (C2) No extent but that of the batch is 0, and no wanted size is.
    (C3) There is a place for the window in each dimension of the image.
    (C4) A column has as many elements as windows have, for each channel.
    (C5) There are as many columns as places.
    (R1) The result has the batch, the channels, and the wanted sizes.
    """
    source = op.operands[0]
    extents, sizes = ctx.dims(source), integers(ctx, op.operands[1])
    if len(extents) not in (2, 3):
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    if len(sizes) != 2:
        raise UnknownValueError("an image has two sizes")
    *batch, elements, columns = extents
    places, window = _window_positions(ctx, sizes, op.operands[2:6])
    shown = extent_pairs(source.name, extents)
    some = conjunction((unequal(elements, 0), unequal(columns, 0), *(at_least(size, 1) for size in sizes)))
    whole, number = divides(dim(window), elements), equal(columns, extent_product(places))
    claims = (
        check("C2", some, "an extent besides that of the batch is 0", shown),
        _window_claim(source, extents, places),
        check("C4", whole, "the elements of a column are not those of windows", shown),
        check("C5", number, "there are not as many columns as places", (*shown, ("places", extent_product(places)))),
    )
    return OpSemantics((Tensor.of([*batch, floordiv(elements, dim(window)), *sizes]),), requires=claims)
