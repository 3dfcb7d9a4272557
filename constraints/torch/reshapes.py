"""Operators that reshape tensors or permute their dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from shapesolve.domain.values import Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule, split_names
from shapesolve.symbolic.dims import Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal, negation
from shapesolve.symbolic.normal_forms import as_number, choose, lowest_terms
from shapesolve.symbolic.shape_kinds import RankedShape

from ..transfer.extent_tensors import extent_product
from .operands import (
    always_fails,
    always_raises,
    axes_of,
    axis,
    axis_of,
    check,
    constants,
    extent_pairs,
    integers,
    is_expandable,
    is_present,
    nonscalar_axis_of,
    tensor_from,
)

VIEWS = "tests/cases/torch/views.mlir"
ORDERS = "tests/cases/torch/orders.mlir"

_NEGATIVE = "a size is negative"
_COUNT = "the number of elements changes, or does not say what -1 stands for"


def view_extents(
    before: Sequence[Dim], sizes: Sequence[Dim], shown: tuple[tuple[str, Dim], ...] = ()
) -> tuple[list[Dim], tuple[Claim, ...]]:
    """Return the extents of a view, and clauses C1 and C2.

    Args:
        before: The extents of the viewed tensor.
        sizes: The wanted sizes; any of them, a computed one too, may be -1.
        shown: Further values for a counterexample.
    """
    asks = [equal(size, -1) for size in sizes]
    count, known = (
        extent_product(before),
        extent_product(choose(ask, 1, size) for ask, size in zip(asks, sizes, strict=True)),
    )
    whole, part = lowest_terms(count, known)  # the claim below requires that what is canceled is not 0
    left = floordiv(whole, part)
    many = sum((as_number(ask) for ask in asks), dim(0))
    fits = disjunction(
        (
            conjunction((equal(many, 0), equal(count, known))),
            conjunction((equal(many, 1), at_least(known, 1), divides(part, whole))),
        )
    )
    valid = conjunction(at_least(size, -1) for size in sizes)
    listed = tuple((f"size {index}", size) for index, size in enumerate(sizes) if not size.is_constant)
    claims = (check("C1", valid, _NEGATIVE, listed), check("C2", fits, _COUNT, (*shown, *listed)))
    extents = [choose(ask, left, size) for ask, size in zip(asks, sizes, strict=True)]
    return extents, tuple(claims)


_VIEWS = split_names("view view_copy reshape _unsafe_view _reshape_alias _reshape_alias_copy")


@rule(*(f"torch.aten.{name}" for name in _VIEWS), example=VIEWS, effects=STOPS)
def view(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in the same order in another shape; a size of -1 is what is left for it.

    Strides are not followed: PyTorch also refuses a `view` of memory in another order, `reshape` copies it.

    (C1) No size is less than -1.
    (C2) The sizes multiply to the number of elements. Where one is -1, the others multiply to a divisor of it, not 0.
    Where the model says `unflatten`, of which PyTorch's export makes this, so do those of one dimension to its extent.
    (R1) The result has the sizes.
    """
    before, sizes = ctx.dims(op.operands[0]), integers(ctx, op.operands[1])
    if "alias" in op.name and len(integers(ctx, op.operands[2])) != len(sizes):
        raise UnknownValueError("there is not one stride for each size")
    shown = extent_pairs(op.operands[0].name, before)
    at = _unflattened(op, before, sizes)
    if at is None:
        extents, claims = view_extents(before, sizes, shown)
        return _same_elements(op, ctx, extents, claims)
    behind = len(sizes) - (len(before) - at - 1)
    parts, claims = view_extents(before[at : at + 1], sizes[at:behind], shown[at : at + 1])
    return _same_elements(op, ctx, [*before[:at], *parts, *before[at + 1 :]], claims)


def _unflattened(op: Operation, before: Sequence[Dim], sizes: Sequence[Dim]) -> int | None:
    """Return the dimension of which a view makes several, if the model says so; None if that is not certain."""
    if op.origin is None or op.origin.operation != "unflatten":
        return None
    first = _common(before, sizes)
    last = _common(before[first:][::-1], sizes[first:][::-1])
    return first if first + last == len(before) - 1 and len(sizes) > len(before) - 1 else None


