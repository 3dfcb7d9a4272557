"""Element-wise operators of PyTorch.

All tensor operands broadcast together; scalars are 0-d. Dividing integers by 0 raises an error; floats become
infinite instead.
"""

from __future__ import annotations

from dataclasses import replace

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, STOPS
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, Ensures, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, disjunction, equal, unequal
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from ..transfer import extent_tensors
from ..transfer.extent_tensors import IndexCheck, Shown, extent_product
from .creation import filled_tensor
from .operands import (
    always_raises,
    argument_claims,
    broadcast_shape,
    check,
    constant,
    extent_pairs,
    is_expandable,
    is_present,
    is_probability,
    is_tensor,
    ratio,
)
from .small_tensors import cast_values, elementwise_values
from .value_ranges import element_type_name

EXAMPLE = "tests/cases/torch/elementwise.mlir"

_UNARY = split_names(
    "abs absolute acos acosh asin asinh atan atanh bitwise_not ceil celu clamp clamp_max clamp_min cos cosh deg2rad "
    "elu erf erfinv exp exp2 expm1 fix floor frac gelu hardshrink hardsigmoid hardswish hardtanh isfinite isinf isnan "
    "isneginf isposinf leaky_relu log log10 log1p log2 log_sigmoid logical_not logit mish nan_to_num neg rad2deg real "
    "reciprocal relu relu6 round round.decimals rsqrt selu sgn sigmoid sign signbit silu sin sinh softplus softshrink "
    "special_expm1 sqrt square tan tanh threshold trunc"
)
_WITH_A_SCALAR = split_names(
    "add.Scalar sub.Scalar mul.Scalar div.Scalar div.Scalar_mode rsub.Scalar pow.Tensor_Scalar pow.Scalar "
    "fmod.Scalar remainder.Scalar floor_divide.Scalar bitwise_and.Scalar bitwise_or.Scalar bitwise_xor.Scalar "
    "eq.Scalar ne.Scalar lt.Scalar le.Scalar gt.Scalar ge.Scalar where.Scalar where.ScalarOther where.ScalarSelf"
)
_OF_TWO_OR_MORE = split_names(
    "add.Tensor sub.Tensor mul.Tensor div.Tensor div.Tensor_mode pow.Tensor_Tensor fmod.Tensor remainder.Tensor "
    "floor_divide atan2 bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor bitwise_left_shift.Tensor "
    "bitwise_right_shift.Tensor copysign.Tensor eq.Tensor ne.Tensor lt.Tensor le.Tensor gt.Tensor ge.Tensor fmax fmin "
    "float_power.Tensor_Tensor heaviside ldexp.Tensor logaddexp logaddexp2 logical_and logical_or logical_xor maximum "
    "minimum max.other min.other xlogy.Tensor where.self addcmul addcdiv lerp.Tensor lerp.Scalar clamp.Tensor "
    "clamp_min.Tensor clamp_max.Tensor isclose complex polar"
)

_GRADIENTS = split_names(
    "sigmoid_backward tanh_backward threshold_backward hardtanh_backward softplus_backward native_dropout_backward"
)
_CLAMPS = ("torch.aten.clamp", "torch.aten.clamp.Tensor")


