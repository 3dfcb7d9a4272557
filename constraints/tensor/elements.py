"""Element accesses of the tensor dialect: extract, insert, gather and scatter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, cycle

from shapesolve.domain.values import Abstract, Element, Float, Tensor, UnknownValue, Unmodeled
from shapesolve.ir.program import Operation, ScalarType, Type, Value
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import PURE
from shapesolve.semantics.op_semantics import Approximations, Claim, Ensures, OpSemantics, Results
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import ONE, Dim, dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, disjunction, equal, unequal
from shapesolve.symbolic.shape_kinds import RankedShape

from ..transfer.elements import constants, element_at, row_major_position, small_extents
from ..transfer.extent_tensors import ONE_A_DIMENSION
from ..transfer.shape_checks import inside, within
from ..transfer.strided_slices import integers_of


@rule("tensor.extract", example="tests/cases/tensor/elements.mlir", effects=PURE)
def extract(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One element.

    (C1) Every index is at least 0 and below the extent of its dimension.
    (R1) The result is the element at that place.
    """
    source, *rest = op.operands
    extents = ctx.dims(source)
    indices = tuple(ctx.integer(index) for index in rest)
    claims = within(indices, extents, source.name)
    tensor = ctx.tensor(source)
    if tensor.elements is None and tensor.spells is not None:
        (length,) = extents
        rank = equal(tensor.spells.rank, length)
        known = () if rank is TRUE else ((rank, ONE_A_DIMENSION.format(source.name)),)
        element = tensor.spelled_element(tensor.spells.rank - 1 - indices[0])
        return OpSemantics((element,), requires=claims, ensures=Ensures(operand_facts=known))
    found = element_at(tensor.elements, extents, indices)
    if found is None and tensor.between is not None and is_integer(op.results[0].type):
        if tensor.between.single_value is not None:
            return OpSemantics((tensor.between.single_value,), requires=claims)
        value = ctx.one_of(op.results[0], tensor.between)
        fact = (tensor.between.contains(value), f"all elements of {source.name} lie between these")
        why = f"of what {source.name} holds only the bounds are known"
        return OpSemantics(
            (value,),
            requires=claims,
            ensures=Ensures((fact,), are_invariants=True),
            approximations=Approximations((why,), value.variables),
        )
    return OpSemantics((data(op.results[0], source, ctx) if found is None else found,), requires=claims)


def is_integer(type: Type) -> bool:
    """Return whether a type is an integer of several bits."""
    return isinstance(type, ScalarType) and type.kind != "float" and not type.is_boolean


def data(value: Value, source: Value, ctx: RuleContext) -> Abstract:
    """Return the unknown value read from a tensor or buffer whose contents are not modeled."""
    is_float = isinstance(value.type, ScalarType) and value.type.kind == "float"
    return UnknownValue() if is_float else Unmodeled(ctx.reason_unknown(source))


