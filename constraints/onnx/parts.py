"""Operators of ONNX that join, split, slice and pad tensors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from shapesolve.domain.values import MAX_ELEMENTS, Element, Tensor
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import STOPS
from shapesolve.semantics.op_semantics import Claim, OpSemantics
from shapesolve.semantics.registry import rule
from shapesolve.symbolic.dims import Dim, ceildiv, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, divides, equal, less_than, negation
from shapesolve.symbolic.normal_forms import maximum, minimum

from ..torch.operands import LARGEST, always_raises, check, index_from_front, interval_of_some
from ..torch.value_ranges import with_joined_intervals
from .nodes import (
    axes,
    axis,
    constant_list,
    has_attribute,
    integer_attribute,
    left_to_the_runtime,
    listed,
    text_attribute,
)

EXAMPLE = "tests/cases/onnx/parts.mlir"


@rule("onnx.Concat", example=EXAMPLE, effects=STOPS)
def concatenation(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Tensors concatenated along an axis.

    (C2) The tensors have the same rank.
    (C3) They have the same extents, except along the axis.
    (R1) The result has the sum of the extents along the axis.
    """
    every = [ctx.dims(each) for each in op.operands]
    first = every[0]
    at = axis(integer_attribute(op, "axis", 0), len(first))
    claims: list[Claim] = []
    for number, other in enumerate(every[1:], 1):
        if len(other) != len(first):
            return always_raises(op, "C2", f"tensor {number} has rank {len(other)}, tensor 0 {len(first)}")
        for index, (a, b) in enumerate(zip(first, other, strict=True)):
            if index != at:
                shown = ((f"extent {index} of tensor 0", a), (f"extent {index} of tensor {number}", b))
                message = f"extent {index} of tensor {number} is not that of tensor 0"
                claims.append(check("C3", equal(a, b), message, shown))
    result = [next((each[index] for each in every if each[index].is_constant), a) for index, a in enumerate(first)]
    result[at] = sum((each[at] for each in every), dim(0))
    found = with_joined_intervals(op.results[0], Tensor.of(result), [ctx.value(each) for each in op.operands])
    parts = [ctx.elements(each) for each in op.operands]
    joined = tuple(element for each in parts for element in each or ())
    if len(first) == 1 and None not in parts and len(joined) <= MAX_ELEMENTS:
        found = Tensor(found.shape, joined, between=found.between)
    return OpSemantics((found,), requires=claims)


