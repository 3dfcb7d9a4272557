"""Elements of small tensors of integers, through PyTorch's operators: sizes travel in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from shapesolve.language.dims import Dim
from shapesolve.language.extremes import choose, maximum, minimum
from shapesolve.language.formulas import (
    TRUE,
    Formula,
    as_number,
    at_least,
    conjunction,
    disjunction,
    equal,
    less_than,
    negation,
    unequal,
)
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Operation, ShapedType, Value
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.values import MAX_ELEMENTS, Between, Element, Tensor

from .ends import Ends, greatest, least
from .integers import NO_WRAP, as_truth, in_word, integer
from .torch_values import is_given

Row = Sequence[Element]


def _number(element: Element) -> Dim:
    return as_number(element) if isinstance(element, Formula) else integer(element)


def _pair(row: Row) -> tuple[Dim, Dim]:
    return _number(row[0]), _number(row[1])


def _scaled(row: Row) -> Dim:
    """The second operand of a sum or a difference, which has a factor."""
    return _number(row[1]) * _number(row[2])


_COMPUTED: dict[str, Callable[[Row], Element]] = {
    "add": lambda row: _number(row[0]) + _scaled(row),
    "sub": lambda row: _number(row[0]) - _scaled(row),
    "rsub": lambda row: _number(row[1]) - _number(row[0]) * _number(row[2]),
    "mul": lambda row: _number(row[0]) * _number(row[1]),
    "neg": lambda row: -_number(row[0]),
    "maximum": lambda row: maximum(*_pair(row)),
    "minimum": lambda row: minimum(*_pair(row)),
    "eq": lambda row: equal(*_pair(row)),
    "ne": lambda row: unequal(*_pair(row)),
    "lt": lambda row: less_than(*_pair(row)),
    "le": lambda row: at_least(*_pair(row)[::-1]),
    "gt": lambda row: less_than(*_pair(row)[::-1]),
    "ge": lambda row: at_least(*_pair(row)),
    "where": lambda row: choose(as_truth(row[0]), _number(row[1]), _number(row[2])),
    "bitwise_and": lambda row: conjunction(map(as_truth, row)),
    "bitwise_or": lambda row: disjunction(map(as_truth, row)),
    "bitwise_not": lambda row: negation(as_truth(row[0])),
    "logical_and": lambda row: conjunction(map(as_truth, row)),
    "logical_or": lambda row: disjunction(map(as_truth, row)),
    "logical_not": lambda row: negation(as_truth(row[0])),
}
"""What becomes of one element of each operand, by the name of the operator without its overload."""


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The elements of a result, None where nobody knows, or what all lie between.

    ``presumes``: where this is right; ``leans_on``: what that assumes in words.
    """

    elements: tuple[Element, ...] | None = None
    between: Between | None = None
    presumes: Formula = TRUE
    leans_on: tuple[str, ...] = ()


def computed(op: Operation, see: RuleContext, shape: Shape) -> Followed:
    """What an operator computes element by element."""
    _, dialect, name, *_ = (*op.name.split("."), "")
    compute = _COMPUTED.get(name) if dialect == "aten" else None
    columns = None if compute is None else _columns(op.operands, see, _count(shape))
    if compute is None or columns is None:
        return _bounded(op, see, name)
    found = [compute(row) for row in zip(*columns, strict=True)]
    if not all(_holds(op.results[0], each) for each in found):
        return Followed()
    kept = [in_word(each) if isinstance(each, Dim) else (each, TRUE) for each in found]
    presumes = conjunction(fits for _, fits in kept)
    leans_on = () if presumes is TRUE else (NO_WRAP,)
    return Followed(tuple(each for each, _ in kept), presumes=presumes, leans_on=leans_on)