@rule(
    *(f"torch.aten.{name}" for name in (*_UNARY, *_WITH_A_SCALAR, *_OF_TWO_OR_MORE, *_GRADIENTS)),
    "torch.prims.sqrt",
    example=EXAMPLE,
    effects=STOPS,
)
def elementwise(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Works element by element on all tensors that it is given.

    (C1) The tensors broadcast together: aligned from the right, extents are equal or 1.
    (C2) Other numbers are what the operator takes; what is clamped has a lower or an upper bound.
    (C9) No integer is divided by 0.
    (R1) The result has the shape that they broadcast to; elements of small tensors of integers are followed, and what
    integers and exact floats lie between.
    """
    operands = [each for each in op.operands if is_tensor(ctx, each)]
    if not operands:
        raise UnknownValueError("none of its operands is a tensor of which the shape is known")
    shape, claims = broadcast_shape(ctx, operands)
    claims += argument_claims(op, ctx, "C2")
    if op.name in _CLAMPS and len(op.operands) > 2 and not any(is_present(ctx, each) for each in op.operands[1:3]):
        claims += (check("C2", FALSE, "there is neither a lower nor an upper bound"),)
    found, divisor = elementwise_values(op, ctx, shape), nonzero_divisor(op, ctx, shape)
    result = Tensor(shape, found.elements, between=found.between)
    semantics = OpSemantics((result,), requires=claims, assumes=Assumes(found.modeling, found.no_overflow))
    return semantics if divisor is None else with_divisor_check(semantics, divisor)


def with_divisor_check(semantics: OpSemantics, divisor: IndexCheck) -> OpSemantics:
    """Return semantics with the claim that no integer is divided by 0."""
    return replace(
        semantics.with_claims(divisor.claim),
        ensures=Ensures(operand_facts=divisor.known, are_invariants=True),
        approximations=Approximations(divisor.reasons, divisor.free),
    )


_CASTS = split_names(
    "_to_copy to.dtype to.dtype_layout to.device to.other to.prim_Device type_as cpu cuda _cast_Float _cast_Long"
)


@rule(*(f"torch.aten.{name}" for name in _CASTS), "torch.prims.convert_element_type", example=EXAMPLE, effects=STOPS)
def cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same tensor in another type of elements, or on another device.

    (R1) The result has the operand's shape; integers stay what they are where both types hold them.
    """
    value = op.operands[0]
    found = cast_values(value, ctx, op.results[0])
    result = Tensor(ctx.shape(value), found.elements, between=found.between)
    return OpSemantics((result,), assumes=Assumes(found.modeling, found.no_overflow))


_SAME = split_names("alias alias_copy clone contiguous detach detach_copy lift_fresh_copy")


@rule(
    *(f"torch.aten.{name}" for name in _SAME),
    "torch.prims.view_of",
    "torch.copy.to_tensor",
    "torch.copy.to_vtensor",
    "torch.tensor_static_info_cast",
    example=EXAMPLE,
    effects=STOPS,
)
def same(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same tensor, with another layout, history or type.

    (R1) The result is the operand.
    """
    return OpSemantics((ctx.tensor(op.operands[0]),))


@rule("torch.aten.masked_fill.Scalar", "torch.aten.masked_fill.Tensor", example=EXAMPLE, effects=STOPS)
def masked_fill(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with one value where a mask is true.

    (C1) The tensor and the mask broadcast together.
    (C2) The value is a scalar.
    (R1) The result has the shape that they broadcast to.
    """
    shape, claims = broadcast_shape(ctx, op.operands[:2])
    return OpSemantics((Tensor(shape),), requires=(*claims, *_scalar_claims(op, ctx, 2)))


@rule("torch.aten.masked_scatter", example=EXAMPLE, effects=STOPS)
def masked_scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with the elements of another, one after the other, where a mask is true.

    (C1) The tensor and the mask broadcast together.
    (C3) There are as many elements as the mask is true; its truths are not followed, but are not more than elements.
    (R1) The result has the shape that they broadcast to.
    """
    shape, claims = broadcast_shape(ctx, op.operands[:2])
    source = op.operands[2]
    taken = ctx.fresh(f"{op.operands[1].name} truths")
    count = extent_product(ctx.dims(source))
    enough = disjunction((at_least(count, _element_count(shape)), at_least(count, taken)))
    claims += (check("C3", enough, "there are too few elements", (("truths of the mask", taken),)),)
    reason = f"how often {op.operands[1].name} is true depends on data"
    return OpSemantics((Tensor(shape),), requires=claims, approximations=Approximations((reason,), taken.variables))


def _element_count(shape: Shape) -> Dim:
    if not isinstance(shape, RankedShape):
        raise UnknownValueError("the rank of the tensor is not known")
    return extent_product(shape.dims)


@rule("torch.aten.fill.Scalar", "torch.aten.fill.Tensor", example=EXAMPLE, effects=STOPS)
def fill(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor that holds one value everywhere.

    (C2) The value is a scalar.
    (R1) The result has the tensor's shape.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=_scalar_claims(op, ctx, 1))


def _scalar_claims(op: Operation, ctx: RuleContext, position: int) -> tuple[Claim, ...]:
    value = op.operands[position]
    if not is_tensor(ctx, value):
        return ()
    return (check("C2", equal(ctx.shape(value).rank, 0), f"{value.name} is no scalar"),)


@rule("torch.aten.copy", example=EXAMPLE, effects=STOPS)
def copy(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor that is filled with the elements of another.

    (C1) The second broadcasts to the shape of the first.
    (R1) The result has the shape of the first.
    """
    target, source = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    shown = (*extent_pairs(op.operands[0].name, target), *extent_pairs(op.operands[1].name, source))
    claim = check("C1", is_expandable(source, target), "the second does not broadcast to the first", shown)
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=(claim,))


_LIKE = split_names("zero zeros_like ones_like full_like")


@rule(*(f"torch.aten.{name}" for name in _LIKE), example=EXAMPLE, effects=STOPS)
def filled_alike(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of the same shape that holds one value everywhere.

    (R1) The result has the operand's shape.
    """
    name = op.name.removeprefix("torch.aten.")
    value = ctx.value(op.operands[1]) if name == "full_like" else ONE if name == "ones_like" else ZERO
    return OpSemantics((filled_tensor(ctx.shape(op.operands[0]), value, op.results[0]),))


_DRAWN = split_names(
    "empty_like rand_like randn_like bernoulli bernoulli.p dropout exponential normal_functional uniform"
)


@rule(*(f"torch.aten.{name}" for name in _DRAWN), example=EXAMPLE, effects=STOPS | ANY_RESULT)
def drawn_alike(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of the same shape with unknown elements.

    (C1) A probability lies from 0 to 1, a rate is positive, a deviation is not negative, and bounds are in order.
    (R1) The result has the operand's shape.
    """
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),), requires=argument_claims(op, ctx, "C1"))


