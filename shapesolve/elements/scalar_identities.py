"""Identities of scalar functions that hold for every float, NaN and both zeros included, and for integers that wrap."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from shapesolve.elements.scalar_functions import FLOATS, FunctionKey, shared_name
from shapesolve.elements.terms import Apply, Leaf, Term, are_same

_INTEGERS = {"i8", "i16", "i32", "i64"}
_INVOLUTIONS = {"arith.negf", "stablehlo.negate", "stablehlo.not"}
COMMUTATIVE = {f"stablehlo.{each}" for each in ("maximum", "minimum", "and", "or", "xor")}
_DIRECTION = re.compile(r"\b(GT|GE)\b")
_ANY_DIRECTION = re.compile(r"\b(EQ|NE|LT|LE|GT|GE)\b")
_NEGATED = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT"}
_DIFFERENCES = {"arith.subi", "arith.xori", "stablehlo.xor"}
_IDEMPOTENT = {
    *(f"arith.{each}" for each in ("andi", "ori", "minsi", "minui", "maxsi", "maxui", "minimumf", "maximumf")),
    *(f"stablehlo.{each}" for each in ("and", "or", "minimum", "maximum")),
}
_GREATER = {
    "arith.cmpf": {"2": "4", "3": "5", "9": "11", "10": "12"},
    "arith.cmpi": {"4": "2", "5": "3", "8": "6", "9": "7"},
}
"""Predicates that ask for greater, by the number of the one for exchanged operands."""
_COMPARISONS = {"stablehlo.compare", *_GREATER}
_OPPOSITE = {"GT": "LT", "GE": "LE"}


def simplified(term: Apply, peek: Callable[[Term], Term]) -> Term | None:
    """Return an equal term that is simpler, or has the form to which equal ones are brought; None without one.

    Args:
        term: A function of elements.
        peek: Returns how an element is computed.
    """
    key = term.key
    if not isinstance(key, FunctionKey):
        return None
    if key.name in _COMPARISONS:
        return _of_itself(key, term, peek) or _less(key, term)
    if key.attributes:  # flags change what a function is
        return None
    operands = term.operands
    equals = _of_equals(key, operands, peek)
    if equals is not None:
        return equals
    match key.name:
        case "stablehlo.convert" if key.operands == key.results:
            return operands[0]
        case "stablehlo.select":
            condition = peek(operands[0])
            if isinstance(condition, Apply) and _name(condition) == "stablehlo.not":
                return Apply(key, (condition.operands[0], operands[2], operands[1]))
            known = _constant(condition)
            return None if known is None else operands[1 if known else 2]
        case "stablehlo.clamp" if len(set(key.operands)) == 1:
            least, given, most = operands
            types = key.operands[:2]
            larger, smaller = (
                FunctionKey(shared_name(f"stablehlo.{each}", types), (), types, key.results)
                for each in ("maximum", "minimum")
            )
            raised = Apply(larger, (given, least), is_commutative=True)
            return Apply(smaller, (raised, most), is_commutative=True)
        case "arith.addi" | "arith.muli" | "arith.mulf" | "arith.divf" if set(key.operands) <= _INTEGERS | FLOATS:
            return _without_neutral(key.name, operands, peek)
        case name if name in _INVOLUTIONS:
            return _inverted(key, peek(operands[0]))
        case name if name in COMMUTATIVE and not term.is_commutative:
            return Apply(key, operands, is_commutative=True)
        case _:
            return None


def _of_equals(key: FunctionKey, operands: tuple[Term, ...], peek: Callable[[Term], Term]) -> Term | None:
    """Return a function of equal elements, or of a choice by the same condition, as less."""
    match key.name:
        case "stablehlo.select" | "arith.select":
            return _chosen(key, operands, peek)
        case name if (
            name in _DIFFERENCES and set(key.operands) <= _INTEGERS and _are_equal(operands[0], operands[1], peek)
        ):
            return Leaf(("constant", key.results[0], 0))
        case name if name in _IDEMPOTENT and _are_equal(operands[0], operands[1], peek):
            return operands[0]
        case _:
            return None


def _inverted(key: FunctionKey, inner: Term) -> Term | None:
    """Return a function that is its own inverse, applied to itself or to a comparison."""
    if not isinstance(inner, Apply):
        return None
    return inner.operands[0] if inner.key == key else _negated(key, inner)


def _negated(key: FunctionKey, inner: Apply) -> Term | None:
    """Return the opposite comparison of integers. Neither holds for NaN, so floats have none."""
    its = inner.key
    if key.name != "stablehlo.not" or not isinstance(its, FunctionKey) or its.name != "stablehlo.compare":
        return None
    for place, (name, text) in enumerate(its.attributes):
        found = _ANY_DIRECTION.search(text)
        if name == "comparison_direction" and found is not None and set(its.operands) <= _INTEGERS:
            changed = text.replace(found.group(1), _NEGATED[found.group(1)])
            attributes = (*its.attributes[:place], (name, changed), *its.attributes[place + 1 :])
            return Apply(FunctionKey(its.name, attributes, its.operands, its.results), inner.operands)
    return None


def _chosen(key: FunctionKey, operands: tuple[Term, ...], peek: Callable[[Term], Term]) -> Term | None:
    """Return a choice of equal elements, or one in which the same condition is not asked again."""
    condition, *others = operands
    if isinstance(peek(condition), Leaf) and _are_equal(others[0], others[1], peek):
        return others[0]
    for place, other in enumerate(others):
        inner = peek(other)
        if isinstance(inner, Apply) and inner.key == key and _are_equal(condition, inner.operands[0], peek):
            others[place] = inner.operands[1 + place]
            return Apply(key, (condition, *others))
    return None


def hoisted(term: Apply, peek: Callable[[Term], Term]) -> Apply | None:
    """Return a function of a choice as the choice of the function's values; None if no operand is a choice."""
    if not isinstance(term.key, FunctionKey) or len(term.key.results) != 1:
        return None
    choices = [peek(each) for each in term.operands]
    first = next((each for each in choices if is_select(each)), None)
    if not isinstance(first, Apply) or not isinstance(first.key, FunctionKey):
        return None
    condition, (result,) = first.operands[0], term.key.results

    def branch(place: int) -> Apply:
        operands = list(term.operands)
        for number, each in enumerate(choices):
            if not isinstance(each, Apply) or not is_select(each):
                continue
            if each is first or _are_equal(condition, each.operands[0], peek):
                operands[number] = each.operands[place]
        return Apply(term.key, tuple(operands), term.is_commutative)

    key = FunctionKey(first.key.name, (), (first.key.operands[0], result, result), (result,))
    return Apply(key, (condition, branch(1), branch(2)))


