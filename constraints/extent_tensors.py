"""Shapes, extent tensors and sizes as operands and results: the forms in which the shape dialect hands them around."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import TRUE, Formula, equal
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Operation, ShapedType, Value
from shapesolve.records import value_record
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning
from shapesolve.walking.values import Abstract, Size, Tensor

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

    def meaning(self, *results: Abstract, claims: tuple[Claim, ...] = ()) -> Meaning:
        """A meaning that carries what is known of the operands."""
        return Meaning(results=results, claims=claims, known=self.known, leans_on=self.leans_on)


def spelled(see: RuleContext, *operands: Value) -> Spelled:
    """The shapes that ``!shape.shape`` values are and extent tensors hold; CannotSee where one is not known."""
    shapes: list[Shape] = []
    known: list[tuple[Formula, str]] = []
    leans_on: dict[str, None] = {}
    for operand in operands:
        found = see.value(operand)
        if isinstance(found, Shape):
            shapes.append(found)
            continue
        tensor = see.tensor(operand)
        if tensor.elements is not None:
            shapes.append(RankedShape.of(see.integers(operand)))
            continue
        if tensor.spells is None:
            raise CannotSee(f"the extents that {operand.name} holds are not known")
        if tensor.holds_sizes is not TRUE:
            if see.distrusts:
                raise CannotSee(f"whether {operand.name} holds sizes is not known")
            leans_on[HOLDS_SIZES] = None
            known.append((tensor.holds_sizes, f"{operand.name} is taken for a shape"))
        shapes.append(tensor.spells)
        (length,) = see.dims(operand)
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
        raise CannotSee(f"{result.name} has not the one dimension of an extent tensor")
    length = RankedShape.of([shape.rank])
    if declared is not None and declared[0] is not None:
        return Tensor(length, tuple(shape.column(declared[0] - 1 - index) for index in range(declared[0])))
    return Tensor(length, None, shape)


def size_of(see: RuleContext, value: Value) -> Size:
    """An index or a ``!shape.size``."""
    found = see.value(value)
    return found if isinstance(found, Size) else Size(see.integer(value))


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
        raise CannotSee(f"the rank of {name} is not known")
    return shape.dims


def product(extents: Sequence[Dim]) -> Dim:
    """The number of elements; 1 for no extents."""
    total = dim(1)
    for extent in extents:
        total = total * extent
    return total
