"""What the unknowns of a function's arguments are at a call of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.shapes import RankedShape
from shapesolve.walking.values import Abstract, Tensor


def given_at(unknown: Sequence[Abstract], given: Sequence[Abstract]) -> dict[Variable, Dim]:
    """The sizes and numbers that stand for each unknown, as far as both are followed."""
    found: dict[Variable, Dim] = {}
    for ours, theirs in zip(unknown, given, strict=True):
        for a, b in _pairs(ours, theirs):
            atom = a.atom
            if isinstance(atom, Variable):
                found.setdefault(atom, b)
    return found


def _pairs(a: Abstract, b: Abstract) -> Iterable[tuple[Dim, Dim]]:
    if isinstance(a, Dim) and isinstance(b, Dim):
        yield a, b
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return
    if isinstance(a.shape, RankedShape) and isinstance(b.shape, RankedShape):
        yield from zip(a.shape.dims, b.shape.dims, strict=False)
    for x, y in zip(a.elements or (), b.elements or (), strict=False):
        if isinstance(x, Dim) and isinstance(y, Dim):
            yield x, y