@rule("tensor.insert", example="tests/cases/tensor/elements.mlir", effects=PURE)
def insert(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with one element replaced.

    (C1) Every index is at least 0 and below the extent of its dimension.
    (R1) The result has the shape of the destination.
    """
    scalar, into, *rest = op.operands
    extents = ctx.dims(into)
    indices = tuple(ctx.integer(index) for index in rest)
    elements = _replaced(ctx.elements(into), extents, indices, ctx.value(scalar))
    return OpSemantics(
        Results((Tensor.of(extents, elements),), shape_operands=(into,)), requires=within(indices, extents, into.name)
    )


def _replaced(
    elements: tuple[Element, ...] | None, extents: Sequence[Dim], indices: Sequence[Dim], value: Abstract
) -> tuple[Element, ...] | None:
    small, place = small_extents(extents), constants(indices)
    if elements is None or small is None or place is None or not isinstance(value, Dim | Formula | Float):
        return None
    if not all(0 <= index < extent for index, extent in zip(place, small, strict=True)):
        return None
    where = row_major_position(small, place)
    return (*elements[:where], value, *elements[where + 1 :])


@rule("tensor.gather", example="tests/cases/tensor/gather.mlir", effects=PURE)
def gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Slices of a tensor, taken at the coordinates that another tensor holds.

    (C1) Every coordinate is at least 0 and below the extent of its dimension.
    (C2) There is one coordinate for each gathered dimension.
    (C3) With ``unique``, no two coordinates are the same.
    (R1) The result is the batch of the coordinates, then the source with its gathered dimensions of size 1 or left out.
    """
    source, indices = op.operands
    gathered, extents = integers_of(op, "gather_dims"), ctx.dims(source)
    *batch, coordinates = ctx.dims(indices)
    slice = _slice(extents, gathered, len(ctx.declared_dims(op.results[0])) - len(batch))
    claims, approximations = _coordinates(ctx, indices, gathered, extents, coordinates, source.name)
    apart, doubts = _unique(ctx, indices, len(gathered), "C3") if op.attributes.get("unique") else ((), ())
    shape = RankedShape.of((*batch, *slice))
    return OpSemantics((Tensor(shape),), requires=(*claims, *apart), approximations=(*approximations, *doubts))


@rule("tensor.scatter", example="tests/cases/tensor/gather.mlir", effects=PURE)
def scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with slices replaced at the coordinates that another tensor holds.

    (C1) Every coordinate is at least 0 and below the extent of its dimension.
    (C2) There is one coordinate for each scattered dimension.
    (C3) The source is the batch of the coordinates, then the destination with its scattered dimensions of size 1 or
    left out.
    (C4) No two coordinates are the same.
    (R1) The result has the shape of the destination.
    """
    source, into, indices = op.operands
    scattered, extents, given = integers_of(op, "scatter_dims"), ctx.dims(into), ctx.dims(source)
    *batch, coordinates = ctx.dims(indices)
    claims, approximations = _coordinates(ctx, indices, scattered, extents, coordinates, into.name)
    wanted = (*batch, *_slice(extents, scattered, len(given) - len(batch)))
    fits = tuple(
        Claim(
            "C3",
            equal(extent, expected),
            f"extent {number} of {source.name} is not that of the slices",
            shown=((f"extent {number} of {source.name}", extent), ("extent of the slices", expected)),
        )
        for number, (extent, expected) in enumerate(zip(given, wanted, strict=True))
    )
    apart, doubts = _unique(ctx, indices, len(scattered), "C4")
    return OpSemantics(
        (Tensor.of(extents),), requires=(*claims, *fits, *apart), approximations=(*approximations, *doubts)
    )


def _unique(ctx: RuleContext, indices: Value, count: int, clause: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claim that no two coordinates of ``count`` numbers are equal, or the reason why it is not known."""
    if ctx.elements(indices) is None:
        return (), (f"whether the coordinates in {indices.name} are unique depends on the data",)
    numbers = ctx.integers(indices)
    rows = [numbers[start : start + count] for start in range(0, len(numbers), count)] if count else []
    apart = conjunction(
        disjunction(unequal(x, y) for x, y in zip(first, second, strict=True))
        for first, second in combinations(rows, 2)
    )
    return (Claim(clause, apart, f"two coordinates in {indices.name} are the same"),), ()


def _slice(extents: Sequence[Dim], left_out: Sequence[int], rank: int) -> tuple[Dim, ...]:
    if rank == len(extents):
        return tuple(ONE if number in left_out else extent for number, extent in enumerate(extents))
    if rank == len(extents) - len(left_out):
        return tuple(extent for number, extent in enumerate(extents) if number not in left_out)
    raise UnknownValueError("the ranks of its slices and of its type do not fit")


def _coordinates(
    ctx: RuleContext, indices: Value, dimensions: Sequence[int], extents: Sequence[Dim], count: Dim, whole: str
) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    shown = ((f"last extent of {indices.name}", count),)
    message = "a coordinate has not one number for each dimension it stands for"
    arity = Claim("C2", equal(count, dim(len(dimensions))), message, shown=shown)
    if ctx.elements(indices) is None:
        return (arity,), (f"whether the coordinates in {indices.name} are in range depends on the data",)
    numbers = ctx.integers(indices)
    if not dimensions or len(numbers) % len(dimensions):
        return (arity,), ()
    places = zip(numbers, cycle(dimensions), strict=False)
    return (arity, *(inside(dimension, index, extents[dimension], whole) for index, dimension in places)), ()
