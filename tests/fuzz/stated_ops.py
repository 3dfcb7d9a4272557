"""Interpretation of calls to functions with stated requirements and guarantees.

The texts are parsed as Python expressions, by a small parser of this module. A function without a body returns
arbitrary results that satisfy its guarantees: a random choice, but the same one for equal arguments.
"""

from __future__ import annotations

import ast
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from fuzz.machine import Array, Machine, Stop, outside, width_of

Names = Mapping[str, Any]

ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
RELATIONS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
TRIED = range(-10, 25)
"""Candidates for an integer result of a function without a body; an extent is at least 0."""


def holds(text: str, names: Names) -> bool:
    """Return whether a claim is true of arguments and results, by name."""
    return bool(_value(_parsed(text), names))


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _called(name: str, names: Names) -> Any:
    """The argument or result of a name. Arguments are numbered here: MLIR does not keep what they are called."""
    if name not in names:
        raise outside("a claim about an argument by a name of its own")
    return names[name]


def _value(node: ast.expr, names: Names) -> int:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            value = _called(name, names)
            if isinstance(value, Array) or value is None:
                raise outside("a claim about data that is not followed")
            return int(value)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(axis))):
            return int(_called(name, names).shape[axis])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=operation, right=right):
            return ARITHMETIC[type(operation)](_value(left, names), _value(right, names))
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_value(each, names) for each in values)
        case ast.BoolOp(values=values):
            return all(_value(each, names) for each in values)
        case ast.Compare(left=left, ops=[relation], comparators=[right]):
            return RELATIONS[type(relation)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id="max" | "min" as name), args=[first, second]):
            return (max if name == "max" else min)(_value(first, names), _value(second, names))
        case _:
            raise outside(f"a claim that is not read: {ast.dump(node)}")


def named(arguments: Sequence[Any], results: Sequence[Any] = ()) -> dict[str, Any]:
    """Values by the names that claims use."""
    found = {f"arg{number}": value for number, value in enumerate(arguments)}
    return found | {f"result{number}": value for number, value in enumerate(results)}


def admitted(machine: Machine, name: str, arguments: Sequence[Any]) -> bool:
    """Return whether arguments are as a function assumes and requires."""
    names = named(arguments)
    try:
        return all(holds(text, names) for text in machine.functions[name].admits)
    except (Stop, KeyError):
        return False


def any_results(name: str, types: Sequence[Any], ensures: Sequence[str], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Return results of these types that satisfy the guarantees of a function without a body."""
    shown = [each.shape if isinstance(each, Array) else each for each in arguments]
    chance = random.Random(f"{name} {shown}")
    given = named(arguments)
    fitting: list[tuple[Any, ...]] = []
    for made in product(*(_candidates(each) for each in types)):
        all_names = given | named((), made)
        if all(holds(text, all_names) for text in ensures):
            fitting.append(made)
    if not fitting:
        raise outside("no results are as the function ensures")
    return chance.choice(fitting)


def _candidates(type: Any) -> list[Any]:
    width = width_of(type)
    if width == 1:
        return [0, 1]
    if width:
        return list(TRIED)
    extents = [
        TRIED[TRIED.index(0) :] if type.is_dynamic_dim(axis) else [type.shape[axis]] for axis in range(type.rank)
    ]
    return [Array(shape) for shape in product(*extents)]
