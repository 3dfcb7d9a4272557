"""Demands that several rules make of shapes: equal shapes, equal element counts, contents that spell sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import TRUE, at_least, conjunction, equal
from shapesolve.language.shapes import RankedShape, Shape, same_extents
from shapesolve.reading.program import Value
from shapesolve.records import value_record
from shapesolve.walking.reasons import Reason
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning
from shapesolve.walking.values import Abstract

from .extent_tensors import product, shown_dims


def equal_shapes(
    see: RuleContext, values: Sequence[Value], clause: str = "C1", message: str = "the operands' shapes differ"
) -> tuple[Shape, tuple[Claim, ...]]:
    """The common shape of one or more values, and the claim that it is common."""
    shapes = [see.shape(value) for value in values]
    first, *others = shapes
    if not others:
        return first, ()
    formula = conjunction(same_extents(first, other) for other in others)
    shown = tuple(pair for value, shape in zip(values, shapes, strict=True) for pair in shown_dims(value, shape))
    return _best_known(shapes), (Claim(clause, formula, message, shown=shown),)


def _best_known(shapes: Sequence[Shape]) -> Shape:
    """Of shapes that are equal, one with a constant wherever any has one."""
    ranked = [shape for shape in shapes if isinstance(shape, RankedShape)]
    if not ranked:
        return shapes[0]
    if any(len(shape.dims) != len(ranked[0].dims) for shape in ranked):
        return ranked[0]
    columns = zip(*(shape.dims for shape in ranked), strict=True)
    return RankedShape.of(next((e for e in column if e.is_constant), column[0]) for column in columns)


def equal_extents(
    clause: str, message: str, first: tuple[Value, int, Dim], second: tuple[Value, int, Dim], factor: int = 1
) -> Claim:
    """One extent (value, dimension, size) is another one times a factor."""
    shown = tuple((f"extent {index} of {value.name}", extent) for value, index, extent in (first, second))
    return Claim(clause, equal(first[2], second[2] * factor), message, shown=shown)


def equal_counts(clause: str, operand: Value, before: Sequence[Dim], after: Sequence[Dim]) -> Claim:
    """Two lists of extents have the same number of elements."""
    shown = tuple((f"extent {index} of {operand.name}", extent) for index, extent in enumerate(before))
    shown += tuple((f"extent {index} of the result", extent) for index, extent in enumerate(after))
    return Claim(clause, equal(product(before), product(after)), "the number of elements changes", shown=shown)


def joined(operands: Sequence[Value], see: RuleContext, along: int) -> tuple[list[Dim], list[Claim]]:
    """The extents of tensors one behind the other, and clause C1: all other extents are equal."""
    every = [see.dims(operand) for operand in operands]
    if any(len(extents) != len(every[0]) for extents in every) or not 0 <= along < len(every[0]):
        raise CannotSee("the tensors do not have the dimension to join along")
    result = list(every[0])
    claims: list[Claim] = []
    for operand, extents in zip(operands[1:], every[1:], strict=True):
        for index, extent in enumerate(extents):
            if index == along:
                result[index] = result[index] + extent
                continue
            first, other = (operands[0], index, every[0][index]), (operand, index, extent)
            claim = equal_extents("C1", f"extent {index} differs between the parts", first, other)
            claims += [claim] if claim.formula is not TRUE else []
            if extent.is_constant:
                result[index] = extent
    return result, claims


@value_record
class Contents:
    """The integers that a small tensor holds; where they are not known, unknown ones and the reason."""

    values: tuple[Dim, ...]
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()


def contents(see: RuleContext, value: Value, count: int) -> Contents:
    """The integers of a one-dimensional tensor of a known length, so that claims about them can always be made.

    Raises CannotSee where the tensor is known to have another length, which MLIR's verifier does not always look at.
    """
    found = see.tensor(value)
    length = product(found.shape.dims) if isinstance(found.shape, RankedShape) else None
    if length is not None and length.is_constant and length.constant != count:
        raise CannotSee(f"{value.name} does not hold {count} numbers")
    if found.elements is not None and len(found.elements) == count:
        return Contents(see.integers(value))
    unknown = tuple(see.fresh(f"{value.name}[{index}]", None, None) for index in range(count))
    free = frozenset[Variable]().union(*(each.variables for each in unknown))
    return Contents(unknown, (f"the contents of {value.name} are not known",), free)


def having_read(held: Sequence[Contents], results: tuple[Abstract, ...], claims: tuple[Claim, ...] = ()) -> Meaning:
    """A meaning for which tensors were read, with what is not known of them."""
    reasons = tuple(reason for each in held for reason in each.reasons)
    free = frozenset[Variable]().union(*(each.free for each in held))
    return Meaning(results, claims=claims, approximations=reasons, free=free)


def not_negative(clause: str, sizes: Iterable[Dim], message: str) -> tuple[Claim, ...]:
    """The claim that sizes are not negative; none where they cannot be."""
    kept = tuple(sizes)
    formula = conjunction(at_least(size, 0) for size in kept)
    if formula is TRUE:
        return ()
    shown = tuple((f"size {index}", size) for index, size in enumerate(kept) if not size.is_constant)
    return (Claim(clause, formula, message, shown=shown),)