@rule("onnx.Split", example=EXAMPLE, effects=STOPS)
def split(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Parts of a tensor along an axis: of given sizes, of equal ones, or of equal ones but the last.

    (C1) The sizes sum up to the extent, and there is one for each result.
    (C2) No size is negative.
    (C3) Where neither sizes nor a number of parts are given, the number of results divides the extent.
    (R1) The results have these sizes along the axis.
    """
    source, count = op.operands[0], len(op.results)
    extents = ctx.dims(source)
    at = axis(integer_attribute(op, "axis", 0), len(extents))
    sizes = listed(op, ctx, "split", 1)
    shown = ((f"extent {at} of {source.name}", extents[at]),)
    claims: list[Claim] = []
    if sizes is not None:
        if len(sizes) != count:
            return always_raises(op, "C1", f"there are {len(sizes)} sizes for {count} results")
        total = sum(sizes, dim(0))
        claims += [check("C2", at_least(each, 0), "a size is negative", (("size", each),)) for each in sizes]
        claims.append(
            check("C1", equal(total, extents[at]), "the sizes do not sum up to the extent", (*shown, ("sum", total)))
        )
    elif has_attribute(op, "num_outputs"):
        size = ceildiv(extents[at], dim(count))
        sizes = (*(size,) * (count - 1), extents[at] - size * (count - 1))
        claims.append(check("C2", at_least(sizes[-1], 0), "nothing is left for the last part", shown))
    else:
        sizes = (extents[at] // count,) * count
        claims.append(check("C3", divides(dim(count), extents[at]), "the extent is not divided into the parts", shown))
    results = [Tensor.of([*extents[:at], each, *extents[at + 1 :]]) for each in sizes]
    held = ctx.elements(source) if len(extents) == 1 else None
    numbers = [each.constant for each in sizes if each.is_constant and each.constant >= 0]
    if held is not None and len(numbers) == count and sum(numbers) == len(held):
        ends = accumulate(numbers)
        results = [
            Tensor(part.shape, tuple(held[end - size : end]))
            for part, size, end in zip(results, numbers, ends, strict=True)
        ]
    return OpSemantics(tuple(results), requires=claims)


def _from_front(number: Dim, extent: Dim) -> Dim:
    return extent if number.is_constant and number.constant >= LARGEST else index_from_front(number, extent)


def _bounds(first: Dim, last: Dim, step: int, extent: Dim) -> tuple[Dim, Dim]:
    """Return where a slice begins, and how many elements it has; places outside are moved to the ends."""
    start, end = _from_front(first, extent), _from_front(last, extent)
    if step > 0:
        start, end = maximum(minimum(start, extent), 0), maximum(minimum(end, extent), 0)
        return start, maximum(ceildiv(end - start, dim(step)), 0)
    start, end = maximum(minimum(start, extent - 1), 0), maximum(minimum(end, extent - 1), -1)
    return minimum(start, extent - 1), maximum(ceildiv(start - end, dim(-step)), 0)


@rule("onnx.Slice", example=EXAMPLE, effects=STOPS)
def slice_(op: Operation, ctx: RuleContext) -> OpSemantics:
    """Every so many elements from a place to another, along some axes; places outside are moved to the ends.

    (C1) There is an end for each start.
    (R1) The result has as many elements there as lie between these places.
    """
    source = op.operands[0]
    extents = list(ctx.dims(source))
    starts, ends = listed(op, ctx, "starts", 1), listed(op, ctx, "ends", 2)
    if starts is None or ends is None:
        raise UnknownValueError("the bounds are not given")
    if len(starts) != len(ends):
        return always_raises(op, "C1", f"there are {len(starts)} starts and {len(ends)} ends")
    named = constant_list(op, ctx, "axes", 3)
    at = axes(range(len(starts)) if named is None else named, len(extents))
    steps = constant_list(op, ctx, "steps", 4) or (1,) * len(starts)
    if 0 in steps or not len(at) == len(starts) == len(steps):
        raise UnknownValueError("a step is 0, or there is not one for each axis")
    known: Sequence[Element] | None = ctx.elements(source)
    kept = known if len(extents) == 1 else None
    for place, first, last, step in zip(at, starts, ends, steps, strict=True):
        before = extents[place]
        start, extents[place] = _bounds(first, last, step, before)
        if step < 0:  # of nothing nothing is taken
            extents[place] = minimum(extents[place], before)
        count = extents[place]
        if kept is None or not start.is_constant or not count.is_constant:
            kept = None
        else:
            kept = [kept[start.constant + number * step] for number in range(count.constant)]
    between = interval_of_some(ctx, source)
    return OpSemantics((Tensor.of(extents, None if kept is None else tuple(kept), between=between),))


@rule("onnx.Pad", example=EXAMPLE, effects=STOPS)
def pad(op: Operation, ctx: RuleContext) -> OpSemantics:
    """A tensor with elements added at the ends of its dimensions, or taken away.

    Whether a reflection may be longer than what it reflects is left to the runtime: ONNX does not say.

    (C1) There are two numbers for each axis.
    (C2) No extent of the result is negative.
    (C3) What is padded with its own elements has some, without those that are taken away.
    (C4) A reflection adds fewer elements than there are, unless the runtime reflects more than once.
    (R1) The result has the extents and the numbers at both ends.
    """
    source, pads = op.operands[0], listed(op, ctx, "pads", 1)
    if pads is None:
        raise UnknownValueError("there are no numbers of elements to add")
    extents = list(ctx.dims(source))
    named = constant_list(op, ctx, "axes", 3)
    at = axes(range(len(extents)) if named is None else named, len(extents))
    if len(pads) != 2 * len(at):
        return always_raises(op, "C1", f"there are {len(pads)} numbers for {len(at)} axes")
    mode = text_attribute(op, "mode", "constant")
    claims: list[Claim] = []
    reaches: list[Formula] = []
    shown: tuple[tuple[str, Dim], ...] = ()
    for place, low, high in zip(at, pads[: len(at)], pads[len(at) :], strict=True):
        extent, after = extents[place], extents[place] + low + high
        shown = ((f"extent {place} of {source.name}", extent), ("before it", low), ("behind it", high))
        claims.append(check("C2", at_least(after, 0), f"nothing is left of dimension {place}", shown))
        if mode != "constant":
            unchanged = conjunction((equal(low, 0), equal(high, 0)))
            left = extent + minimum(low, 0) + minimum(high, 0)
            some = disjunction((unchanged, at_least(left, 1)))
            claims.append(check("C3", some, f"dimension {place} has no elements to pad it with", shown))
            if mode == "reflect":
                reaches.append(disjunction((unchanged, negation(some), less_than(maximum(low, high), left))))
        extents[place] = after
    semantics = OpSemantics((Tensor.of(extents),), requires=claims)
    words = (
        "a reflection is longer than what it reflects, which some refuse",
        "the runtime reflects more than once",
        "a reflection may be longer than what it reflects",
    )
    return left_to_the_runtime(semantics, ctx, "C4", conjunction(reaches), words, shown)