def _common(before: Sequence[Dim], sizes: Sequence[Dim]) -> int:
    """Return the number of extents, from the first one on, that are the sizes there."""
    pairs = zip(before, sizes, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


@rule("torch.aten.reshape_as", example=VIEWS, effects=STOPS)
def reshape_as(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in the same order in the shape of another tensor.

    (C2) The tensors have the same number of elements.
    (R1) The result has the second operand's shape.
    """
    before, after = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    extents, claims = view_extents(before, after, extent_pairs(op.operands[0].name, before))
    return _same_elements(op, ctx, extents, claims)


def _same_elements(
    op: Operation, ctx: RuleContext, extents: Sequence[Dim], claims: tuple[Claim, ...] = ()
) -> OpSemantics:
    """Return the semantics of an operator that keeps the elements in order under new extents."""
    return OpSemantics((ctx.arranged(op.operands[0], RankedShape.of(extents)),), requires=claims)


@rule("torch.aten.flatten.using_ints", example=VIEWS, effects=STOPS)
def flatten(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Some neighboring dimensions as one.

    (R1) The result has the product of their extents in their place; a scalar becomes a vector.
    """
    extents = ctx.dims(op.operands[0])
    first, last = axis_of(ctx, op.operands[1], len(extents)), axis_of(ctx, op.operands[2], len(extents))
    if first > last:
        raise UnknownValueError("the first dimension comes after the last")
    return _same_elements(op, ctx, [*extents[:first], extent_product(extents[first : last + 1]), *extents[last + 1 :]])


@rule("torch.prims.collapse", example=VIEWS, effects=STOPS)
def collapse(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Some neighboring dimensions as one.

    (R1) The result has the product of their extents in their place.
    """
    return flatten(op, ctx)


@rule("torch.aten.unflatten.int", example=VIEWS, effects=STOPS)
def unflatten(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One dimension as several; a size of -1 is what is left for it.

    (C1) No size is less than -1.
    (C2) The sizes multiply to the extent. Where one is -1, the others multiply to a divisor of it, not 0.
    (C3) At least one size is given.
    (R1) The result has the sizes in the place of the extent.
    """
    extents, wanted = ctx.dims(op.operands[0]), integers(ctx, op.operands[2])
    at = nonscalar_axis_of(ctx, op.operands[1], extents)
    if not wanted:
        return always_raises(op, "C3", "there are no sizes for the dimension")
    shown = ((f"extent {at} of {op.operands[0].name}", extents[at]),)
    sizes, claims = view_extents(extents[at : at + 1], wanted, shown)
    return _same_elements(op, ctx, [*extents[:at], *sizes, *extents[at + 1 :]], claims)


@rule("torch.aten.unsqueeze", "torch.aten.unsqueeze_copy", example=VIEWS, effects=STOPS)
def unsqueeze(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One more dimension.

    (R1) The result has an extent of 1 there.
    """
    extents = list(ctx.dims(op.operands[0]))
    (number,) = constants(ctx, op.operands[1])
    extents.insert(axis(number, len(extents), one_more=True), dim(1))
    return _same_elements(op, ctx, extents)


_SQUEEZES = split_names("squeeze squeeze_copy squeeze.dim squeeze_copy.dim squeeze.dims squeeze_copy.dims")


@rule(*(f"torch.aten.{name}" for name in _SQUEEZES), "torch.prims.squeeze", example=VIEWS, effects=STOPS)
def squeeze(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Leaves out those of the named dimensions (of all, where none is named) that have an extent of 1.

    (C1) A dimension that the result's type leaves out has an extent of 1, and one that it keeps has not.
    (R1) The result has the other extents.
    """
    extents = ctx.dims(op.operands[0])
    listed = [constants(ctx, each) for each in op.operands[1:]]
    named = listed[0] if listed else tuple(range(len(extents)))
    asked = {axis(number, len(extents)) for number in named}
    if len(asked) != len(named):
        raise UnknownValueError("a dimension is named twice")
    asked &= set(range(len(extents)))  # dimension 0 of a scalar may be named, but there is none
    out = {at for at in asked if extents[at].is_constant and extents[at].constant == 1}
    open_ones = [at for at in sorted(asked - out) if not extents[at].is_constant]
    declared = ctx.declared(op.results[0])
    missing = None if declared is None else len(extents) - len(declared) - len(out)
    if open_ones and missing not in (0, len(open_ones)):
        raise UnknownValueError("which of the dimensions have an extent of 1 is not known")
    goes = bool(missing)
    claims: list[Claim] = []
    for at in open_ones:
        is_one = equal(extents[at], 1)
        shown = ((f"extent {at} of {op.operands[0].name}", extents[at]),)
        message = f"extent {at} is not 1, so that it is not left out" if goes else f"extent {at} is 1 and left out"
        claims.append(check("C1", is_one if goes else negation(is_one), message, shown))
    out |= set(open_ones) if goes else set()
    return _same_elements(op, ctx, [each for at, each in enumerate(extents) if at not in out], tuple(claims))


# Expansion -----------------------------------------------------------------------------------------------------------


@rule("torch.aten.expand", "torch.aten.expand_copy", "torch.aten.broadcast_to", example=VIEWS, effects=STOPS)
def expand(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with its extents of 1 repeated, and more dimensions in front; a size of -1 keeps an extent.

    (C1) There are at least as many sizes as dimensions.
    (C2) A size is not negative, except for -1 in the place of an extent.
    (C3) Every extent is 1 or the size in its place.
    (R1) The result has the sizes.
    """
    extents, sizes = ctx.dims(op.operands[0]), integers(ctx, op.operands[1])
    more = len(sizes) - len(extents)
    if more < 0:
        claim = check("C1", FALSE, f"{len(sizes)} sizes for {len(extents)} dimensions")
        return always_fails(op, claim)
    claims: list[Claim] = []
    wanted = list(sizes)
    for at, size in enumerate(sizes):
        keeps, given = equal(size, -1), (f"size of dimension {at}", size)
        allowed: list[Formula] = [at_least(size, 0)]
        if at >= more:
            extent = extents[at - more]
            allowed.append(keeps)
            wanted[at] = choose(keeps, extent, size)
            shown = ((f"extent {at - more} of {op.operands[0].name}", extent), given)
            fits = disjunction((keeps, equal(extent, 1), equal(extent, size)))
            message = f"dimension {at - more} cannot be expanded to the size of dimension {at} of the result"
            claims.append(check("C3", fits, message, shown))
        claims.append(check("C2", disjunction(allowed), f"the {given[0]} is negative", (given,)))
    return OpSemantics((tensor_from(ctx, op.operands[0], wanted),), requires=claims)


@rule("torch.aten.expand_as", example=VIEWS, effects=STOPS)
def expand_as(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor expanded to the shape of another.

    (C1) Every extent is 1 or that of the other tensor.
    (R1) The result has the second operand's shape.
    """
    extents, wanted = ctx.dims(op.operands[0]), ctx.dims(op.operands[1])
    shown = (*extent_pairs(op.operands[0].name, extents), *extent_pairs(op.operands[1].name, wanted))
    claim = check("C1", is_expandable(extents, wanted), "the first does not expand to the second", shown)
    return OpSemantics((tensor_from(ctx, op.operands[0], wanted),), requires=(claim,))


@rule("torch.aten.repeat", "torch.aten.tile", example=VIEWS, effects=STOPS)
def repeat(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor so many times in each dimension, with more dimensions in front.

    (C1) There are at least as many numbers as dimensions (`tile` takes missing ones for 1).
    (C2) No extent times its number is negative.
    (R1) The result has these products.
    """
    extents, times = list(ctx.dims(op.operands[0])), list(integers(ctx, op.operands[1]))
    if op.name == "torch.aten.tile":
        times = [dim(1)] * (len(extents) - len(times)) + times
    more = len(times) - len(extents)
    if more < 0:
        claim = check("C1", FALSE, f"{len(times)} numbers for {len(extents)} dimensions")
        return always_fails(op, claim)
    whole = [dim(1)] * more + extents
    shown = tuple((f"number {index}", each) for index, each in enumerate(times))
    result = [extent * each for extent, each in zip(whole, times, strict=True)]
    claim = check("C2", conjunction(at_least(each, 0) for each in result), "a number of repetitions is negative", shown)
    return OpSemantics((tensor_from(ctx, op.operands[0], result),), requires=(claim,))


@rule("torch.aten.repeat_interleave.self_int", example=VIEWS, effects=STOPS)
def repeat_each(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Every place of a dimension so many times; where none is named, every element of the tensor as a vector.

    (C1) The number is not negative.
    (C2) If the size of the result is stated, it is that.
    (R1) The result has the extent, or the number of elements, times the number.
    """
    extents, times = list(ctx.dims(op.operands[0])), ctx.integer(op.operands[1])
    claims = [check("C1", at_least(times, 0), "a number of repetitions is negative", (("number", times),))]
    at = 0
    if is_present(ctx, op.operands[2]):
        at = nonscalar_axis_of(ctx, op.operands[2], extents)
    else:
        extents = [extent_product(extents)]
    extents[at] = extents[at] * times
    if is_present(ctx, op.operands[3]):
        stated = ctx.integer(op.operands[3])
        shown = (("stated", stated), ("repeated", extents[at]))
        claims.append(check("C2", equal(stated, extents[at]), "the result has another size than is stated", shown))
    return OpSemantics((tensor_from(ctx, op.operands[0], extents),), requires=claims)


# Order ---------------------------------------------------------------------------------------------------------------


@rule("torch.aten.permute", "torch.aten.permute_copy", example=ORDERS, effects=STOPS)
def permute(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The dimensions in another order.

    (R1) The result has the extents in that order.
    """
    extents = ctx.dims(op.operands[0])
    order = [axis(each, len(extents)) for each in constants(ctx, op.operands[1])]
    if sorted(order) != list(range(len(extents))):
        raise UnknownValueError("the dimensions are not all listed once")
    return OpSemantics((tensor_from(ctx, op.operands[0], (extents[each] for each in order)),))


@rule("torch.aten.transpose.int", "torch.aten.transpose_copy.int", example=ORDERS, effects=STOPS)
def transpose(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Two dimensions in each other's place.

    (R1) The result has these two extents exchanged.
    """
    extents = list(ctx.dims(op.operands[0]))
    a, b = (axis_of(ctx, each, len(extents)) for each in op.operands[1:3])
    if extents:
        extents[a], extents[b] = extents[b], extents[a]
    return OpSemantics((tensor_from(ctx, op.operands[0], extents),))


@rule("torch.aten.t", "torch.aten.t_copy", "torch.aten.numpy_T", example=ORDERS, effects=STOPS)
def reversed_order(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The dimensions in the reverse order; `t` takes no more than two.

    (R1) The result has the extents in the reverse order.
    """
    extents = ctx.dims(op.operands[0])
    if len(extents) > 2 and op.name != "torch.aten.numpy_T":
        raise UnknownValueError("only matrices are transposed")
    return OpSemantics((tensor_from(ctx, op.operands[0], reversed(extents)),))


@rule("torch.aten.movedim.int", example=ORDERS, effects=STOPS)
def move_dimension(op: Operation, ctx: RuleContext) -> OpSemantics:
    """One dimension in another place.

    (R1) The result has the other extents in their order, and that one in its place.
    """
    extents = list(ctx.dims(op.operands[0]))
    source, target = (axis_of(ctx, each, len(extents)) for each in op.operands[1:3])
    if extents:
        extents.insert(target, extents.pop(source))
    return OpSemantics((tensor_from(ctx, op.operands[0], extents),))


_STAYING = split_names("flip fliplr flipud triu tril")


@rule(*(f"torch.aten.{name}" for name in _STAYING), example=ORDERS, effects=STOPS)
def elements_move(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements in other places, or some of them 0.

    (C1) Matrices have two dimensions, and what is turned from left to right or upside down has as many as that takes.
    (R1) The result has the operand's shape.
    """
    extents = ctx.dims(op.operands[0])
    needed = {"torch.aten.triu": 2, "torch.aten.tril": 2, "torch.aten.fliplr": 2, "torch.aten.flipud": 1}
    if len(extents) < needed.get(op.name, 0):
        claim = check("C1", FALSE, f"{op.operands[0].name} has rank {len(extents)}")
        return always_fails(op, claim)
    if op.name == "torch.aten.flip":
        axes_of(ctx, op.operands[1], max(len(extents), 1))
    return OpSemantics((Tensor.of(extents),))


@rule("torch.aten.roll", example=ORDERS, effects=STOPS)
def roll(op: Operation, ctx: RuleContext) -> OpSemantics:
    """The elements so many places further on, where those that are last come first.

    (C1) There is a number of places for each named dimension, which a scalar has none of, or, where none is named, one.
    (R1) The result has the operand's shape.
    """
    extents, shifts = ctx.dims(op.operands[0]), len(integers(ctx, op.operands[1]))
    named = constants(ctx, op.operands[2])
    if shifts != (len(named) or 1) or (named and not extents):
        message = f"{shifts} numbers of places for {len(named)} named dimensions in rank {len(extents)}"
        return always_raises(op, "C1", message)
    for each in named:
        axis(each, len(extents))
    return OpSemantics((Tensor.of(extents),))


@rule("torch.aten.view_as_complex", "torch.aten.view_as_complex_copy", example=VIEWS, effects=STOPS)
def pairs_as_complex(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Pairs of numbers as complex ones. How the tensor lies in memory, which PyTorch looks at too, is not followed.

    (C1) The operand has a dimension.
    (C2) Its last extent is 2.
    (R1) The result has the other extents.
    """
    extents = ctx.dims(op.operands[0])
    if not extents:
        return always_raises(op, "C1", f"{op.operands[0].name} has no dimensions")
    shown = ((f"extent {len(extents) - 1} of {op.operands[0].name}", extents[-1]),)
    claim = check("C2", equal(extents[-1], 2), "the numbers do not come in pairs", shown)
    return OpSemantics((Tensor.of(extents[:-1]),), requires=(claim,))


@rule("torch.aten.view_as_real", "torch.aten.view_as_real_copy", example=VIEWS, effects=STOPS)
def complex_as_pairs(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Complex numbers as pairs.

    (R1) The result has the operand's extents, and 2.
    """
    return OpSemantics((Tensor.of([*ctx.dims(op.operands[0]), dim(2)]),))
