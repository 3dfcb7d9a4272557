"""Convolutions and pooling of PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.records import value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import ZERO, Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import choose

from .operands import (
    always_fails,
    always_raises,
    argument_claims,
    check,
    claim_of_some,
    constant,
    constants,
    extent_pairs,
    integers,
    is_present,
    text,
)

EXAMPLE = "tests/cases/torch/convolutions.mlir"

_Number = TypeVar("_Number", int, Dim)

_LIBRARY = "the library that PyTorch calls"


@value_record
class _WindowAttributes:
    """Attributes of a sliding window, one number per spatial dimension.

    Attributes:
        padding: Elements added at both ends; None for "same" padding, as many as keep the extents of the input.
        output_padding: Sizes of what is added at one end of the result of a transposed convolution.
    """

    strides: Sequence[int]
    padding: Sequence[int] | None
    dilations: Sequence[int]
    output_padding: Sequence[Dim]
    groups: Dim
    transposed: bool


def per_dimension(numbers: Sequence[_Number], rank: int) -> tuple[_Number, ...]:
    """Return one number per dimension; a single number stands for all of them.

    Raises:
        UnknownValueError: The number of numbers is neither 1 nor the rank.
    """
    if len(numbers) not in (1, rank):
        raise UnknownValueError(f"there are {len(numbers)} numbers for {rank} dimensions")
    return tuple(numbers) * (rank if len(numbers) == 1 else 1)


def _window_attributes(
    op: Operation, ctx: RuleContext, rank: int, positions: Sequence[int], transposed: bool
) -> _WindowAttributes:
    strides, padding, dilations = (
        per_dimension(constants(ctx, op.operands[position]), rank) for position in positions[:3]
    )
    more = per_dimension(integers(ctx, op.operands[positions[3]]), rank) if positions[3] else (ZERO,) * rank
    groups = ctx.integer(op.operands[positions[4]])
    if min(strides) < 1 or min(padding) < 0 or min(dilations) < 1 or less_than(groups, 1) is TRUE:
        raise UnknownValueError("the window moves by steps that are not positive")
    return _WindowAttributes(strides, padding, dilations, more, groups, transposed)


_DIRECT = {"torch.aten.conv1d": 1, "torch.aten.conv2d": 2, "torch.aten.conv3d": 3}
_BY_TEXT = {f"{name}.padding": rank for name, rank in _DIRECT.items()}
_TRANSPOSED = {
    "torch.aten.conv_transpose1d": 1,
    "torch.aten.conv_transpose2d.input": 2,
    "torch.aten.conv_transpose3d.input": 3,
}


@rule(
    "torch.aten.convolution",
    "torch.aten._convolution",
    *_DIRECT,
    *_BY_TEXT,
    *_TRANSPOSED,
    example=EXAMPLE,
    effects=STOPS,
)
def convolution(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A window of weights that moves over the input, or, transposed, is put down at every place of it.

    (C1) The input has as many dimensions as the weights (or one less, without a batch, where the operator takes that).
    (C2) The input has the channels that the weights of all groups have, and these are divided into the groups, of which
    there is one.
    (C3) The bias has one element an output channel.
    (C4) The window, spread out, fits into the padded input; of a transposed one, as much as was padded is there.
    (C5) The window and the input have elements: only the batch, or the channels, may be none; of a transposed one, not
    the output channels. Without input channels the window may be empty too.
    (C6) Of a transposed one something is left. Where nothing is, all of PyTorch's libraries give an empty image of an
    empty batch, and else some do and others refuse it.
    (C7) Nothing negative is said to be added at the end of the result, even where that is left alone: only a transposed
    one adds it.
    (C8) What is added there is less than a step or a gap of the window: some of PyTorch's libraries refuse more.
    (R1) The result has the batch, the output channels, and as many places as the window has; where the input has no
    channels, it has none either.
    """
    source, weight, bias = op.operands[:3]
    extents, weights = ctx.dims(source), ctx.dims(weight)
    fixed = _DIRECT.get(op.name) or _BY_TEXT.get(op.name) or _TRANSPOSED.get(op.name)
    rank = fixed or len(weights) - 2
    batched = len(extents) == rank + 2
    if len(weights) != rank + 2 or rank < 1 or not (batched or (fixed and len(extents) == rank + 1)):
        message = f"the input has rank {len(extents)}, the weights have rank {len(weights)}"
        return always_raises(op, "C1", message)
    setting = _convolution_attributes(op, ctx, rank)
    full = extents if batched else (dim(1), *extents)
    places, claims = _output_extents(source, full, weights[2:], setting)
    channels, made = _channels(source, full[1], weight, weights, setting)
    claims += made
    some = disjunction((equal(full[0], 0), equal(full[1], 0), *[conjunction(at_least(each, 1) for each in full[2:])]))
    window = conjunction(at_least(each, 1) for each in weights[1 if setting.transposed else 2 :])
    some = conjunction((some, window if setting.transposed else disjunction((equal(full[1], 0), window))))
    shown = (*extent_pairs(source.name, extents), *extent_pairs(weight.name, weights))
    claims.append(check("C5", some, "the image or the window is empty", shown))
    if is_present(ctx, bias):
        claims.append(_bias_claim(bias, ctx.dims(bias), channels))
    result = [full[0], _result_channels(full[1], weights[1], channels, setting), *places]
    semantics = OpSemantics((Tensor.of(result if batched else result[1:]),), requires=claims)
    if setting.transposed:
        semantics = _with_empty_images(semantics, source, full, places, ctx)
    return _with_additions(semantics, setting, ctx)


