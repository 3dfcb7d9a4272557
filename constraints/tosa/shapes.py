"""Shape arithmetic of the tosa dialect: values of type ``!tosa.shape<n>``, which are lists of n sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.domain.values import Tensor, Unmodeled
from shapesolve.ir.program import DenseIntegers, Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, STOPS
from shapesolve.semantics.op_semantics import Approximations, Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, ceildiv, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, equal, unequal
from shapesolve.symbolic.normal_forms import maximum, minimum
from shapesolve.symbolic.shapes import broadcastable
from shapesolve.trace.events import Kind
from shapesolve.trace.trust import NO_WRAP

from ..transfer.integers import WORD, word_result, wrapped
from ..transfer.strided_slices import integer_of

EXAMPLE = "tests/cases/tosa/shape_arithmetic.mlir"


def _shape_value(values: Sequence[Dim]) -> Tensor:
    return Tensor.of([len(values)], tuple(values))


@rule("tosa.const_shape", example=EXAMPLE, effects=PURE)
def const_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A known list of sizes.

    (R1) The result holds the listed sizes.
    """
    listed = op.attributes.get("values")
    if not isinstance(listed, DenseIntegers) or listed.values is None:
        raise UnknownValueError("the listed sizes are not known")
    return OpSemantics((_shape_value([wrapped(dim(value), WORD) for value in listed.values]),))


@rule("tosa.dim", example=EXAMPLE, effects=PURE)
def dimension(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One extent of a tensor, as a list of one size.

    (C1) The tensor has a dimension of that number.
    (R1) The result holds the extent.
    """
    shape, axis = ctx.shape(op.operands[0]), integer_of(op, "axis")
    inside = conjunction((at_least(axis, 0), at_least(shape.rank, axis + 1)))
    shown = ((f"rank of {op.operands[0].name}", shape.rank),)
    claims = (Claim("C1", inside, f"there is no dimension {axis}", shown=shown),)
    return OpSemantics((_shape_value([shape.extent(axis)]),), requires=claims)


_PAIRWISE: dict[str, Callable[[Dim, Dim], Dim]] = {
    "tosa.add_shape": lambda a, b: a + b,
    "tosa.sub_shape": lambda a, b: a - b,
    "tosa.mul_shape": lambda a, b: a * b,
    "tosa.max_shape": maximum,
    "tosa.min_shape": minimum,
}
_DIVISIONS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "tosa.div_ceil_shape": ceildiv,
    "tosa.div_floor_shape": floordiv,
    "tosa.mod_shape": remainder,
}


@rule(*_PAIRWISE, example=EXAMPLE, effects=PURE)
def pairwise(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Sums, differences, products, maxima or minima of two lists of sizes.

    (R1) The result holds one size for each pair.
    """
    a, b = (ctx.integers(operand) for operand in op.operands)
    values = [word_result(_PAIRWISE[op.name](x, y)) for x, y in zip(a, b, strict=True)]
    modeling = () if op.name in ("tosa.max_shape", "tosa.min_shape") else (NO_WRAP,)
    fit = conjunction(fits for _, fits in values)
    return OpSemantics((_shape_value([value for value, _ in values]),), assumes=Assumes(modeling, fit))


@rule(*_DIVISIONS, example=EXAMPLE, effects=PURE)
def divisions(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Quotients rounded up or down, or remainders, of two lists of sizes.

    (C1) No divisor is 0.
    (R1) The result holds one size for each pair.
    """
    a, b = (ctx.integers(operand) for operand in op.operands)
    shown = tuple((f"divisor {index}", divisor) for index, divisor in enumerate(b))
    claim = Claim("C1", conjunction(unequal(divisor, 0) for divisor in b), "a size is divided by 0", shown=shown)
    values = [_DIVISIONS[op.name](x, y) for x, y in zip(a, b, strict=True)]
    return OpSemantics((_shape_value(values),), requires=(claim,))


@rule("tosa.exp2_shape", "tosa.log2_ceil_shape", "tosa.log2_floor_shape", example=EXAMPLE, effects=PURE)
def powers_of_two(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Powers of two, or logarithms to the base two, of a list of sizes.

    (C1) Exponents are at least 0 and at most 62, and numbers of which the logarithm is taken are positive.
    (R1) The result holds one size for each; it is followed where the sizes are constants.
    """
    sizes = ctx.integers(op.operands[0])
    if op.name == "tosa.exp2_shape":
        message = "an exponent is not one from 0 to 62"
        formula = conjunction(within for size in sizes for within in (at_least(size, 0), at_least(62, size)))
    else:
        message, formula = "a size is less than 1", conjunction(at_least(size, 1) for size in sizes)
    shown = tuple((f"size {index}", size) for index, size in enumerate(sizes))
    claim = Claim("C1", formula, message, shown=shown)
    if all(size.is_constant for size in sizes) and formula is TRUE:
        return OpSemantics((_shape_value([_power(op.name, size.constant) for size in sizes]),), requires=(claim,))
    values = [ctx.fresh(f"{op.results[0].name}[{index}]") for index in range(len(sizes))]
    free = frozenset(variable for value in values for variable in value.variables)
    reason = "powers of two of unknown sizes are not followed"
    return OpSemantics((_shape_value(values),), requires=(claim,), approximations=Approximations((reason,), free))


def _power(name: str, size: int) -> Dim:
    match name:
        case "tosa.exp2_shape":
            return dim(2**size)
        case "tosa.log2_ceil_shape":
            return dim((size - 1).bit_length())
        case _:
            return dim(size.bit_length() - 1)


@rule("tosa.concat_shape", example=EXAMPLE, effects=PURE)
def concat_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Lists of sizes one behind the other.

    (R1) The result holds the sizes of all operands.
    """
    return OpSemantics((_shape_value([size for operand in op.operands for size in ctx.integers(operand)]),))


@rule("tosa.slice_shape", example=EXAMPLE, effects=PURE)
def slice_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A part of a list of sizes.

    (C1) The part lies within the list.
    (R1) The result holds that part.
    """
    sizes = ctx.integers(op.operands[0])
    (start,), (count,) = (ctx.integers(operand) for operand in op.operands[1:])
    inside = conjunction((at_least(start, 0), at_least(count, 0), at_least(len(sizes), start + count)))
    claim = Claim("C1", inside, "the part leaves the list", shown=(("start", start), ("size", count)))
    if not (start.is_constant and count.is_constant):
        return OpSemantics((Unmodeled("which part of the list is taken is not known"),), requires=(claim,))
    return OpSemantics((_shape_value(sizes[start.constant : start.constant + count.constant]),), requires=(claim,))


@rule("tosa.assert_equal_shape", example="tests/cases/tosa/assertions.mlir", effects=STOPS)
def assert_equal_shape(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Asserts that two lists of sizes are equal.

    (C1) The lists are equal; where broadcasting is allowed, sizes are equal or 1 column by column.
    """
    a, b = (ctx.integers(operand) for operand in op.operands)
    formula: Formula
    if op.attributes.get("allow_broadcast") is True:
        formula, message = broadcastable(a, b), "the shapes do not broadcast"
    else:
        formula, message = conjunction(equal(x, y) for x, y in zip(a, b, strict=True)), "the shapes are not equal"
    shown = tuple(
        (f"size {index} of {operand.name}", size)
        for operand, sizes in zip(op.operands, (a, b), strict=True)
        for index, size in enumerate(sizes)
    )
    return OpSemantics(requires=(Claim("C1", formula, message, Kind.CHECK, shown),))
