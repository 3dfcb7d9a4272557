"""Elements of small integer tensors, which carry sizes, through element-wise operators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shapesolve.domain.values import Element, NoneValue, StringValue, Tensor
from shapesolve.ir.program import Operation, ShapedType, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.symbolic.dims import Dim, floordiv, remainder
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, negation, unequal
from shapesolve.symbolic.normal_forms import as_number, choose, maximum, minimum
from shapesolve.symbolic.shape_kinds import Shape
from shapesolve.trace.trust import I32_HOLDS_SIZES, NO_WRAP

from ..transfer.extent_tensors import small_element_count
from ..transfer.integer_arithmetic import truncated_quotient, truncated_remainder
from ..transfer.integers import WORD, as_truth, integer, within, word_result
from .value_ranges import Compute, ElementValues, Row, cast_interval, element_type_name, elementwise_interval

_WIDTHS = {"i64": WORD, "i32": 32}
"""Types of integers whose elements are followed through arithmetic."""


def element_integer(element: Element | None) -> Dim:
    """Return an integer element.

    Raises:
        UnknownValueError: It is left out, or no integer.
    """
    if element is None:
        raise UnknownValueError("a number is left out")
    return as_number(element) if isinstance(element, Formula) else integer(element)


def element_truth(element: Element | None) -> Formula:
    """Return a boolean element.

    Raises:
        UnknownValueError: It is left out.
    """
    if element is None:
        raise UnknownValueError("a truth value is left out")
    return as_truth(element)


def integer_pair(row: Row) -> tuple[Dim, Dim]:
    """Return the first two elements of a row as integers."""
    return element_integer(row[0]), element_integer(row[1])


def _scaled_operand(row: Row) -> Dim:
    """Return the second operand of a sum or difference, times its factor (alpha)."""
    return element_integer(row[1]) * element_integer(row[2])


def _clamped(row: Row) -> Dim:
    """Return the number clamped as PyTorch does it: first to the lower, then to the upper bound."""
    number, lower, upper = row
    raised = element_integer(number) if lower is None else maximum(element_integer(number), element_integer(lower))
    return raised if upper is None else minimum(raised, element_integer(upper))


_FUNCTIONS: dict[str, Compute] = {
    "add": lambda row: element_integer(row[0]) + _scaled_operand(row),
    "sub": lambda row: element_integer(row[0]) - _scaled_operand(row),
    "rsub": lambda row: element_integer(row[1]) - element_integer(row[0]) * element_integer(row[2]),
    "mul": lambda row: element_integer(row[0]) * element_integer(row[1]),
    "neg": lambda row: -element_integer(row[0]),
    "abs": lambda row: maximum(element_integer(row[0]), -element_integer(row[0])),
    "absolute": lambda row: maximum(element_integer(row[0]), -element_integer(row[0])),
    "floor_divide": lambda row: floordiv(*integer_pair(row)),
    "remainder": lambda row: remainder(*integer_pair(row)),
    "fmod": lambda row: truncated_remainder(*integer_pair(row)),
    "clamp": _clamped,
    "clamp_min": lambda row: _clamped([*row, None]),
    "clamp_max": lambda row: _clamped([row[0], None, row[1]]),
    "maximum": lambda row: maximum(*integer_pair(row)),
    "minimum": lambda row: minimum(*integer_pair(row)),
    "eq": lambda row: equal(*integer_pair(row)),
    "ne": lambda row: unequal(*integer_pair(row)),
    "lt": lambda row: less_than(*integer_pair(row)),
    "le": lambda row: at_least(*integer_pair(row)[::-1]),
    "gt": lambda row: less_than(*integer_pair(row)[::-1]),
    "ge": lambda row: at_least(*integer_pair(row)),
    "where": lambda row: choose(element_truth(row[0]), element_integer(row[1]), element_integer(row[2])),
    "bitwise_and": lambda row: conjunction(map(element_truth, row)),
    "bitwise_or": lambda row: disjunction(map(element_truth, row)),
    "bitwise_not": lambda row: negation(element_truth(row[0])),
    "logical_and": lambda row: conjunction(map(element_truth, row)),
    "logical_or": lambda row: disjunction(map(element_truth, row)),
    "logical_not": lambda row: negation(element_truth(row[0])),
}
"""Operator without its overload -> function of one element per operand."""

_DIVISIONS: dict[str, Compute] = {
    "floor": lambda row: floordiv(*integer_pair(row)),
    "trunc": lambda row: truncated_quotient(*integer_pair(row)),
}
"""Rounding mode -> integer division."""


def elementwise_values(op: Operation, ctx: RuleContext, shape: Shape) -> ElementValues:
    """Return what is known of the elements that an element-wise operator computes."""
    compute, operands = _element_function(op, ctx)
    return computed_values(op, ctx, shape, compute, operands, op.name.split(".")[2])


def computed_values(
    op: Operation, ctx: RuleContext, shape: Shape, compute: Compute | None, operands: Sequence[Value], of_floats: str
) -> ElementValues:
    """Return what is known of the elements of a result that a function computes.

    Args:
        shape: The shape of the result.
        compute: The function of one element of each operand, None if it is not modeled.
        operands: The operands that it takes.
        of_floats: The name of PyTorch's operator that does the same to floats.
    """
    columns = None if compute is None else _columns(operands, ctx, small_element_count(shape))
    if compute is None or columns is None:
        return elementwise_interval(op, ctx, compute, operands, of_floats)
    try:
        found = [compute(row) for row in zip(*columns, strict=True)]
    except UnknownValueError:
        return ElementValues()
    width = _WIDTHS.get(element_type_name(op.results[0]), 1)
    if not all(isinstance(each, Dim) == (width > 1) for each in found):
        return ElementValues()  # PyTorch's arithmetic on booleans is logic, which is not modeled as arithmetic
    if 1 < width < WORD and not all(_fits_in(each, ctx, width) for each in operands):
        return ElementValues()
    return held_elements(found, op.results[0])


def held_elements(elements: Iterable[Element], result: Value) -> ElementValues:
    """Return elements of a result under the assumption that its type holds them, nothing for types not followed."""
    name = element_type_name(result)
    if name not in _WIDTHS:
        return ElementValues(tuple(elements)) if name == "i1" else ElementValues()
    kept = [word_result(element_integer(each), _WIDTHS[name]) for each in elements]
    no_overflow = conjunction(fits for _, fits in kept)
    modeling = () if no_overflow is TRUE else (NO_WRAP if name == "i64" else I32_HOLDS_SIZES,)
    return ElementValues(tuple(each for each, _ in kept), no_overflow=no_overflow, modeling=modeling)


def _fits_in(operand: Value, ctx: RuleContext, width: int) -> bool:
    """Return whether integers of a width hold an operand, which is otherwise converted first."""
    if isinstance(operand.type, ShapedType):
        return _WIDTHS.get(element_type_name(operand), 1) <= width
    found, half = ctx.value(operand), 2 ** (width - 1)
    return not isinstance(found, Dim) or within(found, -half, half - 1)


def _element_function(op: Operation, ctx: RuleContext) -> tuple[Compute | None, Sequence[Value]]:
    """Return the function that computes an element, None if unmodeled, and the operands that it takes."""
    _, dialect, name, *_ = (*op.name.split("."), "")
    if dialect != "aten":
        return None, op.operands
    if name == "div":
        how = ctx.value(op.operands[2]) if len(op.operands) > 2 else None
        return (_DIVISIONS.get(how.text) if isinstance(how, StringValue) else None), op.operands[:2]
    return _FUNCTIONS.get(name), op.operands


def cast_values(value: Value, ctx: RuleContext, result: Value) -> ElementValues:
    """Return what is known of the elements of a tensor converted to the result's type."""
    known, found = cast_interval(value, ctx, result), _elements(value, ctx)
    source, target = element_type_name(value), element_type_name(result)
    if found is None:
        return known
    if target == "i1":
        return replace(known, elements=tuple(map(as_truth, found)))
    if target in ("i64", source):
        return replace(known, elements=tuple(map(element_integer, found)))
    return replace(held_elements(found, result), between=known.between)


def _elements(value: Value, ctx: RuleContext) -> tuple[Element, ...] | None:
    """Return the elements of a tensor of signed integers or booleans, or None if they are unknown."""
    if not isinstance(value.type, ShapedType) or not element_type_name(value).startswith("i"):
        return None
    return ctx.elements(value)


def _columns(operands: Sequence[Value], ctx: RuleContext, count: int | None) -> list[Row] | None:
    """Return a list of ``count`` elements per operand, scalars repeated, or None if some are unknown."""
    columns: list[Row] = []
    for operand in operands if count is not None else ():
        known = ctx.value(operand)
        found = _elements(operand, ctx) if isinstance(known, Tensor) else (known,)
        assert count is not None
        if found is None or len(found) not in (1, count):
            return None
        scalars = tuple(
            None if isinstance(each, NoneValue) else each
            for each in found
            if isinstance(each, Dim | Formula | NoneValue)
        )
        if len(scalars) != len(found):
            return None
        columns.append(scalars * count if len(scalars) == 1 else scalars)
    return columns or None
