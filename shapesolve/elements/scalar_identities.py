"""Identities of scalar functions that hold for every float, NaN and both zeros included, and for integers that wrap."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from shapesolve.elements.scalar_functions import FLOATS, FunctionKey
from shapesolve.elements.terms import Apply, Leaf, Term

_INTEGERS = {"i8", "i16", "i32", "i64"}
_INVOLUTIONS = {"arith.negf", "stablehlo.negate", "stablehlo.not"}
_COMMUTATIVE = {f"stablehlo.{each}" for each in ("maximum", "minimum", "and", "or", "xor")}
_DIRECTION = re.compile(r"\b(GT|GE)\b")
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
    if key.name == "stablehlo.compare":
        return _with_less(key, term)
    if key.attributes:  # flags change what a function is
        return None
    operands = term.operands
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
            raised = Apply(
                FunctionKey("stablehlo.maximum", (), types, key.results), (given, least), is_commutative=True
            )
            return Apply(FunctionKey("stablehlo.minimum", (), types, key.results), (raised, most), is_commutative=True)
        case "arith.addi" | "arith.muli" | "arith.mulf" if set(key.operands) <= _INTEGERS | FLOATS:
            return _without_neutral(key.name, operands, peek)
        case name if name in _INVOLUTIONS:
            inner = peek(operands[0])
            return inner.operands[0] if isinstance(inner, Apply) and inner.key == key else None
        case name if name in _COMMUTATIVE and not term.is_commutative:
            return Apply(key, operands, is_commutative=True)
        case _:
            return None


def _with_less(key: FunctionKey, term: Apply) -> Term | None:
    """Return a comparison with its operands exchanged, if it asks for greater."""
    for place, (name, said) in enumerate(key.attributes):
        found = _DIRECTION.search(said)
        if name == "comparison_direction" and found is not None:
            changed = said.replace(found.group(1), _OPPOSITE[found.group(1)])
            attributes = (*key.attributes[:place], (name, changed), *key.attributes[place + 1 :])
            operands = term.operands[1], term.operands[0]
            return Apply(FunctionKey(key.name, attributes, key.operands[::-1], key.results), operands)
    return None


def _without_neutral(name: str, operands: tuple[Term, ...], peek: Callable[[Term], Term]) -> Term | None:
    for place, other in ((0, 1), (1, 0)):
        value = _constant(peek(operands[place]))
        if name == "arith.addi" and value == 0:
            return operands[other]
        if name == "arith.muli" and value == 0:
            return operands[place]
        if name in ("arith.muli", "arith.mulf") and value == 1:
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
