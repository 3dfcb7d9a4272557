"""The trait in one column: the terms of theorems, made of the same functions that verify files."""

from __future__ import annotations

from shapesolve.records import value_record
from shapesolve.symbolic.dims import ONE, Dim, DimLike, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose
from shapesolve.symbolic.shape_kinds import UnrankedShape
from shapesolve.symbolic.shapes import unranked
from shapesolve.traits.inference_tables import InferenceTable, InferredExtent, TypeExtent, infer_dim
from shapesolve.traits.profiles import PROFILES, Rules
from shapesolve.traits.verifier import result_extent_requirements

PAGE_2023 = PROFILES["page-2023"].default
PAGE_TODAY = PROFILES["page-today"].default
MLIR_16 = PROFILES["mlir-16"].default
MLIR_22 = PROFILES["mlir-22"].default


def fold(table: InferenceTable, *extents: TypeExtent) -> InferredExtent:
    """Fold inference over a column from the left."""
    first, *others = extents
    covered: list[Formula] = []
    fits: list[Formula] = []
    for other in others:
        step = infer_dim(first, other, table)
        first = step.extent
        covered.append(step.covered)
        fits.append(step.fits)
    return InferredExtent(first, conjunction(covered), conjunction(fits))


def accepted(rules: Rules, *column: TypeExtent) -> Formula:
    """Return the formula that a column verifies; the last extent is that of the result."""
    *operands, result = column
    assert rules.table is not None
    inferred = fold(rules.table, *operands)
    demands = result_extent_requirements(inferred.extent, result, rules)
    return conjunction((inferred.covered, inferred.fits, *demands.values()))


def covered(table: InferenceTable, *operands: TypeExtent) -> Formula:
    """Return the formula that a table has a row for every pair it meets in a column."""
    return fold(table, *operands).covered


def runs(result: TypeExtent, *sizes: DimLike) -> Formula:
    """Return the formula that sizes broadcast, and to a size that the type of the result admits."""
    return compatible(sizes) & result.admits(broadcast_extent(*sizes))


def can_run(*operands: TypeExtent) -> Formula:
    """Return the formula that the types of a column admit a run without undefined behavior: no two numbers clash."""
    return conjunction(
        disjunction((a.dynamic, b.dynamic, equal(a.size, 1), equal(b.size, 1), equal(a.size, b.size)))
        for index, a in enumerate(operands)
        for b in operands[index + 1 :]
    )


def best_sizes(*operands: TypeExtent) -> tuple[Dim, ...]:
    """Return sizes for a column that broadcast wherever any do.

    Every `?` becomes a number beside it that is not 1, or 1.
    """
    common = ONE
    for extent in operands:
        common = choose(extent.dynamic | equal(extent.size, 1), common, extent.size)
    return tuple(choose(extent.dynamic, common, extent.size) for extent in operands)


def erased(extent: TypeExtent, name: str) -> TypeExtent:
    """Return the extent, or `?` in its place, as the symbol ``name`` (0 or 1) says."""
    return TypeExtent(extent.dynamic | equal(variable(name, 0, 1), 1), extent.size)


@value_record
class AnyType:
    """A type of any rank, and a run-time shape of that rank. An extent is `?` where the mask is 0."""

    stated: UnrankedShape
    mask: UnrankedShape
    shape: UnrankedShape

    @staticmethod
    def of(name: str) -> AnyType:
        """Return symbols for all three."""
        return AnyType(unranked(f"{name}.said"), unranked(f"{name}.mask"), unranked(name))

    @property
    def ranks_agree(self) -> Formula:
        return equal(self.stated.rank, self.shape.rank) & equal(self.mask.rank, self.shape.rank)

    def column(self, index: Dim) -> TypeExtent:
        """Return the extent of the type in a column from the right; a static 1 beyond the rank."""
        return TypeExtent(equal(self.mask.column(index), 0), self.stated.column(index))
