"""Translation of PyTorch's symbolic sizes and guards to the size language.

Expressions are trees of sympy's, which is not imported; guards are Python text, which is parsed and never evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.functions import CALLS
from shapesolve.symbolic.grammar import MAX_TEXT, WORDS
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope

_WORDS = WORDS | frozenset(CALLS) | {"True", "False", "AND", "OR", "NOT", "TRUE", "FALSE"}
_CALLS = {"Max": "max", "Min": "min"}
_FLOORS = ("FloorDiv", "CleanDiv", "IntTrueDiv")
_REMAINDERS = ("Mod", "PythonMod")


def identifier(text: str, taken: Mapping[str, object] | frozenset[str] = frozenset()) -> str:
    """Return the text as a name of the size language that is not ``taken`` yet."""
    name = re.sub(r"\W", "_", text)
    name = name if re.match(r"[A-Za-z_]", name) else f"_{name}"
    while name in _WORDS or name in taken:
        name += "_"
    return name


def size_text(expression: Any, names: Mapping[str, str]) -> str | None:
    """Translate a size of sympy's; ``names`` are those of its symbols. None if it cannot be expressed."""
    kind = type(expression).__name__
    if getattr(expression, "is_Integer", False):
        return str(int(expression))
    if getattr(expression, "is_Symbol", False):
        return names.get(str(expression))
    parts = [size_text(each, names) for each in expression.args]
    if None in parts:
        return None
    texts = [str(each) for each in parts]
    if kind == "Add":
        return " + ".join(_ordered(texts)).replace("+ -", "- ")
    if kind == "Mul":
        return "*".join(_tight(each) for each in texts)
    if kind == "Pow" and re.fullmatch(r"[1-9]\d?", texts[1]):
        return "*".join([_tight(texts[0])] * int(texts[1]))
    if kind in _CALLS:
        return f"{_CALLS[kind]}({', '.join(texts)})"
    if len(texts) == 2 and kind in _FLOORS + _REMAINDERS and kind != "IntTrueDiv":
        return f"{_tight(texts[0])} {'//' if kind in _FLOORS else '%'} {_tight(texts[1])}"
    return None


_RELATIONS = {
    "Equality": "==", "Unequality": "!=", "StrictLessThan": "<", "LessThan": "<=", "StrictGreaterThan": ">",
    "GreaterThan": ">=",
}  # fmt: skip


def condition_text(condition: Any, names: Mapping[str, str]) -> str | None:
    """Translate a condition of sympy's; None if it cannot be expressed."""
    kind = type(condition).__name__
    if kind in ("And", "Or", "Not"):
        parts = [condition_text(each, names) for each in condition.args]
        if None in parts:
            return None
        return f"not ({parts[0]})" if kind == "Not" else f" {kind.lower()} ".join(f"({each})" for each in parts)
    if kind not in _RELATIONS:
        return None
    left, right = (size_text(each, names) for each in condition.args)
    return None if left is None or right is None else f"{left} {_RELATIONS[kind]} {right}"


def _ordered(texts: list[str]) -> list[str]:
    """Return the texts with names before numbers."""
    return sorted(texts, key=lambda text: bool(re.fullmatch(r"-?\d+", text)))


def _tight(text: str) -> str:
    return text if re.fullmatch(r"\w+|\w+\([^()]*\)", text) else f"({text})"


Extent = Callable[[str, int], str | None]
"""The size language's text for an extent of an argument, by PyTorch's name of the argument and the dimension."""

Number = Callable[[str], str | None]
"""The size language's text for an argument that is an integer, by PyTorch's name of it; None for any other."""

Leaf = Callable[[ast.expr], str | None]
"""Callback that prints a subexpression which is neither a number nor an operation; None if it is not expressible."""

_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
_OPERATIONS = {"floordiv": "//", "mod": "%"}
_MOST_POWER = 8
_MOST_BITS = 8


def guard_text(guard: str, extent: Extent, number: Number = lambda name: None) -> str | None:
    """Translate a guard such as ``L['x'].size()[0] == 2*L['n']``; None if it is about anything else."""

    def leaf(node: ast.expr) -> str | None:
        place = _extent_of(node)
        if place is None:
            name = source_name(node)
            return None if name is None else number(name)
        found = extent(*place)
        return f"({found})" if found and " " in found else found

    return claim_text(guard, leaf)


def claim_text(text: str, leaf: Leaf) -> str | None:
    """Translate a claim in Python's notation; None if it cannot be expressed."""
    node = parsed(text)
    return None if node is None else _claim(node, leaf)


