"""Preconditions that a file itself states: attributes of functions and arguments, and PyTorch's symbolic shapes.

Everything is returned as text in the size language (``2*s0 + 1``, ``N % 16 == 0``), which `shapesolve.symbolic` parses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.errors import InputError
from shapesolve.int64 import MAX_SIZE
from shapesolve.ir.assumptions import IDENTIFIER, UNNAMED, Preconditions, ShapeName, StatedAssumption
from shapesolve.ir.own_attributes import ASSUME, REQUIRES, SHAPE, STATED_BY
from shapesolve.ir.program import (
    SHAPE_TYPES,
    SIZE_TYPE,
    AffineExpression,
    AffineMap,
    Attribute,
    Function,
    Location,
    Operation,
    Program,
    ShapedType,
    Value,
)

_SIGNS = {"mul": "*", "mod": "%", "floordiv": "//"}


def stated_preconditions(function: Function) -> Preconditions:
    """Return the preconditions that a function states about its sizes.

    They come from `shapesolve.assume`, `shapesolve.requires`, `shapesolve.shape` and `torch.bind_symbolic_shape`.

    Raises:
        InputError: One of shapesolve's own attributes has the wrong form or the wrong number of sizes.
    """
    symbols: dict[Value, str] = {}
    assumptions = [*_assumed(function), *_required(function)]
    shapes = list(_named_arguments(function))
    positions = {value: position for position, value in enumerate(function.arguments)}
    for operation in function.operation.walk():
        if operation.name == "torch.symbolic_int":
            name = _symbol(operation)
            symbols[operation.results[0]] = name
            assumptions += _bounds(operation, name)
        elif operation.name == "torch.bind_symbolic_shape":
            shape = _bound_shape(operation, symbols, positions)
            shapes += [shape] if shape else []
    by = function.operation.attributes.get(STATED_BY)
    return Preconditions(tuple(assumptions), tuple(shapes), by if isinstance(by, str) else "")


def stated_in(program: Program, function: Function) -> Preconditions:
    """Return the preconditions that a function states, or those of its own assertions if the program relies on them."""
    return program.asserted.get(function) or stated_preconditions(function)


def _assumed(function: Function) -> Sequence[StatedAssumption]:
    by = function.operation.attributes.get(STATED_BY, "")
    return [
        StatedAssumption(text, function.location, ASSUME, by if isinstance(by, str) else "")
        for text in claims_in(function, ASSUME) or ()
    ]


def _required(function: Function) -> Sequence[StatedAssumption]:
    return [StatedAssumption(text, function.location, REQUIRES) for text in claims_in(function, REQUIRES) or ()]


def claims_in(function: Function, attribute: str) -> tuple[str, ...] | None:
    """Return the texts in an attribute of a function, or None if it has none.

    Raises:
        InputError: The attribute is neither a string nor an array of strings.
    """
    given = function.operation.attributes.get(attribute)
    if given is None:
        return None
    texts = given if isinstance(given, tuple) else (given,)
    found: list[str] = []
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise InputError(
                f'{attribute} wants a string or an array of strings: ["N >= 2"]', where=str(function.location)
            )
        found.append(text)
    return tuple(found)


def _named_arguments(function: Function) -> Sequence[ShapeName]:
    found: list[ShapeName] = []
    for position, attributes in enumerate(function.argument_attributes):
        given = attributes.get(SHAPE)
        if given is None:
            continue
        value = function.arguments[position]
        names = _sizes(given, value, function.location)
        found.append(ShapeName(position, names, value, function.location, SHAPE))
    return found


def _sizes(given: Attribute, value: Value, location: Location) -> tuple[str, ...]:
    subject = f"{SHAPE} of {value.name}"
    is_size = str(value.type) == SIZE_TYPE
    if not isinstance(given, str) or not (is_size or (given.strip().startswith("[") and given.strip().endswith("]"))):
        raise InputError(f'{subject} wants a string such as "[B, T, 8]"', where=str(location))
    names = names_of_sizes(given, is_size)
    if any(not name for name in names):
        raise InputError(f"{subject} has an empty size: {given}", where=str(location))
    rank = value.type.rank if isinstance(value.type, ShapedType) else None
    if not isinstance(value.type, ShapedType) and str(value.type) not in (SIZE_TYPE, *SHAPE_TYPES):
        raise InputError(f"{subject}, which is no tensor but {value.type}", where=str(location))
    if rank is not None and rank != len(names):
        raise InputError(f"{subject} names {len(names)} sizes of {value.type}", where=str(location))
    return names


def names_of_sizes(text: str, is_size: bool) -> tuple[str, ...]:
    """Return the sizes in ``[B, _, 8]``, or the one that names a ``!shape.size``; `UNNAMED` for ``_``."""
    names = [text.strip()] if is_size else split_sizes(text.strip()[1:-1])
    return tuple(UNNAMED if name == "_" else name for name in names)


def split_sizes(inside: str) -> list[str]:
    """Split a list at the commas that stand outside of all brackets."""
    if not inside.strip():
        return []
    parts = [""]
    depth = 0
    for character in inside:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


# PyTorch's symbolic shapes ---------------------------------------------------------------------------------------


def _symbol(operation: Operation) -> str:
    given = operation.attributes.get("symbol_name")
    name = given if isinstance(given, str) else f"symbol{operation.number}"
    return name if IDENTIFIER.fullmatch(name) else re.sub(r"\W", "_", f"_{name}")


def _bounds(operation: Operation, name: str) -> list[StatedAssumption]:
    least, most = operation.attributes.get("min_val"), operation.attributes.get("max_val")
    found: list[StatedAssumption] = []
    if isinstance(least, int) and least > 0:
        found.append(StatedAssumption(f"{name} >= {least}", operation.location, operation.name))
    if isinstance(most, int) and most < MAX_SIZE:
        found.append(StatedAssumption(f"{name} <= {most}", operation.location, operation.name))
    return found


def _bound_shape(operation: Operation, symbols: dict[Value, str], positions: dict[Value, int]) -> ShapeName | None:
    expressions = operation.attributes.get("shape_expressions")
    value, *inputs = operation.operands
    names = [symbols.get(each) for each in inputs]
    if not isinstance(expressions, AffineMap) or expressions.dims + expressions.symbols != len(names):
        return None
    texts = tuple(_text(each, names, expressions.dims) or UNNAMED for each in expressions.results)
    return ShapeName(positions.get(value), texts, value, operation.location, operation.name)


def _text(expression: AffineExpression, names: Sequence[str | None], dims: int) -> str | None:
    """Return the expression in the size language, or None if it uses a value that no symbol names."""
    kind = expression.kind
    if kind == "constant":
        return str(expression.value)
    if kind in ("dim", "symbol"):
        return names[expression.value + (dims if kind == "symbol" else 0)]
    assert expression.left is not None and expression.right is not None
    left, right = (_text(side, names, dims) for side in (expression.left, expression.right))
    if left is None or right is None:
        return None
    if kind == "add":
        return f"{left} - {right[1:]}" if re.fullmatch(r"-\d+", right) else f"{left} + {_tight(right)}"
    left = _tight(left) if re.search(r" [+-] |^-", left) else left
    right = _tight(right)
    return f"({left} + {right} - 1) // {right}" if kind == "ceildiv" else f"{left} {_SIGNS[kind]} {right}"


def _tight(text: str) -> str:
    return text if IDENTIFIER.fullmatch(text) or text.isdecimal() else f"({text})"