def is_select(term: Term) -> bool:
    """Return whether a term is one of two elements, by a condition on data."""
    return isinstance(term, Apply) and _name(term) in ("stablehlo.select", "arith.select")


def _of_itself(key: FunctionKey, term: Apply, peek: Callable[[Term], Term]) -> Term | None:
    """Return the truth of a comparison of an integer with itself."""
    direction = next(
        (_ANY_DIRECTION.search(text) for name, text in key.attributes if name == "comparison_direction"), None
    )
    if (
        direction is None
        or not set(key.operands) <= _INTEGERS
        or not _are_equal(term.operands[0], term.operands[1], peek)
    ):
        return None
    return Leaf(("constant", "i1", int(direction.group(1) in ("EQ", "LE", "GE"))))


def _are_equal(first: Term, second: Term, peek: Callable[[Term], Term]) -> bool:
    """Return whether two terms are the same element of an argument or a constant.

    Of others, two uses may differ, since nothing was written, or they may be poison.
    """
    return _are_same_leaf(peek(first), peek(second))


def _are_same_leaf(first: Term, second: Term) -> bool:
    if not isinstance(first, Leaf) or not isinstance(second, Leaf):
        return False
    return first.key == second.key and are_same(first.indices, second.indices)


def _less(key: FunctionKey, term: Apply) -> Term | None:
    """Return a comparison with its operands exchanged, if it asks for greater."""
    if key.name in _GREATER:
        return _less_of_arith(key, term)
    attributes = with_less(key.attributes)
    if attributes is None:
        return None
    return Apply(FunctionKey(key.name, attributes, key.operands[::-1], key.results), term.operands[::-1])


def _less_of_arith(key: FunctionKey, term: Apply) -> Term | None:
    """Return a comparison of ``arith`` with its operands exchanged, if it asks for greater and has no flags."""
    exchanged = _GREATER[key.name].get(dict(key.attributes).get("predicate", ""))
    if exchanged is None or len(key.attributes) != 1:
        return None
    return Apply(key._replace(attributes=(("predicate", exchanged),)), term.operands[::-1])


def with_less(attributes: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...] | None:
    """Return the attributes of a comparison for exchanged operands, if it asks for greater; else None."""
    for place, (name, text) in enumerate(attributes):
        found = _DIRECTION.search(text)
        if name == "comparison_direction" and found is not None:
            changed = text.replace(found.group(1), _OPPOSITE[found.group(1)])
            return (*attributes[:place], (name, changed), *attributes[place + 1 :])
    return None


def _without_neutral(name: str, operands: tuple[Term, ...], peek: Callable[[Term], Term]) -> Term | None:
    for place, other in ((0, 1), (1, 0)):
        value = _constant(peek(operands[place]))
        if name == "arith.addi" and value == 0:
            return operands[other]
        if name == "arith.muli" and value == 0:
            return operands[place]
        if value == 1 and (name in ("arith.muli", "arith.mulf") or (name == "arith.divf" and place == 1)):
            return operands[other]
    return None


def _name(term: Apply) -> str:
    return term.key.name if isinstance(term.key, FunctionKey) and not term.key.attributes else ""


def _constant(term: Term) -> float | None:
    """Return the number that a term is."""
    if not isinstance(term, Leaf) or term.indices:
        return None
    key: object = term.key
    if not isinstance(key, tuple):
        return None
    kind, _, value = (*cast("tuple[object, ...]", key), None, None, None)[:3]
    if kind != "constant":
        return None
    if isinstance(value, tuple):  # a float and its sign
        value = cast("tuple[object, ...]", value)[0]
    return value if isinstance(value, int | float) else None
