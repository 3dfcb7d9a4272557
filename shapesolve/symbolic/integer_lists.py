"""Lists of integers of unknown length: the contents of a rank-1 tensor, each element a size or -1 minus a size."""

from __future__ import annotations

from shapesolve.records import record
from shapesolve.symbolic.dims import ZERO, Dim, DimLike, dim
from shapesolve.symbolic.formulas import equal, less_than
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.shape_kinds import Shape


@record
class IntegerList:
    """A list of integers.

    Attributes:
        extents: The shape that the list spells if no element is negative; its rank is the length of the list.
        signs: If given, an element is -1 minus the extent of ``extents`` where the extent of ``signs`` is 0.
    """

    extents: Shape
    signs: Shape | None = None

    def from_the_right(self, position: Dim) -> Dim:
        """Return an element by its position counted from the last."""
        extent = self.extents.column(position)
        if self.signs is None:
            return extent
        return choose(equal(self.signs.column(position), 0), dim(-1) - extent, extent)

    def element(self, index: DimLike) -> Dim:
        """Return an element by its index; a negative one counts from the last."""
        position = dim(index) if isinstance(index, int) else index
        counted = self.extents.rank - 1 - position
        if position.is_constant:
            return self.from_the_right(counted if position.constant >= 0 else dim(-1) - position)
        return self.from_the_right(choose(less_than(position, ZERO), dim(-1) - position, counted))