@rule("torch.aten.native_dropout", example=EXAMPLE, effects=STOPS | ANY_RESULT)
def native_dropout(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of which some elements are 0, and the mask that says which.

    (C1) The probability lies from 0 to 1, where the operand has elements and any of them is to be 0.
    (R1) Both results have the operand's shape.
    """
    shape, drops = ctx.shape(op.operands[0]), op.operands[2]
    if is_present(ctx, drops) and not constant(ctx, drops):
        return OpSemantics((Tensor(shape), Tensor(shape)))
    likely = disjunction(
        (equal(extent_product(ctx.dims(op.operands[0])), 0), is_probability(*ratio(ctx, op.operands[1])))
    )
    claim = check("C1", likely, "a probability is not between 0 and 1")
    return OpSemantics((Tensor(shape), Tensor(shape)), requires=(claim,))


@rule("torch.aten.prelu", example=EXAMPLE, effects=STOPS)
def prelu(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A linear unit with a slope of its own for every feature; features are numbered by the second dimension.

    (C1) There is one slope, or one for every feature.
    (C2) The slopes are a vector or a scalar.
    (R1) The result has the first operand's shape.
    """
    extents, sloped = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    if len(sloped) > 1:
        return always_raises(op, "C2", f"{op.operands[1].name} has rank {len(sloped)}")
    slopes = extent_product(sloped)
    features = extents[1] if len(extents) > 1 else dim(1)
    shown = (("slopes", slopes), ("features", features))
    enough = disjunction((equal(slopes, 1), equal(slopes, features)))
    claims = (check("C1", enough, "there is not one slope for every feature", shown),)
    return OpSemantics((Tensor.of(extents),), requires=claims)


_DIVIDING = ("floor_divide", "remainder", "fmod")
_ROUNDED = ("div.Tensor_mode", "div.Scalar_mode")


def nonzero_divisor(op: Operation, ctx: RuleContext, shape: Shape) -> IndexCheck | None:
    """Return clause C9 of an integer division: no divisor is 0, or the result has no elements.

    Returns:
        None for operators that do not divide integers, and where nothing is known of the divisor.
    """
    name = op.name.removeprefix("torch.aten.")
    divides = name in _ROUNDED or name.partition(".")[0] in _DIVIDING
    if not divides or element_type_name(op.results[0]).startswith(("f", "bf", "complex")):
        return None
    return divisor_check(ctx, op.operands[1], shape)


def divisor_check(ctx: RuleContext, divisor: Value, shape: Shape) -> IndexCheck | None:
    """Return clause C9 for a divisor of integers, None if nothing is known of it."""
    known = ctx.value(divisor)
    nothing = equal(extent_product(shape.dims), 0) if isinstance(shape, RankedShape) else FALSE

    def nonzero_divisor(formula: Formula, shown: Shown) -> Claim:
        return check("C9", formula, "an integer is divided by 0", shown)

    if isinstance(known, Dim):
        return IndexCheck(nonzero_divisor(disjunction((nothing, unequal(known, 0))), (("the divisor", known),)))
    if not isinstance(known, Tensor):
        return None

    def inside(number: Dim) -> Formula:
        return unequal(number, 0)

    # An interval of divisors may contain 0 though no divisor is 0.
    return extent_tensors.check_indices(
        ctx, divisor, known, inside, nonzero_divisor, unless=nothing, between_them_too=False
    )
