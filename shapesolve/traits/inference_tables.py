"""Type extents, and dimension inference as tables.

Every extent of a type is `?` or a number, and both may be symbols. With numbers, everything built from these is plain
computation: the formulas are `TRUE` or `FALSE`. With symbols, the same code gives the condition on the types, and a
solver can decide it for all of them at once. The tables are those of the pages, and that of MLIR's code.
"""

from __future__ import annotations

from enum import Enum

from shapesolve.ir.program import ShapedType, Type
from shapesolve.records import value_record
from shapesolve.symbolic.dims import ONE, ZERO, Dim, DimLike, dim, variable
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, either, equal, equivalent, negation
from shapesolve.symbolic.normal_forms import choose


@value_record
class TypeExtent:
    """One extent of a type: `?` where ``dynamic`` holds, else ``size``, which is meaningless for `?`."""

    dynamic: Formula
    size: Dim

    @property
    def static(self) -> Formula:
        """The formula that the extent is a number."""
        return negation(self.dynamic)

    def admits(self, size: DimLike) -> Formula:
        """Return the formula that a run-time size conforms to the type."""
        return self.dynamic | equal(self.size, size)

    def says(self, size: DimLike) -> Formula:
        """Return the formula that the extent is this number."""
        return self.static & equal(self.size, size)

    def same(self, other: TypeExtent) -> Formula:
        """Return the formula that both are `?` or both are the same number."""
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
    """Return a static extent."""
    return TypeExtent(FALSE, dim(size))


def any_extent(name: str, least: int = 0) -> TypeExtent:
    """Return a symbolic extent: `?`, or any number of at least ``least``."""
    return TypeExtent(equal(variable(f"{name}.dynamic", 0, 1), 1), variable(name, least))


def pick(condition: Formula, then: TypeExtent, otherwise: TypeExtent) -> TypeExtent:
    """Return one extent where a formula holds, else the other."""
    dynamic = either(condition, then.dynamic, otherwise.dynamic)
    if dynamic is TRUE:
        return DYNAMIC
    if then.dynamic is TRUE or otherwise.dynamic is TRUE:  # the size of a `?` means nothing: keep the other's
        return TypeExtent(dynamic, otherwise.size if then.dynamic is TRUE else then.size)
    return TypeExtent(dynamic, choose(condition, then.size, otherwise.size))


def shape_of_type(type: Type) -> TypeShape:
    """Return the extents of a tensor or vector type; None if its rank is unknown or it has no shape."""
    if not isinstance(type, ShapedType) or type.extents is None:
        return None
    return tuple(DYNAMIC if extent is None else static(extent) for extent in type.extents)


def shape_of_text(text: str) -> TypeShape:
    """Parse ``2x?``, ``()`` or ``*``, as MLIR writes a shape without its element type.

    Raises:
        ValueError: The text is no shape.
    """
    if text == "*":
        return None
    if text in ("()", ""):
        return ()
    return tuple(DYNAMIC if part == "?" else static(int(part)) for part in text.split("x"))


def shape_text(shape: TypeShape) -> str:
    """Return a shape as ``2x?``, ``()`` or ``*``."""
    if shape is None:
        return "*"
    return "x".join(map(str, shape)) if shape else "()"


class Category(Enum):
    """A kind of extent; the value is how the pages print it."""

    DYNAMIC = "?"
    ONE = "1"
    MORE = ">1"
    STATIC = "static"
    ANY = "any"

    def holds(self, extent: TypeExtent) -> Formula:
        """Return the formula that an extent is of this kind."""
        match self:
            case Category.DYNAMIC:
                return extent.dynamic
            case Category.ONE:
                return extent.static & equal(extent.size, 1)
            case Category.MORE:
                return extent.static & at_least(extent.size, 2)
            case Category.STATIC:
                return extent.static
            case Category.ANY:
                return TRUE


