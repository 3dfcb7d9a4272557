"""Values that a loop yields in each iteration, whose shapes must be the same in all of them."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.domain.fresh_variables import variables_of
from shapesolve.domain.values import Abstract, Tensor
from shapesolve.interpreter.loops.invariants import Names
from shapesolve.semantics.op_semantics import Claim
from shapesolve.semantics.regions import ForLoop, UnrolledLoop
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import FALSE, TRUE
from shapesolve.symbolic.formulas import conjunction, equal
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Kind

Values = tuple[Abstract, ...]


def split_yields(run: ForLoop | UnrolledLoop, yielded: Values) -> tuple[Values, Values] | None:
    """Return the carried values and the collected ones that an iteration yields, None if it yields too few."""
    end = len(yielded) - (0 if run.shapes is None else run.shapes.collected)
    begin = end - len(run.carries)
    return None if begin < 0 else (yielded[begin:end], yielded[end:])


def keep_shapes(run: ForLoop | UnrolledLoop, given: Sequence[Abstract], closing: Values) -> Values:
    """Return the carried values for the next iteration, with the shapes that they are required to keep.

    The first iteration that breaks the requirement begins with the shapes of the initial values, so that these may be
    assumed wherever an iteration begins.
    """
    if run.shapes is None or not run.shapes.keeps_carried:
        return closing
    return tuple(_with_shape(a, b) for a, b in zip(given, closing, strict=True))


def _with_shape(given: Abstract, closing: Abstract) -> Abstract:
    if isinstance(given, Tensor) and isinstance(closing, Tensor) and closing.shape is not given.shape:
        return Tensor(given.shape)
    return closing


def is_known_outside(value: Abstract, inside: Names) -> bool:
    """Return whether the shape of a tensor is free of names that mean nothing outside of one iteration."""
    shape = value.shape if isinstance(value, Tensor) else value
    return inside.isdisjoint(each.name for each in variables_of(shape))


def shape_claim(run: ForLoop | UnrolledLoop, before: Abstract, now: Abstract) -> Claim | None:
    """Return the claim that a value has the shape of another one, None if a shape is not known."""
    if run.shapes is None or not isinstance(before, Tensor) or not isinstance(now, Tensor):
        return None
    a, b = before.shape, now.shape
    if not isinstance(a, RankedShape) or not isinstance(b, RankedShape):
        return None
    same = FALSE
    if len(a.dims) == len(b.dims):
        same = conjunction(equal(x, y) for x, y in zip(a.dims, b.dims, strict=True))
    shown: list[tuple[str, Dim]] = []
    for name, shape in (("before", a), ("now", b)):
        shown += [(f"extent {at} {name}", extent) for at, extent in enumerate(shape.dims)] if same is not TRUE else []
    message = "an iteration yields another shape than the ones before"
    return Claim(run.shapes.clause, same, message, Kind.CHECK, tuple(shown), may_be_dropped=True)
