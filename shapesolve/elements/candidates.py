"""Values for runs to show a difference in: their elements are determined by the source, and not shown to be equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.elements.context import ElementContext
from shapesolve.elements.machine_integers import is_total_function
from shapesolve.elements.scalar_functions import is_exact_function, is_float, is_float_function, is_ieee_function
from shapesolve.elements.sides import ElementSide
from shapesolve.elements.terms import (
    Access,
    Apply,
    Choice,
    Held,
    NotFollowed,
    Reduction,
    TensorFunction,
    Term,
    Unspecified,
)
from shapesolve.ir.program import ShapedType, Value
from shapesolve.records import record
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formulas import at_least, conjunction, negation
from shapesolve.symbolic.named_sizes import NamedSizes

_MOST_STEPS = 2000
_LEAST_EXTENTS = (3, 2, 1, 5)


@record
class Candidate:
    """A result, or the buffer of an argument.

    Attributes:
        position: The position of the result or of the argument.
        is_argument: Whether it is an argument's buffer.
        sizes: Sizes for which there are elements.
        is_special: Whether NaN, infinities and negative zero determine the elements as well.
    """

    position: int
    is_argument: bool
    sizes: tuple[NamedSizes, ...]
    is_special: bool


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
        if any(each.is_lowered_otherwise for each in sides) or not _is_determined(term, source, is_function):
            return None
        is_special = all(each.keeps_special_values for each in sides) and _is_determined(term, source, is_ieee_function)
    sizes = _sizes_with_elements(extents or _extents_of_arguments(source), prover)
    return Candidate(position, is_argument, sizes, is_special)


def _sizes_with_elements(extents: Sequence[Dim], prover: Prover) -> tuple[NamedSizes, ...]:
    found: list[NamedSizes] = []
    for least in _LEAST_EXTENTS:
        are_empty = negation(conjunction(at_least(each, least) for each in extents))
        verdict = prover.verdict_on(are_empty, name="sizes with elements")
        if isinstance(verdict, Refuted):
            found.append(verdict.sizes)
    return tuple(found)


def _extents_of_arguments(source: ElementContext) -> list[Dim]:
    """Return the extents of the source's tensors that its type leaves open."""
    found: list[Dim] = []
    for argument in source.arguments:
        if isinstance(argument.type, ShapedType) and argument.type.rank is not None:
            found += source.extents(argument)
    return [each for each in found if not each.is_constant]


def _is_determined(term: Term, source: ElementContext, is_function: Callable[[object], bool]) -> bool:
    """Return whether an element of the source is one number, whatever the compiler does."""
    is_ordered = is_function is is_ieee_function  # an infinite or zero sum depends on the order
    waiting, steps = [term], 0
    while waiting:
        steps += 1
        if steps > _MOST_STEPS:
            return False
        each = waiting.pop()
        match each:
            case Access():
                waiting.append(source.expand(each))
            case Held():
                waiting.append(source.held(each))
            case Apply():
                if not is_function(each.key) and not is_total_function(each.key):
                    return False
                waiting += each.operands
            case Choice():
                waiting += (each.then, each.otherwise)
            case Reduction() if not is_ordered:
                waiting += (each.body,) if each.initial is None else (each.initial, each.body)
            case Reduction() | Unspecified() | NotFollowed() | TensorFunction():
                return False
            case _:
                pass
    return True
