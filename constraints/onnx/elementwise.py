"""Element-wise operators of ONNX, and those that only rewrite values."""

from __future__ import annotations

from collections.abc import Mapping
from struct import pack, unpack

from shapesolve.domain.values import MAX_ELEMENTS, Element, Tensor
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, PURE, STOPS
from shapesolve.semantics.op_semantics import Assumes, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim, remainder
from shapesolve.symbolic.formula_kinds import FALSE
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, negation
from shapesolve.symbolic.normal_forms import choose, maximum, minimum

from ..torch.elementwise import divisor_check, with_divisor_check
from ..torch.indexing import index_claims, lookup_semantics
from ..torch.operands import always_raises, broadcast_shape, check, extent_pairs
from ..torch.small_tensors import cast_values, computed_values, element_integer, element_truth, integer_pair
from ..torch.value_ranges import Compute, Row, element_type_name
from ..transfer.extent_tensors import constant_tensor
from ..transfer.floats import constant as float_constant
from ..transfer.integer_arithmetic import truncated_quotient, truncated_remainder
from .nodes import integer_attribute, operand
from .small_floats import with_float_elements

EXAMPLE = "tests/cases/onnx/elementwise.mlir"

_UNARY = split_names(
    "Abs Acos Acosh Asin Asinh Atan Atanh BitCast BitwiseNot Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid "
    "HardSwish IsInf IsNaN LeakyRelu Log Mish Neg Not Reciprocal RegexFullMatch Relu Round Selu Shrink Sigmoid Sign "
    "Sin Sinh Softplus Softsign Sqrt Swish Tan Tanh ThresholdedRelu"
)
_OF_TWO_OR_MORE = split_names(
    "Add Sub Mul Div Pow Mod Max Min Mean Sum And Or Xor Equal Less LessOrEqual Greater GreaterOrEqual BitwiseAnd "
    "BitwiseOr BitwiseXor BitShift StringConcat Where"
)

_INTEGERS: Mapping[str, Compute] = {
    "Abs": lambda row: maximum(element_integer(row[0]), -element_integer(row[0])),
    "Neg": lambda row: -element_integer(row[0]),
    "Not": lambda row: negation(element_truth(row[0])),
    "Relu": lambda row: maximum(element_integer(row[0]), 0),
    "Add": lambda row: element_integer(row[0]) + element_integer(row[1]),
    "Sub": lambda row: element_integer(row[0]) - element_integer(row[1]),
    "Mul": lambda row: element_integer(row[0]) * element_integer(row[1]),
    "Div": lambda row: truncated_quotient(*integer_pair(row)),
    "Mod": lambda row: remainder(*integer_pair(row)),
    "Max": lambda row: maximum(*map(element_integer, row)),
    "Min": lambda row: minimum(*map(element_integer, row)),
    "And": lambda row: conjunction(map(element_truth, row)),
    "Or": lambda row: disjunction(map(element_truth, row)),
    "Equal": lambda row: equal(*integer_pair(row)),
    "Less": lambda row: less_than(*integer_pair(row)),
    "LessOrEqual": lambda row: at_least(*integer_pair(row)[::-1]),
    "Greater": lambda row: less_than(*integer_pair(row)[::-1]),
    "GreaterOrEqual": lambda row: at_least(*integer_pair(row)),
    "Where": lambda row: choose(element_truth(row[0]), element_integer(row[1]), element_integer(row[2])),
}
_FLOATS = {
    "Mul": "mul",
    "Div": "div",
    "Neg": "neg",
    "Max": "maximum",
    "Min": "minimum",
    "Floor": "floor",
    "Ceil": "ceil",
}


