"""Losses of PyTorch: of class predictions, and element by element."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, unequal

from ..transfer import extent_tensors
from ..transfer.extent_tensors import IndexCheck, Shown, extent_product
from .indexing import lookup_semantics
from .operands import (
    always_raises,
    argument_claims,
    broadcast_shape,
    check,
    constant,
    extent_pairs,
    is_expandable,
    is_present,
    ratio,
)

EXAMPLE = "tests/cases/torch/classes.mlir"
_NO_REDUCTION, _REDUCTIONS = 0, (1, 2)


def _is_reduced(ctx: RuleContext, value: Value) -> bool:
    """Return whether a loss is reduced to its mean or sum.

    Raises:
        UnknownValueError: The number is not that of a reduction.
    """
    how = constant(ctx, value)
    if how not in (_NO_REDUCTION, *_REDUCTIONS):
        raise UnknownValueError("there is no such way to fold a loss")
    return how in _REDUCTIONS


def _class_claims(ctx: RuleContext, wanted: Value, classes: Dim, ignored: Value) -> IndexCheck:
    """Return clause C9: each target is the number of a class, or the one that is ignored."""
    left_out, held = ctx.integer(ignored), ctx.tensor(wanted)

    def inside(number: Dim) -> Formula:
        return disjunction((equal(number, left_out), conjunction((at_least(number, 0), less_than(number, classes)))))

    def required(formula: Formula, shown: Shown) -> Claim:
        message = f"an element of {wanted.name} is the number of no class"
        return check("C9", formula, message, (("classes", classes), *shown))

    # The ignored number may lie apart from the classes, so the allowed numbers are no interval.
    return extent_tensors.check_indices(ctx, wanted, held, inside, required, between_them_too=False)


def _batch_claim(wanted: Value, have: Sequence[Dim], extents: Sequence[Dim]) -> Claim:
    """Return clause C2 of batched predictions: the target has all their extents but that of the classes."""
    rest = [extents[0], *extents[2:]]
    same = conjunction(equal(a, b) for a, b in zip(have, rest, strict=True))
    shown = (*extent_pairs(wanted.name, have), *extent_pairs("the predictions", rest))
    return check("C2", same, "there is not one class for each prediction", shown)


def _weight_claims(ctx: RuleContext, weights: Value, classes: Dim, *, listed: bool = True) -> tuple[Claim, ...]:
    """Return clause C3: there is one weight per class, if weights are given."""
    if not is_present(ctx, weights):
        return ()
    extents = ctx.dims(weights)
    fits = equal(extent_product(extents), classes) if len(extents) == 1 or not listed else FALSE
    shown = (*extent_pairs(weights.name, extents), ("classes", classes))
    return (check("C3", fits, "there is not one weight for each class", shown),)


@rule("torch.aten.nll_loss_forward", "torch.aten.nll_loss2d_forward", example=EXAMPLE, effects=STOPS)
def likelihood_loss(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The negative log likelihood of the target classes: of each prediction, their sum, or their weighted mean.

    (C1) Predictions are a vector or a matrix, of an image they have a batch and two dimensions more; what is wanted has
    a dimension less, or, of a vector, is one integer.
    (C2) For each prediction there is one class.
    (C3) There is one weight for each class.
    (C9) Each integer is the number of a class, or the one that is ignored.
    (R1) The first result has one element for each prediction, or is a scalar; the second is one.
    """
    source, wanted, weights = op.operands[:3]
    extents, have = ctx.dims(source), ctx.dims(wanted)
    folds = _is_reduced(ctx, op.operands[3])
    is_image = op.name == "torch.aten.nll_loss2d_forward"
    ranks = ((4, 3),) if is_image else ((1, 0), (1, 1), (2, 1))
    if (len(extents), len(have)) not in ranks:
        message = f"{source.name} has rank {len(extents)}, {wanted.name} has rank {len(have)}"
        return always_raises(op, "C1", message)
    single = len(extents) == 1
    claims = [_single_target_claim(wanted, have) if single else _batch_claim(wanted, have, extents)]
    classes = extents[0 if single else 1]
    claims += _weight_claims(ctx, weights, classes, listed=not is_image)
    result = Tensor.of(()) if folds or single else Tensor.of(have)
    return lookup_semantics((result, Tensor.of(())), claims, [_class_claims(ctx, wanted, classes, op.operands[4])])


def _single_target_claim(wanted: Value, have: Sequence[Dim]) -> Claim:
    """Return clause C2 of a single prediction: the target has one element."""
    return check("C2", equal(extent_product(have), 1), "there is not one class", extent_pairs(wanted.name, have))


