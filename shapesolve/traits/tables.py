"""Dimension inference as tables: what the pages print, and what MLIR's code does."""

from __future__ import annotations

from enum import Enum

from shapesolve.language.formulas import FALSE, TRUE, Formula, at_least, conjunction, disjunction, either, equal
from shapesolve.records import value_record
from shapesolve.traits.extents import DYNAMIC, TypeExtent, pick


class Category(Enum):
    """A kind of extent; the value is how the pages print it."""

    DYNAMIC = "?"
    ONE = "1"
    MORE = ">1"
    STATIC = "static"
    ANY = "any"

    def holds(self, extent: TypeExtent) -> Formula:
        """That an extent is of this kind."""
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
    """Which extent a row infers."""

    FIRST = "dim0"
    SECOND = "dim1"
    DYNAMIC = "?"

    def of(self, first: TypeExtent, second: TypeExtent) -> TypeExtent:
        """The extent itself."""
        match self:
            case Result.FIRST:
                return first
            case Result.SECOND:
                return second
            case Result.DYNAMIC:
                return DYNAMIC


@value_record
class Row:
    """For two extents of these kinds; an error where ``equal_sizes`` is asked for and they are not."""

    first: Category
    second: Category
    result: Result
    equal_sizes: bool = False


@value_record
class InferenceTable:
    """Rows, of which the first that matches counts. An ``unordered`` table is one for pairs in any order."""

    name: str
    rows: tuple[Row, ...]
    unordered: bool = False


@value_record
class InferredExtent:
    """What a table says of two extents.

    ``covered``: some row is about them. ``fits``: that row reports no error. ``extent`` means nothing without both.
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
"""What MLIR's code computes, the same in versions 16 to 24; of 0 and `?` it makes `?`."""

LITERAL = InferenceTable(
    "equal or 1, `?` being a size like any other",
    (Row(_1, _A, Result.SECOND), Row(_A, _1, Result.FIRST), Row(_D, _D, Result.FIRST), Row(_S, _S, Result.FIRST, True)),
)
"""How MLIR 16 infers the type of ``tosa.equal`` once more; two extents without a row make it crash."""


def infer_dim(first: TypeExtent, second: TypeExtent, table: InferenceTable) -> InferredExtent:
    """The extent that a table infers from two."""
    extent, covered, fits = DYNAMIC, FALSE, TRUE
    for row in reversed(table.rows):
        for a, b in ((second, first), (first, second)) if table.unordered else ((first, second),):
            matches = conjunction((row.first.holds(a), row.second.holds(b)))
            extent = pick(matches, row.result.of(a, b), extent)
            fits = either(matches, equal(a.size, b.size) if row.equal_sizes else TRUE, fits)
            covered = disjunction((matches, covered))
    return InferredExtent(extent, covered, fits)