def _with_additions(semantics: OpSemantics, setting: _WindowAttributes, ctx: RuleContext) -> OpSemantics:
    """Return the semantics of a convolution with (C7), and with (C8), which some libraries make of a transposed one."""
    shown = tuple((f"added in dimension {at}", each) for at, each in enumerate(setting.output_padding, 2))
    natural = conjunction(at_least(each, 0) for each in setting.output_padding)
    if natural is not TRUE:
        semantics = semantics.with_claims(check("C7", natural, "what is added to the result is negative", shown))
    steps = [max(pair) for pair in zip(setting.strides, setting.dilations, strict=True)]
    less = conjunction(at_least(step - 1, each) for each, step in zip(setting.output_padding, steps, strict=True))
    if not setting.transposed:
        return semantics
    words = (
        "as much is added to the result as a step or more, which some of PyTorch's libraries refuse",
        "the library takes what is added",
        "as much is added as a step or more is refused",
    )
    return claim_of_some(semantics, ctx, "C8", less, words, shown, decider=_LIBRARY)


def _with_empty_images(
    semantics: OpSemantics, source: Value, full: Sequence[Dim], places: Sequence[Dim], ctx: RuleContext
) -> OpSemantics:
    """Return the semantics of a transposed convolution with the claim (C6), which some of PyTorch's libraries make."""
    some = disjunction((equal(full[0], 0), conjunction(at_least(each, 1) for each in places)))
    shown = tuple((f"extent {at} of the result", each) for at, each in enumerate(places, 2))
    words = (
        f"nothing is left of {source.name}, which some of PyTorch's libraries refuse",
        "the library takes an empty image",
        "an empty image is refused",
    )
    return claim_of_some(semantics, ctx, "C6", some, words, shown, decider=_LIBRARY)


def _result_channels(have: Dim, wanted: Dim, channels: Dim, setting: _WindowAttributes) -> Dim:
    """Return the channels of the result: without input channels none, though the weights have some."""
    if setting.transposed:  # a transposed convolution without input channels is refused
        return channels
    return choose(equal(wanted if wanted.is_constant else have, 0), ZERO, channels)


