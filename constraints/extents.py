"""Sizes, ranks and casts: what tensors and memrefs have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import TRUE, at_least, conjunction, equal, less_than, truth
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.rulebook import Claim, Meaning


def not_negative(sizes: Iterable[Dim], clause: str = "C1") -> tuple[Claim, ...]:
    """A claim for each size that is computed."""
    return tuple(
        Claim(clause, at_least(size, 0), "a size is negative", shown=(("size", size),))
        for size in sizes
        if not size.is_constant or size.constant < 0
    )


def extent_of(op: Operation, see: RuleContext) -> Meaning:
    """The meaning of ``dim``, with clause C1."""
    shape = see.shape(op.operands[0])
    index = see.integer(op.operands[1])
    name = op.operands[0].name
    inside = conjunction((at_least(index, 0), less_than(index, shape.rank)))
    shown = (("index", index), (f"rank of {name}", shape.rank))
    claim = Claim("C1", inside, f"{name} has no dimension of that number", shown=shown)
    stated = isinstance(shape, RankedShape) and index.is_constant  # then nothing but the type is asked
    return Meaning((shape.extent(index),), claims=(claim,), bears=() if stated and inside is TRUE else None)


def cast(shape: Shape, operand: Value, declared: Sequence[int | None] | None) -> tuple[Shape, tuple[Claim, ...]]:
    """A shape seen as another type, with clauses C1 (ranks) and C2 (extents)."""
    if declared is None:
        return shape, ()
    rank = len(declared)
    if isinstance(shape, RankedShape):
        message = f"{operand.name} is not of rank {rank}"
        claims = [Claim("C1", truth(len(shape.dims) == rank), message, of_type=True)]
        if len(shape.dims) != rank:
            return shape, tuple(claims)
        extents = shape.dims
    else:
        shown = ((f"rank of {operand.name}", shape.rank),)
        message = f"{operand.name} is not of rank {rank}"
        claims = [Claim("C1", equal(shape.rank, rank), message, shown=shown, of_type=True)]
        extents = tuple(shape.column(rank - 1 - number) for number in range(rank))
    kept: list[Dim | int] = []
    for number, (extent, wanted) in enumerate(zip(extents, declared, strict=True)):
        if wanted is None:
            kept.append(extent)
            continue
        shown = ((f"extent {number} of {operand.name}", extent),)
        message = f"the cast assumes extent {number} to be {wanted}"
        claims.append(Claim("C2", equal(extent, wanted), message, shown=shown, of_type=True))
        kept.append(wanted)
    return RankedShape.of(kept), tuple(claims)


def borne_by_cast(shape: Shape, operand: Value, declared: Sequence[int | None] | None) -> tuple[Value, ...] | None:
    """What bears the extents of a cast: its operand, unless its rank is only believed."""
    return (operand,) if declared is None or isinstance(shape, RankedShape) else None


def within(indices: Sequence[Dim], extents: Sequence[Dim], whole: str, clause: str = "C1") -> tuple[Claim, ...]:
    """The clause for each index: at least 0 and below the extent."""
    return tuple(
        inside(number, index, extent, whole, clause)
        for number, (index, extent) in enumerate(zip(indices, extents, strict=True))
    )


def inside(number: int, index: Dim, extent: Dim, whole: str, clause: str = "C1") -> Claim:
    """The clause for the index in the dimension of that number."""
    return Claim(
        clause,
        conjunction((at_least(index, 0), less_than(index, extent))),
        f"the index in dimension {number} is out of the bounds of {whole}",
        shown=((f"index in dimension {number}", index), (f"extent {number} of {whole}", extent)),
    )