class Result(Enum):
    """The extent that a row infers."""

    FIRST = "dim0"
    SECOND = "dim1"
    DYNAMIC = "?"

    def of(self, first: TypeExtent, second: TypeExtent) -> TypeExtent:
        """Return the inferred extent."""
        match self:
            case Result.FIRST:
                return first
            case Result.SECOND:
                return second
            case Result.DYNAMIC:
                return DYNAMIC


@value_record
class Row:
    """One row of a table, for two extents of these kinds; an error if ``equal_sizes`` is required and they differ."""

    first: Category
    second: Category
    result: Result
    equal_sizes: bool = False


@value_record
class InferenceTable:
    """Rows, of which the first that matches counts. An ``unordered`` table matches pairs in any order."""

    name: str
    rows: tuple[Row, ...]
    unordered: bool = False


@value_record
class InferredExtent:
    """Result of a table for two extents.

    Attributes:
        covered: The formula that some row matches.
        fits: The formula that this row reports no error.
        extent: The inferred extent, meaningless unless both hold.
    """

    extent: TypeExtent
    covered: Formula
    fits: Formula


_D, _1, _M, _S, _A = Category.DYNAMIC, Category.ONE, Category.MORE, Category.STATIC, Category.ANY

PAGE_TABLE = InferenceTable(
    "the table of the page",
    (
        Row(_D, _D, Result.DYNAMIC),
        Row(_D, _1, Result.DYNAMIC),
        Row(_D, _M, Result.SECOND),
        Row(_1, _1, Result.FIRST),
        Row(_1, _M, Result.SECOND),
        Row(_M, _M, Result.FIRST, equal_sizes=True),
    ),
    unordered=True,
)
"""The six rows that both pages print; its kinds of extents leave 0 out."""

PAGE_CODE = InferenceTable(
    "the pseudo-code of the page",
    (
        Row(_D, _D, Result.FIRST),
        Row(_D, _1, Result.FIRST),
        Row(_1, _1, Result.FIRST),
        Row(_M, _D, Result.FIRST),
        Row(_M, _1, Result.FIRST),
        Row(_D, _M, Result.SECOND),
        Row(_1, _D, Result.SECOND),
        Row(_1, _M, Result.SECOND),
        Row(_M, _M, Result.FIRST, equal_sizes=True),
    ),
)
"""InferDim as both pages write it, case by case."""

UPSTREAM = InferenceTable(
    "MLIR's getBroadcastedShape",
    (
        Row(_M, _D, Result.FIRST),
        Row(_D, _M, Result.SECOND),
        Row(_1, _D, Result.SECOND),
        Row(_D, _1, Result.FIRST),
        Row(_D, _A, Result.DYNAMIC),
        Row(_A, _D, Result.DYNAMIC),
        Row(_S, _1, Result.FIRST),
        Row(_1, _S, Result.SECOND),
        Row(_S, _S, Result.FIRST, equal_sizes=True),
    ),
)
"""Result types computed by MLIR 16 to 24 (all the same): 0 and `?` give `?`."""

LITERAL = InferenceTable(
    "equal or 1, `?` being a size like any other",
    (Row(_1, _A, Result.SECOND), Row(_A, _1, Result.FIRST), Row(_D, _D, Result.FIRST), Row(_S, _S, Result.FIRST, True)),
)
"""Second inference of the type of ``tosa.equal`` in MLIR 16, which crashes for two extents without a row."""


def infer_dim(first: TypeExtent, second: TypeExtent, table: InferenceTable) -> InferredExtent:
    """Return the extent that a table infers from two."""
    extent, covered, fits = DYNAMIC, FALSE, TRUE
    for row in reversed(table.rows):
        for a, b in ((second, first), (first, second)) if table.unordered else ((first, second),):
            matches = conjunction((row.first.holds(a), row.second.holds(b)))
            extent = pick(matches, row.result.of(a, b), extent)
            fits = either(matches, equal(a.size, b.size) if row.equal_sizes else TRUE, fits)
            covered = disjunction((matches, covered))
    return InferredExtent(extent, covered, fits)
