"""Constants and lists of the torch dialect, and the integer arithmetic that computes sizes."""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.domain.values import Abstract, ListValue, NoneValue, StringValue, UnknownValue
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE, STOPS
from shapesolve.semantics.op_semantics import Assumes, Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, negation, truth, unequal
from shapesolve.symbolic.normal_forms import as_number, lowest_terms, maximum, minimum
from shapesolve.trace.trust import NO_WRAP

from ..transfer.assertions import asserted, failing
from ..transfer.extent_tensors import constant_tensor, extent_product
from ..transfer.floats import constant as float_constant
from ..transfer.integer_arithmetic import truncated_remainder
from ..transfer.integers import word_result
from .operands import always_fails, always_raises, check, constant, integers, list_items, nonscalar_axis_of

NUMBERS = "tests/cases/torch/numbers.mlir"
LISTS = "tests/cases/torch/lists.mlir"


@rule(
    *split_names(
        "torch.constant.bool torch.constant.device torch.constant.float torch.constant.int torch.constant.none "
        "torch.constant.str"
    ),
    example=NUMBERS,
    effects=PURE,
)
def constant_value(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A constant number or string, or None.

    (R1) The result is the number, or the text, that is written down.
    """
    if op.name == "torch.constant.none":
        return OpSemantics((NoneValue(),))
    value = op.attributes.get("value")
    if isinstance(value, bool):
        return OpSemantics((truth(value),))
    if isinstance(value, float):
        return OpSemantics((float_constant(value),))
    if op.name == "torch.constant.str" and isinstance(value, str):
        return OpSemantics((StringValue(value),))
    return OpSemantics((dim(value) if isinstance(value, int) else UnknownValue(),))


@rule("torch.vtensor.literal", example="tests/cases/torch/elementwise.mlir", effects=PURE)
def literal(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor that is written down.

    (R1) The result has the declared shape and the listed elements.
    """
    return OpSemantics((constant_tensor(op, "value"),))


# Lists ---------------------------------------------------------------------------------------------------------------


@rule("torch.prim.ListConstruct", "torch.prim.TupleConstruct", example=LISTS, effects=PURE)
def construct(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A list or a tuple.

    (R1) The result holds the operands.
    """
    values = tuple(ctx.value(operand) for operand in op.operands)
    types, names = zip(*((each.type, each.name) for each in op.operands), strict=True) if op.operands else ((), ())
    return OpSemantics((ListValue(values, types, names),))


@rule("torch.prim.ListUnpack", "torch.prim.TupleUnpack", example=LISTS, effects=STOPS)
def unpack(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The values in a list or a tuple.

    (C1) There are as many as results.
    (R1) The results are the values.
    """
    found = list_items(ctx, op.operands[0])
    if len(found) != len(op.results):
        message = f"the list holds {len(found)} values where {len(op.results)} are expected"
        claim = check("C1", truth(False), message)
        return always_fails(op, claim)
    return OpSemantics(found)


@rule("torch.aten.__getitem__.t", example=LISTS, effects=STOPS)
def get_item(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One value of a list; negative places count from the end.

    (C1) The index is within the list.
    (R1) The result is the value.
    """
    found, place = list_items(ctx, op.operands[0]), constant(ctx, op.operands[1])
    count = len(found)
    if not -count <= place < count:
        claim = check("C1", truth(False), f"there is no value {place} in a list of {count}")
        return always_fails(op, claim)
    return OpSemantics((found[place],))


@rule("torch.aten.len.t", example=LISTS, effects=STOPS)
def length(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of values in a list.

    (R1) The result is their number.
    """
    return OpSemantics((dim(len(list_items(ctx, op.operands[0]))),))


@rule("torch.prim.unchecked_cast", example=LISTS, effects=STOPS)
@rule("torch.derefine", example=LISTS, effects=PURE)
def another_type(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The same value in a wider or a narrower type.

    (R1) The result is the operand.
    """
    return OpSemantics((ctx.value(op.operands[0]),))


# Sizes ---------------------------------------------------------------------------------------------------------------


@rule("torch.aten.size.int", "torch.aten.sym_size.int", example=NUMBERS, effects=STOPS)
def size(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One extent of a tensor.

    (R1) The result is the extent.
    """
    extents = ctx.dims(op.operands[0])
    return OpSemantics((extents[nonscalar_axis_of(ctx, op.operands[1], extents)],))


@rule("torch.aten.size", example=NUMBERS, effects=STOPS)
def sizes(op: Operation, ctx: RuleContext) -> OpSemantics:
    """All extents of a tensor.

    (R1) The result lists the extents.
    """
    return OpSemantics((ListValue(ctx.dims(op.operands[0])),))


@rule("torch.aten.dim", example=NUMBERS, effects=STOPS)
def rank(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of dimensions of a tensor.

    (R1) The result is the rank.
    """
    return OpSemantics((ctx.shape(op.operands[0]).rank,))


@rule("torch.aten.numel", "torch.aten.sym_numel", example=NUMBERS, effects=STOPS)
def count_of_elements(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of elements of a tensor.

    (R1) The result is the product of the extents.
    """
    return _number(extent_product(ctx.dims(op.operands[0])))


@rule("torch.aten.len.Tensor", example=NUMBERS, effects=STOPS)
def first_extent(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of rows of a tensor.

    (C1) The tensor has a dimension.
    (R1) The result is the first extent.
    """
    extents = ctx.dims(op.operands[0])
    if not extents:
        return always_raises(op, "C1", "a scalar has no length")
    return OpSemantics((extents[0],))


# Arithmetic ----------------------------------------------------------------------------------------------------------


def _number(value: Dim, claims: tuple[Claim, ...] = ()) -> OpSemantics:
    kept, fits = word_result(value)
    return OpSemantics((kept,), requires=claims, assumes=Assumes((NO_WRAP,), fits))


_PAIRS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "torch.aten.add.int": lambda a, b: a + b,
    "torch.aten.sub.int": lambda a, b: a - b,
    "torch.aten.mul.int": lambda a, b: a * b,
    "torch.prim.max.int": maximum,
    "torch.prim.min.int": minimum,
}


@rule(*_PAIRS, example=NUMBERS, effects=STOPS)
def arithmetic(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A sum, a difference, a extent_product, the greater or the lesser of two integers.

    (R1) The result is that number.
    """
    a, b = (ctx.integer(operand) for operand in op.operands)
    return _number(_PAIRS[op.name](a, b))


@rule("torch.aten.neg.int", example=NUMBERS, effects=STOPS)
def negative(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An integer with the other sign.

    (R1) The result is that number.
    """
    return _number(-ctx.integer(op.operands[0]))


_DIVIDED: dict[str, Callable[[Dim, Dim], Dim]] = {
    "torch.aten.floordiv.int": floordiv,
    "torch.aten.remainder.int": remainder,
    "torch.aten.fmod.int": truncated_remainder,
}


@rule(*_DIVIDED, example=NUMBERS, effects=STOPS)
def division(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A quotient of integers rounded down, or what it leaves, which has the sign of the divisor.

    What `fmod` leaves has the sign of what is divided, as in C; torch-mlir's importer makes that of Python's ``%``.

    (C1) The divisor is not 0.
    (R1) The result is that number.
    """
    a, b = (ctx.integer(operand) for operand in op.operands)
    claim = check("C1", unequal(b, 0), "an integer is divided by 0", (("divisor", b),))
    if op.name == "torch.aten.floordiv.int":
        a, b = lowest_terms(a, b)
    return _number(_DIVIDED[op.name](a, b), (claim,))


@rule("torch.prim.max.self_int", "torch.prim.min.self_int", example=NUMBERS, effects=STOPS)
def extreme(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The greatest or the least number in a list.

    (C1) The list holds a number.
    (R1) The result is that number.
    """
    listed = integers(ctx, op.operands[0])
    if not listed:
        return always_raises(op, "C1", "an empty list has no greatest or least number")
    return OpSemantics((maximum(*listed) if "max" in op.name else minimum(*listed),))


_COMPARED: dict[str, Callable[[Dim, Dim], Formula]] = {
    "eq": equal,
    "ne": unequal,
    "lt": less_than,
    "le": lambda a, b: at_least(b, a),
    "gt": lambda a, b: less_than(b, a),
    "ge": at_least,
}


@rule(*(f"torch.aten.{name}.int" for name in _COMPARED), "torch.aten.eq.bool", example=NUMBERS, effects=STOPS)
def comparison(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A comparison of two integers.

    (R1) The result is whether they do.
    """
    a, b = (ctx.integer(operand) for operand in op.operands)
    return OpSemantics((_COMPARED[op.name.split(".")[2]](a, b),))


@rule("torch.aten.__and__.bool", "torch.aten.__or__.bool", "torch.aten.__not__", example=NUMBERS, effects=STOPS)
def logic(op: Operation, ctx: RuleContext) -> OpSemantics:
    """And, or, not.

    (R1) The result is that truth value.
    """
    found = [ctx.truth(operand) for operand in op.operands]
    if op.name == "torch.aten.__not__":
        return OpSemantics((negation(found[0]),))
    return OpSemantics((conjunction(found) if "and" in op.name else disjunction(found),))


@rule("torch.aten.Bool.int", "torch.aten.Int.bool", "torch.aten.Int.Scalar", example=NUMBERS, effects=STOPS)
def number_of_number(op: Operation, ctx: RuleContext) -> OpSemantics:
    """An integer as a truth value, or a truth value or any number as an integer.

    (R1) The result is the same number; every number but 0 is true.
    """
    found = ctx.value(op.operands[0])
    if not isinstance(found, Dim | Formula):
        raise UnknownValueError(f"the value of {op.operands[0].name} is not known")
    return OpSemantics((ctx.truth(op.operands[0]) if op.name == "torch.aten.Bool.int" else _as_integer(found),))


def _as_integer(found: Abstract) -> Abstract:
    return as_number(found) if isinstance(found, Formula) else found


# Assertions ----------------------------------------------------------------------------------------------------------


@rule("torch.aten._assert_scalar", "torch.runtime.assert", example=NUMBERS, effects=STOPS)
def assertion(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A runtime check: the program stops with a message when it fails.

    (C1) The number is not 0, or the condition holds; with `shapesolve.declared`, this is assumed.
    """
    claim = check("C1", ctx.truth(op.operands[0]), failing(op.attributes.get("message")))
    return asserted(op, claim, ctx)


@rule("torch.aten.sym_constrain_range", "torch.aten.sym_constrain_range_for_size", example=NUMBERS, effects=STOPS)
def range_constraint(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A runtime check that a number lies between two others, of which each may be left out.

    (C1) The number lies between the bounds that are given.
    """
    number = ctx.integer(op.operands[0])
    low, high = (ctx.value(each) for each in op.operands[1:3])
    wanted: list[Formula] = []
    if isinstance(low, Dim):
        wanted.append(at_least(number, low))
    if isinstance(high, Dim):
        wanted.append(at_least(high, number))
    shown = (("the number", number),)
    return OpSemantics(requires=(check("C1", conjunction(wanted), "a number is out of its stated range", shown),))
