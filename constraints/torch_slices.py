"""PyTorch's operators that take a part of a tensor, or put something around it."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, ceildiv, dim, floordiv
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import FALSE, at_least, conjunction, divides, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Element, Tensor

from .torch_values import (
    LARGEST,
    axis_of,
    bounds_of_some,
    check,
    constant,
    extent_pairs,
    from_front,
    indexes,
    is_given,
    of_extents,
    own_axis_of,
    refused,
)

EXAMPLE = "tests/cases/torch/slices.mlir"


def _clamped(number: Dim, extent: Dim) -> Dim:
    """A place that may count from the end, as one from 0 to the extent."""
    if number.is_constant and number.constant >= LARGEST:
        return extent
    if number.is_constant and number.constant == 0:
        return number
    return maximum(minimum(from_front(number, extent), extent), 0)


def _bounds(op: Operation, see: RuleContext, first: int, extent: Dim) -> tuple[Dim, Dim, int]:
    """Start, number of elements and step of a slice of which the start is the operand ``first``."""
    given = [see.integer(each) if is_given(see, each) else None for each in op.operands[first : first + 2]]
    start = dim(0) if given[0] is None else _clamped(given[0], extent)
    end = extent if given[1] is None else _clamped(given[1], extent)
    step = constant(see, op.operands[first + 2])
    if step < 1:
        raise CannotSee("the step is not positive")
    return start, maximum(ceildiv(end - start, dim(step)), 0), step


@rule("torch.aten.slice.Tensor", "torch.aten.slice_copy.Tensor", example=EXAMPLE, effects=STOPS)
def slice_(op: Operation, see: RuleContext) -> Meaning:
    """Every so many elements of one dimension from a place to another; places outside are moved to the ends.

    (R1) The result has as many there as lie between these places.
    """
    extents = list(see.dims(op.operands[0]))
    at = own_axis_of(see, op.operands[1], extents)
    start, count, step = _bounds(op, see, 2, extents[at])
    known = see.elements(op.operands[0])
    elements: Sequence[Element] | None = None
    if known is not None and len(extents) == 1 and start.is_constant and count.is_constant:
        elements = known[start.constant : start.constant + count.constant * step : step]
    extents[at] = count
    between = bounds_of_some(see, op.operands[0])
    return Meaning((Tensor(RankedShape.of(extents), None if elements is None else tuple(elements), between=between),))


@rule("torch.aten.slice_scatter", example=EXAMPLE, effects=STOPS)
def slice_scatter(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with a slice of it replaced.

    (C1) The second tensor has the shape of the slice.
    (R1) The result has the first operand's shape.
    """
    extents, source = see.dims(op.operands[0]), see.dims(op.operands[1])
    at = own_axis_of(see, op.operands[2], extents)
    wanted = list(extents)
    _, wanted[at], _ = _bounds(op, see, 3, extents[at])
    return Meaning((of_extents(extents),), claims=_equal_shapes(op.operands[1], source, wanted))


def _equal_shapes(value: Value, extents: Sequence[Dim], wanted: Sequence[Dim]) -> tuple[Claim, ...]:
    shown = (*extent_pairs(value.name, extents), *extent_pairs("the part that is replaced", wanted))
    same = len(extents) == len(wanted)
    formula = conjunction(equal(a, b) for a, b in zip(extents, wanted, strict=True)) if same else FALSE
    return (check("C1", formula, f"{value.name} has not the shape of what it replaces", shown),)


@rule("torch.aten.select.int", "torch.aten.select_copy.int", example=EXAMPLE, effects=STOPS)
def select(op: Operation, see: RuleContext) -> Meaning:
    """One place of a dimension; negative places count from the end.

    (C1) The dimension has the place.
    (R1) The result has the other extents.
    """
    extents = see.dims(op.operands[0])
    at, claims = _selected(op, see, extents, 1, "C1")
    place = see.integer(op.operands[2])
    known = see.elements(op.operands[0])
    elements: tuple[Element, ...] | None = None
    if known is not None and len(extents) == 1 and place.is_constant and -len(known) <= place.constant < len(known):
        elements = (known[place.constant],)
    rest = [each for index, each in enumerate(extents) if index != at]
    between = bounds_of_some(see, op.operands[0])
    return Meaning((Tensor(RankedShape.of(rest), elements, between=between),), claims=claims)


def _selected(
    op: Operation, see: RuleContext, extents: Sequence[Dim], first: int, clause: str
) -> tuple[int, tuple[Claim, ...]]:
    at, place = own_axis_of(see, op.operands[first], extents), see.integer(op.operands[first + 1])
    shown = (("index", place), (f"extent {at} of {op.operands[0].name}", extents[at]))
    claim = check(clause, indexes(place, extents[at]), f"the index is out of the bounds of dimension {at}", shown)
    return at, (claim,)


