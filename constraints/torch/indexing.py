"""Operators that look up or change elements by tensors of integer indices.

Claims on indices are exact where the indices are known; else they are about one unknown index that stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from shapesolve.domain.values import IntegerInterval, ListValue, NoneValue, Tensor
from shapesolve.ir.program import Operation, ScalarType, ShapedType, Value
from shapesolve.records import record
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Approximations, Claim, Ensures, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, implies, unequal
from shapesolve.symbolic.normal_forms import choose, maximum
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.symbolic.shapes import broadcast, broadcastable

from ..transfer import extent_tensors
from ..transfer.extent_tensors import IndexCheck, Shown, extent_product
from .operands import (
    always_fails,
    always_raises,
    axis_of,
    broadcast_extents,
    check,
    extent_pairs,
    is_expandable,
    is_present,
    is_tensor,
    is_valid_index,
)
from .value_ranges import with_index_interval, with_joined_intervals

EXAMPLE = "tests/cases/torch/indexing.mlir"
LOOKUPS = "tests/cases/torch/lookups.mlir"


def index_claims(
    ctx: RuleContext, of: Value, held: Tensor, extent: Dim, *, from_end: bool, name: str = "", unless: Formula = FALSE
) -> IndexCheck:
    """Return clause C9: every index in a tensor is in bounds.

    Args:
        of: The value that is the tensor, or that contains it.
        held: The tensor of indices.
        extent: The extent that is indexed.
        from_end: Whether negative indices count from the end.
        name: The name of the tensor in messages, if not that of the value.
        unless: A condition under which nothing is claimed.
    """
    name = name or of.name

    def inside(number: Dim) -> Formula:
        return (
            is_valid_index(number, extent)
            if from_end
            else conjunction((at_least(number, 0), at_least(extent, number + 1)))
        )

    def required(formula: Formula, shown: Shown) -> Claim:
        return check(
            "C9",
            formula,
            f"an element of {name} is out of the bounds of the dimension",
            (("the extent", extent), *shown),
        )

    return extent_tensors.check_indices(ctx, of, held, inside, required, name=name, unless=unless)


def lookup_semantics(results: Sequence[Tensor], claims: Sequence[Claim], found: Sequence[IndexCheck]) -> OpSemantics:
    """Return the semantics of an operator with requirements on shapes (``claims``) and on indices (``found``)."""
    return OpSemantics(
        tuple(results),
        requires=(*claims, *(each.claim for each in found)),
        ensures=Ensures(operand_facts=tuple(fact for each in found for fact in each.known), are_invariants=True),
        approximations=approximations_of(found),
    )


def approximations_of(found: Sequence[IndexCheck]) -> Approximations:
    """Return what is not known of several tensors of integers, each with its own reason."""
    return reduce(Approximations.joined, (Approximations(each.reasons, each.free) for each in found), Approximations())


def _tensor_of_elements(source: Value, op: Operation, ctx: RuleContext, extents: Sequence[Dim]) -> Tensor:
    """Return a tensor of these extents whose elements are all taken from another tensor."""
    return with_joined_intervals(op.results[0], Tensor.of(extents), [ctx.value(source)])


@rule("torch.aten.embedding", example=LOOKUPS, effects=STOPS)
def embedding(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The rows of a table that integers number.

    (C1) The table is a matrix.
    (C9) Every integer is the number of a row.
    (R1) The result has the extents of the integers, and the length of a row.
    """
    table, numbers = ctx.dims(op.operands[0]), op.operands[1]
    if len(table) != 2:
        return always_raises(op, "C1", f"{op.operands[0].name} is no matrix")
    found = index_claims(ctx, numbers, ctx.tensor(numbers), table[0], from_end=False)
    return lookup_semantics([Tensor.of([*ctx.dims(numbers), table[1]])], (), [found])


