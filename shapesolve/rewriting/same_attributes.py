"""Equality of operations' attributes, with affine maps compared by what they compute.

MLIR reads ``a + (b - c)`` as it stands and prints ``a + b - c``, which reads as another tree with the same value. Where
that makes it see more, as that a part of ``(a + (b + 4)) floordiv 2`` is a constant, it reads still another one.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from shapesolve.ir import bindings
from shapesolve.ir.program import AffineExpression, AffineMap, Attribute, DictAttribute, IntegerSet, Operation

MOST_READINGS = 8
"""Largest number of rounds of printing and reading; the text is stable after one or two."""
Terms = dict[tuple[object, ...], int]
"""Coefficients by their factor; the empty factor is that of the constant."""


def has_same_attributes(op: Operation, other: Operation, recorded: Container[str] = ()) -> bool:
    """Return whether the attributes are the same, except for those that are ``recorded`` by shapesolve."""
    both = _but(op, recorded), _but(other, recorded)
    if both[0] == both[1]:
        return True
    # By texts: NaN is not itself.
    return any(len({repr(_comparable(each, form)) for each in both}) == 1 for form in (_as_sums, _as_read_again))


def _but(op: Operation, recorded: Container[str]) -> DictAttribute:
    return DictAttribute({key: value for key, value in op.attributes.items() if key not in recorded})


def _comparable(attribute: Attribute, form: Callable[[AffineMap], object]) -> object:
    match attribute:
        case DictAttribute():
            return {key: _comparable(value, form) for key, value in attribute.entries.items()}
        case tuple():
            return tuple(_comparable(each, form) for each in attribute)
        case AffineMap():
            return form(attribute)
        case IntegerSet():
            return form(attribute.computed), attribute.equalities
        case _:
            return attribute


def _as_sums(map: AffineMap) -> object:
    return map.dims, map.symbols, tuple(_form(_terms(each)) for each in map.results)


def _as_read_again(map: AffineMap) -> object:
    """Return the text of the map after parsing and printing it until it no longer changes."""
    dims, symbols = (", ".join(f"{name}{i}" for i in range(n)) for name, n in (("d", map.dims), ("s", map.symbols)))
    text = f"affine_map<({dims})[{symbols}] -> ({', '.join(_spelled(each) for each in map.results)})>"
    context = bindings.new_context()
    for _ in range(MOST_READINGS):
        live = bindings.ir().Attribute.parse(text, context)
        if str(live) == text:
            break
        text = str(live)
    return text


def _spelled(expression: AffineExpression) -> str:
    """Return an expression with every parenthesis written, so that parsing it gives the same tree."""
    if expression.left is None or expression.right is None:
        return str(expression.value) if expression.kind == "constant" else f"{expression.kind[0]}{expression.value}"
    word = {"add": "+", "mul": "*"}.get(expression.kind, expression.kind)
    return f"({_spelled(expression.left)} {word} {_spelled(expression.right)})"


def _form(terms: Terms) -> tuple[object, ...]:
    return tuple(sorted(((what, factor) for what, factor in terms.items() if factor), key=repr))


def _terms(expression: AffineExpression) -> Terms:
    """Return an expression as a sum of dimensions, symbols, and quotients, remainders and products of sums."""
    left, right = expression.left, expression.right
    if left is None or right is None:
        is_number = expression.kind == "constant"
        return {(): expression.value} if is_number else {(expression.kind, expression.value): 1}
    parts = _terms(left), _terms(right)
    if expression.kind == "add":
        return {what: sum(part.get(what, 0) for part in parts) for what in parts[0] | parts[1]}
    for terms, factors in (parts, parts[::-1]):
        if expression.kind == "mul" and factors.keys() <= {()}:
            return {what: factor * factors.get((), 0) for what, factor in terms.items()}
    return {(expression.kind, *map(_form, parts)): 1}
