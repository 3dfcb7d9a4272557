"""Expanding and collapsing dimensions: what tensors and memrefs have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.dims import ONE, Dim
from shapesolve.language.formulas import at_least, equal
from shapesolve.reading.program import Operation, Value
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim

from .operand_lists import mixed


def groups(op: Operation) -> tuple[tuple[int, ...], ...]:
    """For each dimension of the lower rank, the dimensions of the higher rank that it stands for."""
    listed = op.attributes.get("reassociation", ())
    if not isinstance(listed, tuple):
        raise CannotSee("its reassociation is not a list")
    return tuple(tuple(i for i in group if isinstance(i, int)) if isinstance(group, tuple) else () for group in listed)


def product(sizes: Iterable[Dim]) -> Dim:
    """The product; 1 of nothing."""
    total = ONE
    for size in sizes:
        total = total * size
    return total


def collapsed(op: Operation, extents: Sequence[Dim]) -> tuple[Dim, ...]:
    """The extents after collapsing."""
    return tuple(product(extents[dimension] for dimension in group) for group in groups(op))


def expanded(op: Operation, see: RuleContext, source: Value) -> tuple[tuple[Dim, ...], tuple[Claim, ...]]:
    """The extents after expanding, with clauses C1 (sizes are not negative) and C2 (products stay)."""
    extents = mixed(op, see, "static_output_shape", op.operands[1:])
    claims = [
        Claim(
            "C1", at_least(extent, 0), f"extent {number} of the output shape is negative", shown=(("extent", extent),)
        )
        for number, extent in enumerate(extents)
        if not extent.is_constant or extent.constant < 0
    ]
    for number, (group, extent) in enumerate(zip(groups(op), see.dims(source), strict=True)):
        factors = tuple((f"extent {dimension} of the output shape", extents[dimension]) for dimension in group)
        claims.append(
            Claim(
                "C2",
                equal(product(extents[dimension] for dimension in group), extent),
                f"the extents that dimension {number} is expanded to do not multiply to its size",
                shown=((f"extent {number} of {source.name}", extent), *factors),
            )
        )
    return extents, tuple(claims)
