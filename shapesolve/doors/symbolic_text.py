"""PyTorch's symbolic sizes and guards in the size language.

Expressions come as trees of sympy's, which is not imported; guards come as Python text, which is parsed and never
evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from shapesolve.language.calls import CALLS
from shapesolve.language.tokens import WORDS

_WORDS = WORDS | frozenset(CALLS) | {"True", "False", "AND", "OR", "NOT", "TRUE", "FALSE"}
_CALLS = {"Max": "max", "Min": "min"}
_FLOORS = ("FloorDiv", "CleanDiv", "IntTrueDiv")
_REMAINDERS = ("Mod", "PythonMod")


def identifier(text: str, taken: Mapping[str, object] | frozenset[str] = frozenset()) -> str:
    """The text as a name of the size language that is not ``taken`` yet."""
    name = re.sub(r"\W", "_", text)
    name = name if re.match(r"[A-Za-z_]", name) else f"_{name}"
    while name in _WORDS or name in taken:
        name += "_"
    return name


def size_text(expression: Any, names: Mapping[str, str]) -> str | None:
    """A size of sympy's in the size language; ``names`` are those of its symbols. None where it cannot be said."""
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


def _ordered(texts: list[str]) -> list[str]:
    """Names before numbers, as one writes it."""
    return sorted(texts, key=lambda text: bool(re.fullmatch(r"-?\d+", text)))


def _tight(text: str) -> str:
    return text if re.fullmatch(r"\w+|\w+\([^()]*\)", text) else f"({text})"


Extent = Callable[[str, int], str | None]
"""The size language's text for an extent of an argument, by PyTorch's name of the argument and the dimension."""

_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip


def guard_text(guard: str, extent: Extent) -> str | None:
    """A guard such as ``L['x'].size()[0] == 2*L['y'].size()[1]`` as a claim; None where it speaks of anything else."""
    try:
        tree = ast.parse(guard.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
    return _claim(tree, extent)


def _claim(node: ast.expr, extent: Extent) -> str | None:
    if isinstance(node, ast.BoolOp):
        word = " and " if isinstance(node.op, ast.And) else " or "
        parts = [_claim(each, extent) for each in node.values]
        return None if None in parts else word.join(f"({each})" for each in parts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _claim(node.operand, extent)
        return None if inner is None else f"not ({inner})"
    if not isinstance(node, ast.Compare):
        return None
    sides = [_size(each, extent) for each in (node.left, *node.comparators)]
    signs = [_COMPARED.get(type(each)) for each in node.ops]
    if None in sides or None in signs:
        return None
    pairs = zip(sides, signs, sides[1:], strict=False)
    return " and ".join(f"{left} {sign} {right}" for left, sign, right in pairs)


def _size(node: ast.expr, extent: Extent) -> str | None:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return str(number)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            text = _size(inner, extent)
            return None if text is None else f"(-{text})" if text.isdecimal() else f"(0 - {text})"
        case ast.BinOp(left=left, op=operator, right=right):
            sign, one, other = _OPERATORS.get(type(operator)), _size(left, extent), _size(right, extent)
            return None if None in (sign, one, other) else f"({one} {sign} {other})"
        case ast.Call(func=ast.Name(id=("max" | "min" | "Max" | "Min") as word), args=arguments):
            parts = [_size(each, extent) for each in arguments]
            return None if None in parts else f"{word.lower()}({', '.join(map(str, parts))})"
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[]),
            slice=ast.Constant(value=int(dimension)),
        ):
            name = source_name(tensor)
            found = None if name is None else extent(name, dimension)
            return None if found is None else f"({found})" if " " in found else found
        case _:
            return None


def source_name(node: ast.expr) -> str | None:
    """What PyTorch calls the argument that ``L['x']['key'][0]`` is: ``x_key_0``."""
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
    """The argument and the dimension that ``L['x'].size()[1]`` names."""
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
    match tree:
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[]),
            slice=ast.Constant(value=int(dimension)),
        ):
            name = source_name(tensor)
            return None if name is None else (name, dimension)
        case _:
            return None
