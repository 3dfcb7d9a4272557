"""Reductions along dimensions, scans, and sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shapesolve.domain.values import Float, IntegerInterval, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, truth, unequal
from shapesolve.symbolic.shape_kinds import RankedShape

from ..transfer.elements import Sums, partial_sums, whole_sums
from ..transfer.extent_tensors import extent_product, reduced_extents
from .operands import axes_of, axis_of, check, constant, extent_pairs, integers, is_present, ratio
from .value_ranges import integer_interval, integer_width, with_index_interval

EXAMPLE = "tests/cases/torch/reductions.mlir"
ORDER = "tests/cases/torch/sorting.mlir"

_WHOLE = split_names("sum mean prod any all std var var_mean norm.Scalar max min median")
_LISTED: dict[str, tuple[int, int | None]] = {  # operator -> positions of dimensions and keepdim
    **dict.fromkeys(split_names("count_nonzero count_nonzero.dim_IntList"), (1, None)),
    **dict.fromkeys(split_names("sum.dim_IntList mean.dim amax amin logsumexp any.dims frobenius_norm.dim"), (1, 2)),
    **dict.fromkeys(split_names("any.dim all.dim prod.dim_int max.dim min.dim argmax argmin"), (1, 2)),
    **dict.fromkeys(split_names("aminmax median.dim mode"), (1, 2)),
    **dict.fromkeys(
        split_names("var.dim std.dim var_mean.dim var.correction std.correction var_mean.correction"), (1, 3)
    ),
    **dict.fromkeys(split_names("linalg_vector_norm norm.ScalarOpt_dim"), (2, 3)),
}
_NORMS = frozenset(split_names("norm.Scalar linalg_vector_norm norm.ScalarOpt_dim"))
_PLACES = frozenset(split_names("max.dim min.dim argmax argmin median.dim mode cummax cummin argsort sort"))
"""Operators whose last result holds indices of elements."""

_NEEDS_ELEMENTS = frozenset(split_names("max min amax amin max.dim min.dim argmax argmin aminmax median.dim mode"))


def _no_dimension_claim(op: Operation, extents: Sequence[Dim], keeps: bool) -> Claim:
    """Return clause C2 of ``logsumexp`` without dimensions.

    It adds the maxima, which keep the dimensions, in place to sums that do not.
    """
    fits = disjunction((truth(keeps or not extents), equal(extent_product(extents), 0)))
    return check("C2", fits, "no dimension is named, and none is kept", extent_pairs(op.operands[0].name, extents))


@rule(*(f"torch.aten.{name}" for name in (*_WHOLE, *_LISTED)), example=EXAMPLE, effects=STOPS)
def reduction(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Folds some dimensions (all, where none is named), which go, or stay with an extent of 1.

    An empty list of dimensions means all of them, but none to ``any``.

    (C1) For the greatest and the least, for their places, and for norms with a negative or an infinite exponent: no
    extent that is folded is 0.
    (C2) ``logsumexp`` along an empty list that keeps no dimensions is of a scalar or of no elements.
    (R1) The results have the other extents. Places of elements lie from 0 up to, not including, how many are folded.
    (R2) Sums of integers that are bounded, or of truth values, are bounded too, as far as they do not wrap.
    """
    name = op.name.removeprefix("torch.aten.")
    extents = ctx.dims(op.operands[0])
    axes, keeps = tuple(range(len(extents))), False
    claims: list[Claim] = []
    if name in _LISTED:
        position, kept = _LISTED[name]
        at = op.operands[position]
        keeps = kept is not None and bool(constant(ctx, op.operands[kept]))
        axes = axes_of(ctx, at, len(extents))
        if name == "frobenius_norm.dim" and len(integers(ctx, at)) > 2:
            raise UnknownValueError("a norm of matrices is taken along at most two dimensions")
        if is_present(ctx, at) and not integers(ctx, at):
            axes = () if name == "any.dims" else axes
            claims += [_no_dimension_claim(op, extents, keeps)] if name == "logsumexp" else []
    if name in _NEEDS_ELEMENTS or (name in _NORMS and _needs_elements(ctx, op.operands[1])):
        for at in axes if extents else ():
            shown = ((f"extent {at} of {op.operands[0].name}", extents[at]),)
            claims.append(check("C1", unequal(extents[at], 0), f"extent {at} is 0 and has no greatest or least", shown))
    results = [Tensor.of(reduced_extents(extents, axes, keeps)) for _ in op.results]
    folded = extent_product([extents[at] for at in axes] if extents else [])
    if name in _PLACES:
        results[-1] = with_index_interval(op.results[-1], results[-1], folded)
    if name in ("sum", "sum.dim_IntList"):
        return _semantics_of_sums(_sum_interval(op, ctx, whole_sums, folded), results[0])
    return OpSemantics(tuple(results), requires=claims)


