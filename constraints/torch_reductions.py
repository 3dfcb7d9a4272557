"""PyTorch's folds along dimensions, scans, and sorting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import at_least, conjunction, disjunction, equal, truth, unequal
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .torch_values import (
    axes_of,
    axis_of,
    check,
    constant,
    extent_pairs,
    integers,
    is_given,
    of_extents,
    product,
    split_names,
)

EXAMPLE = "tests/cases/torch/reductions.mlir"
ORDER = "tests/cases/torch/sorting.mlir"

_WHOLE = split_names("sum mean prod any all std var var_mean norm.Scalar count_nonzero max min")
_LISTED = {  # the positions of the operands that say the dimensions, and whether they are kept
    **dict.fromkeys(split_names("sum.dim_IntList mean.dim amax amin logsumexp any.dims frobenius_norm.dim"), (1, 2)),
    **dict.fromkeys(split_names("any.dim all.dim prod.dim_int max.dim min.dim argmax argmin"), (1, 2)),
    **dict.fromkeys(
        split_names("var.dim std.dim var_mean.dim var.correction std.correction var_mean.correction"), (1, 3)
    ),
    **dict.fromkeys(split_names("linalg_vector_norm norm.ScalarOpt_dim"), (2, 3)),
}
_NEEDS_ELEMENTS = frozenset(split_names("max min amax amin max.dim min.dim argmax argmin"))


def _folded(extents: Sequence[Dim], axes: Iterable[int], keeps: bool) -> list[Dim]:
    if keeps:
        return [dim(1) if at in axes else each for at, each in enumerate(extents)]
    return [each for at, each in enumerate(extents) if at not in axes]


def _takes_no_dimension(op: Operation, extents: Sequence[Dim], keeps: bool) -> Claim:
    """``logsumexp`` adds the greatest elements, which keep the dimensions, in place to sums that do not."""
    fits = disjunction((truth(keeps or not extents), equal(product(extents), 0)))
    return check("C2", fits, "no dimension is named, and none is kept", extent_pairs(op.operands[0].name, extents))


@rule(*(f"torch.aten.{name}" for name in (*_WHOLE, *_LISTED)), example=EXAMPLE, effects=STOPS)
def reduction(op: Operation, see: RuleContext) -> Meaning:
    """Folds some dimensions (all, where none is named), which go, or stay with an extent of 1.

    An empty list of dimensions means all of them, but none to ``any``.

    (C1) For the greatest and the least, and for their places: no extent that is folded is 0.
    (C2) ``logsumexp`` along an empty list that keeps no dimensions is of a scalar or of no elements.
    (R1) The results have the other extents.
    """
    name = op.name.removeprefix("torch.aten.")
    extents = see.dims(op.operands[0])
    axes, keeps = tuple(range(len(extents))), False
    claims: list[Claim] = []
    if name in _LISTED:
        at, kept = (op.operands[position] for position in _LISTED[name])
        axes, keeps = axes_of(see, at, len(extents)), bool(constant(see, kept))
        if is_given(see, at) and not integers(see, at):
            axes = () if name == "any.dims" else axes
            claims += [_takes_no_dimension(op, extents, keeps)] if name == "logsumexp" else []
    if name in _NEEDS_ELEMENTS:
        for at in axes if extents else ():
            shown = ((f"extent {at} of {op.operands[0].name}", extents[at]),)
            claims.append(check("C1", unequal(extents[at], 0), f"extent {at} is 0 and has no greatest or least", shown))
    result = of_extents(_folded(extents, axes, keeps))
    return Meaning(tuple(result for _ in op.results), claims=tuple(claims))


_SCANS = split_names(
    "cumsum cumprod logcumsumexp softmax.int log_softmax.int _softmax _log_softmax _safe_softmax argsort sort"
)


@rule(*(f"torch.aten.{name}" for name in _SCANS), example=EXAMPLE, effects=STOPS)
def along_a_dimension(op: Operation, see: RuleContext) -> Meaning:
    """Sums, products, weights or an order along a dimension.

    (R1) The results have the operand's shape.
    """
    extents = see.dims(op.operands[0])
    axis_of(see, op.operands[1], len(extents))
    return Meaning(tuple(of_extents(extents) for _ in op.results))


@rule("torch.aten.topk", example=ORDER, effects=STOPS)
def greatest(op: Operation, see: RuleContext) -> Meaning:
    """The greatest or the least elements along a dimension, and their places.

    (C1) There are so many elements; a scalar has one.
    (R1) The results have so many places there.
    """
    extents = list(see.dims(op.operands[0]))
    at, count = axis_of(see, op.operands[2], len(extents)), see.integer(op.operands[1])
    room = extents[at] if extents else dim(1)
    shown = (("wanted", count), (f"extent {at} of {op.operands[0].name}", room))
    claim = check(
        "C1", conjunction((at_least(count, 0), at_least(room, count))), "there are not so many elements", shown
    )
    if extents:
        extents[at] = count
    return Meaning((of_extents(extents), of_extents(extents)), claims=(claim,))


@rule("torch.aten.kthvalue", example=ORDER, effects=STOPS)
def kth_value(op: Operation, see: RuleContext) -> Meaning:
    """One element of the order along a dimension, counted from 1, and its place.

    (C1) There is such an element; a scalar has one.
    (R1) The results have the other extents, and 1 there if it is kept.
    """
    extents = see.dims(op.operands[0])
    at, number = axis_of(see, op.operands[2], len(extents)), see.integer(op.operands[1])
    room = extents[at] if extents else dim(1)
    shown = (("wanted", number), (f"extent {at} of {op.operands[0].name}", room))
    inside = conjunction((at_least(number, 1), at_least(room, number)))
    result = of_extents(_folded(extents, (at,), bool(constant(see, op.operands[3]))))
    return Meaning((result, result), claims=(check("C1", inside, "there is no such element", shown),))
