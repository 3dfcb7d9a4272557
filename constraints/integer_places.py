"""Integers in a tensor that are to be places.

What is demanded of the integers is exact where they are known; else it is demanded of one that stands for all of them,
which nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import FALSE, TRUE, Formula, conjunction, disjunction, equal
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import ScalarType, ShapedType, Value
from shapesolve.records import record
from shapesolve.walking.reasons import Reason
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim
from shapesolve.walking.unknowns import ELEMENT
from shapesolve.walking.values import Tensor

from .extent_tensors import product

Shown = tuple[tuple[str, Dim], ...]
Demand = Callable[[Formula, Shown], Claim]
"""The claim of a formula, shown with more than the rule itself knows."""


@record
class Places:
    """The claim that integers are places of a dimension, and what is known of them and what is not."""

    claim: Claim
    reasons: tuple[Reason, ...] = ()
    free: frozenset[Variable] = frozenset()
    known: tuple[tuple[Formula, str], ...] = ()


def places(
    see: RuleContext,
    of: Value,
    held: Tensor,
    inside: Callable[[Dim], Formula],
    demand: Demand,
    *,
    name: str = "",
    unless: Formula = FALSE,
    between_them_too: bool = True,
) -> Places:
    """Every integer of a tensor is ``inside``, or there is none, or ``unless`` holds.

    The tensor is ``of`` this value, or in it, and then is called by the ``name``. ``between_them_too``: where two
    numbers are ``inside``, so are all between them, and the least and the greatest element speak for all.
    """
    name = name or of.name
    if held.elements is not None:
        numbers = [each for each in held.elements if isinstance(each, Dim)]
        if len(numbers) == len(held.elements):
            return Places(demand(disjunction((unless, conjunction(map(inside, numbers)))), ()))
    if not isinstance(held.shape, RankedShape):
        raise CannotSee(f"the shape of {name} is not known")
    nothing = equal(product(held.shape.dims), 0)
    bounds = held.between
    if between_them_too and bounds is not None and bounds.step and bounds.where is TRUE:
        # Both ends are elements, and what holds of these holds between them.
        ends = conjunction((inside(bounds.low), inside(bounds.high)))
        shown = (("the least element", bounds.low), ("the greatest element", bounds.high))
        return Places(demand(disjunction((nothing, unless, ends)), shown))
    element = see.fresh(f"{name}{ELEMENT}", *_range(of))
    claim = demand(disjunction((nothing, unless, inside(element))), (("the element", element),))
    if claim.formula is TRUE:
        return Places(claim)
    why = f"all elements of {name} lie between these"
    known = () if bounds is None else ((disjunction((nothing, bounds.holds_of(element))), why),)
    return Places(claim, (see.why_unknown(of, name),), element.variables, known)


def _range(of: Value) -> tuple[int, int]:
    """What the integers of a value may be by its type."""
    element = of.type.element if isinstance(of.type, ShapedType) else None
    width = element.width if isinstance(element, ScalarType) and element.text.startswith(("i", "si")) else 64
    return -(2 ** (width - 1)), 2 ** (width - 1) - 1