def _needs_elements(ctx: RuleContext, exponent: Value) -> bool:
    """Return whether a norm cannot be taken of nothing: its exponent is infinite or negative.

    Such a norm is the greatest or the least magnitude, or divides by magnitudes.

    Raises:
        UnknownValueError: The exponent is computed.
    """
    if not is_present(ctx, exponent):
        return False
    found = ctx.value(exponent)
    if isinstance(found, Float) and found.infinite:
        return True
    above, _ = ratio(ctx, exponent)
    if not above.is_constant:
        raise UnknownValueError("the exponent of the norm is computed")
    return above.constant < 0


_SCANS = split_names(
    "cumsum cumprod logcumsumexp cummax cummin softmax.int log_softmax.int _softmax _log_softmax _safe_softmax "
    "argsort sort"
)


@rule(*(f"torch.aten.{name}" for name in _SCANS), example=EXAMPLE, effects=STOPS)
def along_a_dimension(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sums, products, weights or an order along a dimension.

    (R1) The results have the operand's shape. Places of elements lie from 0 up to, not including, the extent there.
    (R2) Sums of integers that are bounded, or of truth values, are bounded too, as far as they do not wrap.
    """
    extents = ctx.dims(op.operands[0])
    at = axis_of(ctx, op.operands[1], len(extents))
    count = extents[at] if extents else dim(1)
    results = [Tensor.of(extents) for _ in op.results]
    name = op.name.removeprefix("torch.aten.")
    if name in _PLACES:
        results[-1] = with_index_interval(op.results[-1], results[-1], count)
    if name == "cumsum":
        return _semantics_of_sums(_sum_interval(op, ctx, partial_sums, count), results[0])
    return OpSemantics(tuple(results))


def _sum_interval(
    op: Operation, ctx: RuleContext, sums: Callable[[IntegerInterval, Dim, int], Sums | None], count: Dim
) -> Sums | None:
    """Return the interval of sums of ``count`` elements, if operand and result are integers or booleans."""
    held, width = integer_interval(op.operands[0], ctx), integer_width(op.results[0])
    return None if held is None or width is None else sums(held, count, width)


def _semantics_of_sums(sums: Sums | None, result: Tensor) -> OpSemantics:
    if sums is None:
        return OpSemantics((result,))
    no_overflow = disjunction((equal(_element_count(result), 0), sums.no_overflow))
    return OpSemantics((replace(result, between=sums.between),), assumes=Assumes(sums.modeling, no_overflow))


def _element_count(of: Tensor) -> Dim:
    return extent_product(of.shape.dims if isinstance(of.shape, RankedShape) else ())


@rule("torch.aten.topk", example=ORDER, effects=STOPS)
def greatest(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest or the least elements along a dimension, and their places.

    (C1) There are so many elements; a scalar has one.
    (R1) The results have so many places there. The places of elements lie from 0 up to, not including, the extent.
    """
    extents = list(ctx.dims(op.operands[0]))
    at, count = axis_of(ctx, op.operands[2], len(extents)), ctx.integer(op.operands[1])
    room = extents[at] if extents else dim(1)
    shown = (("wanted", count), (f"extent {at} of {op.operands[0].name}", room))
    claim = check(
        "C1", conjunction((at_least(count, 0), at_least(room, count))), "there are not so many elements", shown
    )
    if extents:
        extents[at] = count
    result = Tensor.of(extents)
    return OpSemantics((result, with_index_interval(op.results[1], result, room)), requires=(claim,))


@rule("torch.aten.kthvalue", example=ORDER, effects=STOPS)
def kth_value(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One element of the order along a dimension, counted from 1, and its place.

    (C1) There is such an element; a scalar has one.
    (R1) The results have the other extents, and 1 there if it is kept. Places lie from 0 up to, not including, the
    extent.
    """
    extents = ctx.dims(op.operands[0])
    at, number = axis_of(ctx, op.operands[2], len(extents)), ctx.integer(op.operands[1])
    room = extents[at] if extents else dim(1)
    shown = (("wanted", number), (f"extent {at} of {op.operands[0].name}", room))
    inside = conjunction((at_least(number, 1), at_least(room, number)))
    result = Tensor.of(reduced_extents(extents, (at,), bool(constant(ctx, op.operands[3]))))
    places = with_index_interval(op.results[1], result, room)
    return OpSemantics((result, places), requires=(check("C1", inside, "there is no such element", shown),))