def _convolution_attributes(op: Operation, ctx: RuleContext, rank: int) -> _WindowAttributes:
    """Return the window attributes of a convolution, from the operands of its variant."""
    if op.name in _BY_TEXT:
        return _attributes_with_named_padding(op, ctx, rank)
    if op.name in _DIRECT:
        return _window_attributes(op, ctx, rank, (3, 4, 5, 0, 6), False)
    if op.name in _TRANSPOSED:
        return _window_attributes(op, ctx, rank, (3, 4, 7, 5, 6), True)
    return _window_attributes(op, ctx, rank, (3, 4, 5, 7, 8), bool(constant(ctx, op.operands[6])))


def _attributes_with_named_padding(op: Operation, ctx: RuleContext, rank: int) -> _WindowAttributes:
    """Return the window attributes of a convolution with "valid" or "same" padding.

    Raises:
        UnknownValueError: The padding has another name, a number is not positive, or "same" has a stride above 1.
    """
    strides, gaps = (per_dimension(constants(ctx, op.operands[at]), rank) for at in (3, 5))
    groups, how = ctx.integer(op.operands[6]), text(ctx, op.operands[4])
    if min(*strides, *gaps) < 1 or less_than(groups, 1) is TRUE or how not in ("valid", "same"):
        raise UnknownValueError("the window moves by steps that are not positive, or there is no such padding")
    if how == "same" and max(strides) > 1:
        raise UnknownValueError("places are left out of what has the extents of the input")
    padding = (0,) * rank if how == "valid" else None
    return _WindowAttributes(strides, padding, gaps, (ZERO,) * rank, groups, transposed=False)


def _output_extents(
    source: Value, full: Sequence[Dim], window: Sequence[Dim], setting: _WindowAttributes
) -> tuple[list[Dim], list[Claim]]:
    """Return the spatial extents of the result of a convolution, and their claims."""
    places: list[Dim] = []
    claims: list[Claim] = []
    offset = 2
    for at, (extent, size) in enumerate(zip(full[2:], window, strict=True)):
        if setting.padding is None:
            places.append(extent)
            shown = ((f"extent {offset + at} of {source.name}", extent),)
            claims.append(check("C4", at_least(extent, 1), f"dimension {offset + at} is empty", shown))
            continue
        stride, padding, gap = setting.strides[at], setting.padding[at], setting.dilations[at]
        spread = (size - 1) * gap + 1
        shown = ((f"extent {offset + at} of {source.name}", extent), ("the window", spread), ("padding", dim(padding)))
        if setting.transposed:
            room = (extent - 1) * stride - 2 * padding + spread + setting.output_padding[at]
            claims.append(check("C4", at_least(room, 0), f"the padding exceeds dimension {offset + at}", shown))
        else:
            room = floordiv(extent + 2 * padding - spread, dim(stride)) + 1
            fits = at_least(extent + 2 * padding, spread)
            claims.append(check("C4", fits, f"the window does not fit in dimension {offset + at}", shown))
        places.append(room)
    return places, claims


def _channels(
    source: Value, have: Dim, weight: Value, weights: Sequence[Dim], setting: _WindowAttributes
) -> tuple[Dim, list[Claim]]:
    """Return the output channels of a convolution, and the claims on channels and groups."""
    groups = setting.groups
    names = (f"extent 1 of {source.name}", f"extent {0 if setting.transposed else 1} of {weight.name}")
    if setting.transposed:
        made, wanted = weights[1] * groups, weights[0]
        divided = weights[0]
    else:
        made, wanted = weights[0], weights[1] * groups
        divided = weights[0]
    shown = ((names[0], have), (names[1], wanted))
    message = "the input has not the channels that the weights have"
    claims = [check("C2", equal(have, wanted), message, shown)]
    whole = conjunction((at_least(groups, 1), divides(groups, divided), at_least(divided, groups)))
    shown = ((f"extent 0 of {weight.name}", divided), ("groups", groups))
    claims.append(check("C2", whole, "the weights are not divided into the groups", shown))
    return made, claims


