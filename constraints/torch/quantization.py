"""Quantized tensors of PyTorch: integers that stand for floats, by a scale and the integer for zero.

PyTorch checks scales and zero points when it quantizes floats. When a quantized tensor is made from integers it checks
neither, and raises an error only when the tensor is dequantized: unless that is known to work, what is required is
unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Approximations, Claim, Ensures, OpSemantics, Requires
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal

from ..transfer import extent_tensors
from ..transfer.extent_tensors import IndexCheck, Shown
from .operands import always_fails, always_raises, axis, broadcast_extents, check, constant, extent_pairs
from .value_ranges import element_type_name

EXAMPLE = "tests/cases/torch/quantized.mlir"

_QINT8, _QUINT8, _QINT32 = (-(2**7), 2**7 - 1), (0, 2**8 - 1), (-(2**31), 2**31 - 1)
_BY_NUMBER = {12: _QINT8, 13: _QUINT8, 14: _QINT32}
"""PyTorch's number of a quantized type -> its least and greatest integer."""

_BY_NAME = {
    **dict.fromkeys(("i8", "si8", "!torch.qint8"), _QINT8),
    **dict.fromkeys(("ui8", "!torch.quint8"), _QUINT8),
    **dict.fromkeys(("i32", "si32", "!torch.qint32"), _QINT32),
}
"""Element type of the integers that a quantized tensor is made from -> least and greatest integer."""

_NOT_RESTORED = "whether PyTorch can make floats of what is put together is not followed"
_NO_ZERO = "a zero point is no integer of the quantized type"
_ROWS = "there is not one scale for each place in the dimension"


def _quantized_range(ctx: RuleContext, value: Value) -> tuple[int, int]:
    """Return the least and the greatest integer of the quantized type with PyTorch's number in ``value``.

    Raises:
        UnknownValueError: The number is not constant, or not that of a known type.
    """
    number = constant(ctx, value)
    if number not in _BY_NUMBER:
        raise UnknownValueError(f"the quantized type of number {number} is not followed")
    return _BY_NUMBER[number]


def _within(number: Dim, kind: tuple[int, int]) -> Formula:
    return conjunction((at_least(number, kind[0]), at_least(kind[1], number)))


