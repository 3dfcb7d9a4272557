"""PyTorch's patches: the places of a window over an image as columns, and images put together from these."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import Dim, dim, floordiv
from shapesolve.language.formulas import FALSE, at_least, conjunction, divides, equal, unequal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import STOPS
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule

from .torch_values import check, constants, extent_pairs, integers, of_extents, product, refused

EXAMPLE = "tests/cases/torch/patches.mlir"


def _places(see: RuleContext, extents: Sequence[Dim], settings: Sequence[Value]) -> tuple[list[Dim], int]:
    """The places of a window in both dimensions, and the number of its elements."""
    window, gaps, padding, strides = (constants(see, each) for each in settings)
    if {len(window), len(gaps), len(padding), len(strides)} != {2}:
        raise CannotSee("a window moves over two dimensions")
    if min(*window, *gaps, *strides) < 1 or min(padding) < 0:
        raise CannotSee("the window moves by steps that are not positive")
    moves = zip(extents, window, gaps, padding, strides, strict=True)
    places = [floordiv(e + 2 * pad - (size - 1) * gap - 1, dim(step)) + 1 for e, size, gap, pad, step in moves]
    return places, window[0] * window[1]


def _fits(value: Value, extents: Sequence[Dim], places: Sequence[Dim]) -> Claim:
    fits = conjunction(at_least(each, 1) for each in places)
    return check("C3", fits, "the window does not fit", extent_pairs(value.name, extents))


@rule("torch.aten.im2col", example=EXAMPLE, effects=STOPS)
def patches(op: Operation, see: RuleContext) -> Meaning:
    """What a window sees at each of its places, as a column.

    (C1) The input has channels, and perhaps a batch, besides an image.
    (C2) No extent but that of the batch is 0.
    (C3) There is a place for the window in each dimension.
    (R1) The result has the batch, the channels times the elements of the window, and the number of places.
    """
    source = op.operands[0]
    extents = see.dims(source)
    if len(extents) not in (3, 4):
        return refused(op, check("C1", FALSE, f"{source.name} has rank {len(extents)}"))
    *batch, channels, _, _ = extents
    places, window = _places(see, extents[-2:], op.operands[1:5])
    some = conjunction(unequal(each, 0) for each in extents[-3:])
    claims = (
        check("C2", some, "an extent besides that of the batch is 0", extent_pairs(source.name, extents)),
        _fits(source, extents, places),
    )
    return Meaning((of_extents([*batch, channels * window, product(places)]),), claims=claims)


@rule("torch.aten.col2im", example=EXAMPLE, effects=STOPS)
def put_together(op: Operation, see: RuleContext) -> Meaning:
    """An image of the sums of what windows saw.

    (C1) The input has columns of places, and perhaps a batch.
    (C2) No extent but that of the batch is 0, and no wanted size is.
    (C3) There is a place for the window in each dimension of the image.
    (C4) A column has as many elements as windows have, for each channel.
    (C5) There are as many columns as places.
    (R1) The result has the batch, the channels, and the wanted sizes.
    """
    source = op.operands[0]
    extents, sizes = see.dims(source), integers(see, op.operands[1])
    if len(extents) not in (2, 3):
        return refused(op, check("C1", FALSE, f"{source.name} has rank {len(extents)}"))
    if len(sizes) != 2:
        raise CannotSee("an image has two sizes")
    *batch, elements, columns = extents
    places, window = _places(see, sizes, op.operands[2:6])
    shown = extent_pairs(source.name, extents)
    some = conjunction((unequal(elements, 0), unequal(columns, 0), *(at_least(size, 1) for size in sizes)))
    whole, number = divides(dim(window), elements), equal(columns, product(places))
    claims = (
        check("C2", some, "an extent besides that of the batch is 0", shown),
        _fits(source, extents, places),
        check("C4", whole, "the elements of a column are not those of windows", shown),
        check("C5", number, "there are not as many columns as places", (*shown, ("places", product(places)))),
    )
    return Meaning((of_extents([*batch, floordiv(elements, dim(window)), *sizes]),), claims=claims)
