"""Shapes, extent tensors and sizes as operands and results: the forms in which the shape dialect hands them around.

Tensors that the program itself writes down.

Integers in a tensor that are to be places.

What is demanded of the integers is exact where they are known; else it is demanded of one that stands for all of them,
which nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from shapesolve.domain.fresh_variables import ELEMENT
from shapesolve.domain.values import MAX_ELEMENTS, Abstract, Element, IntegerInterval, Size, Tensor
from shapesolve.ir.program import DenseFloats, DenseIntegers, Operation, ScalarType, ShapedType, Value
from shapesolve.reasons import Reason
from shapesolve.records import record, value_record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.rulebook import Claim, OpSemantics
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, truth
from shapesolve.symbolic.shape_kinds import RankedShape, Shape

from .floats import constant
from .integers import wrapped

HOLDS_SIZES = "a tensor holds sizes where an operation takes it for a shape (--distrust)"
ONE_A_DIMENSION = "{} holds one extent a dimension"


@value_record
class Spelled:
    """The shapes that operands are or hold, and what is known and taken for granted of them."""

    shapes: tuple[Shape, ...]
    known: tuple[tuple[Formula, str], ...]
    leans_on: tuple[str, ...]

    @property
    def only(self) -> Shape:
        return self.shapes[0]

    def meaning(self, *results: Abstract, claims: tuple[Claim, ...] = ()) -> OpSemantics:
        """A meaning that carries what is known of the operands."""
        return OpSemantics(results=results, claims=claims, known=self.known, leans_on=self.leans_on)


def spelled(ctx: RuleContext, *operands: Value) -> Spelled:
    """The shapes that ``!shape.shape`` values are and extent tensors hold; UnknownValueError where one is not known."""
    shapes: list[Shape] = []
    known: list[tuple[Formula, str]] = []
    leans_on: dict[str, None] = {}
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
            leans_on[HOLDS_SIZES] = None
            known.append((tensor.holds_sizes, f"{operand.name} is taken for a shape"))
        shapes.append(tensor.spells)
        (length,) = ctx.dims(operand)
        if length is not tensor.spells.rank:
            known.append((equal(tensor.spells.rank, length), ONE_A_DIMENSION.format(operand.name)))
    return Spelled(tuple(shapes), tuple(known), tuple(leans_on))


def is_error_free(value: Value) -> bool:
    """Whether the type has no error state: index and extent tensors, unlike ``!shape.size`` and ``!shape.shape``."""
    return str(value.type) not in ("!shape.size", "!shape.shape", "!shape.value_shape")


def in_form_of(result: Value, shape: Shape) -> Abstract:
    """A shape in the form that the result's type asks for; an extent tensor forgets whether it is valid."""
    if not isinstance(result.type, ShapedType):
        return shape
    if isinstance(shape, RankedShape):
        return Tensor(RankedShape.of([len(shape.dims)]), shape.dims)
    declared = result.type.extents
    if declared is not None and len(declared) != 1:
        raise UnknownValueError(f"{result.name} has not the one dimension of an extent tensor")
    length = RankedShape.of([shape.rank])
    if declared is not None and declared[0] is not None:
        return Tensor(length, tuple(shape.column(declared[0] - 1 - index) for index in range(declared[0])))
    return Tensor(length, None, shape)


def size_of(ctx: RuleContext, value: Value) -> Size:
    """An index or a ``!shape.size``."""
    found = ctx.value(value)
    return found if isinstance(found, Size) else Size(ctx.integer(value))


def number(result: Value, value: Dim, valid: Formula = TRUE) -> Abstract:
    """A number in the form of the result's type: an index forgets whether it is valid."""
    return value if is_error_free(result) else Size(value, valid)


def shown_dims(value: Value, shape: Shape) -> tuple[tuple[str, Dim], ...]:
    """The extents of a value by name, for counterexamples."""
    if isinstance(shape, RankedShape):
        return tuple((f"extent {index} of {value.name}", extent) for index, extent in enumerate(shape.dims))
    return ((f"rank of {value.name}", shape.rank),)


def shown_extents(op: Operation, shapes: Iterable[Shape]) -> tuple[tuple[str, Dim], ...]:
    """The extents of the operands' shapes by name, for counterexamples."""
    each = zip(op.operands, shapes, strict=False)
    return tuple(pair for operand, shape in each for pair in shown_dims(operand, shape))


