"""Operators that create tensors of numbers, ranges among them, and convert between tensors and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.domain.values import (
    MAX_ELEMENTS,
    Abstract,
    Element,
    Float,
    IntegerInterval,
    ListValue,
    Tensor,
    UnknownValue,
    Unmodeled,
)
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Type, Value, is_float
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, STOPS
from shapesolve.semantics.op_semantics import Approximations, Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import ONE, ZERO, Dim, ceildiv, dim, floordiv
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, truth
from shapesolve.symbolic.normal_forms import choose, maximum
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from ..transfer.extent_tensors import extent_product
from ..transfer.float_elements import FloatComputation
from ..transfer.floats import FORMATS, add_floats, compare_floats, divide_floats, negate_float, round_to_integer
from ..transfer.integers import WORD, as_truth
from .operands import always_raises, check, extent_pairs, integers, is_present, nonempty_range
from .scalar_floats import as_float
from .value_ranges import exact_float_interval, with_index_interval

EXAMPLE = "tests/cases/torch/creation.mlir"
RANGES = "tests/cases/torch/ranges.mlir"
ELEMENTS = "tests/cases/torch/elements.mlir"


_SIZES_POSITION = {  # operator -> position of the operand that lists the sizes
    **dict.fromkeys(split_names("zeros ones full"), 0),
    **dict.fromkeys(split_names("new_zeros new_ones new_full"), 1),
}
_RANDOM = {
    **dict.fromkeys(split_names("empty.memory_format empty_strided rand randn randn.generator"), 0),
    **dict.fromkeys(split_names("new_empty new_empty_strided randint"), 1),
    "randint.low": 2,
}


def _tensor_of_sizes(sizes: Sequence[Dim]) -> tuple[Tensor, tuple[Claim, ...]]:
    shown = tuple((f"size {at}", size) for at, size in enumerate(sizes) if not size.is_constant)
    claim = check("C1", conjunction(at_least(size, 0) for size in sizes), "a size is negative", shown)
    return Tensor.of(sizes), (claim,)


@rule(*(f"torch.aten.{name}" for name in _SIZES_POSITION), example=EXAMPLE, effects=STOPS)
def filled(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of given sizes that holds one value everywhere.

    (C1) No size is negative.
    (R1) The result has the sizes.
    """
    position = _SIZES_POSITION[op.name.removeprefix("torch.aten.")]
    result, claims = _tensor_of_sizes(integers(ctx, op.operands[position]))
    name = op.name.rpartition(".")[2].removeprefix("new_")
    value = ctx.value(op.operands[position + 1]) if name == "full" else ONE if name == "ones" else ZERO
    return OpSemantics((filled_tensor(result.shape, value, op.results[0]),), requires=claims)


def filled_tensor(shape: Shape, value: Abstract, result: Value) -> Tensor:
    """Return a tensor that holds one value everywhere; of integers and truth values, with its elements if few.

    Many integers have an interval that is this value alone.
    """
    type = result.type
    if not isinstance(type, ShapedType) or str(type.element) not in ("i64", "i1"):
        return Tensor(shape)
    if not isinstance(value, Dim | Formula):
        return Tensor(shape)
    element = _typed(value, type.element)
    count = extent_product(shape.dims) if isinstance(shape, RankedShape) else None
    if count is not None and count.is_constant and 0 <= count.constant <= MAX_ELEMENTS:
        return Tensor(shape, (element,) * count.constant)
    return Tensor(shape, between=IntegerInterval(element, element, step=1) if isinstance(element, Dim) else None)


def _typed(value: Element, type: object) -> Element:
    """Return an element converted to a boolean or integer type."""
    if isinstance(type, ScalarType) and type.is_boolean:
        return as_truth(value)
    return choose(value, 1, 0) if isinstance(value, Formula) else value


