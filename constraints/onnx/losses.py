"""Losses of ONNX over classes."""

from __future__ import annotations

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than

from ..torch.indexing import lookup_semantics
from ..torch.operands import Shown, always_raises, check, extent_pairs
from ..transfer.extent_tensors import IndexCheck, check_indices
from .nodes import has_attribute, integer_attribute, left_to_the_runtime, operand, text_attribute

EXAMPLE = "tests/cases/onnx/losses.mlir"


@rule("onnx.NegativeLogLikelihoodLoss", "onnx.SoftmaxCrossEntropyLoss", example=EXAMPLE, effects=STOPS)
def class_loss(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The negative log likelihood of the target classes, given or of the softmax: of each prediction, summed, or meant.

    (C1) Predictions have a batch and classes; what is wanted has the other dimensions.
    (C2) For each prediction there is one class.
    (C3) There is one weight for each class; other numbers of weights are left to the runtime by the softmax.
    (C4) Of the softmax, there is a class, and a prediction in the batch.
    (C9) Each integer is the number of a class, or the one that is ignored.
    (R1) The first result has one element for each prediction, or is a scalar; the second has the predictions' shape.
    """
    source, wanted = op.operands[:2]
    extents, have = ctx.dims(source), ctx.dims(wanted)
    if len(extents) < 2 or len(have) != len(extents) - 1:
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}, {wanted.name} has rank {len(have)}")
    rest, classes = (extents[0], *extents[2:]), extents[1]
    same = conjunction(equal(a, b) for a, b in zip(have, rest, strict=True))
    shown = (*extent_pairs(wanted.name, have), *extent_pairs(source.name, extents))
    claims = [check("C2", same, "there is not one class for each prediction", shown)]
    has_softmax = op.name == "onnx.SoftmaxCrossEntropyLoss"
    if has_softmax:
        some = conjunction((at_least(extents[0], 1), at_least(classes, 1)))
        claims.append(check("C4", some, "there is no prediction, or no class", extent_pairs(source.name, extents)))
    weights = operand(op, ctx, 2)
    fits: Formula | None = None
    if weights is not None:
        count = ctx.dims(weights)
        fits = equal(count[0], classes) if len(count) == 1 else FALSE
        shown = (*extent_pairs(weights.name, count), ("classes", classes))
        if not has_softmax or (fits is FALSE and len(count) != 1):
            claims.append(check("C3", fits, "there is not one weight for each class", shown))
    folds = text_attribute(op, "reduction", "mean") != "none"
    results = (Tensor.of(() if folds else have), Tensor.of(extents))
    semantics = lookup_semantics(results[: len(op.results)], claims, [_class_claims(op, ctx, wanted, classes)])
    if fits is None or not has_softmax:
        return semantics
    words = (
        "there is not one weight for each class, which some refuse",
        "the runtime takes other numbers of weights",
        "there may be another number of weights than of classes",
    )
    return left_to_the_runtime(semantics, ctx, "C3", fits, words, shown)


def _class_claims(op: Operation, ctx: RuleContext, wanted: Value, classes: Dim) -> IndexCheck:
    """Return clause C9: each target is the number of a class, or the one that is ignored."""
    ignored = dim(integer_attribute(op, "ignore_index", 0)) if has_attribute(op, "ignore_index") else None

    def inside(number: Dim) -> Formula:
        is_class = conjunction((at_least(number, 0), less_than(number, classes)))
        return is_class if ignored is None else disjunction((equal(number, ignored), is_class))

    def required(formula: Formula, shown: Shown) -> Claim:
        message = f"an element of {wanted.name} is the number of no class"
        return check("C9", formula, message, (("classes", classes), *shown))

    return check_indices(ctx, wanted, ctx.tensor(wanted), inside, required, between_them_too=ignored is None)
