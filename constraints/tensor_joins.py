"""Tensors side by side, and tensors with a margin."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.language.dims import ZERO, Dim
from shapesolve.language.formulas import at_least, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.effects import PURE
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, rule
from shapesolve.walking.values import Element, Tensor

from .operand_lists import integer_of, mixed, segment
from .row_major import places, position, small_extents
from .tensor import over_positions


@rule("tensor.concat", example="tests/cases/tensor/concat.mlir", effects=PURE)
def concat(op: Operation, see: RuleContext) -> Meaning:
    """Tensors one after the other along one dimension.

    (C1) The operands have equal extents in every other dimension.
    (R1) The extent along that dimension is the sum, the others are those of the first operand. Where no operand's type
    states an extent that another leaves open, this holds whatever the extents are.
    """
    along = integer_of(op, "dim")
    first, *others = op.operands
    extents = [see.dims(operand) for operand in op.operands]
    claims = tuple(
        Claim(
            "C1",
            equal(extent, reference),
            f"extent {number} of {operand.name} is not that of {first.name}",
            shown=((f"extent {number} of {first.name}", reference), (f"extent {number} of {operand.name}", extent)),
        )
        for operand, sizes in zip(others, extents[1:], strict=True)
        for number, (extent, reference) in enumerate(zip(sizes, extents[0], strict=True))
        if number != along
    )
    total = ZERO
    for sizes in extents:
        total = total + sizes[along]
    joined = (*extents[0][:along], total, *extents[0][along + 1 :])
    elements = _joined([see.elements(operand) for operand in op.operands], extents, joined, along)
    return Meaning((Tensor(RankedShape.of(joined), elements),), claims=claims, bears=_bearers(op, see, along))


def _bearers(op: Operation, see: RuleContext, along: int) -> tuple[Value, ...] | None:
    """The operands, where the first one gives all other extents: a type that states one would give it instead."""
    stated = [see.declared_dims(value) for value in (*op.operands, *op.results)]
    others = [tuple(extent for number, extent in enumerate(each) if number != along) for each in stated]
    return op.operands if all(each == others[0] for each in others) else None


def _joined(
    parts: Sequence[tuple[Element, ...] | None], extents: Sequence[Sequence[Dim]], joined: Sequence[Dim], along: int
) -> tuple[Element, ...] | None:
    whole, pieces = small_extents(joined), [small_extents(sizes) for sizes in extents]
    found: dict[int, Element] = {}
    start = 0
    for elements, sizes in zip(parts, pieces, strict=True):
        if elements is None or sizes is None or whole is None:
            return None
        if any(
            size != extent for number, (size, extent) in enumerate(zip(sizes, whole, strict=True)) if number != along
        ):
            return None
        for element, index in zip(elements, places(sizes), strict=True):
            there = [each + start if number == along else each for number, each in enumerate(index)]
            found[position(whole, there)] = element
        start += sizes[along]
    return tuple(found[place] for place in sorted(found))


@rule("tensor.pad", example="tests/cases/tensor/pad.mlir", effects=PURE)
def pad(op: Operation, see: RuleContext) -> Meaning:
    """A tensor with elements added before and after it in every dimension.

    (C1) No padding is negative: every lowering upstream inserts the source into a result of the padded sizes, which is
    out of bounds where a padding is negative.
    (R1) Every extent is the padding before, the extent of the source and the padding after.
    (R2) The region computes the added elements from positions in the result.
    """
    source = op.operands[0]
    low = mixed(op, see, "static_low", segment(op, 1))
    high = mixed(op, see, "static_high", segment(op, 2))
    claims = tuple(
        Claim(
            "C1", at_least(size, 0), f"the padding {where} dimension {number} is negative", shown=(("padding", size),)
        )
        for where, sizes in (("before", low), ("after", high))
        for number, size in enumerate(sizes)
    )
    extents = tuple(a + extent + b for a, extent, b in zip(low, see.dims(source), high, strict=True))
    run = over_positions(op, see, extents, always=False)
    return Meaning((Tensor(RankedShape.of(extents)),), claims=claims, regions=(run,), bears=(source,))