def _bias_claim(bias: Value, extents: Sequence[Dim], channels: Dim) -> Claim:
    fits = equal(extents[0], channels) if len(extents) == 1 else FALSE
    shown = (*extent_pairs(bias.name, extents), ("output channels", channels))
    return check("C3", fits, "the bias has not one element an output channel", shown)


POOLING_EXAMPLE = "tests/cases/torch/pooling.mlir"

_MAXIMA = {f"torch.aten.max_pool{rank}d{kind}": rank for rank in (1, 2, 3) for kind in ("", "_with_indices")}
_AVERAGES = {f"torch.aten.avg_pool{rank}d": rank for rank in (1, 2, 3)}


def _rank_claims(op: Operation, extents: Sequence[Dim], rank: int) -> tuple[Claim, ...]:
    """Return the violated clause C1 unless the input has the window's dimensions, channels, and perhaps a batch."""
    if len(extents) in (rank + 1, rank + 2):
        return ()
    message = f"{op.operands[0].name} has rank {len(extents)} where a window moves over {rank} dimensions"
    return (check("C1", FALSE, message),)


@rule(*_MAXIMA, *_AVERAGES, example=POOLING_EXAMPLE, effects=STOPS)
def pooling(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest element, or the mean, of every place of a window.

    (C1) The input has one or two dimensions besides those that the window moves over.
    (C2) No extent but that of the batch is 0.
    (C3) There is a place for the window in each dimension; means over three dimensions take no larger window at all.
    (C4) What sums are divided by instead of the number of elements, if it is given, is not 0.
    (R1) The results have the leading extents, and as many places as the window has.
    """
    rank = _MAXIMA.get(op.name) or _AVERAGES[op.name]
    extents = ctx.dims(op.operands[0])
    wrong = _rank_claims(op, extents, rank)
    if wrong:
        return always_fails(op, wrong[0])
    window = per_dimension(constants(ctx, op.operands[1]), rank)
    strides = constants(ctx, op.operands[2])
    strides = per_dimension(strides, rank) if strides else window
    is_maximum = op.name in _MAXIMA
    padding = _padding(constants(ctx, op.operands[3]), rank, two_sided=not is_maximum)
    gaps = per_dimension(constants(ctx, op.operands[4]), rank) if is_maximum else (1,) * rank
    up = bool(constant(ctx, op.operands[5 if is_maximum else 4]))
    within = all(0 <= 2 * each <= size for pair, size in zip(padding, window, strict=True) for each in pair)
    if min(*window, *strides, *gaps) < 1 or not within:
        raise UnknownValueError("the window has no size, or more padding than half of it")
    leading = len(extents) - rank
    shown = extent_pairs(op.operands[0].name, extents)
    some = conjunction(unequal(each, 0) for each in extents[leading - 1 :])
    claims = [check("C2", some, "an extent besides that of the batch is 0", shown)]
    result = list(extents[:leading])
    moves = zip(extents[leading:], window, strides, padding, gaps, strict=True)
    for at, (extent, size, stride, pad, gap) in enumerate(moves, leading):
        places = _pooled_extent(extent, (size - 1) * gap + 1, stride, pad, up)
        name = f"extent {at} of {op.operands[0].name}"
        fits = at_least(places, 1)
        if op.name == "torch.aten.avg_pool3d":
            fits = conjunction((fits, at_least(extent, size)))
        claims.append(check("C3", fits, f"the window does not fit in dimension {at}", ((name, extent),)))
        result.append(places)
    claims += argument_claims(op, ctx, "C4")
    return OpSemantics(tuple(Tensor.of(result) for _ in op.results), requires=claims)


def _padding(numbers: Sequence[int], rank: int, *, two_sided: bool) -> tuple[tuple[int, int], ...]:
    """Return the padding before and behind each dimension.

    A mean with twice as many numbers as dimensions comes from ONNX, by torch-mlir: the numbers before come first.
    """
    if two_sided and rank > 1 and len(numbers) == 2 * rank:
        return tuple(zip(numbers[:rank], numbers[rank:], strict=True))
    return tuple((each, each) for each in per_dimension(numbers, rank))


def _pooled_extent(extent: Dim, window: int, stride: int, padding: tuple[int, int], up: bool) -> Dim:
    room = extent + sum(padding) - window
    if not up:
        return floordiv(room, dim(stride)) + 1
    places = floordiv(room + stride - 1, dim(stride)) + 1
    # PyTorch drops a last window that would begin in the padding behind the input.
    return choose(at_least((places - 1) * stride, extent + padding[0]), places - 1, places)


_ADAPTIVE = {
    **{f"torch.aten.adaptive_{kind}_pool{rank}d": rank for kind in ("avg", "max") for rank in (1, 2, 3)},
    "torch.aten._adaptive_avg_pool2d": 2,
    "torch.aten._adaptive_avg_pool3d": 3,
}


_MEANS = ("torch.aten.adaptive_avg_pool2d", "torch.aten.adaptive_avg_pool3d")
"""Operators that PyTorch computes as one mean where the output has one element per channel."""


@rule(*_ADAPTIVE, example=POOLING_EXAMPLE, effects=STOPS)
def adaptive_pooling(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest element, or the mean, of as many windows as places are wanted.

    (C1) The input has one or two dimensions besides those that the windows move over, or any where one mean of two or
    three dimensions is wanted; and there is a wanted size for each of these.
    (C2) No extent that the windows move over is 0, unless one mean of all is wanted; of the greatest elements, and
    over three dimensions, no extent but the first is.
    (C3) No wanted size is negative.
    (R1) The results have the leading extents and the wanted sizes.
    """
    rank = _ADAPTIVE[op.name]
    extents, sizes = ctx.dims(op.operands[0]), integers(ctx, op.operands[1])
    if len(sizes) != rank:
        return always_raises(op, "C1", f"there are {len(sizes)} sizes for {rank} dimensions")
    ranked = _rank_claims(op, extents, rank)
    if ranked and (op.name not in _MEANS or len(extents) < rank):
        return always_fails(op, ranked[0])
    result, claims = adaptive_pooling_result(
        op.operands[0],
        extents,
        sizes,
        is_mean="avg" in op.name,
        rank_claims=ranked,
        global_of_empty="torch.aten._" not in op.name,
    )
    return OpSemantics(tuple(result for _ in op.results), requires=claims)


def adaptive_pooling_result(
    source: Value,
    extents: Sequence[Dim],
    sizes: Sequence[Dim],
    *,
    is_mean: bool,
    rank_claims: Sequence[Claim] = (),
    global_of_empty: bool = True,
) -> tuple[Tensor, tuple[Claim, ...]]:
    """Return the result of adaptive pooling, and its claims.

    Args:
        source: The pooled tensor, as messages name it.
        extents: The extents of that tensor.
        sizes: The sizes of the output, one per spatial dimension.
        is_mean: Whether windows are averaged, not maximized.
        rank_claims: Violated claims on the rank, which a mean over everything (every size is 1) excuses.
        global_of_empty: Whether a mean over everything is defined for empty tensors, too.

    Returns:
        The result, and the claims on the rank, C2 and C3.
    """
    is_one = conjunction(equal(size, 1) for size in sizes)
    first = len(extents) - len(sizes) if is_mean and len(sizes) < 3 else 1
    some = conjunction(unequal(each, 0) for each in extents[first:])
    if is_mean and global_of_empty:
        some = disjunction((some, is_one))
    claims = (
        *(replace(each, formula=is_one) for each in rank_claims),
        check("C2", some, "an extent is 0", extent_pairs(source.name, extents)),
        check("C3", conjunction(at_least(size, 0) for size in sizes), "a wanted size is negative"),
    )
    return Tensor.of([*extents[: len(extents) - len(sizes)], *sizes]), claims
