"""Letting go of what a loop changes."""

from __future__ import annotations

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import ShapedType, Value
from shapesolve.walking.unknowns import Unknowns, variables_of
from shapesolve.walking.values import Abstract, Tensor


def loosen(
    argument: Value, a: Abstract, b: Abstract | None, unknowns: Unknowns
) -> tuple[Abstract, frozenset[Variable]]:
    """A value that covers both: extents in which they agree are kept, the others are fresh, and named second.

    Without ``b``: the fresh variables of ``a`` (those that only a loosening made) are made anew, for the value after
    the loop.
    """
    if isinstance(a, Tensor) and isinstance(argument.type, ShapedType):
        return _loosen_tensor(argument, argument.type, a, b, unknowns)
    loose = unknowns.of_type(argument.type, argument.name, contents=False)
    return loose, variables_of(loose)


def _loosen_tensor(
    argument: Value, type: ShapedType, a: Tensor, b: Abstract | None, unknowns: Unknowns
) -> tuple[Abstract, frozenset[Variable]]:
    other = b.shape if isinstance(b, Tensor) else None
    if not isinstance(a.shape, RankedShape) or (b is not None and not isinstance(other, RankedShape)):
        loose = unknowns.of_type(type, argument.name, contents=False)
        return loose, variables_of(loose)
    extents: list[Dim] = []
    free: set[Variable] = set()
    for index, extent in enumerate(a.shape.dims):
        if isinstance(other, RankedShape):
            kept = other.dims[index] is extent
        else:
            kept = not any(variable.name.startswith(f"{argument.name}[{index}]") for variable in extent.variables)
        if not kept:
            extent = unknowns.size(f"{argument.name}[{index}]")
            free |= extent.variables
        extents.append(extent)
    return Tensor(RankedShape.of(extents)), frozenset(free)
