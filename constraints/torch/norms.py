"""Normalization operators of PyTorch."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, divides, either, equal, unequal

from ..transfer.extent_tensors import extent_product
from .operands import Shown, always_raises, check, constant, extent_pairs, integers, is_present, same_shape_claim
from .versions import by_version

EXAMPLE = "tests/cases/torch/norms.mlir"


@rule("torch.aten.layer_norm", "torch.aten.native_layer_norm", "torch.aten.rms_norm", example=EXAMPLE, effects=STOPS)
def layer_norm(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalises over the last dimensions.

    (C1) The last extents are the sizes that are normalised over, of which there is one.
    (C2) Weights and bias have these sizes.
    (R1) The first result has the operand's shape; mean and deviation have extents of 1 where they were taken.
    """
    source = op.operands[0]
    extents, sizes = ctx.dims(source), integers(ctx, op.operands[1])
    if not sizes or len(sizes) > len(extents):
        message = f"{len(sizes)} sizes are normalised over where there are {len(extents)}"
        return always_raises(op, "C1", message)
    first = len(extents) - len(sizes)
    claims = [same_shape_claim("C1", source, extents[first:], sizes, "what is normalised over")]
    for each in op.operands[2 : 3 if op.name == "torch.aten.rms_norm" else 4]:
        if is_present(ctx, each):
            claims.append(same_shape_claim("C2", each, ctx.dims(each), sizes, "what is normalised over"))
    taken = Tensor.of([*extents[:first], *(dim(1) for _ in sizes)])
    return OpSemantics((Tensor.of(extents), *(taken for _ in op.results[1:])), requires=claims)


def _channel_claims(
    ctx: RuleContext, vectors: Sequence[Value], features: Dim, empty: Formula = FALSE, scales: int = 0
) -> list[Claim]:
    """Return clause C2: each given vector has one element per channel.

    Args:
        vectors: Optional operands: weights, bias, mean, variance.
        features: The number of channels.
        empty: The condition under which the input is empty: then the scales need an element, and nothing else is
            claimed.
        scales: How many of the first vectors scale or shift a batch; these have to be vectors, though some
            implementations in PyTorch accept other shapes.
    """
    claims: list[Claim] = []
    for number, each in enumerate(vectors):
        if is_present(ctx, each):
            extents = ctx.dims(each)
            if number < scales and len(extents) != 1:
                raise UnknownValueError(f"{each.name} is no vector")
            fits = equal(extents[0], features) if len(extents) == 1 else FALSE
            some = at_least(extents[0], 1) if number < scales else TRUE
            shown = (*extent_pairs(each.name, extents), ("channels", features))
            fits = either(empty, some, fits)
            claims.append(check("C2", fits, f"{each.name} has not one element a channel", shown))
    return claims


