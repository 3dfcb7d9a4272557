"""What the body of a structured operation reads of its inputs, at a position that stands for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from itertools import combinations

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import ZERO, Dim, dim
from shapesolve.language.formulas import TRUE, Formula, at_least, conjunction, conjuncts, disjunction, negation
from shapesolve.reading.program import AffineMap, ScalarType, ShapedType, Value
from shapesolve.records import record
from shapesolve.walking.reasons import Reason
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.unknowns import ELEMENT, variables_of
from shapesolve.walking.values import Abstract, Between, Float, Tensor

from .float_elements import is_float
from .integers import as_truth


@record
class Read:
    """One element, of which the ``condition`` holds.

    ``bounds`` are those of what it is made of; ``free`` is what of it nobody knows, for the ``reason``. It ``varies``
    where it is each of several known numbers at some position.
    """

    value: Abstract
    condition: Formula = TRUE
    bounds: Mapping[Variable, Between] = field(default_factory=dict[Variable, Between])
    free: frozenset[Variable] = frozenset()
    reason: Reason = ""
    varies: bool = False


def readings(
    see: RuleContext,
    operands: Sequence[Value],
    maps: Sequence[AffineMap],
    arguments: Sequence[Value],
    runs: Formula,
    asked: AbstractSet[int],
) -> list[Read]:
    """What stands for each argument of a body. ``asked`` are the loops whose number the body asks for."""
    bounded = [_bounds_of(see, operand, argument, runs) for operand, argument in zip(operands, arguments, strict=True)]
    ways = [None if each is None or not each.step else _loops(map) for each, map in zip(bounded, maps, strict=True)]
    alone = _independent(ways, asked)
    return [
        _any_of(see, operand, between)
        if between is not None and number in alone
        else reading(see, operand, argument, between)
        for number, (operand, argument, between) in enumerate(zip(operands, arguments, bounded, strict=True))
    ]


def _is_truth(type: object) -> bool:
    return isinstance(type, ScalarType) and type.is_boolean


def reading(see: RuleContext, operand: Value, argument: Value, between: Between | None = None) -> Read:
    """An element of which nothing is known but what is the same at every position, and its bounds."""
    known = _element(see, operand)
    if known is not None:
        return Read(known)
    return unknown(see, operand, argument, between)


def unknown(see: RuleContext, operand: Value, argument: Value, between: Between | None = None) -> Read:
    """An element of which nothing is known but its bounds."""
    value = see.unknowns.of_type(argument.type, f"{operand.name}{ELEMENT}", contents=True)
    if between is not None and is_float(argument):
        return _float_of(see, operand, between)
    free = variables_of(value)
    if not argument.uses or not free:
        return Read(value)
    if between is not None and isinstance(value, Formula):
        value = _as_all_are(value, between)
        free &= variables_of(value)
        if not free:
            return Read(value)
    if between is None or not isinstance(value, Dim):
        return Read(value, free=free, reason=see.why_unknown(argument, operand.name))
    return Read(value, between.holds_of(value), dict.fromkeys(free, between.loosely), free, _only_bounds(operand))


def _as_all_are(truth: Formula, between: Between) -> Formula:
    """An unknown truth value that is the one of all elements, where they have one and as far as that is known."""
    if between.low is not between.high:
        return truth
    unless = negation(between.where)
    return conjunction((truth, unless)) if between.low is ZERO else disjunction((truth, unless))


def _float_of(see: RuleContext, operand: Value, between: Between) -> Read:
    """A float of which nothing is known but what its numerator lies between."""
    numerator = see.fresh(f"{operand.name}{ELEMENT}", None, None)
    value, free = Float(numerator, dim(between.denominator)).where(between.where), numerator.variables
    bounds = dict.fromkeys(free, between.loosely)
    return Read(value, between.holds_of(numerator), bounds, free, _only_bounds(operand))


def _only_bounds(operand: Value) -> str:
    return f"of what {operand.name} holds only the bounds are known"


def _bounds_of(see: RuleContext, operand: Value, argument: Value, runs: Formula) -> Between | None:
    """What bounds the elements of an operand that are read; with a step only where all of that is known to hold."""
    if not argument.uses or not isinstance(operand.type, ShapedType):
        return None
    between = between_of(see, operand)
    if between is None or _element(see, operand) is not None:
        return None
    if is_float(operand):
        return between.loosely
    both_known = between.low.is_constant and between.high.is_constant
    holds = set(conjuncts(between.where)) <= set(conjuncts(runs))
    if _is_truth(operand.type.element):
        return replace(between, where=TRUE) if holds else between
    return between if holds and (both_known or between.step == 1) else between.loosely


def _loops(map: AffineMap) -> frozenset[int] | None:
    """The loops that an access goes by, where each element is read at some position."""
    loops = {each.value for each in map.results if each.kind == "dim"}
    return frozenset(loops) if len(loops) == len(map.results) else None


def _independent(ways: Sequence[frozenset[int] | None], asked: AbstractSet[int]) -> set[int]:
    """Which of these accesses go by loops that no other one goes by, nor the body asks for."""
    alone = {number for number, loops in enumerate(ways) if loops is not None and not loops & asked}
    clashing = {
        number
        for pair in combinations(sorted(alone), 2)
        if (ways[pair[0]] or frozenset()) & (ways[pair[1]] or frozenset())
        for number in pair
    }
    return alone - clashing


def _any_of(see: RuleContext, operand: Value, between: Between) -> Read:
    """An element that is each of some integers at some position, whatever else is read there."""
    low, high = between.low, between.high
    if low.is_constant and between.step == 1:
        upper = high.constant if high.is_constant else high.bounds()[1]
        value = see.fresh(f"{operand.name}{ELEMENT}", low.constant, upper)
        known = Between(low, high, step=1)
        return Read(value, at_least(high, value), dict.fromkeys(value.variables, known), varies=True)
    last = (high - low) if between.step == 1 else dim((high - low).constant // between.step)
    place = see.fresh(f"{operand.name}.place")
    known = Between(ZERO, last, step=1)
    value = low + place * between.step
    return Read(value, at_least(last, place), dict.fromkeys(place.variables, known), varies=True)


def between_of(see: RuleContext, operand: Value) -> Between | None:
    """What the elements of an operand lie between."""
    found = see.value(operand)
    return found.between if isinstance(found, Tensor) else None


def _element(see: RuleContext, operand: Value) -> Abstract | None:
    """What the body reads of an input, where that is the same at every position."""
    if not isinstance(operand.type, ShapedType):
        return see.value(operand)
    elements, between = see.elements(operand), between_of(see, operand)
    if elements and all(element is elements[0] for element in elements):
        return elements[0]
    if between is None or between.only is None:
        return None
    if is_float(operand):
        return Float(between.only, dim(between.denominator))
    return as_truth(between.only) if _is_truth(operand.type.element) else between.only