@rule("torch.aten.select_scatter", example=EXAMPLE, effects=STOPS)
def select_scatter(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with one place of a dimension replaced.

    (C1) The second tensor has the shape of what is at the place.
    (C2) The dimension has the place.
    (R1) The result has the first operand's shape.
    """
    extents, source = see.dims(op.operands[0]), see.dims(op.operands[1])
    at, claims = _selected(op, see, extents, 2, "C2")
    wanted = [each for index, each in enumerate(extents) if index != at]
    return Meaning((of_extents(extents),), claims=(*_equal_shapes(op.operands[1], source, wanted), *claims))


@rule("torch.aten.narrow", "torch.aten.narrow_copy", example=EXAMPLE, effects=STOPS)
def narrow(op: Operation, see: RuleContext) -> Meaning:
    """So many elements of one dimension from a place on; a negative place counts from the end.

    (C1) The number of elements is not negative.
    (C2) The dimension has the place, or ends there, and has so many elements behind it.
    (R1) The result has that many.
    """
    extents = list(see.dims(op.operands[0]))
    at = own_axis_of(see, op.operands[1], extents)
    extent = extents[at]
    start, count = see.integer(op.operands[2]), see.integer(op.operands[3])
    first = from_front(start, extent)
    shown = (("start", start), ("elements", count), (f"extent {at} of {op.operands[0].name}", extent))
    inside = conjunction((at_least(start + extent, 0), at_least(extent, start), at_least(extent, first + count)))
    claims = (
        check("C1", at_least(count, 0), "the number of elements is negative", shown[1:2]),
        check("C2", inside, "the part runs past the tensor", shown),
    )
    extents[at] = count
    return Meaning((of_extents(extents),), claims=tuple(claims))


@rule("torch.aten.unfold", "torch.aten.unfold_copy", example=EXAMPLE, effects=STOPS)
def unfold(op: Operation, see: RuleContext) -> Meaning:
    """All windows of a size along a dimension, some steps apart.

    (C1) The window is not larger than the extent.
    (R1) The result has one place a window there, and the windows' size as a last extent.
    """
    extents = list(see.dims(op.operands[0])) or [dim(1)]
    at = axis_of(see, op.operands[1], len(extents))
    size, step = see.integer(op.operands[2]), constant(see, op.operands[3])
    if step < 1:
        raise CannotSee("the step is not positive")
    shown = ((f"extent {at} of {op.operands[0].name}", extents[at]), ("window", size))
    fits = conjunction((at_least(size, 0), at_least(extents[at], size)))
    places = (extents[at] - size) // step + 1
    rest = [places if index == at else each for index, each in enumerate(extents) if see.dims(op.operands[0])]
    return Meaning(
        (of_extents([*rest, size]),),
        claims=(check("C1", fits, "the window is larger than the extent", shown),),
    )


_DIAGONALS = ("torch.aten.diagonal", "torch.aten.diagonal_copy")


@rule(*_DIAGONALS, example=EXAMPLE, effects=STOPS)
def diagonal(op: Operation, see: RuleContext) -> Meaning:
    """The diagonal of two dimensions, or one beside it.

    (R1) The result has the other extents, and the length of the diagonal last.
    """
    extents = see.dims(op.operands[0])
    offset = see.integer(op.operands[1])
    a, b = (axis_of(see, each, len(extents)) for each in op.operands[2:4])
    if a == b:
        raise CannotSee("a diagonal has two dimensions")
    down, right = extents[a] + minimum(offset, 0), extents[b] - maximum(offset, 0)
    rest = [each for index, each in enumerate(extents) if index not in (a, b)]
    return Meaning((of_extents([*rest, maximum(minimum(down, right), 0)]),))


@rule("torch.aten.glu", example=EXAMPLE, effects=STOPS)
def gated_linear_unit(op: Operation, see: RuleContext) -> Meaning:
    """One half of a dimension, weighted by the other.

    (C1) The tensor has a dimension.
    (C2) The extent is even.
    (R1) The result has half the extent.
    """
    extents = list(see.dims(op.operands[0]))
    if not extents:
        return refused(op, check("C1", FALSE, f"{op.operands[0].name} has no dimension"))
    at = axis_of(see, op.operands[1], len(extents))
    shown = ((f"extent {at} of {op.operands[0].name}", extents[at]),)
    claim = check("C2", divides(dim(2), extents[at]), f"extent {at} is odd", shown)
    extents[at] = floordiv(extents[at], dim(2))
    return Meaning((of_extents(extents),), claims=(claim,))