def parsed(text: str) -> ast.expr | None:
    """Return the tree of a Python expression, or None if the text is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _claim(node: ast.expr, leaf: Leaf) -> str | None:
    if isinstance(node, ast.BoolOp):
        word = " and " if isinstance(node.op, ast.And) else " or "
        parts = [_claim(each, leaf) for each in node.values]
        return None if None in parts else word.join(f"({each})" for each in parts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _claim(node.operand, leaf)
        return None if inner is None else f"not ({inner})"
    if not isinstance(node, ast.Compare):
        return None
    sides = [expression_text(each, leaf) for each in (node.left, *node.comparators)]
    signs = [_COMPARED.get(type(each)) for each in node.ops]
    if None in sides or None in signs:
        return None
    pairs = zip(sides, signs, sides[1:], strict=False)
    return " and ".join(f"{left} {sign} {right}" for left, sign, right in pairs)


def expression_text(node: ast.expr, leaf: Leaf) -> str | None:
    """Translate a size in Python's notation; None if it cannot be expressed."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return str(number)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            text = expression_text(inner, leaf)
            return None if text is None else f"(-{text})" if text.isdecimal() else f"(0 - {text})"
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int(power))) if 1 <= power <= _MOST_POWER:
            text = expression_text(base, leaf)
            return None if text is None else f"({'*'.join([text] * power)})"
        case ast.BinOp(left=left, op=operator, right=right):
            return _operation(_OPERATORS.get(type(operator)), left, right, leaf)
        case ast.Call(func=ast.Name(id=("floordiv" | "mod") as word), args=[left, right]):
            return _operation(_OPERATIONS[word], left, right, leaf)
        case ast.Call(func=ast.Name(id=("max" | "min" | "Max" | "Min") as word), args=arguments):
            return _extreme(word.lower(), arguments, leaf)
        case ast.Call(func=ast.Attribute(ast.Name("torch"), ("sym_max" | "sym_min") as word), args=[_, _] as arguments):
            return _extreme(word.removeprefix("sym_"), arguments, leaf)
        case ast.Call(func=ast.Attribute(ast.Name("math"), ("trunc" | "floor" | "ceil") as word), args=[inner]):
            return _rounded(word, inner, leaf)
        case _:
            return leaf(node)


def _operation(sign: str | None, left: ast.expr, right: ast.expr, leaf: Leaf) -> str | None:
    one, other = expression_text(left, leaf), expression_text(right, leaf)
    return None if None in (sign, one, other) else f"({one} {sign} {other})"


def _extreme(word: str, arguments: Sequence[ast.expr], leaf: Leaf) -> str | None:
    parts = [expression_text(each, leaf) for each in arguments]
    return None if None in parts else f"{word}({', '.join(map(str, parts))})"


def _rounded(word: str, node: ast.expr, leaf: Leaf) -> str | None:
    """Translate the rounding of an extent times a positive float, whose bits are so few that the product is exact."""
    match node:
        case ast.BinOp(left=ast.Constant(value=float(factor)), op=ast.Mult(), right=inner):
            pass
        case ast.BinOp(left=inner, op=ast.Mult(), right=ast.Constant(value=float(factor))):
            pass
        case _:
            return None
    match inner:
        case ast.Call(func=ast.Attribute(ast.Name("torch"), "sym_float"), args=[size]) if _extent_of(size) is not None:
            text = leaf(size)
        case _:
            return None
    if text is None or not 2**-_MOST_BITS <= factor <= 2**_MOST_BITS:
        return None
    numerator, denominator = factor.as_integer_ratio()
    if numerator.bit_length() > _MOST_BITS:
        return None
    up = f" + {denominator - 1}" if word == "ceil" else ""
    return f"(({numerator}*{text}{up}) // {denominator})"


def source_name(node: ast.expr) -> str | None:
    """Return PyTorch's name of the argument ``L['x']['key'][0]``: ``x_key_0``."""
    match node:
        case ast.Subscript(value=ast.Name(id="L"), slice=ast.Constant(value=str(name))):
            return name
        case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
            before = source_name(inner)
            return None if before is None else f"{before}_{key}"
        case ast.Attribute(value=inner, attr=key):
            before = source_name(inner)
            return None if before is None else f"{before}_{key}"
        case _:
            return None


def extent_of(source: str) -> tuple[str, int] | None:
    """Return the argument and the dimension that ``L['x'].size()[1]`` names."""
    node = parsed(source)
    return None if node is None else _extent_of(node)


def _extent_of(node: ast.expr) -> tuple[str, int] | None:
    match node:
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[]),
            slice=ast.Constant(value=int(dimension)),
        ):
            name = source_name(tensor)
            return None if name is None else (name, dimension)
        case _:
            return None


def normalized_claims(claims: Iterable[str], integers: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the claims in normal form, each once, without those that hold for all sizes.

    The names in ``integers`` may be negative. A claim whose normal form is too long to be read again, as a product of
    sums may be, stays as it is.
    """
    scope = Scope.free()
    for name in integers:
        scope.declare_integer(name)
    found: dict[Formula, str] = {}
    for text in claims:
        formula = parse_formula(text, scope)
        normal = str(formula)
        found.setdefault(formula, normal if len(normal) <= MAX_TEXT else text)
    return tuple(text for formula, text in found.items() if formula is not TRUE)
