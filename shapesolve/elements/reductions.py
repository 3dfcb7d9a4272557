"""Reductions that combine the same terms in other iteration spaces, and elements that are neutral."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from shapesolve.elements.scalar_functions import ContractionKey, FunctionKey
from shapesolve.elements.terms import Apply, Leaf, Reduction, Term, with_indices
from shapesolve.symbolic.dims import ONE, ZERO

REDUCE = "stablehlo.reduce"
_WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
_FLOATS = {"f32", "f64"}


def combining_function(key: object) -> FunctionKey | None:
    """Return the function that a reduction combines elements with; None of a contraction."""
    match key:
        case FunctionKey():
            return key
        case (str(name), FunctionKey() as function) if name == REDUCE:
            return function
        case _:
            return None


def has_open_initial(key: object) -> bool:
    """Return whether it is left open how often the initial value is taken."""
    return not isinstance(key, FunctionKey)


def is_neutral(function: FunctionKey, initial: Term | None, *, up_to_sign: bool = False) -> bool:
    """Return whether a function gives back what an element is combined with, NaN included.

    Args:
        initial: The element.
        up_to_sign: Let a sum that begins with 0.0 be 0.0 where it would be -0.0.
    """
    if not isinstance(initial, Leaf) or initial.indices or function.attributes:
        return False
    kind, type, value = (*cast("tuple[object, ...]", initial.key), None, None)[:3]
    is_constant = kind == "constant" and type == function.results[0]
    return is_constant and value in _neutral(function.name, str(type), up_to_sign=up_to_sign)


def _neutral(name: str, type: str, *, up_to_sign: bool) -> tuple[object, ...]:
    if type in _FLOATS:
        match name:
            case "arith.addf":
                return ((-0.0, -1.0), *(((0.0, 1.0),) if up_to_sign else ()))
            case "arith.mulf":
                return ((1.0, 1.0),)
            case "arith.maximumf" | "stablehlo.maximum":
                return ((-math.inf, -1.0),)
            case "arith.minimumf" | "stablehlo.minimum":
                return ((math.inf, 1.0),)
            case _:
                return ()
    if type not in _WIDTHS:
        return ()
    bound = 2 ** (_WIDTHS[type] - 1)
    match name:
        case "arith.addi" | "arith.ori" | "arith.xori" | "stablehlo.or" | "stablehlo.xor" | "arith.maxui":
            return (0,)
        case "arith.muli":
            return (1,)
        case "arith.andi" | "stablehlo.and" | "arith.minui":
            return (1,) if type == "i1" else (-1,)
        case "arith.maxsi" | "stablehlo.maximum" if type != "i1":
            return (-bound,)
        case "arith.minsi" | "stablehlo.minimum" if type != "i1":
            return (bound - 1,)
        case _:
            return ()


def single_element(term: Reduction, peek: Callable[[Term], Term], *, is_source: bool) -> Term | None:
    """Return the only element of a reduction over one iteration at most, or None if the initial value may change it.

    StableHLO leaves open how often the initial value is taken, so a target may take that of a source not at all.
    """
    function = combining_function(term.key)
    if function is None or term.initial is None or not all(each is ONE for each in term.extents):
        return None
    is_open = is_source and has_open_initial(term.key)
    if not is_neutral(function, peek(term.initial), up_to_sign=is_open):
        return None
    return with_indices(term.body, dict.fromkeys(term.indices, ZERO))


def flattened(term: Reduction, peek: Callable[[Term], Term]) -> Reduction:
    """Return a reduction of a reduction as one reduction, if both begin with the same neutral element."""
    inner, function = peek(term.body), combining_function(term.key)
    if not isinstance(inner, Reduction) or inner.key != term.key or function is None or term.initial is None:
        return term
    initial, outer = (None if each.initial is None else peek(each.initial) for each in (inner, term))
    is_same = isinstance(initial, Leaf) and isinstance(outer, Leaf) and initial.key == outer.key
    depends = {each for extent in inner.extents for each in extent.variables} & set(term.indices)
    if depends or not is_same or not is_neutral(function, initial, up_to_sign=True):
        return term
    indices, extents = (*term.indices, *inner.indices), (*term.extents, *inner.extents)
    return flattened(Reduction(term.key, term.initial, indices, extents, inner.body), peek)


def as_sum(term: Reduction) -> Reduction:
    """Return a contraction as the sum that defines it; other reductions unchanged.

    Floats may be computed less exactly than by that sum.
    """
    key: object = term.key
    if not isinstance(key, ContractionKey) or len(set(key.types)) != 1 or "algorithm" in str(key.attributes):
        return term
    type = key.types[0]
    if type == "i1" or (type not in _FLOATS and type not in _WIDTHS):
        return term
    body = term.body
    assert isinstance(body, Apply)
    suffix = "f" if type in _FLOATS else "i"
    zero = Leaf(("constant", type, (0.0, 1.0) if type in _FLOATS else 0))
    add, multiply = (FunctionKey(f"arith.{each}{suffix}", (), (type, type), (type,)) for each in ("add", "mul"))
    product = Apply(multiply, body.operands, is_commutative=True)
    return replace(term, key=(REDUCE, add), initial=zero, body=product)


def is_exact(term: Reduction) -> bool:
    """Return whether a reduction is of integers, whose order of combination does not matter."""
    function = combining_function(term.key)
    return function is not None and function.results[0] in _WIDTHS


def comparable(source: Reduction, target: Reduction, peek: Callable[[Term], Term]) -> bool:
    """Return whether a target may combine elements as it does, if they and the initial values are the same.

    Args:
        source, target: The reductions.
        peek: Returns how an element of the source is computed.
    """
    functions = [combining_function(each.key) for each in (source, target)]
    if functions[0] is None or functions[0] != functions[1] or source.initial is None or target.initial is None:
        return False
    if has_open_initial(source.key):
        return True  # also to take the initial value once
    return not has_open_initial(target.key) or is_neutral(functions[0], peek(source.initial))