@rule("torch.aten.cross_entropy_loss", example=EXAMPLE, effects=STOPS)
def cross_entropy(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The cross entropy of predictions and target classes: of each, their sum, or their weighted mean.

    What is wanted are integers, or, in the shape of the predictions, floats: how likely each class should be.

    (C1) Predictions are no scalar; integers have a dimension less, or, of a vector, are one; floats have as many.
    (C2) For each prediction there is one class, or one float for each class. One class is not asked for by a vector.
    (C3) There is one weight for each class.
    (C4) No more than everything is spread over all classes.
    (C5) Of floats, none is ignored.
    (C9) Each integer is the number of a class, or the one that is ignored.
    (R1) The result has one element for each prediction, or is a scalar.
    """
    source, wanted, weights = op.operands[:3]
    extents, have = ctx.dims(source), ctx.dims(wanted)
    folds, single = _is_reduced(ctx, op.operands[3]), len(extents) == 1
    above, below = ratio(ctx, op.operands[5])
    spread = check("C4", at_least(below, above), "more than everything is spread over all classes")
    if single and have and at_least(0, above) is not TRUE:
        raise UnknownValueError("what is spread over the classes of one prediction takes an integer that is no vector")
    if is_present(ctx, weights) and len(ctx.dims(weights)) != 1 and len(extents) > 2:
        raise UnknownValueError("weights that are no vector are taken on some ways to compute it only")
    if not extents or len(have) not in ((0, 1) if single else (len(extents) - 1, len(extents))):
        message = f"{source.name} has rank {len(extents)}, {wanted.name} has rank {len(have)}"
        return always_raises(op, "C1", message)
    classes = extents[0 if single else 1]
    rest = () if folds or single else (extents[0], *extents[2:])
    claims = [*_weight_claims(ctx, weights, classes)]
    if not _are_integers(wanted):
        if len(have) != len(extents):
            return always_raises(op, "C1", f"{wanted.name} has rank {len(have)}, and no integers")
        same = conjunction(equal(a, b) for a, b in zip(extents, have, strict=True))
        shown = (*extent_pairs(source.name, extents), *extent_pairs(wanted.name, have))
        claims.append(check("C2", same, "there is not one float for each class", shown))
        claims.append(check("C5", less_than(ctx.integer(op.operands[4]), 0), "one of the floats is ignored"))
        claims.append(spread)
        return OpSemantics((Tensor.of(rest),), requires=claims)
    if len(have) == len(extents) and not single:
        return always_raises(op, "C1", f"{wanted.name} has rank {len(have)}, and integers")
    claims += [spread, _single_target_claim(wanted, have) if single else _batch_claim(wanted, have, extents)]
    if single and have:
        claims.append(check("C2", unequal(classes, 1), "one class is asked for by a vector", (("classes", classes),)))
    return lookup_semantics((Tensor.of(rest),), claims, [_class_claims(ctx, wanted, classes, op.operands[4])])


def _are_integers(value: Value) -> bool:
    element = value.type.element if isinstance(value.type, ShapedType) else None
    if not isinstance(element, ScalarType):
        raise UnknownValueError(f"what {value.name} holds is not known")
    return element.kind != "float"


_LOSSES = split_names("mse_loss l1_loss smooth_l1_loss huber_loss kl_div")


@rule(*(f"torch.aten.{name}" for name in _LOSSES), example="tests/cases/torch/losses.mlir", effects=STOPS)
def loss(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A loss of each pair of elements, all of them, or their mean or sum.

    (C1) The operands broadcast together.
    (C2) Other numbers are what the operator takes.
    (R1) The result has the shape that the operands broadcast to, or is a scalar.
    """
    folds = constant(ctx, op.operands[2])
    if folds not in (_NO_REDUCTION, *_REDUCTIONS):
        raise UnknownValueError("there is no such way to fold a loss")
    shape, claims = broadcast_shape(ctx, op.operands[:2])
    result = Tensor(shape) if folds == _NO_REDUCTION else Tensor.of(())
    return OpSemantics((result,), requires=(*claims, *argument_claims(op, ctx, "C2")))


@rule("torch.aten.binary_cross_entropy_with_logits", example="tests/cases/torch/losses.mlir", effects=STOPS)
def binary_cross_entropy(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The cross entropy of scores and probabilities, element by element, or their mean or sum.

    (C1) The scores, the weights and the weights of what is likely, where they are given, expand to the probabilities.
    (R1) The result has the extents of the probabilities, or is a scalar.
    """
    scores, wanted, *weights = op.operands[:4]
    folds = constant(ctx, op.operands[4])
    if folds not in (_NO_REDUCTION, *_REDUCTIONS):
        raise UnknownValueError("there is no such way to fold a loss")
    extents = ctx.dims(wanted)
    claims: list[Claim] = []
    for each in (scores, *(weight for weight in weights if is_present(ctx, weight))):
        shown = (*extent_pairs(each.name, ctx.dims(each)), *extent_pairs(wanted.name, extents))
        fits = is_expandable(ctx.dims(each), extents)
        claims.append(check("C1", fits, f"{each.name} does not expand to {wanted.name}", shown))
    return OpSemantics((Tensor.of(extents if folds == _NO_REDUCTION else ()),), requires=claims)
