"""Shapes, sizes and extent tensors as operands and results; constant tensors; bounds of index tensors.

Requirements on the elements of an index tensor are exact where these are known. Otherwise they are made of one unknown
element that stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from math import prod

from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.domain.values import MAX_ELEMENTS, Abstract, Element, IntegerInterval, Size, Tensor
from shapesolve.ir.program import (
    TYPES_WITH_ERRORS,
    DenseFloats,
    DenseIntegers,
    Operation,
    ScalarType,
    ShapedType,
    Value,
)
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.op_semantics import Claim, Ensures, OpSemantics
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import ONE, Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, truth
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from .floats import constant
from .integers import wrapped

HOLDS_SIZES = "a tensor holds sizes where an operation takes it for a shape (--distrust)"
ONE_A_DIMENSION = "{} holds one extent a dimension"


@value_record
class ShapeOperands:
    """The shapes that operands are or hold.

    Attributes:
        shapes: One shape per operand.
        known: Facts about the operands, each with its reason.
        modeling: The assumptions of the facts, in words.
    """

    shapes: tuple[Shape, ...]
    known: tuple[tuple[Formula, str], ...]
    modeling: tuple[str, ...]

    @property
    def first(self) -> Shape:
        """The shape of the first operand."""
        return self.shapes[0]

    def semantics(self, *results: Abstract, claims: tuple[Claim, ...] = ()) -> OpSemantics:
        """Return semantics with these results that carry the facts about the operands."""
        return OpSemantics(results, requires=claims, ensures=Ensures(operand_facts=self.known), assumes=self.modeling)


def read_shapes(ctx: RuleContext, *operands: Value) -> ShapeOperands:
    """Return the shapes of operands that are ``!shape.shape`` values or extent tensors.

    Raises:
        UnknownValueError: A shape is not known.
    """
    shapes: list[Shape] = []
    known: list[tuple[Formula, str]] = []
    modeling: dict[str, None] = {}
    for operand in operands:
        found = ctx.value(operand)
        if isinstance(found, Shape):
            shapes.append(found)
            continue
        tensor = ctx.tensor(operand)
        if tensor.elements is not None:
            shapes.append(RankedShape.of(ctx.integers(operand)))
            continue
        if tensor.spells is None:
            raise UnknownValueError(f"the extents that {operand.name} holds are not known")
        if tensor.holds_sizes is not TRUE:
            if ctx.distrusts:
                raise UnknownValueError(f"whether {operand.name} holds sizes is not known")
            modeling[HOLDS_SIZES] = None
            known.append((tensor.holds_sizes, f"{operand.name} is taken for a shape"))
        shapes.append(tensor.spells)
        (length,) = ctx.dims(operand)
        if length is not tensor.spells.rank:
            known.append((equal(tensor.spells.rank, length), ONE_A_DIMENSION.format(operand.name)))
    return ShapeOperands(tuple(shapes), tuple(known), tuple(modeling))


def is_error_free(value: Value) -> bool:
    """Return whether the type has no error state.

    Index and extent tensors have none, unlike ``!shape.size``, ``!shape.shape`` and ``!shape.value_shape``.
    """
    return str(value.type) not in TYPES_WITH_ERRORS


def as_result_shape(result: Value, shape: Shape) -> Abstract:
    """Convert a shape to the result's type. An extent tensor loses whether the shape is valid."""
    if not isinstance(result.type, ShapedType):
        return shape
    if isinstance(shape, RankedShape):
        return Tensor.of([len(shape.dims)], shape.dims)
    declared = result.type.extents
    if declared is not None and len(declared) != 1:
        raise UnknownValueError(f"{result.name} has not the one dimension of an extent tensor")
    length = RankedShape.of([shape.rank])
    if declared is not None and declared[0] is not None:
        return Tensor(length, tuple(shape.column(declared[0] - 1 - index) for index in range(declared[0])))
    return Tensor(length, None, shape)


def size_of(ctx: RuleContext, value: Value) -> Size:
    """Return an operand that is an index or a ``!shape.size`` as a size."""
    found = ctx.value(value)
    return found if isinstance(found, Size) else Size(ctx.integer(value))


def as_result_size(result: Value, value: Dim, valid: Formula = TRUE) -> Abstract:
    """Convert a number to the result's type. An index loses whether the number is valid."""
    return value if is_error_free(result) else Size(value, valid)


def shown_dims(value: Value, shape: Shape) -> tuple[tuple[str, Dim], ...]:
    """Return the extents of a value by name, for counterexamples."""
    if isinstance(shape, RankedShape):
        return tuple((f"extent {index} of {value.name}", extent) for index, extent in enumerate(shape.dims))
    return ((f"rank of {value.name}", shape.rank),)


def shown_extents(op: Operation, shapes: Iterable[Shape]) -> tuple[tuple[str, Dim], ...]:
    """Return the extents of the operands' shapes by name, for counterexamples."""
    each = zip(op.operands, shapes, strict=False)
    return tuple(pair for operand, shape in each for pair in shown_dims(operand, shape))


def authors_messages(op: Operation, attribute: str) -> tuple[str, ...]:
    """Return the message that the program itself gives for a failure, in an attribute; none without one."""
    text = op.attributes.get(attribute)
    return (text,) if isinstance(text, str) and text else ()


def ranked_dims(shape: Shape, name: str) -> tuple[Dim, ...]:
    """Return the extents of a shape.

    Raises:
        UnknownValueError: Its rank is not known.
    """
    if not isinstance(shape, RankedShape):
        raise UnknownValueError(f"the rank of {name} is not known")
    return shape.dims


