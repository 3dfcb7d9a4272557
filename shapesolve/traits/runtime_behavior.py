"""Runtime behavior of operations with the trait: defined for all sizes, for some, or for none."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from shapesolve.reasons import NO_INPUT
from shapesolve.records import value_record
from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable
from shapesolve.symbolic.dims import ONE, Dim, variable
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, equal, negation
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, unranked
from shapesolve.traits.inference_tables import TypeShape


class Kind(Enum):
    """For which sizes an operation is defined at run time."""

    ALWAYS = "always fine"
    SOMETIMES = "fine exactly when"
    NEVER = "undefined for every size"
    UNDECIDED = "undecided"


@value_record
class RuntimeBehavior:
    """Runtime behavior of an operation.

    Attributes:
        condition: The exact condition on the sizes under which it is defined.
        works, fails: The smallest sizes for which the condition holds and fails; None if there are none.
        reason: The reason why the kind is undecided.
    """

    kind: Kind
    condition: Formula
    works: Sizes | None = None
    fails: Sizes | None = None
    reason: str = ""


def runtime_shape(name: str, type: TypeShape) -> Shape:
    """Return the shape of a value of a type at run time: ``a[0]`` is the size of the first `?` of a value ``a``."""
    if type is None:
        return unranked(name)
    return RankedShape.of(
        variable(f"{name}[{index}]") if extent.dynamic is TRUE else extent.size for index, extent in enumerate(type)
    )


def defined_condition(shapes: Sequence[Shape], result: TypeShape, *, equal_ranks: bool = False) -> Formula:
    """Return the condition that shapes broadcast together, and to a shape that conforms to the result type.

    The extents of the result must be numbers or `?`. ``equal_ranks``: the operands must have one rank.
    """
    if equal_ranks and len(shapes) > 1:
        ranks = conjunction(equal(shapes[0].rank, other.rank) for other in shapes[1:])
        return conjunction((ranks, defined_condition(shapes, result)))
    ranked = [shape for shape in shapes if isinstance(shape, RankedShape)]
    if len(ranked) == len(shapes):
        return _ranked_defined_condition(ranked, result)
    demands = [broadcastable(*shapes)]
    if result is not None:
        whole = broadcast(*shapes)
        demands.append(equal(whole.rank, len(result)))
        for column, extent in enumerate(reversed(result)):
            if extent.dynamic is FALSE:
                demands.append(equal(whole.column(column), extent.size))
    return conjunction(demands)


def _ranked_defined_condition(shapes: Sequence[RankedShape], result: TypeShape) -> Formula:
    rank = max((len(shape.dims) for shape in shapes), default=0)
    if result is not None and rank != len(result):
        return FALSE
    columns = [[shape.column(rank - 1 - index) for shape in shapes] for index in range(rank)]
    if result is None:
        return conjunction(map(fits, columns))
    return conjunction(
        fits(sizes) if extent.dynamic is TRUE else fits_to(sizes, extent.size)
        for sizes, extent in zip(columns, result, strict=True)
    )


def fits(sizes: Sequence[Dim]) -> Formula:
    """Return the condition that sizes broadcast in one column, in readable form if some size is a number."""
    constant = next((size for size in sizes if size.is_constant and size is not ONE), None)
    if constant is None:
        return compatible(sizes)
    return conjunction(disjunction((equal(size, 1), equal(size, constant))) for size in sizes)


def fits_to(sizes: Sequence[Dim], goal: Dim) -> Formula:
    """Return the condition that sizes broadcast in one column, and to ``goal``."""
    if all(size is sizes[0] for size in sizes):
        return equal(sizes[0], goal)
    if goal is ONE:
        return conjunction(equal(size, 1) for size in sizes)
    each = conjunction(disjunction((equal(size, 1), equal(size, goal))) for size in sizes)
    return conjunction((disjunction(equal(size, goal) for size in sizes), each))


def runtime_behavior(
    shapes: Sequence[Shape], result: TypeShape, *, equal_ranks: bool = False, facts: Sequence[Formula] = ()
) -> RuntimeBehavior:
    """Return the runtime behavior of an operation on these shapes, decided for all sizes that satisfy the facts."""
    condition = defined_condition(shapes, result, equal_ranks=equal_ranks)
    holds = prove(condition, facts)
    if isinstance(holds, Unreachable):
        return RuntimeBehavior(Kind.UNDECIDED, condition, reason=NO_INPUT)
    if isinstance(holds, Proved):
        return RuntimeBehavior(Kind.ALWAYS, condition)
    fails = prove(negation(condition), facts)
    if isinstance(fails, Proved):
        return RuntimeBehavior(Kind.NEVER, condition)
    if isinstance(holds, Refuted) and isinstance(fails, Refuted):
        return RuntimeBehavior(Kind.SOMETIMES, condition, works=fails.sizes, fails=holds.sizes)
    reasons = [reason for verdict in (holds, fails) if (reason := getattr(verdict, "reason", ""))]
    return RuntimeBehavior(Kind.UNDECIDED, condition, reason="; ".join(reasons))
