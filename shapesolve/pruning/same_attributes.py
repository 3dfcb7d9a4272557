"""Whether two operations have the same attributes, affine maps by what they compute.

MLIR reads ``a + (b - c)`` as it stands and prints ``a + b - c``, which reads as another tree. The numbers are the same.
"""

from __future__ import annotations

from collections.abc import Container

from shapesolve.reading.program import AffineExpression, AffineMap, Attribute, DictAttribute, IntegerSet, Operation

Terms = dict[tuple[object, ...], int]
"""Coefficients by what they are multiplied with; that is empty for the constant."""


def has_same_attributes(op: Operation, other: Operation, recorded: Container[str] = ()) -> bool:
    """Whether the attributes are the same but for those that are ``recorded`` by us."""
    left, right = _but(op, recorded), _but(other, recorded)
    return left == right or repr(_comparable(left)) == repr(_comparable(right))  # by texts: NaN is not itself


def _but(op: Operation, recorded: Container[str]) -> DictAttribute:
    return DictAttribute({key: value for key, value in op.attributes.items() if key not in recorded})


def _comparable(attribute: Attribute) -> object:
    if isinstance(attribute, DictAttribute):
        return {key: _comparable(value) for key, value in attribute.entries.items()}
    if isinstance(attribute, tuple):
        return tuple(_comparable(each) for each in attribute)
    if isinstance(attribute, AffineMap):
        return attribute.dims, attribute.symbols, tuple(_form(_terms(each)) for each in attribute.results)
    if isinstance(attribute, IntegerSet):
        return _comparable(attribute.computed), attribute.equalities
    return attribute


def _form(terms: Terms) -> tuple[object, ...]:
    return tuple(sorted(((what, factor) for what, factor in terms.items() if factor), key=repr))


def _terms(expression: AffineExpression) -> Terms:
    """A sum: of dimensions, symbols, and of quotients, remainders and products of sums."""
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