def extent_product(extents: Iterable[Dim]) -> Dim:
    """Return the number of elements; 1 for no extents."""
    return prod(extents, start=ONE)


def small_element_count(shape: Shape) -> int | None:
    """Return the number of elements of a shape, or None if it is unknown or above `MAX_ELEMENTS`."""
    if not isinstance(shape, RankedShape) or not all(extent.is_constant for extent in shape.dims):
        return None
    count = prod(extent.constant for extent in shape.dims)
    return count if count <= MAX_ELEMENTS else None


def reduced_extents(extents: Sequence[Dim], axes: Collection[int], keeps: bool) -> list[Dim]:
    """Return the extents after a reduction, where reduced dimensions stay as 1 or go."""
    if keeps:
        return [dim(1) if at in axes else each for at, each in enumerate(extents)]
    return [each for at, each in enumerate(extents) if at not in axes]


def constant_tensor(op: Operation, attribute: str) -> Tensor:
    """Return the tensor of an elements attribute: the declared shape, the elements if they are few, and their bounds.

    Raises:
        UnknownValueError: The declared shape is not static.
    """
    type = op.results[0].type
    if not isinstance(type, ShapedType) or type.extents is None or None in type.extents:
        raise UnknownValueError("the shape of the constant is not known")
    extents = [extent for extent in type.extents if extent is not None]
    listed = op.attributes.get(attribute)
    if isinstance(listed, DenseFloats) and listed.values is not None:
        return Tensor.of(extents, tuple(map(constant, listed.values)))
    if not isinstance(type.element, ScalarType):
        return Tensor.of(extents)
    return Tensor.of(extents, _elements(listed, type.element), between=bounds_of(listed, type.element))


def _elements(listed: object, type: ScalarType) -> tuple[Element, ...] | None:
    if not isinstance(listed, DenseIntegers) or listed.values is None or len(listed.values) > MAX_ELEMENTS:
        return None
    if type.is_boolean:
        return tuple(truth(value != 0) for value in listed.values)
    return tuple(wrapped(dim(value), type.width) for value in listed.values)


def bounds_of(listed: object, type: ScalarType) -> IntegerInterval | None:
    """Return the interval of the integers of an elements attribute, however many they are, or None if not known."""
    if not isinstance(listed, DenseIntegers) or type.is_boolean:
        return None
    values = (listed.splat,) if listed.splat is not None else listed.values
    if not values:
        return None
    half = 1 << (type.width - 1)
    signed = sorted({(value + half) % (2 * half) - half for value in values})
    steps = {after - before for before, after in pairwise(signed)} or {1}
    step = steps.pop() if len(steps) == 1 else 0
    return IntegerInterval(dim(signed[0]), dim(signed[-1]), step=step)


Shown = tuple[tuple[str, Dim], ...]
Demand = Callable[[Formula, Shown], Claim]
"""Returns the claim of a formula, with sizes to show in addition to those of the rule."""


@record
class IndexCheck:
    """The claim that the integers of a tensor are indices in bounds.

    Attributes:
        claim: The claim.
        reasons: The reasons why the integers are not known.
        free: The variables that stand for unknown integers.
        known: Facts about the integers, each with its reason.
    """

    claim: Claim
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()
    known: tuple[tuple[Formula, str], ...] = ()


def check_indices(
    ctx: RuleContext,
    of: Value,
    held: Tensor,
    inside: Callable[[Dim], Formula],
    demand: Demand,
    *,
    name: str = "",
    unless: Formula = FALSE,
    between_them_too: bool = True,
) -> IndexCheck:
    """Return the claim that every integer of a tensor is ``inside``, or the tensor is empty, or ``unless`` holds.

    Args:
        ctx: The source of fresh variables.
        of: The value that is the tensor or contains it.
        inside: The condition on one integer.
        demand: Makes the claim from its formula and the sizes to show.
        name: The name of the tensor, if it is only part of ``of``.
        unless: A condition under which nothing is required.
        between_them_too: Whether ``inside`` is convex, so that the least and the greatest element speak for all.
    """
    name = name or of.name
    if held.elements is not None:
        numbers = [each for each in held.elements if isinstance(each, Dim)]
        if len(numbers) == len(held.elements):
            return IndexCheck(demand(disjunction((unless, conjunction(map(inside, numbers)))), ()))
    if not isinstance(held.shape, RankedShape):
        raise UnknownValueError(f"the shape of {name} is not known")
    nothing = equal(extent_product(held.shape.dims), 0)
    bounds = held.between
    if between_them_too and bounds is not None and bounds.step and bounds.where is TRUE:
        # Both ends are elements, and a convex condition that holds of them holds between them.
        ends = conjunction((inside(bounds.low), inside(bounds.high)))
        shown = (("the least element", bounds.low), ("the greatest element", bounds.high))
        return IndexCheck(demand(disjunction((nothing, unless, ends)), shown))
    element = ctx.fresh(f"{name}{ELEMENT}", *_range(of))
    claim = demand(disjunction((nothing, unless, inside(element))), (("the element", element),))
    if claim.formula is TRUE:
        return IndexCheck(claim)
    why = f"all elements of {name} lie between these"
    known = () if bounds is None else ((disjunction((nothing, bounds.contains(element))), why),)
    return IndexCheck(claim, (ctx.reason_unknown(of, name),), element.variables, known)


def _range(of: Value) -> tuple[int, int]:
    """Return the range of the integers of a value by its type."""
    element = of.type.element if isinstance(of.type, ShapedType) else None
    width = element.width if isinstance(element, ScalarType) and element.text.startswith(("i", "si")) else 64
    return -(2 ** (width - 1)), 2 ** (width - 1) - 1
