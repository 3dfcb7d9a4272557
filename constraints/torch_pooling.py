"""PyTorch's pooling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.language.dims import Dim, dim, floordiv
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import FALSE, at_least, conjunction, disjunction, equal, unequal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Tensor

from .torch_parameters import parameters
from .torch_values import (
    check,
    constant,
    constants,
    extent_pairs,
    integers,
    of_extents,
    refused,
)
from .torch_windows import per_dimension

EXAMPLE = "tests/cases/torch/pooling.mlir"

_MAXIMA = {f"torch.aten.max_pool{rank}d{kind}": rank for rank in (1, 2, 3) for kind in ("", "_with_indices")}
_AVERAGES = {f"torch.aten.avg_pool{rank}d": rank for rank in (1, 2, 3)}


def _ranked(op: Operation, extents: Sequence[Dim], rank: int) -> tuple[Claim, ...]:
    """Clause C1, where it fails: the input has channels, and perhaps a batch, besides what the window moves over."""
    if len(extents) in (rank + 1, rank + 2):
        return ()
    message = f"{op.operands[0].name} has rank {len(extents)} where a window moves over {rank} dimensions"
    return (check("C1", FALSE, message),)


@rule(*_MAXIMA, *_AVERAGES, example=EXAMPLE, effects=STOPS)
def pooling(op: Operation, see: RuleContext) -> Meaning:
    """The greatest element, or the mean, of every place of a window.

    (C1) The input has one or two dimensions besides those that the window moves over.
    (C2) No extent but that of the batch is 0.
    (C3) There is a place for the window in each dimension; means over three dimensions take no larger window at all.
    (C4) What sums are divided by instead of the number of elements, if it is given, is not 0.
    (R1) The results have the leading extents, and as many places as the window has.
    """
    rank = _MAXIMA.get(op.name) or _AVERAGES[op.name]
    extents = see.dims(op.operands[0])
    wrong = _ranked(op, extents, rank)
    if wrong:
        return refused(op, wrong[0])
    window = per_dimension(constants(see, op.operands[1]), rank)
    strides = constants(see, op.operands[2])
    strides = per_dimension(strides, rank) if strides else window
    is_maximum = op.name in _MAXIMA
    padding = _padding(constants(see, op.operands[3]), rank, two_sided=not is_maximum)
    gaps = per_dimension(constants(see, op.operands[4]), rank) if is_maximum else (1,) * rank
    up = bool(constant(see, op.operands[5 if is_maximum else 4]))
    within = all(0 <= 2 * each <= size for pair, size in zip(padding, window, strict=True) for each in pair)
    if min(*window, *strides, *gaps) < 1 or not within:
        raise CannotSee("the window has no size, or more padding than half of it")
    leading = len(extents) - rank
    shown = extent_pairs(op.operands[0].name, extents)
    some = conjunction(unequal(each, 0) for each in extents[leading - 1 :])
    claims = [check("C2", some, "an extent besides that of the batch is 0", shown)]
    result = list(extents[:leading])
    moves = zip(extents[leading:], window, strides, padding, gaps, strict=True)
    for at, (extent, size, stride, pad, gap) in enumerate(moves, leading):
        places = _places(extent, (size - 1) * gap + 1, stride, pad, up)
        name = f"extent {at} of {op.operands[0].name}"
        fits = at_least(places, 1)
        if op.name == "torch.aten.avg_pool3d":
            fits = conjunction((fits, at_least(extent, size)))
        claims.append(check("C3", fits, f"the window does not fit in dimension {at}", ((name, extent),)))
        result.append(places)
    claims += parameters(op, see, "C4")
    return Meaning(tuple(of_extents(result) for _ in op.results), claims=tuple(claims))


def _padding(numbers: Sequence[int], rank: int, *, two_sided: bool) -> tuple[tuple[int, int], ...]:
    """What is put before and behind each dimension.

    Twice as many numbers as dimensions, for a mean, are what torch-mlir makes of ONNX: first those before.
    """
    if two_sided and rank > 1 and len(numbers) == 2 * rank:
        return tuple(zip(numbers[:rank], numbers[rank:], strict=True))
    return tuple((each, each) for each in per_dimension(numbers, rank))


def _places(extent: Dim, window: int, stride: int, padding: tuple[int, int], up: bool) -> Dim:
    room = extent + sum(padding) - window
    if not up:
        return floordiv(room, dim(stride)) + 1
    places = floordiv(room + stride - 1, dim(stride)) + 1
    # The last window must begin in the input or in the padding before it.
    return choose(at_least((places - 1) * stride, extent + padding[0]), places - 1, places)


_ADAPTIVE = {
    **{f"torch.aten.adaptive_{kind}_pool{rank}d": rank for kind in ("avg", "max") for rank in (1, 2, 3)},
    "torch.aten._adaptive_avg_pool2d": 2,
    "torch.aten._adaptive_avg_pool3d": 3,
}


_MEANS = ("torch.aten.adaptive_avg_pool2d", "torch.aten.adaptive_avg_pool3d")
"""What PyTorch computes as one mean where one place is wanted."""


@rule(*_ADAPTIVE, example=EXAMPLE, effects=STOPS)
def adaptive_pooling(op: Operation, see: RuleContext) -> Meaning:
    """The greatest element, or the mean, of as many windows as places are wanted.

    (C1) The input has one or two dimensions besides those that the windows move over, or any where one mean of two or
    three dimensions is wanted; and there is a wanted size for each of these.
    (C2) No extent that the windows move over is 0, unless one mean of all is wanted; of the greatest elements, and
    over three dimensions, no extent but the first is.
    (C3) No wanted size is negative.
    (R1) The results have the leading extents and the wanted sizes.
    """
    rank = _ADAPTIVE[op.name]
    extents, sizes = see.dims(op.operands[0]), integers(see, op.operands[1])
    if len(sizes) != rank:
        return refused(op, check("C1", FALSE, f"there are {len(sizes)} sizes for {rank} dimensions"))
    ranked = _ranked(op, extents, rank)
    if ranked and (op.name not in _MEANS or len(extents) < rank):
        return refused(op, ranked[0])
    result, claims = averaged(
        op.operands[0], extents, sizes, means="avg" in op.name, ranked=ranked, one="torch.aten._" not in op.name
    )
    return Meaning(tuple(result for _ in op.results), claims=claims)


def averaged(
    source: Value,
    extents: Sequence[Dim],
    sizes: Sequence[Dim],
    *,
    means: bool,
    ranked: Sequence[Claim] = (),
    one: bool = True,
) -> tuple[Tensor, tuple[Claim, ...]]:
    """Clauses C2 and C3, and what is ``ranked``, for as many windows as sizes say; and the result.

    Where ``one`` mean of all is wanted, it may be computed otherwise, of nothing too.
    """
    is_one = conjunction(equal(size, 1) for size in sizes)
    first = len(extents) - len(sizes) if means and len(sizes) < 3 else 1
    some = conjunction(unequal(each, 0) for each in extents[first:])
    if means and one:
        some = disjunction((some, is_one))
    claims = (
        *(replace(each, formula=is_one) for each in ranked),
        check("C2", some, "an extent is 0", extent_pairs(source.name, extents)),
        check("C3", conjunction(at_least(size, 0) for size in sizes), "a wanted size is negative"),
    )
    return of_extents([*extents[: len(extents) - len(sizes)], *sizes]), claims