@rule("torch.aten.group_norm", example=EXAMPLE, effects=STOPS)
def group_norm(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalises over groups of channels.

    (C1) There is a dimension for the batch and one for channels, which are divided into the groups.
    (C2) Weights and bias have one element a channel.
    (C3) From PyTorch 2.15 on, there is a channel, and it has elements; the installed version is judged, else 2.15.
    (R1) The result has the operand's shape.
    """
    extents, groups = ctx.dims(op.operands[0]), constant(ctx, op.operands[1])
    if groups < 1:
        raise UnknownValueError("the number of groups is not positive")
    if len(extents) < 2:
        return always_raises(op, "C1", f"{op.operands[0].name} has no channels")
    shown = ((f"extent 1 of {op.operands[0].name}", extents[1]), ("groups", dim(groups)))
    claims = [check("C1", divides(dim(groups), extents[1]), "the channels are not divided into the groups", shown)]
    claims += _channel_claims(ctx, op.operands[2:4], extents[1])
    made, modeling = _some_elements(extents[1:], extent_pairs(op.operands[0].name, extents))
    return OpSemantics((Tensor.of(extents),), requires=(*claims, made), assumes=modeling)


def _some_elements(extents: Sequence[Dim], shown: Shown) -> tuple[Claim, tuple[str, ...]]:
    some = conjunction(at_least(each, 1) for each in extents)
    demanded, modeling = by_version((2, 15), TRUE, some)
    return check("C3", demanded, "a channel has no elements", shown), modeling


@rule("torch.aten.native_group_norm", example=EXAMPLE, effects=STOPS)
def native_group_norm(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalises over groups of channels, of which the numbers are operands.

    (C1) The channels are divided into the groups, and the numbers are right: the operand has so many elements.
    (C2) Weights and bias have one element a channel.
    (C3) From PyTorch 2.15 on, there is a channel, and it has elements; the installed version is judged, else 2.15.
    (R1) The first result has the operand's shape; mean and deviation have one element a group.
    """
    extents = ctx.dims(op.operands[0])
    batch, channels, rest = (ctx.integer(each) for each in op.operands[3:6])
    groups = constant(ctx, op.operands[6])
    if groups < 1:
        raise UnknownValueError("the number of groups is not positive")
    whole = conjunction((divides(dim(groups), channels), equal(extent_product(extents), batch * channels * rest)))
    shown = (*extent_pairs(op.operands[0].name, extents), ("batch", batch), ("channels", channels), ("rest", rest))
    claims = [check("C1", whole, "the channels are not divided into the groups, or a number is wrong", shown)]
    claims += _channel_claims(ctx, op.operands[1:3], channels)
    made, modeling = _some_elements((channels, rest), shown)
    taken = Tensor.of([batch, dim(groups)])
    return OpSemantics((Tensor.of(extents), taken, taken), requires=(*claims, made), assumes=modeling)


def _without_channels(op: Operation) -> OpSemantics:
    """Return the semantics of a violated clause C1: the input has no dimension for channels."""
    return always_raises(op, "C1", f"{op.operands[0].name} has no channels")


def _statistics_claims(ctx: RuleContext, known: Sequence[Value], trains: bool, unless: Formula) -> tuple[Claim, ...]:
    """Return clause C3: mean and variance are both given, or, in training, neither."""
    given = [is_present(ctx, each) for each in known]
    if len(set(given)) < 2 and (trains or any(given)):
        return ()
    return (check("C3", unless, "the mean or the variance is not given"),)


@rule("torch.aten.batch_norm", example=EXAMPLE, effects=STOPS)
def batch_norm(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Normalises every channel over the batch, or with a known mean and variance.

    (C1) There is a dimension for the batch and one for channels.
    (C2) Weights, bias, mean and variance have one element a channel; of an empty input, weights and bias have any.
    (C3) Mean and variance are both given, or, where they are taken from the batch, none of them; unless it is empty.
    (R1) The result has the operand's shape.
    """
    extents = ctx.dims(op.operands[0])
    if len(extents) < 2:
        return _without_channels(op)
    empty = equal(extent_product(extents), 0)
    claims = (
        *_channel_claims(ctx, op.operands[1:5], extents[1], empty, 2),
        *_statistics_claims(ctx, op.operands[3:5], bool(constant(ctx, op.operands[5])), empty),
    )
    return OpSemantics((Tensor.of(extents),), requires=claims)


_LEGIT = "torch.aten._native_batch_norm_legit"
_NATIVE = {  # positions of mean and variance, and whether the next operand is the flag for training
    "torch.aten.native_batch_norm": ((3, 4), True),
    _LEGIT: ((3, 4), True),
    f"{_LEGIT}.no_stats": ((), True),
    f"{_LEGIT}_no_training": ((3, 4), False),
}


@rule(*_NATIVE, example=EXAMPLE, effects=STOPS)
def native_batch_norm(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The decomposed form of `batch_norm`.

    PyTorch reads weights, bias, mean and variance here without looking how many there are.

    (C1) There is a dimension for the batch and one for channels.
    (C2) Weights, bias, mean and variance have one element a channel.
    (C3) Mean and variance are both given, or, where they are taken from the batch, none of them; the form without
    statistics lets an empty batch pass.
    (C4) What mean and variance are taken from has elements.
    (R1) The first result has the operand's shape; mean and deviation of the batch have one element a channel, if they
    were taken.
    """
    extents = ctx.dims(op.operands[0])
    if len(extents) < 2:
        return _without_channels(op)
    positions, asks = _NATIVE[op.name]
    known = [op.operands[each] for each in positions]
    trains = asks and bool(constant(ctx, op.operands[3 + len(known)]))
    empty = equal(extent_product(extents), 0)
    claims = [
        *_channel_claims(ctx, (*op.operands[1:3], *known), extents[1]),
        *_statistics_claims(ctx, known, trains, FALSE if known else empty),
    ]
    if trains:
        some = unequal(extent_product(extents), 0)
        claims.append(check("C4", some, "the batch is empty", extent_pairs(op.operands[0].name, extents)))
    taken = Tensor.of([extents[1] if trains else dim(0)])
    return OpSemantics((Tensor.of(extents), taken, taken), requires=claims)