def quoted(op: Operation, attribute: str) -> str:
    """What the program itself says of a failure, in quotes; "" where it says nothing."""
    said = op.attributes.get(attribute)
    return f'"{said}"' if isinstance(said, str) and said else ""


def ranked_dims(shape: Shape, name: str) -> tuple[Dim, ...]:
    """The extents of a shape of known rank."""
    if not isinstance(shape, RankedShape):
        raise UnknownValueError(f"the rank of {name} is not known")
    return shape.dims


def product(extents: Sequence[Dim]) -> Dim:
    """The number of elements; 1 for no extents."""
    total = dim(1)
    for extent in extents:
        total = total * extent
    return total


def constant_tensor(op: Operation, attribute: str) -> Tensor:
    """The tensor of an elements attribute: the declared shape, the elements where they are few, and their bounds."""
    type = op.results[0].type
    if not isinstance(type, ShapedType) or type.extents is None or None in type.extents:
        raise UnknownValueError("the shape of the constant is not known")
    extents = [extent for extent in type.extents if extent is not None]
    listed = op.attributes.get(attribute)
    if isinstance(listed, DenseFloats) and listed.values is not None:
        return Tensor(RankedShape.of(extents), tuple(map(constant, listed.values)))
    if not isinstance(type.element, ScalarType):
        return Tensor(RankedShape.of(extents))
    return Tensor(RankedShape.of(extents), _elements(listed, type.element), between=bounds_of(listed, type.element))


def _elements(listed: object, type: ScalarType) -> tuple[Element, ...] | None:
    if not isinstance(listed, DenseIntegers) or listed.values is None or len(listed.values) > MAX_ELEMENTS:
        return None
    if type.is_boolean:
        return tuple(truth(value != 0) for value in listed.values)
    return tuple(wrapped(dim(value), type.width) for value in listed.values)


def bounds_of(listed: object, type: ScalarType) -> IntegerInterval | None:
    """Between which numbers the integers of an elements attribute lie, however many they are."""
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
"""The claim of a formula, shown with more than the rule itself knows."""


@record
class Places:
    """The claim that integers are places of a dimension, and what is known of them and what is not."""

    claim: Claim
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()
    known: tuple[tuple[Formula, str], ...] = ()


def places(
    ctx: RuleContext,
    of: Value,
    held: Tensor,
    inside: Callable[[Dim], Formula],
    demand: Demand,
    *,
    name: str = "",
    unless: Formula = FALSE,
    between_them_too: bool = True,
) -> Places:
    """Every integer of a tensor is ``inside``, or there is none, or ``unless`` holds.

    The tensor is ``of`` this value, or in it, and then is called by the ``name``. ``between_them_too``: where two
    numbers are ``inside``, so are all between them, and the least and the greatest element speak for all.
    """
    name = name or of.name
    if held.elements is not None:
        numbers = [each for each in held.elements if isinstance(each, Dim)]
        if len(numbers) == len(held.elements):
            return Places(demand(disjunction((unless, conjunction(map(inside, numbers)))), ()))
    if not isinstance(held.shape, RankedShape):
        raise UnknownValueError(f"the shape of {name} is not known")
    nothing = equal(product(held.shape.dims), 0)
    bounds = held.between
    if between_them_too and bounds is not None and bounds.step and bounds.where is TRUE:
        # Both ends are elements, and what holds of these holds between them.
        ends = conjunction((inside(bounds.low), inside(bounds.high)))
        shown = (("the least element", bounds.low), ("the greatest element", bounds.high))
        return Places(demand(disjunction((nothing, unless, ends)), shown))
    element = ctx.fresh(f"{name}{ELEMENT}", *_range(of))
    claim = demand(disjunction((nothing, unless, inside(element))), (("the element", element),))
    if claim.formula is TRUE:
        return Places(claim)
    why = f"all elements of {name} lie between these"
    known = () if bounds is None else ((disjunction((nothing, bounds.holds_of(element))), why),)
    return Places(claim, (ctx.why_unknown(of, name),), element.variables, known)


def _range(of: Value) -> tuple[int, int]:
    """What the integers of a value may be by its type."""
    element = of.type.element if isinstance(of.type, ShapedType) else None
    width = element.width if isinstance(element, ScalarType) and element.text.startswith(("i", "si")) else 64
    return -(2 ** (width - 1)), 2 ** (width - 1) - 1