@rule("torch.aten.one_hot", example=LOOKUPS, effects=STOPS)
def one_hot(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A 1 where each integer says, among as many zeros as there are classes.

    (C1) There is a class even if there are no integers.
    (C9) Every integer is the number of a class.
    (R1) The result has the extents of the integers, and the number of classes, if that is not left to the integers.
    """
    numbers, classes = op.operands[0], ctx.integer(op.operands[1])
    lowest = classes.bounds()[0]
    if lowest is None or lowest < 0:
        raise UnknownValueError(f"how many classes there are is left to what {numbers.name} holds")
    extents = ctx.dims(numbers)
    some = disjunction((unequal(extent_product(extents), 0), at_least(classes, 1)))
    claim = check("C1", some, "there are no classes", (*extent_pairs(numbers.name, extents), ("classes", classes)))
    found = index_claims(ctx, numbers, ctx.tensor(numbers), classes, from_end=False)
    return lookup_semantics([Tensor.of([*extents, classes])], (claim,), [found])


@rule("torch.aten.index_select", example=LOOKUPS, effects=STOPS)
def index_select(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Those places of a dimension that integers number.

    (C1) The integers are a vector, or one; of a scalar they are one.
    (C9) Every integer is a place.
    (R1) The result has as many places there as there are integers.
    """
    extents, numbers = list(ctx.dims(op.operands[0])), op.operands[2]
    at, listed = axis_of(ctx, op.operands[1], len(extents)), ctx.dims(numbers)
    if len(listed) > 1:
        return always_raises(op, "C1", f"{numbers.name} is no vector")
    found = index_claims(ctx, numbers, ctx.tensor(numbers), extents[at] if extents else dim(1), from_end=False)
    claims: list[Claim] = []
    if extents:
        extents[at] = extent_product(listed)
    else:
        shown = extent_pairs(numbers.name, listed)
        claims.append(check("C1", equal(extent_product(listed), 1), "a scalar is looked up but once", shown))
    return lookup_semantics([_tensor_of_elements(op.operands[0], op, ctx, extents)], claims, [found])


def _rank_mismatch(values: Sequence[Value], ctx: RuleContext) -> str:
    """Return a message that lists the differing ranks; "" if all ranks agree."""
    ranks = [max(len(ctx.dims(value)), 1) for value in values]
    if len(set(ranks)) == 1:
        return ""
    names = ", ".join(f"{value.name} of rank {rank}" for value, rank in zip(values, ranks, strict=True))
    return f"the operands are {names}"


def _no_larger_extents(
    clause: str, a: tuple[Value, Sequence[Dim]], b: tuple[Value, Sequence[Dim]], excepted: int
) -> list[Claim]:
    """Return claims that no extent of ``a`` exceeds that of ``b``, except along ``excepted``, unless ``a`` is empty.

    Both have the same rank, where scalars count as vectors of one element.
    """
    nothing = equal(extent_product(a[1]), 0)
    one = (dim(1),)
    return [
        check(
            clause,
            disjunction((nothing, at_least(y, x))),
            f"extent {at} of {a[0].name} is larger than that of {b[0].name}",
            ((f"extent {at} of {a[0].name}", x), (f"extent {at} of {b[0].name}", y)),
        )
        for at, (x, y) in enumerate(zip(a[1] or one, b[1] or one, strict=True))
        if at != excepted
    ]


@rule("torch.aten.gather", example=LOOKUPS, effects=STOPS)
def gather(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One element for every integer: its own place, except along one dimension, where it is the integer.

    (C1) The integers, if there are any, have the rank of the tensor.
    (C2) Their extents are not larger than the tensor's, except along the dimension.
    (C9) Every integer is a place of the dimension.
    (R1) The result has the extents of the integers.
    """
    source, numbers = op.operands[0], op.operands[2]
    extents, listed = ctx.dims(source), ctx.dims(numbers)
    at = axis_of(ctx, op.operands[1], len(extents))
    wrong = _rank_mismatch((source, numbers), ctx)
    if wrong:
        claim = check("C1", equal(extent_product(listed), 0), wrong)
        return OpSemantics((Tensor.of(listed),), requires=(claim,))
    claims = _no_larger_extents("C2", (numbers, listed), (source, extents), at)
    found = index_claims(ctx, numbers, ctx.tensor(numbers), extents[at] if extents else dim(1), from_end=False)
    return lookup_semantics([_tensor_of_elements(source, op, ctx, listed)], claims, [found])


_SCATTERS = split_names("scatter.src scatter.value scatter_add scatter_reduce.two scatter.reduce")


@rule(*(f"torch.aten.{name}" for name in _SCATTERS), example=LOOKUPS, effects=STOPS)
def scatter(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor changed at one element for every integer: its own place, except along one dimension.

    (C1) The integers, and what is put there, have the rank of the tensor.
    (C2) Their extents are not larger than the tensor's, except along the dimension.
    (C3) Their extents are not larger than those of what is put there.
    (C9) Every integer is a place of the dimension.
    (R1) The result has the tensor's shape.
    """
    source, numbers, put = op.operands[0], op.operands[2], op.operands[3]
    extents, listed = ctx.dims(source), ctx.dims(numbers)
    at = axis_of(ctx, op.operands[1], len(extents))
    others = (put,) if is_tensor(ctx, put) else ()
    nothing = equal(extent_product(listed), 0)
    wrong = _rank_mismatch((source, numbers, *others), ctx)
    if wrong:
        return OpSemantics((Tensor.of(extents),), requires=(check("C1", nothing, wrong),))
    claims = _no_larger_extents("C2", (numbers, listed), (source, extents), at)
    for each in others:
        claims += _no_larger_extents("C3", (numbers, listed), (each, ctx.dims(each)), -1)
    found = index_claims(ctx, numbers, ctx.tensor(numbers), extents[at] if extents else dim(1), from_end=False)
    return lookup_semantics([Tensor.of(extents)], claims, [found])


# Indexing with several tensors ---------------------------------------------------------------------------------------


@record
class _IndexResult:
    """Result of indexing with several tensors.

    Attributes:
        extents: The extents of the result; None if it has none.
        claims: The requirements on the shapes.
        index_requirements: The requirements on the indices.
    """

    extents: tuple[Dim, ...] | None
    claims: tuple[Claim, ...]
    index_requirements: tuple[IndexCheck, ...]


def _index_with_tensors(ctx: RuleContext, source: Value, listed: Value, written: str = "") -> _IndexResult:
    """Return the result of indexing with a list of optional tensors, which broadcast.

    Args:
        source: The tensor that is indexed.
        listed: The list of tensors of places.
        written: The operation of the model, if it is one of `_ALONG_A_DIMENSION`.

    Raises:
        UnknownValueError: The list is unknown, or contains a mask.
    """
    extents, held = ctx.dims(source), ctx.value(listed)
    if not isinstance(held, ListValue) or len(held.types) != len(held.items):
        raise UnknownValueError(f"what the list {listed.name} holds is not known")
    given: dict[int, Tensor] = {}
    for at, (each, type) in enumerate(zip(held.items, held.types, strict=True)):
        if isinstance(each, NoneValue):
            continue
        if not isinstance(each, Tensor) or not isinstance(each.shape, RankedShape) or _may_be_mask(type):
            raise UnknownValueError("how many elements a mask selects depends on data")
        given[at] = each
    if not given:
        raise UnknownValueError("all dimensions are taken whole, which PyTorch does not always do")
    if len(held.items) > len(extents):
        message = f"{len(held.items)} tensors of places for {len(extents)} dimensions"
        return _IndexResult(None, (check("C1", FALSE, message),), ())
    shapes = [each.shape for each in given.values()]
    joint = broadcast(*shapes)
    claim = check("C2", broadcastable(*shapes), "the tensors of places do not broadcast")
    if not isinstance(joint, RankedShape):
        return _IndexResult(None, (check("C2", FALSE, claim.message),), ())
    chosen = sorted(given)
    adjacent = bool(chosen) and chosen[-1] - chosen[0] + 1 == len(chosen)
    first = chosen[0] if adjacent else 0
    rest = [extent for at, extent in enumerate(extents) if at not in given]
    no_places, nothing_there = equal(extent_product(joint.dims), 0), equal(extent_product(rest), 0)
    found: list[IndexCheck] = []
    for at, each in given.items():
        if written == "index_add":
            nothing_looked_up = equal(extent_product(extents), 0)
        elif written == "index_copy":
            nothing_looked_up = nothing_there
        else:
            nothing_looked_up = conjunction((nothing_there, at_least(extents[at], 1)))
        unless = disjunction((no_places, nothing_looked_up))
        name = held.names[at] if held.names else f"{listed.name}[{at}]"
        found.append(index_claims(ctx, listed, each, extents[at], from_end=not written, name=name, unless=unless))
    return _IndexResult((*rest[:first], *joint.dims, *rest[first:]), (claim,), tuple(found))


def _may_be_mask(type: object) -> bool:
    """Return whether a tensor may be a mask: its elements are booleans, bytes, or of unknown type."""
    element = type.element if isinstance(type, ShapedType) else None
    return not isinstance(element, ScalarType) or element.is_boolean or element.text == "ui8"


@rule("torch.aten.index.Tensor", "torch.aten.index.Tensor_hacked_twin", example=EXAMPLE, effects=STOPS)
def index(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One element, or slice, for every place that tensors of integers say together; some dimensions are taken whole.

    (C1) There are not more tensors of places than dimensions.
    (C2) The tensors of places broadcast together.
    (C9) Every integer is a place of its dimension, negative ones from the end; where there is nothing to be looked up,
    the dimension has one, and where nothing is looked up, none of this is asked.
    (R1) The result has what these broadcast to in the place of the dimensions, or in front where they lie apart.
    """
    found = _index_with_tensors(ctx, op.operands[0], op.operands[1])
    if found.extents is None:
        return always_fails(op, found.claims[0])
    return lookup_semantics(
        [_tensor_of_elements(op.operands[0], op, ctx, found.extents)], found.claims, found.index_requirements
    )


_ALONG_A_DIMENSION = ("index_add", "index_copy")
"""Operations that PyTorch's export decomposes to `index_put`, though they take less."""

_PUTS = split_names("index_put index_put.hacked_twin _index_put_impl _unsafe_index_put.hacked_twin")


@rule(*(f"torch.aten.{name}" for name in _PUTS), example=EXAMPLE, effects=STOPS)
def index_put(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor changed at every place that tensors of integers say together.

    (C1) There are not more tensors of places than dimensions.
    (C2) The tensors of places broadcast together.
    (C3) What is put there expands to what indexing would give. Where the model says `index_add` or `index_copy`, of
    which PyTorch's export makes this, it has that shape: nothing is broadcast.
    (C9) Every integer is a place of its dimension, negative ones from the end, but for these two.
    (R1) The result has the tensor's shape.
    """
    origin = op.origin
    written = "" if origin is None else origin.operation.removesuffix("_")
    written = written if written in _ALONG_A_DIMENSION else ""
    found = _index_with_tensors(ctx, op.operands[0], op.operands[1], written)
    if found.extents is None:
        return always_fails(op, found.claims[0])
    put = ctx.dims(op.operands[2])
    shown = (*extent_pairs(op.operands[2].name, put), *extent_pairs("what is replaced", found.extents))
    fits = is_expandable(put, found.extents)
    if written and len(put) == len(found.extents):
        fits = conjunction(equal(a, b) for a, b in zip(put, found.extents, strict=True))
    claim = check("C3", fits, "what is put there does not fit", shown)
    return lookup_semantics([Tensor.of(ctx.dims(op.operands[0]))], (*found.claims, claim), found.index_requirements)


# Elements that data select -------------------------------------------------------------------------------------------


@rule("torch.aten.nonzero", example=LOOKUPS, effects=STOPS)
def nonzero(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The places of all elements that are not 0.

    (R1) The result has one row for each, and one column for each dimension; no place lies beyond the greatest extent.
    """
    extents = ctx.dims(op.operands[0])
    count = ctx.fresh(f"{op.results[0].name} rows")
    facts = ((at_least(extent_product(extents), count), "no more elements are found than there are"),)
    reason = f"how many elements are not 0 depends on what {op.operands[0].name} holds"
    result = Tensor.of([count, len(extents)])
    if extents:
        result = with_index_interval(op.results[0], result, maximum(*extents))
    return OpSemantics((result,), ensures=facts, approximations=Approximations((reason,), count.variables))


@rule("torch.aten.nonzero_static", example=LOOKUPS, effects=STOPS)
def first_nonzero(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The places of as many elements that are not 0 as asked for, and a number in the rows that are left.

    (C1) No negative number of rows is asked for.
    (R1) The result has that many rows, and one column for each dimension.
    """
    rows = ctx.integer(op.operands[1])
    claim = check("C1", at_least(rows, 0), "a negative number of rows is asked for", (("rows", rows),))
    return OpSemantics((Tensor.of([rows, len(ctx.dims(op.operands[0]))]),), requires=(claim,))


@rule("torch.aten.masked_select", example=LOOKUPS, effects=STOPS)
def selected_by_mask(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements where a mask is true, one after the other.

    (C1) The tensor and the mask broadcast together.
    (R1) The result has as many elements as the mask, broadcast, has true ones.
    """
    source, mask = op.operands
    shapes = [ctx.dims(each) for each in (source, mask)]
    shown = (*extent_pairs(source.name, shapes[0]), *extent_pairs(mask.name, shapes[1]))
    extents, claim = broadcast_extents(shapes, "C1", "the mask does not broadcast with the tensor", shown)
    count = ctx.fresh(f"{op.results[0].name} elements")
    facts = ((at_least(extent_product(extents), count), "no more elements are selected than there are"),)
    reason = f"how many elements are selected depends on what {mask.name} holds"
    approximations = Approximations((reason,), count.variables)
    return OpSemantics((Tensor.of([count]),), requires=(claim,), ensures=facts, approximations=approximations)


@rule("torch.aten.repeat_interleave.Tensor", example=LOOKUPS, effects=STOPS)
def repeated_places(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The number of each place, as often in a row as an integer says.

    (C1) The integers are a list.
    (C2) What is stated to be the size of the result is the sum of the integers, if there are any.
    (C9) No integer is negative.
    (R1) The result has as many elements as the integers sum up to; they number integers.
    """
    repeats, size = op.operands[:2]
    extents = ctx.dims(repeats)
    if len(extents) != 1:
        return always_raises(op, "C1", f"{repeats.name} is no list")
    held = ctx.tensor(repeats)

    def required(formula: Formula, shown: Shown) -> Claim:
        return check("C9", formula, f"an element of {repeats.name} is negative", shown)

    found = extent_tensors.check_indices(
        ctx, repeats, held, lambda number: at_least(number, 0), required, between_them_too=True
    )
    claims, nothing = [found.claim], equal(extents[0], 0)
    known = [each for each in held.elements or () if isinstance(each, Dim)]
    if held.elements is not None and len(known) == len(held.elements):
        total, reasons, free = sum(known, dim(0)), found.reasons, found.free
        facts: tuple[tuple[Formula, str], ...] = ()
    else:
        total = ctx.fresh(f"{repeats.name} sum")
        reasons = tuple(dict.fromkeys((*found.reasons, ctx.reason_unknown(repeats))))
        free = found.free | total.variables
        facts = ((implies(nothing, equal(total, 0)), "nothing sums up to 0"),)
    if is_present(ctx, size):
        stated = ctx.integer(size)
        shown = (("stated", stated), ("the sum", total))
        fits = disjunction((nothing, equal(stated, total)))
        claims.append(check("C2", fits, "the result has not as many elements as is stated", shown))
        total = choose(nothing, dim(0), stated)
    result = with_index_interval(op.results[0], Tensor.of([total]), extents[0])
    return OpSemantics(
        (result,),
        requires=claims,
        ensures=Ensures(operand_facts=(*found.known, *facts)),
        approximations=Approximations(reasons, free),
    )


@rule("torch.aten.bucketize.Tensor", example="tests/cases/torch/ranges.mlir", effects=STOPS)
def bucketize(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Between which boundaries the elements lie.

    (C1) The boundaries are a list.
    (R1) The result has the shape of what is looked up; its elements lie from 0 to the number of boundaries.
    """
    boundaries = ctx.dims(op.operands[1])
    claim = check("C1", equal(len(boundaries), 1), "the boundaries are no list")
    if len(boundaries) != 1:
        return always_fails(op, claim)
    result = Tensor(ctx.shape(op.operands[0]), between=IntegerInterval(dim(0), boundaries[0]))
    return OpSemantics((result,), requires=(claim,))
