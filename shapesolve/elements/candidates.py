"""Values for runs to show a difference in: their elements are determined by the source, and not shown to be equal."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.elements.context import ElementContext
from shapesolve.elements.determinacy import (
    IsFunction,
    is_determined,
    is_determined_before,
    is_determined_program,
    is_determined_throughout,
)
from shapesolve.elements.scalar_functions import (
    is_approximated_function,
    is_exact_function,
    is_float_function,
    is_ieee_function,
)
from shapesolve.elements.sides import ElementSide
from shapesolve.elements.terms import Term
from shapesolve.ir.program import ShapedType, Value, is_float
from shapesolve.records import record
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formulas import at_least, conjunction, negation
from shapesolve.symbolic.named_sizes import NamedSizes

_LEAST_EXTENTS = (3, 2, 1, 5)
_SMALL_EXTENTS = (2, 1)
"""Extents that are tried only where there are no larger ones: they hardly ever show more."""


@record
class Candidate:
    """A result, or the buffer of an argument.

    Attributes:
        position: The position of the result or of the argument.
        is_argument: Whether it is an argument's buffer.
        sizes: Sizes for which there are elements.
        is_special: Whether NaN, infinities and negative zero determine the elements as well.
        is_approximated: Whether the elements are known only up to the accuracy of a function.
    """

    position: int
    is_argument: bool
    sizes: tuple[NamedSizes, ...]
    is_special: bool
    is_approximated: bool = False


def candidate(
    sides: tuple[ElementSide, ElementSide],
    prover: Prover,
    term: Term,
    value: Value,
    extents: Sequence[Dim],
    position: int,
    *,
    is_argument: bool,
) -> Candidate | None:
    """Return a value of the source for runs to look at; None if their numbers do not tell what the source computes.

    Args:
        sides: The source and the target.
        prover: Knows what holds where both programs return.
        term: An element of the value.
    """
    source = sides[0].context
    is_function = is_float_function if is_float(value) else is_exact_function
    with source.distinct_arguments():  # as those of runs are
        is_followed = _tells(term, source, is_function)
        if any(each.is_lowered_otherwise for each in sides):
            return None
        keeps_special = all(each.keeps_special_values for each in sides)
        is_special = keeps_special and _tells(term, source, is_ieee_function)
        is_approximated = keeps_special and not is_special and _nearly_tells(term, source)
        if not (is_followed or is_special or is_approximated or is_determined_throughout(source, is_function)):
            return None
    asked = list(extents or _extents_of_arguments(source))
    sizes = _sizes_with_elements(asked, _integers_of_arguments(source), prover)
    return Candidate(position, is_argument, sizes, is_special or is_approximated, is_approximated)


def _sizes_with_elements(extents: Sequence[Dim], integers: Sequence[Dim], prover: Prover) -> tuple[NamedSizes, ...]:
    """Return sizes for which there are elements, first with integers among the arguments that are as large."""
    found: list[NamedSizes] = []
    for asked in ([*extents, *integers], extents) if integers else (extents,):
        known = len(found)
        for least in _LEAST_EXTENTS:
            if len(found) > known and least in _SMALL_EXTENTS:
                continue
            are_smaller = negation(conjunction(at_least(each, least) for each in asked))
            verdict = prover.verdict_on(are_smaller, name="sizes with elements")
            if isinstance(verdict, Refuted) and verdict.sizes not in found:
                found.append(verdict.sizes)
    return tuple(found)


def _integers_of_arguments(source: ElementContext) -> list[Dim]:
    """Return the source's arguments that are integers."""
    return [number for each in source.arguments if (number := source.integer(each)) is not None]


def _extents_of_arguments(source: ElementContext) -> list[Dim]:
    """Return the extents of the source's tensors that its type leaves open."""
    found: list[Dim] = []
    for argument in source.arguments:
        if isinstance(argument.type, ShapedType) and argument.type.rank is not None:
            found += source.extents(argument)
    return [each for each in found if not each.is_constant]


def _tells(term: Term, source: ElementContext, is_function: IsFunction) -> bool:
    """Return whether a run of the source tells what an element is."""
    return is_determined(term, source, is_function) and is_determined_program(source, is_function)


def _nearly_tells(term: Term, source: ElementContext) -> bool:
    """Return whether a run of the source tells what an element is up to the accuracy of the last function."""
    is_near = is_determined_before(term, source, is_ieee_function, is_approximated_function)
    return is_near and is_determined_program(source, is_ieee_function)
