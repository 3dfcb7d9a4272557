"""StableHLO's reductions of small tensors of integers, element by element: how programs compute with shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from shapesolve.language.dims import Dim, dim
from shapesolve.language.formulas import FALSE, TRUE, Formula
from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation, ScalarType
from shapesolve.walking.region_runs import Unrolled
from shapesolve.walking.rule_context import RuleContext
from shapesolve.walking.values import Abstract, Element, Tensor

from .integers import element_type
from .row_major import constants
from .sums import joins

_MOST_ELEMENTS = 16


def folds(
    op: Operation, extents: Sequence[Dim], folded: Sequence[int], see: RuleContext
) -> tuple[Unrolled, ...] | None:
    """How each element of the result is made of those that are folded into it, in row-major order.

    None where it is not known of what or how. The specification leaves open in what order, and how often the initial
    value takes part, if ever: so the body has to join integers in whatever order, and that value must change nothing.
    """
    numbers, elements = constants(extents), see.elements(op.operands[0])
    if len(op.results) != 1 or numbers is None or elements is None or len(elements) != prod(numbers):
        return None
    if not 1 <= len(elements) <= _MOST_ELEMENTS or not _changes_nothing(see.elements(op.operands[1]), op):
        return None
    region = op.regions[0]
    groups = _groups(elements, numbers, folded)
    return tuple(
        Unrolled(region=region, trips=tuple((_scalar(each),) for each in rest), carries=(_scalar(first),))
        for first, *rest in groups
    )


def joined(yields: Sequence[tuple[Abstract, ...] | None]) -> tuple[Element, ...] | None:
    """The elements that the folds come to; None where one is not known."""
    found: list[Element] = []
    for each in yields:
        last = each[0] if each is not None and len(each) == 1 else None
        if not isinstance(last, Tensor) or last.elements is None or len(last.elements) != 1:
            return None
        found.append(last.elements[0])
    return tuple(found)


def _scalar(element: Element) -> Tensor:
    return Tensor(RankedShape.of(()), (element,))


def _changes_nothing(start: tuple[Element, ...] | None, op: Operation) -> bool:
    """Whether an initial value is what the body leaves the other operand as it is with."""
    type = element_type(op.results[0].type)
    name = joins(op)
    if start is None or len(start) != 1 or name is None or type.kind != "integer" or type.text.startswith("ui"):
        return False
    (value,) = start
    if isinstance(value, Formula):
        return value is {"stablehlo.and": TRUE, "stablehlo.or": FALSE}.get(name)
    return isinstance(value, Dim) and not type.is_boolean and value is _identity(name, type)


def _identity(name: str, type: ScalarType) -> Dim | None:
    """The number that an operation changes nothing with, of signed integers of a type."""
    least, most = -(2 ** (type.width - 1)), 2 ** (type.width - 1) - 1
    found = {"add": 0, "multiply": 1, "maximum": least, "minimum": most, "and": -1, "or": 0}
    number = found.get(name.removeprefix("stablehlo."))
    return None if number is None else dim(number)


def _groups(elements: Sequence[Element], extents: Sequence[int], folded: Sequence[int]) -> Iterator[list[Element]]:
    """The elements that each element of the result is made of, both in row-major order."""
    groups: dict[tuple[int, ...], list[Element]] = {}
    for place, element in zip(product(*map(range, extents)), elements, strict=True):
        kept = tuple(at for index, at in enumerate(place) if index not in folded)
        groups.setdefault(kept, []).append(element)
    return iter(groups.values())
