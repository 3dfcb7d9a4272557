"""Floats that are not tensors: scales and ratios computed from sizes, as Python computes them."""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.domain.values import Abstract, Element, Float, UnknownValue
from shapesolve.ir.program import Operation, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics, Requires, Successors
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import unequal

from ..transfer.float_elements import (
    OPERATIONS,
    Compute,
    FloatComputation,
    comparison,
    elementwise_floats_of_rows,
    operand_elements,
    to_integer,
)
from ..transfer.floats import FORMATS, of_integer
from ..transfer.integers import unsigned
from .operands import check

DIVIDED_BY_ZERO = "a number is divided by 0"

FLOATS = "tests/cases/torch/scalar_floats.mlir"

_ARITHMETIC: Mapping[str, str] = {
    "torch.aten.add.float": "add",
    "torch.aten.add.float_int": "add",
    "torch.aten.sub.float": "sub",
    "torch.aten.mul.float": "mul",
    "torch.aten.mul.float_int": "mul",
    "torch.aten.mul.int_float": "mul",
    "torch.aten.neg.float": "neg",
}


@rule("torch.aten.Float.Scalar", example=FLOATS, effects=STOPS)
def number_as_float(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A number as a float.

    (R1) The result is the nearest float: an integer itself up to 2^53. That sizes are no larger is presumed.
    """
    return _evaluate(op, ctx, lambda _, row: row[0])


@rule(*_ARITHMETIC, example=FLOATS, effects=STOPS)
def arithmetic(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A sum, a difference, a product of floats and integers, or a float with the other sign.

    (R1) Of numbers that come from sizes, the result is the nearest float to the exact result.
    """
    return _evaluate(op, ctx, OPERATIONS[_ARITHMETIC[op.name]])


@rule("torch.aten.div.int", "torch.aten.div.float", example=FLOATS, effects=STOPS)
def division(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A quotient of numbers as a float.

    (C1) The divisor is not 0.
    (R1) Of numbers that come from sizes, the result is the nearest float to the quotient.
    """
    claim = _divisor_is_not_zero(op.operands[1], ctx)
    if claim is None:
        unknown = f"whether {op.operands[1].name} is 0 is not followed"
        return OpSemantics(
            (UnknownValue(),), requires=Requires(unknown=unknown), successors=Successors(may_not_return=unknown)
        )
    return _evaluate(op, ctx, OPERATIONS["div"], (claim,))


def _divisor_is_not_zero(value: Value, ctx: RuleContext) -> Claim | None:
    divisor = ctx.value(value)
    if isinstance(divisor, Dim):
        return check("C1", unequal(divisor, 0), DIVIDED_BY_ZERO, (("divisor", divisor),))
    # The rounding error is relative, so the rounded quotient is 0 exactly where the quotient is.
    if isinstance(divisor, Float) and divisor.defined is TRUE and divisor.error is not None:
        return check("C1", unequal(divisor.numerator, 0), DIVIDED_BY_ZERO)
    return None


@rule(
    *split_names(
        "torch.aten.eq.float torch.aten.ge.float torch.aten.ge.float_int torch.aten.gt.float torch.aten.gt.float_int "
        "torch.aten.lt.float torch.aten.lt.float_int torch.aten.ne.float_int"
    ),
    example=FLOATS,
    effects=STOPS,
)
def comparisons(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A comparison of a float and a number.

    (R1) The result is whether they do; of what is rounded, where rounding does not matter.
    """
    return _evaluate(op, ctx, comparison(op.name.split(".")[2]))


@rule("torch.aten.ceil.float", "torch.aten.Int.float", example=FLOATS, effects=STOPS)
def whole_number(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A float as an integer, rounded up or towards zero.

    (R1) Of numbers that come from sizes, the result is the integer above, or that with the fraction cut off. Others
    depend on floating-point data.
    """
    cut = to_integer(without_sign=False)
    if op.name == "torch.aten.Int.float":
        return _evaluate(op, ctx, cut)

    def above(work: FloatComputation, row: tuple[Element, ...]) -> Element | None:
        rounded = OPERATIONS["ceil"](work, row)
        return None if rounded is None else cut(work, (rounded,))

    return _evaluate(op, ctx, above)


def _evaluate(op: Operation, ctx: RuleContext, compute: Compute, claims: tuple[Claim, ...] = ()) -> OpSemantics:
    """Return the semantics of a function of known numbers, each converted to a float first."""
    otherwise = OpSemantics((UnknownValue(),), requires=claims)
    columns = [operand_elements(operand, ctx) for operand in op.operands]
    row = [each[0] for each in columns if each is not None]
    if len(row) != len(columns):
        return otherwise

    def as_floats(work: FloatComputation, row: tuple[Element, ...]) -> Element | None:
        return compute(work, tuple(as_float(work, each) for each in row))

    return elementwise_floats_of_rows(op, ctx, otherwise, as_floats, [tuple(row)])


def as_float(work: FloatComputation, number: Abstract) -> Float:
    """Return a number as a Python float (f64).

    Raises:
        UnknownValueError: The number is unknown.
    """
    if isinstance(number, Float):
        return number
    if not isinstance(number, Dim | Formula):
        raise UnknownValueError("a number is not known")
    return work.value_of(of_integer(unsigned(number, 1) if isinstance(number, Formula) else number, FORMATS["f64"]))