@rule("torch.aten.quantize_per_tensor", example=EXAMPLE, effects=STOPS)
def quantized(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Floats quantized: divided by a scale, and rounded to integers; nothing is demanded of the scale.

    (C1) The zero point is an integer of the quantized type.
    (R1) The result has the operand's extents.
    """
    zero = ctx.integer(op.operands[2])
    claim = check("C1", _within(zero, _quantized_range(ctx, op.operands[3])), _NO_ZERO, (("zero point", zero),))
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=(claim,))


@rule("torch.aten.quantize_per_channel", example=EXAMPLE, effects=STOPS)
def quantized_by_channel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Floats divided by scales, of which there is one for each place in a dimension, and rounded to integers.

    (C1) Scales and zero points are lists, and there are as many of both.
    (C2) There is such a dimension, counted from the first.
    (C3) There is one scale for each place in it.
    (C9) Every zero point, if these are integers, is an integer of the quantized type.
    (R1) The result has the operand's extents.
    """
    source, scales, zeros = op.operands[:3]
    extents, kind = ctx.dims(source), _quantized_range(ctx, op.operands[4])
    lists = _length_claim(ctx, scales, zeros)
    at = constant(ctx, op.operands[3])
    if lists.formula is FALSE or not 0 <= at < len(extents):
        return always_fails(op, lists if lists.formula is FALSE else check("C2", FALSE, f"there is no dimension {at}"))
    return _by_channel(op, ctx, lists, at, kind)


def _by_channel(op: Operation, ctx: RuleContext, lists: Claim, at: int, kind: tuple[int, int]) -> OpSemantics:
    """Return the semantics with clause C3, of scales along dimension ``at``, and C9, of zero points in a range."""
    source, scales, zeros = op.operands[:3]
    extents, count = ctx.dims(source), ctx.dims(scales)[0]
    shown = ((f"extent {at} of {source.name}", extents[at]), ("scales", count))
    claims = (lists, check("C3", equal(count, extents[at]), _ROWS, shown))
    if not _are_integers(zeros):
        return OpSemantics((Tensor.of(extents),), requires=claims)
    found = _zero_points(ctx, zeros, kind)
    return OpSemantics(
        (Tensor.of(extents),),
        requires=(*claims, found.claim),
        ensures=Ensures(operand_facts=found.known),
        approximations=Approximations(found.reasons, found.free),
    )


def _length_claim(ctx: RuleContext, scales: Value, zeros: Value, clause: str = "C1") -> Claim:
    """Return the claim that scales and zero points are vectors of the same length."""
    a, b = ctx.dims(scales), ctx.dims(zeros)
    if len(a) != 1 or len(b) != 1:
        return check(clause, FALSE, "the scales or the zero points are no list")
    shown = (*extent_pairs(scales.name, a), *extent_pairs(zeros.name, b))
    return check(clause, equal(a[0], b[0]), "there are not as many scales as zero points", shown)


def _are_integers(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and "i" in element_type_name(value).partition("<")[0]


def _zero_points(ctx: RuleContext, zeros: Value, kind: tuple[int, int]) -> IndexCheck:
    def required(formula: Formula, shown: Shown) -> Claim:
        return check("C9", formula, _NO_ZERO, shown)

    return extent_tensors.check_indices(ctx, zeros, ctx.tensor(zeros), lambda number: _within(number, kind), required)


@rule("torch.aten._make_per_tensor_quantized_tensor", example=EXAMPLE, effects=STOPS)
def quantized_from_integers(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A quantized tensor made from integers. PyTorch cannot dequantize it if the zero point does not fit its type.

    (R1) The result has the operand's extents.
    """
    return _quantized_tensor(op, ctx, [_within(ctx.integer(op.operands[2]), _element_range(op))])


@rule("torch.aten._make_per_channel_quantized_tensor", example=EXAMPLE, effects=STOPS)
def quantized_from_integers_by_channel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A quantized tensor made from integers, with a scale for each index of a dimension.

    PyTorch makes no floats of the result if there is no such dimension, there is not one scale for each place in it,
    or a zero point is none of the integers.

    (C1) Scales and zero points are lists, and there are as many of both.
    (R1) The result has the operand's extents.
    """
    scales, zeros = op.operands[1:3]
    claim = _length_claim(ctx, scales, zeros)
    if claim.formula is FALSE:
        return always_fails(op, claim)
    extents, at = ctx.dims(op.operands[0]), constant(ctx, op.operands[3])
    fits = [equal(ctx.dims(scales)[0], extents[at]) if 0 <= at < len(extents) else FALSE]
    if _are_integers(zeros):
        fits.append(_zero_points(ctx, zeros, _element_range(op)).claim.formula)
    return _quantized_tensor(op, ctx, fits, claim)


def _element_range(op: Operation) -> tuple[int, int]:
    """Return the least and the greatest integer of the quantized type made from the operand's element type.

    Raises:
        UnknownValueError: No quantized type has such elements.
    """
    kind = _BY_NAME.get(element_type_name(op.operands[0]))
    if kind is None:
        raise UnknownValueError(
            f"no quantized tensor is put together of elements of type {element_type_name(op.operands[0])}"
        )
    return kind


def _quantized_tensor(op: Operation, ctx: RuleContext, fits: Sequence[Formula], *claims: Claim) -> OpSemantics:
    """Return the semantics of making a quantized tensor; requirements are unknown unless all of ``fits`` holds."""
    unchecked = "" if conjunction(fits) is TRUE else _NOT_RESTORED
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=Requires(claims, unknown=unchecked))


@rule(
    "torch.aten.int_repr", "torch.aten.dequantize.self", "torch.aten.dequantize.tensor", example=EXAMPLE, effects=STOPS
)
def stored_or_dequantized(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The integers of a quantized tensor, or the floats that they stand for.

    (R1) The result has the operand's extents.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),))


# Quantization written out, as torch.export has it ---------------------------------------------------------------------

_INTEGERS_BY_NUMBER = {0: _QUINT8, 1: _QINT8, 2: (-(2**15), 2**15 - 1), 3: _QINT32, 27: (0, 2**16 - 1)}
"""PyTorch's number of an integer type -> its least and greatest integer."""

_OUT_OF_TYPE = "a bound of the integers is none of their type"
_WRITTEN_OUT = "torch.quantized_decomposed"


@rule(f"{_WRITTEN_OUT}.quantize_per_tensor", f"{_WRITTEN_OUT}.dequantize_per_tensor", example=EXAMPLE, effects=STOPS)
def written_out(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Floats made integers by one scale and zero point, or integers made floats; nothing is demanded of these two.

    (C1) Quantizing, the least and the greatest integer are of the integers' type.
    (R1) The result has the operand's extents.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=_bound_claims(op, ctx, 3))


@rule(f"{_WRITTEN_OUT}.quantize_per_channel", f"{_WRITTEN_OUT}.dequantize_per_channel", example=EXAMPLE, effects=STOPS)
def written_out_by_channel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Floats made integers, or integers floats, by scales and zero points for the places in a dimension.

    (C1) The least and the greatest integer are of the integers' type.
    (C2) There is such a dimension; a negative number counts from the end.
    (C3) Scales and zero points are lists, and there are as many of both.
    (C4) There is one scale for each place in the dimension, or one scale, or one place.
    (R1) The result has the operand's extents; along the dimension as many as there are scales, if it has one place.
    """
    source, scales, zeros = op.operands[:3]
    extents = ctx.dims(source)
    at = constant(ctx, op.operands[3])
    bounds = _bound_claims(op, ctx, 4)
    if not -len(extents) <= at < len(extents):
        return always_raises(op, "C2", f"there is no dimension {at}")
    at = axis(at, len(extents))
    lists = _length_claim(ctx, scales, zeros, "C3")
    if lists.formula is FALSE:
        raise UnknownValueError("scales that are no list are not followed")
    count = ctx.dims(scales)[0]
    shown = ((f"extent {at} of {source.name}", extents[at]), ("scales", count))
    (along,), fits = broadcast_extents([(extents[at],), (count,)], "C4", _ROWS, shown)
    return OpSemantics((Tensor.of((*extents[:at], along, *extents[at + 1 :])),), requires=(*bounds, lists, fits))


def _bound_claims(op: Operation, ctx: RuleContext, first: int) -> tuple[Claim, ...]:
    """Return clause C1, of bounds that stand from operand ``first`` on, with the number of the type behind them."""
    if op.name == f"{_WRITTEN_OUT}.dequantize_per_tensor":
        return ()
    low, high = (ctx.integer(each) for each in op.operands[first : first + 2])
    number = constant(ctx, op.operands[first + 2])
    if number not in _INTEGERS_BY_NUMBER:
        raise UnknownValueError(f"the integers of type {number} are not followed")
    least, most = _INTEGERS_BY_NUMBER[number]
    shown = (("least", low), ("greatest", high))
    return (check("C1", conjunction((at_least(low, least), at_least(most, high))), _OUT_OF_TYPE, shown),)


@rule("torch.aten.fake_quantize_per_tensor_affine", example=EXAMPLE, effects=STOPS)
def rounded(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Floats rounded to those that integers between two bounds stand for.

    (C1) The bounds are in order, and the zero point lies between them.
    (R1) The result has the operand's extents.
    """
    zero, low, high = (ctx.integer(each) for each in op.operands[2:5])
    inside = conjunction((at_least(zero, low), at_least(high, zero)))
    shown = (("zero point", zero), ("least", low), ("greatest", high))
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=(check("C1", inside, _NO_ZERO, shown),))


@rule("torch.aten.fake_quantize_per_channel_affine", example=EXAMPLE, effects=STOPS)
def rounded_by_channel(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Floats rounded to those that integers stand for, by a scale for each place in a dimension.

    (C1) Scales and zero points are lists, and there are as many of both.
    (C2) There is such a dimension, counted from the first, and the bounds are in order.
    (C3) There is one scale for each place in it.
    (C9) Every zero point lies between the bounds.
    (R1) The result has the operand's extents.
    """
    source, scales, zeros = op.operands[:3]
    extents, at = ctx.dims(source), constant(ctx, op.operands[3])
    low, high = constant(ctx, op.operands[4]), constant(ctx, op.operands[5])
    lists = _length_claim(ctx, scales, zeros)
    if lists.formula is FALSE:
        return always_fails(op, lists)
    if not 0 <= at < len(extents) or low > high:
        return always_raises(op, "C2", f"there is no dimension {at}, or {low} is above {high}")
    if not _are_integers(zeros):
        raise UnknownValueError("zero points that are floats are not followed")
    return _by_channel(op, ctx, lists, at, (low, high))
