"""Integers that are known as sizes are: positions, constants, and arithmetic on them that does not wrap."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from shapesolve.elements.scalar_functions import FunctionKey, signed_comparison
from shapesolve.elements.terms import Apply, Leaf, Number, Term, Truth
from shapesolve.symbolic.dims import Dim, dim
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, less_than, truth

WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
_DEEPEST = 8
_KEPT = {f"arith.{each}" for each in ("extsi", "trunci", "index_cast")} | {"stablehlo.convert"}
_PREDICATES = {"EQ": 0, "NE": 1, "LT": 2, "LE": 3, "GT": 4, "GE": 5}
_DIRECTION = re.compile(r"\b(EQ|NE|LT|LE|GT|GE)\b")
_NUMBER = re.compile(r"\d")


class KnownIntegers:
    """Finds the integers of terms.

    Args:
        peek: Returns how an element is computed.
        proves: Returns whether a condition holds where the element is compared.
    """

    def __init__(self, peek: Callable[[Term], Term], proves: Callable[[Formula], bool]) -> None:
        self._peek = peek
        self._proves = proves

    def integer(self, term: Term, depth: int = 0) -> Dim | None:
        """Return the signed integer that a term is, or None if it is not known, or may wrap."""
        if depth > _DEEPEST:
            return None
        match self._peek(term):
            case Number(value=value):
                return value
            case Leaf(key=("iota", str(type)), indices=(place,)) if type in WIDTHS:
                return self._fitting(place, type)  # beyond its type, StableHLO leaves it open
            case Leaf(key=("constant", str(type), int(value)), indices=()) if type in WIDTHS:
                return dim(value)
            case Apply(key=FunctionKey() as key, operands=operands) if key.results[0] in WIDTHS and not key.attributes:
                return self._computed(key, operands, depth)
            case _:
                return None

    def _computed(self, key: FunctionKey, operands: tuple[Term, ...], depth: int) -> Dim | None:
        if not set(key.operands) <= WIDTHS.keys():
            return None
        is_kept, is_sum = key.name in _KEPT, key.name in ("arith.addi", "arith.subi", "arith.muli")
        if not is_kept and not is_sum:
            return None
        values = [self.integer(each, depth + 1) for each in operands]
        if any(each is None for each in values):
            return None
        known = cast("list[Dim]", values)
        if is_kept:
            return self._fitting(known[0], key.results[0])
        a, b = known
        results = {"arith.addi": a + b, "arith.subi": a - b, "arith.muli": a * b}
        return self._fitting(results[key.name], key.results[0])

    def _fitting(self, value: Dim, type: str) -> Dim | None:
        bound = 2 ** (WIDTHS[type] - 1)
        return value if self._proves(conjunction((at_least(value, -bound), less_than(value, bound)))) else None

    def boolean(self, term: Term) -> Formula | None:
        """Return the condition on sizes and indices that a term is, or None."""
        match self._peek(term):
            case Truth(holds=holds):
                return holds
            case Leaf(key=("constant", "i1", int(value)), indices=()):
                return truth(bool(value))
            case Apply(key=FunctionKey() as key, operands=(first, second)) if set(key.operands) <= WIDTHS.keys():
                predicate = _signed_predicate(key)
                a = None if predicate is None else self.integer(first)
                b = None if a is None else self.integer(second)
                return None if a is None or b is None else signed_comparison(predicate, a, b)
            case _:
                return None


def _signed_predicate(key: FunctionKey) -> int | None:
    """Return the number that ``arith.cmpi`` gives a comparison of signed integers."""
    attributes = dict(key.attributes)
    if key.name == "stablehlo.compare":
        found = _DIRECTION.search(attributes.get("comparison_direction", ""))
        is_signed = "UNSIGNED" not in attributes.get("compare_type", "")
        return _PREDICATES[found.group(1)] if found is not None and is_signed else None
    if key.name == "arith.cmpi" and _NUMBER.fullmatch(attributes.get("predicate", "")):
        return int(attributes["predicate"])
    return None