def _bounded(op: Operation, see: RuleContext, name: str) -> Followed:
    """What the elements of sums and differences lie between, and of what is clamped."""
    if _spelled(op.results[0]) != "i64":
        return Followed()
    if name in _CLAMPED:
        return Followed(None, _CLAMPED[name]([_ends(operand, see) for operand in op.operands]).between)
    if name not in ("add", "sub") or len(op.operands) != 3:
        return Followed()
    first, second, factor = (bounds_of(operand, see) for operand in op.operands)
    if first is None or second is None or factor is None or not (factor.low.is_constant and factor.low.constant == 1):
        return Followed()
    low, high = (second.low, second.high) if name == "add" else (-second.high, -second.low)
    ends = [in_word(first.low + low), in_word(first.high + high)]
    presumes = conjunction(fits for _, fits in ends)
    where = conjunction((first.where, second.where))
    # Of two tensors, not every pair of elements need meet.
    step = first.step if second.only is not None else second.step if first.only is not None else 0
    between = Between(ends[0][0], ends[1][0], where, step)
    return Followed(None, between, presumes, () if presumes is TRUE else (NO_WRAP,))


def _clamped(given: Sequence[Ends | None]) -> Ends:
    """PyTorch takes the greatest of a number and the lower bound, then the least of that and the upper one."""
    number, lower, upper = given
    raised = greatest([each for each in (number, lower) if each])
    return raised if upper is None else least([raised, upper])


_CLAMPED: Mapping[str, Callable[[Sequence[Ends | None]], Ends]] = {
    "clamp": _clamped,
    "clamp_min": lambda given: _clamped([*given, None]),
    "clamp_max": lambda given: _clamped([given[0], None, given[1]]),
    "maximum": lambda given: greatest([each for each in given if each]),
    "minimum": lambda given: least([each for each in given if each]),
}
"""The ends of an element by those of the operands', None where one is left out."""


def _ends(value: Value, see: RuleContext) -> Ends | None:
    return Ends.of(bounds_of(value, see)) if is_given(see, value) else None


def bounds_of(value: Value, see: RuleContext) -> Between | None:
    """What a number, or the elements of a tensor of 64-bit integers, lie between."""
    found = see.value(value)
    if isinstance(found, Dim):
        return Between(found, found, step=1)
    if not isinstance(found, Tensor) or _spelled(value) != "i64":
        return None
    known = [each for each in found.elements or () if isinstance(each, Dim)]
    if known and len(known) == len(found.elements or ()):
        return Between(minimum(*known), maximum(*known))
    return found.between


def recast(value: Value, see: RuleContext, result: Value) -> tuple[Element, ...] | None:
    """The elements of a tensor in another type."""
    found = _elements(value, see)
    if found is None:
        return None
    if _spelled(result) == "i1":
        return tuple(map(as_truth, found))
    if _spelled(result) == "i64" or _spelled(result) == _spelled(value):
        return tuple(map(_number, found))
    return None


def _spelled(value: Value) -> str:
    return str(value.type.element) if isinstance(value.type, ShapedType) else str(value.type)


def _holds(result: Value, element: Element) -> bool:
    """Whether elements of a result are of that kind: PyTorch's arithmetic on truth values is logic."""
    return _spelled(result) == ("i64" if isinstance(element, Dim) else "i1")


def _elements(value: Value, see: RuleContext) -> tuple[Element, ...] | None:
    """The elements of a tensor of signed integers or truth values."""
    if not isinstance(value.type, ShapedType) or not _spelled(value).startswith("i"):
        return None
    return see.elements(value)


def _count(shape: Shape) -> int | None:
    """How many elements there are, if they are few."""
    if not isinstance(shape, RankedShape) or not all(extent.is_constant for extent in shape.dims):
        return None
    count = prod(extent.constant for extent in shape.dims)
    return count if count <= MAX_ELEMENTS else None


def _columns(operands: Sequence[Value], see: RuleContext, count: int | None) -> list[Sequence[Element]] | None:
    """One list of elements an operand, all as long as the result."""
    columns: list[Sequence[Element]] = []
    for operand in operands if count is not None else ():
        known = see.value(operand)
        found = _elements(operand, see) if isinstance(known, Tensor) else (known,)
        assert count is not None
        if found is None or len(found) not in (1, count):
            return None
        scalars = tuple(each for each in found if isinstance(each, Dim | Formula))
        if len(scalars) != len(found):
            return None
        columns.append(scalars * count if len(scalars) == 1 else scalars)
    return columns or None