@rule(*(f"torch.aten.{name}" for name in _RANDOM), example=EXAMPLE, effects=STOPS | ANY_RESULT)
def drawn(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor of given sizes with unknown elements.

    (C1) No size is negative.
    (C2) There is an integer between the bounds, the greater of which is left out.
    (C3) Where strides are given, there is one for each size.
    (R1) The result has the sizes; integers that are drawn lie between the bounds.
    """
    name = op.name.removeprefix("torch.aten.")
    sizes = integers(ctx, op.operands[_RANDOM[name]])
    result, claims = _tensor_of_sizes(sizes)
    if name.endswith("_strided"):
        strides = integers(ctx, op.operands[_RANDOM[name] + 1])
        if not all(at_least(each, 0) is TRUE for each in strides):
            raise UnknownValueError("a stride may be negative")
        claims += (check("C3", truth(len(strides) == len(sizes)), "there is not one stride for each size"),)
    if name in ("randint", "randint.low"):
        low, high = (dim(0), *(ctx.integer(each) for each in op.operands[: _RANDOM[name]]))[-2:]
        claims += (nonempty_range(low, high, "C2"),)
        if _holds_integers(op.results[0]):
            result = replace(result, between=IntegerInterval(low, high - 1))
    return OpSemantics((result,), requires=claims)


@rule("torch.aten.eye", "torch.aten.eye.m", example=EXAMPLE, effects=STOPS)
def identity_matrix(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A matrix with ones in its diagonal.

    (C1) No size is negative.
    (R1) The result has so many rows, and as many columns, or those that are given.
    """
    rows = ctx.integer(op.operands[0])
    result, claims = _tensor_of_sizes((rows, ctx.integer(op.operands[1]) if op.name.endswith(".m") else rows))
    return OpSemantics((result,), requires=claims)


@rule("torch.aten.randperm", example=RANGES, effects=STOPS | ANY_RESULT)
def random_order(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The integers from 0 up to, not including, a number, in a random order.

    (C1) The number is not negative.
    (R1) The result has that many elements.
    """
    count = ctx.integer(op.operands[0])
    result, claims = _tensor_of_sizes((count,))
    return OpSemantics((with_index_interval(op.results[0], result, count),), requires=claims)


@rule("torch.aten.linspace", example=RANGES, effects=STOPS)
def linspace(op: Operation, ctx: RuleContext) -> OpSemantics:
    """So many numbers from one to another.

    (C1) Their number is not negative.
    (R1) The result has that many elements.
    """
    result, claims = _tensor_of_sizes((ctx.integer(op.operands[2]),))
    return OpSemantics((result,), requires=claims)


_RANGES = {"torch.aten.arange": 1, "torch.aten.arange.start": 2, "torch.aten.arange.start_step": 3}


@rule(*_RANGES, "torch.prims.iota", example=RANGES, effects=STOPS)
def arange(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The numbers from one (0, where none is given) up to another, some steps apart.

    (C1) The step is not 0, and leads to the end.
    (R1) The result has the distance divided by the step, rounded up, elements.
    """
    if op.name == "torch.prims.iota":
        count, start, step = (ctx.integer(operand) for operand in op.operands[:3])
        result, claims = _tensor_of_sizes((count,))
        return OpSemantics((range_tensor(op, result.shape, start, step, count),), requires=claims)
    ends = [ctx.value(operand) for operand in op.operands[: _RANGES[op.name]]]
    if any(isinstance(each, Float) for each in ends):
        return float_range(op, ctx, ends)
    given = [ctx.integer(operand) for operand in op.operands[: _RANGES[op.name]]]
    start, end = (dim(0), given[0]) if len(given) == 1 else (given[0], given[1])
    step = given[2] if len(given) > 2 else dim(1)
    up, down = (
        conjunction((at_least(step, 1), at_least(end, start))),
        conjunction((at_least(-1, step), at_least(start, end))),
    )
    shown = (("start", start), ("end", end), ("step", step))
    claim = check("C1", disjunction((up, down)), "the step does not lead to the end", shown)
    count = ceildiv(end - start, step)
    return OpSemantics((range_tensor(op, RankedShape.of((count,)), start, step, count),), requires=(claim,))


def range_tensor(op: Operation, shape: Shape, start: Dim, step: Dim, count: Dim) -> Tensor:
    """Return the tensor of ``count`` numbers from ``start`` on, ``step`` apart."""
    last, is_rising = start + (count - 1) * step, at_least(step, 1) is TRUE
    if not _holds_integers(op.results[0]):
        return Tensor(shape, between=exact_float_interval(op.results[0], start, last) if is_rising else None)
    between = None
    if is_rising:
        apart = step.constant if step.is_constant else 0
        between = IntegerInterval(start, last, step=apart)
    return Tensor(shape, _range_elements(start, step, count), between=between)


def range_step(op: Operation, ctx: RuleContext) -> tuple[Dim, Dim] | None:
    """Return the first of the integers that an operation counts, and their step; None if it counts none."""
    if op.name not in _RANGES or not _holds_integers(op.results[0]):
        return None
    given = [ctx.integer(operand) for operand in op.operands[: _RANGES[op.name]]]
    return (given[0] if len(given) > 1 else dim(0)), (given[2] if len(given) > 2 else dim(1))


def _holds_integers(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and str(value.type.element) == "i64"


def _range_elements(start: Dim, step: Dim, count: Dim) -> tuple[Element, ...] | None:
    if not count.is_constant or not 0 <= count.constant <= MAX_ELEMENTS:
        return None
    return tuple(start + step * at for at in range(count.constant))


@rule("torch.aten.tril_indices", "torch.aten.triu_indices", example=RANGES, effects=STOPS)
def triangle_indices(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The rows and the columns of what lies in a matrix's lower or upper triangle, shifted by some diagonals.

    (C1) No size of the matrix is negative.
    (R1) The result has two rows and as many columns as the triangle has elements; the numbers are rows and columns.
    """
    rows, columns, shift = (ctx.integer(operand) for operand in op.operands[:3])
    _, claims = _tensor_of_sizes((rows, columns))
    is_lower = op.name == "torch.aten.tril_indices"  # the upper one is the lower one of the matrix transposed
    count = _triangle_size(rows, columns, shift) if is_lower else _triangle_size(columns, rows, -shift)
    between = IntegerInterval(dim(0), maximum(rows, columns) - 1) if _holds_integers(op.results[0]) else None
    return OpSemantics((Tensor.of((2, count), between=between),), requires=claims)


def _triangle_size(rows: Dim, columns: Dim, shift: Dim) -> Dim:
    """Return how many elements of a matrix have a column of at most their row plus the shift.

    Row i has i + 1 + shift of them, clamped to [0, columns]: the positive ones of these numbers, less their excess over
    the columns, summed over all rows.
    """
    return (_triangular_number(rows + shift) - _triangular_number(shift)) - (
        _triangular_number(rows + shift - columns) - _triangular_number(shift - columns)
    )


def _triangular_number(number: Dim) -> Dim:
    """Return the triangular number 1 + 2 + ... + number; 0 if it is at most 0."""
    most = maximum(number, -1)
    return floordiv(most * (most + 1), 2)


# Numbers and tensors -------------------------------------------------------------------------------------------------

_OF_NUMBERS = split_names("scalar_tensor tensor.int tensor.bool tensor.float")


@rule(*(f"torch.aten.{name}" for name in _OF_NUMBERS), "torch.prim.NumToTensor.Scalar", example=ELEMENTS, effects=STOPS)
def tensor_of_number(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A number as a tensor.

    (R1) The result is a scalar; its element is the number where that is an integer.
    """
    elements = _elements_of([ctx.value(op.operands[0])], op.results[0].type)
    return OpSemantics((Tensor.of((), elements),))


def _elements_of(numbers: Sequence[Abstract], type: Type) -> tuple[Element, ...] | None:
    """Return the elements of a tensor of these numbers, or None unless all are integers or truth values."""
    if not isinstance(type, ShapedType) or str(type.element) not in ("i64", "i1") or len(numbers) > MAX_ELEMENTS:
        return None
    known = [_typed(each, type.element) for each in numbers if isinstance(each, Dim | Formula)]
    return tuple(known) if len(known) == len(numbers) else None


@rule("torch.aten.tensor", example=ELEMENTS, effects=STOPS)
def tensor_of_list(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A list of numbers, or of such lists, as a tensor.

    (C1) Lists beside each other are as long.
    (R1) The result has the lengths of the lists; its elements are the numbers where these are integers.
    """
    lengths, numbers = list[int](), [ctx.value(op.operands[0])]
    while any(isinstance(each, ListValue) for each in numbers):
        lists = [each.items for each in numbers if isinstance(each, ListValue)]
        if len({len(each) for each in lists}) > 1 or len(lists) < len(numbers):
            return always_raises(op, "C1", "the lists are not as long as each other")
        lengths.append(len(lists[0]))
        numbers = [item for each in lists for item in each]
    if not lengths or not all(isinstance(each, Dim | Formula | Float) for each in numbers):
        raise UnknownValueError(f"what {op.operands[0].name} lists is not known")
    elements = _elements_of(numbers, op.results[0].type)
    return OpSemantics((Tensor.of(map(dim, lengths), elements),))


_NUMBERS = split_names("item Int.Tensor Bool.Tensor Float.Tensor")
_IMPLICIT = split_names("IntImplicit FloatImplicit ScalarImplicit")


@rule(*(f"torch.aten.{name}" for name in _NUMBERS), example=ELEMENTS, effects=STOPS)
def number_of_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The element of a tensor as a number.

    (C1) The tensor has one element.
    (R1) The result is the element.
    """
    return _number_of_element(
        op, ctx, equal(extent_product(ctx.dims(op.operands[0])), 1), "the tensor has not one element"
    )


@rule("torch.aten._local_scalar_dense", example=ELEMENTS, effects=STOPS)
def first_number(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The first element of a tensor as a number.

    (C1) The tensor has an element.
    (R1) The result is the element.
    """
    return _number_of_element(
        op, ctx, at_least(extent_product(ctx.dims(op.operands[0])), 1), "the tensor has no element"
    )


@rule(*(f"torch.aten.{name}" for name in _IMPLICIT), example=ELEMENTS, effects=STOPS)
def number_of_scalar(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The element of a tensor where a number is wanted.

    (C1) The tensor has no dimensions.
    (R1) The result is the element.
    """
    return _number_of_element(op, ctx, equal(len(ctx.dims(op.operands[0])), 0), "the tensor has dimensions")


def _number_of_element(op: Operation, ctx: RuleContext, demand: Formula, message: str) -> OpSemantics:
    """Return the semantics of reading an element as a number, under a requirement on the tensor."""
    source, result = op.operands[0], op.results[0]
    claims = (check("C1", demand, message, extent_pairs(source.name, ctx.dims(source))),)
    known = ctx.elements(source)
    if isinstance(result.type, ScalarType) and result.type.kind == "float":
        return OpSemantics((UnknownValue(),), requires=claims)
    if known and isinstance(known[0], Dim | Formula) and not _is_unsigned(source):
        return OpSemantics((_typed(known[0], result.type),), requires=claims)
    return _unknown_element(op, ctx, claims)


def _unknown_element(op: Operation, ctx: RuleContext, claims: tuple[Claim, ...]) -> OpSemantics:
    """Return the semantics of reading an unknown element: only the range of the element type is known."""
    source = op.operands[0]
    element = source.type.element if isinstance(source.type, ShapedType) else None
    reason = ctx.reason_unknown(source)
    if not isinstance(element, ScalarType) or element.kind != "integer" or element.width >= WORD:
        return OpSemantics((Unmodeled(reason),), requires=claims)
    signed = 0 if _is_unsigned(source) or element.is_boolean else 2 ** (element.width - 1)
    low, high = -signed, 2**element.width - 1 - signed
    number = ctx.fresh(op.results[0].name, low, high)
    return OpSemantics((number,), requires=claims, approximations=Approximations((reason,), number.variables))


def _is_unsigned(value: Value) -> bool:
    return isinstance(value.type, ShapedType) and str(value.type.element).startswith("ui")


@rule("torch.aten._shape_as_tensor", example=ELEMENTS, effects=STOPS)
def shape_as_tensor(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The extents of a tensor as a tensor.

    (R1) The result holds the extents.
    """
    extents = ctx.dims(op.operands[0])
    return OpSemantics((Tensor.of((len(extents),), extents),))


@rule("torch.aten._assert_tensor_metadata", example=ELEMENTS, effects=STOPS)
def metadata_assertion(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A runtime check of what a tensor is. What its elements are is said by its type.

    (C1) The tensor has the sizes that are stated, if any are.
    """
    if any(is_present(ctx, each) for each in op.operands[2:3]):
        raise UnknownValueError("strides are not followed")
    if not is_present(ctx, op.operands[1]):
        return OpSemantics()
    extents, wanted = ctx.dims(op.operands[0]), integers(ctx, op.operands[1])
    alike = [equal(a, b) for a, b in zip(extents, wanted, strict=False)]
    formula = conjunction((equal(len(extents), len(wanted)), *alike))
    shown = (*extent_pairs(op.operands[0].name, extents), *extent_pairs("the statement", wanted))
    return OpSemantics(requires=(check("C1", formula, "the tensor has other sizes", shown),))


_F64 = FORMATS["f64"]


def float_range(op: Operation, ctx: RuleContext, given: Sequence[Abstract]) -> OpSemantics:
    """Return the semantics of a range of floats: start (default 0), end and step (default 1).

    PyTorch subtracts and divides in f64, and rounds the quotient up.

    Raises:
        UnknownValueError: The result holds integers, a number is unknown, or rounding decides whether the step leads to
            the end.
    """
    if not is_float(op.results[0]):
        raise UnknownValueError("the ends of a range of integers are floats, which are cut off first")
    work = FloatComputation(op, ctx)
    numbers = [as_float(work, each) for each in given]
    start, end = (Float(ZERO), numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) > 2 else Float(ONE)
    up = conjunction((_exact_comparison("gt", step, Float(ZERO)), _exact_comparison("ge", end, start)))
    down = conjunction((_exact_comparison("lt", step, Float(ZERO)), _exact_comparison("le", end, start)))
    claim = check("C1", disjunction((up, down)), "the step does not lead to the end")
    distance = work.value_of(add_floats(end, negate_float(start), _F64))
    found = round_to_integer(work.value_of(divide_floats(distance, step, _F64)), "ceil", work.fresh)
    count = found.value if found.known is TRUE else choose(found.known, found.value, work.fresh(0))
    return work.with_assumptions(OpSemantics((Tensor.of((count,)),), requires=(claim,)))


def _exact_comparison(predicate: str, a: Float, b: Float) -> Formula:
    formula, where = compare_floats(predicate, a, b)
    if where is not TRUE:
        raise UnknownValueError(
            "whether the step leads to the end is not known: floats that are rounded are not followed"
        )
    return formula