@rule(*(f"onnx.{name}" for name in (*_UNARY, *_OF_TWO_OR_MORE)), example=EXAMPLE, effects=STOPS)
def elementwise(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Works element by element on all tensors that it is given.

    (C1) The tensors broadcast together: aligned from the right, extents are equal or 1.
    (C9) No integer is divided by 0.
    (R1) The result has the shape that they broadcast to; elements of small tensors of integers are followed.
    """
    shape, claims = broadcast_shape(ctx, op.operands)
    name = op.name.removeprefix("onnx.")
    compute = _INTEGERS.get(name)
    if name == "Mod" and integer_attribute(op, "fmod", 0):
        compute = _truncated_remainder
    found = computed_values(op, ctx, shape, compute, op.operands, _FLOATS.get(name, ""))
    result = Tensor(shape, found.elements, between=found.between)
    semantics = OpSemantics((result,), requires=claims, assumes=Assumes(found.modeling, found.no_overflow))
    divides = name in ("Div", "Mod") and not element_type_name(op.results[0]).startswith(("f", "bf"))
    divisor = divisor_check(ctx, op.operands[1], shape) if divides else None
    return with_float_elements(op, ctx, semantics) if divisor is None else with_divisor_check(semantics, divisor)


def _truncated_remainder(row: Row) -> Dim:
    return truncated_remainder(*integer_pair(row))


@rule("onnx.Constant", example=EXAMPLE, effects=PURE)
def constant(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor that is written down.

    (R1) The result has the declared shape and the listed elements.
    """
    for name in ("value_int", "value_ints", "value_float", "value_floats"):
        found = op.attributes.get(f"torch.onnx.{name}")
        if found is not None:
            extents, numbers = ([len(found)], found) if isinstance(found, tuple) else ([], (found,))
            elements = tuple(map(_number, numbers[:MAX_ELEMENTS]))
            known = tuple(each for each in elements if each is not None)
            return OpSemantics((Tensor.of(extents, known if len(known) == len(numbers) else None),))
    return OpSemantics((constant_tensor(op, "torch.onnx.value"),))


def _number(written: object) -> Element | None:
    """Return a number of an attribute, which holds integers of 64 bits and floats of 32."""
    if isinstance(written, float):
        return float_constant(unpack("f", pack("f", written))[0])
    return dim(written) if isinstance(written, int) else None


@rule("onnx.Identity", example=EXAMPLE, effects=PURE)
def identity(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The operand.

    (R1) The result is the operand.
    """
    return OpSemantics((ctx.tensor(op.operands[0]),))


@rule("onnx.Cast", "onnx.CastLike", example=EXAMPLE, effects=PURE)
def cast(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same tensor in another type of elements.

    (R1) The result has the operand's shape; integers stay what they are where both types hold them.
    """
    source, result = op.operands[0], op.results[0]
    found = cast_values(source, ctx, result)
    cast = Tensor(ctx.shape(source), found.elements, between=found.between)
    semantics = OpSemantics((cast,), assumes=Assumes(found.modeling, found.no_overflow))
    return with_float_elements(op, ctx, semantics)


def _scalar(op: Operation, ctx: RuleContext, position: int) -> Value | None:
    """Return an optional operand that is a scalar, or a vector of one element, which runtimes take for one.

    Raises:
        UnknownValueError: It is neither.
    """
    found = operand(op, ctx, position)
    if found is not None and any(not each.is_constant or each.constant != 1 for each in ctx.dims(found)):
        raise UnknownValueError(f"{found.name} is no scalar")
    return found


@rule("onnx.Clip", "onnx.LRN", example=EXAMPLE, effects=STOPS)
def same_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Changes the elements of a tensor, between bounds or by their neighbors in an image.

    (R1) The result has the first operand's shape.
    """
    extents = ctx.dims(op.operands[0]) if op.name == "onnx.LRN" else ()
    if op.name == "onnx.LRN" and len(extents) != 4:
        raise UnknownValueError("only images of two sides are followed")
    for position in (1, 2):
        _scalar(op, ctx, position)
    return OpSemantics((Tensor(ctx.shape(op.operands[0])),))


@rule("onnx.CumProd", "onnx.CumSum", example=EXAMPLE, effects=STOPS)
def accumulated(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sums or products of the elements before each one along an axis, which an operand numbers.

    (C9) There is such an axis.
    (R1) The result has the first operand's shape.
    """
    source, number = op.operands[0], _scalar(op, ctx, 1)
    if number is None:
        raise UnknownValueError("it has no axis")
    rank = dim(len(ctx.dims(source)))
    return lookup_semantics(
        [Tensor(ctx.shape(source))], (), [index_claims(ctx, number, ctx.tensor(number), rank, from_end=True)]
    )


@rule("onnx.EyeLike", "onnx.Trilu", example=EXAMPLE, effects=STOPS)
def matrix_elements(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements on one side of a diagonal, or the diagonal itself.

    (C1) The operand is a matrix, or a batch of these for ``Trilu``.
    (R1) The result has the operand's shape.
    """
    source = op.operands[0]
    extents = ctx.dims(source)
    if len(extents) < 2 or (op.name == "onnx.EyeLike" and len(extents) > 2):
        return always_raises(op, "C1", f"{source.name} has rank {len(extents)}")
    _scalar(op, ctx, 1)
    return OpSemantics((Tensor.of(extents),))


@rule(
    *(f"onnx.{name}" for name in ("Bernoulli", "Dropout", "RandomNormalLike", "RandomUniformLike")),
    example=EXAMPLE,
    effects=STOPS | ANY_RESULT,
)
def random_elements(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Elements that chance decides, or of which chance makes some 0, and the mask that says which.

    (R1) The results have the first operand's shape.
    """
    return OpSemantics(tuple(Tensor(ctx.shape(op.operands[0])) for _ in op.results))


@rule("onnx.PRelu", example=EXAMPLE, effects=STOPS)
def prelu(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A linear unit with slopes.

    (C1) The slopes broadcast to the tensor: aligned from the right, an extent is 1 or that of the tensor.
    (R1) The result has the first operand's shape.
    """
    source, slope = op.operands[:2]
    extents, slopes = ctx.dims(source), ctx.dims(slope)
    shown = (*extent_pairs(source.name, extents), *extent_pairs(slope.name, slopes))
    fits = FALSE
    if len(slopes) <= len(extents):
        pairs = zip(slopes, extents[len(extents) - len(slopes) :], strict=True)
        fits = conjunction(disjunction((equal(have, 1), equal(have, want))) for have, want in pairs)
    claim = check("C1", fits, "the slopes do not broadcast to the tensor", shown)
    return OpSemantics((Tensor(ctx.shape(source)),), requires=(claim,))
