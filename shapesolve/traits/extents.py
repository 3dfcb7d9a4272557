"""What a type says of a shape: every extent is `?` or a number, and both may be symbols.

With numbers, everything built from these is plain computation: the formulas are `TRUE` or `FALSE`. With symbols, the
same code says for which types something holds, and a solver can decide it for all of them at once.
"""

from __future__ import annotations

from shapesolve.language.dims import ONE, ZERO, Dim, DimLike, dim, variable
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import FALSE, TRUE, Formula, either, equal, equivalent, negation
from shapesolve.reading.program import ShapedType, Type
from shapesolve.records import value_record


@value_record
class TypeExtent:
    """One extent of a type: `?` where ``dynamic`` holds, else ``size``, which means nothing where it is `?`."""

    dynamic: Formula
    size: Dim

    @property
    def static(self) -> Formula:
        """That the extent is a number."""
        return negation(self.dynamic)

    def admits(self, size: DimLike) -> Formula:
        """That a run-time size conforms to the type."""
        return self.dynamic | equal(self.size, size)

    def says(self, size: DimLike) -> Formula:
        """That the extent is this number."""
        return self.static & equal(self.size, size)

    def same(self, other: TypeExtent) -> Formula:
        """That both are `?` or both are the same number."""
        return equivalent(self.dynamic, other.dynamic) & (self.dynamic | equal(self.size, other.size))

    def __str__(self) -> str:
        if self.dynamic is TRUE:
            return "?"
        return str(self.size) if self.dynamic is FALSE else f"({self.size} unless {self.dynamic})"


TypeShape = tuple[TypeExtent, ...] | None
"""The extents of a ranked type; None is a type of unknown rank."""

DYNAMIC = TypeExtent(TRUE, ZERO)
STATIC_ONE = TypeExtent(FALSE, ONE)


def static(size: DimLike) -> TypeExtent:
    """An extent that the type says."""
    return TypeExtent(FALSE, dim(size))


def any_extent(name: str, least: int = 0) -> TypeExtent:
    """A symbol for any extent: `?`, or any number of at least ``least``."""
    return TypeExtent(equal(variable(f"{name}.dynamic", 0, 1), 1), variable(name, least))


def pick(condition: Formula, then: TypeExtent, otherwise: TypeExtent) -> TypeExtent:
    """One extent where a formula holds, else the other."""
    dynamic = either(condition, then.dynamic, otherwise.dynamic)
    if dynamic is TRUE:
        return DYNAMIC
    if then.dynamic is TRUE or otherwise.dynamic is TRUE:  # the size of a `?` means nothing: keep the other's
        return TypeExtent(dynamic, otherwise.size if then.dynamic is TRUE else then.size)
    return TypeExtent(dynamic, choose(condition, then.size, otherwise.size))


def shape_of_type(type: Type) -> TypeShape:
    """What a tensor or vector type says; a type without a shape counts as one of unknown rank."""
    if not isinstance(type, ShapedType) or type.extents is None:
        return None
    return tuple(DYNAMIC if extent is None else static(extent) for extent in type.extents)


def shape_of_text(text: str) -> TypeShape:
    """``2x?``, ``()`` or ``*``, as MLIR writes a shape without its element type. Raises ValueError for other text."""
    if text == "*":
        return None
    if text in ("()", ""):
        return ()
    return tuple(DYNAMIC if part == "?" else static(int(part)) for part in text.split("x"))


def shape_text(shape: TypeShape) -> str:
    """``2x?``, ``()`` or ``*``."""
    if shape is None:
        return "*"
    return "x".join(map(str, shape)) if shape else "()"
