"""StableHLO operations whose places are computed: dynamic slices and updates, dynamic padding; positions of iota."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.elements.context import ElementContext, element_rule, element_type, integer_list
from shapesolve.elements.terms import Access, Choice, Indices, Leaf, Term
from shapesolve.ir.program import Operation
from shapesolve.symbolic.dims import ONE, ZERO, Dim, dim, floordiv
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, divides, less_than


@element_rule("stablehlo.dynamic_slice")
def dynamic_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The index plus the start of the slice, which is clamped into the operand."""
    extents, sizes = ctx.extents(op.operands[0]), ctx.extents(op.results[0])
    starts = [ctx.elements(each)[0] for each in op.operands[1:]]

    def element(first: Indices) -> Term:
        return Access(op.operands[0], tuple(start + index for start, index in zip(first, indices, strict=True)))

    return _clamped(starts, extents, sizes, element)


@element_rule("stablehlo.dynamic_update_slice")
def dynamic_update_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The update inside its window, which is clamped into the operand; the operand elsewhere."""
    operand, update = op.operands[:2]
    extents, sizes = ctx.extents(operand), ctx.extents(update)
    starts = [ctx.elements(each)[0] for each in op.operands[2:]]

    def element(first: Indices) -> Term:
        places = tuple(index - start for start, index in zip(first, indices, strict=True))
        inside: list[Formula] = []
        for place, size in zip(places, sizes, strict=True):
            inside += [at_least(place, 0), less_than(place, size)]
        return Choice(conjunction(inside), Access(update, places), Access(operand, indices))

    return _clamped(starts, extents, sizes, element)


def _clamped(starts: Sequence[Dim], extents: Indices, sizes: Indices, element: Callable[[Indices], Term]) -> Term:
    """Return an element of a window that is clamped into its operand, as defined operations allow."""

    def clamped(place: int, so_far: Indices) -> Term:
        if place == len(starts):
            return element(so_far)
        start, last = starts[place], extents[place] - sizes[place]
        if last is ZERO:
            return clamped(place + 1, (*so_far, ZERO))
        inside = clamped(place + 1, (*so_far, start))
        if not (start.is_constant and start.constant >= 0):
            inside = Choice(less_than(start, 0), clamped(place + 1, (*so_far, ZERO)), inside)
        return Choice(less_than(last, start), clamped(place + 1, (*so_far, last)), inside)

    return clamped(0, ())


@element_rule("stablehlo.real_dynamic_slice")
def real_dynamic_slice(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Start plus stride times index."""
    starts, _, strides = (ctx.elements(each) for each in op.operands[1:])
    parts = zip(indices, starts, strides, strict=True)
    return Access(op.operands[0], tuple(start + stride * index for index, start, stride in parts))


@element_rule("stablehlo.pad", "stablehlo.dynamic_pad")
def pad(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """The operand at the places that interior and edge padding leave it, the padding value elsewhere."""
    if op.name == "stablehlo.pad":
        low, gaps = (tuple(map(dim, integer_list(op, each))) for each in ("edge_padding_low", "interior_padding"))
    else:
        low, _, gaps = (ctx.elements(each) for each in op.operands[2:])
    inside: list[Formula] = []
    places: list[Dim] = []
    for index, before, gap, extent in zip(indices, low, gaps, ctx.extents(op.operands[0]), strict=True):
        distance, step = index - before, gap + 1
        place = distance if step is ONE else floordiv(distance, step)
        inside += [at_least(distance, 0), less_than(place, extent)]
        if step is not ONE:
            inside.append(divides(step, distance))
        places.append(place)
    return Choice(conjunction(inside), Access(op.operands[0], tuple(places)), Access(op.operands[1]))


@element_rule("stablehlo.iota", "stablehlo.dynamic_iota")
def iota(op: Operation, number: int, indices: Indices, ctx: ElementContext) -> Term:
    """Index along a dimension, as a number of the type of the elements: a function of the index only."""
    place = op.attributes["iota_dimension"]
    assert isinstance(place, int)
    return Leaf(("iota", element_type(op.results[0])), (indices[place],))
