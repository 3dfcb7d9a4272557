"""Values for runs to show a difference in: their elements are determined by the source, and not shown to be equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from shapesolve.elements.context import ElementContext, NotFollowedError, element_type
from shapesolve.elements.determinacy import (
    LOOPS,
    IsFunction,
    is_determined,
    is_determined_before,
    is_determined_program,
    is_determined_throughout,
)
from shapesolve.elements.machine_integers import width_of
from shapesolve.elements.scalar_functions import (
    is_approximated_function,
    is_exact_function,
    is_float_function,
    is_ieee_function,
)
from shapesolve.elements.sides import ElementSide
from shapesolve.elements.terms import Term
from shapesolve.ir.program import ScalarType, ShapedType, Value, is_float
from shapesolve.records import record
from shapesolve.solver.prover import Prover
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.dims import Dim, of_atom
from shapesolve.symbolic.formulas import at_least, conjunction, equal, negation
from shapesolve.symbolic.named_sizes import NamedSizes

_LEAST_EXTENTS = (3, 2, 1, 5)
_SMALL_EXTENTS = (2, 1)
"""Extents that are tried only where there are no larger ones: they hardly ever show more."""


_MOST_OTHER_INTEGERS = 4
"""Numbers of assignments to integers of fixed width, which are not small."""
_SHIFT = 3
_COUNTING = LOOPS | {"scf.condition", "scf.while"}


@record
class Candidate:
    """A result, or the buffer of an argument.

    Attributes:
        position: The position of the result or of the argument.
        is_argument: Whether it is an argument's buffer.
        sizes: Sizes for which there are elements.
        is_special: Whether NaN, infinities and negative zero determine the elements as well.
        is_approximated: Whether the elements are known only up to the accuracy of a function.
        has_signs: Whether the signs of zeros are known.
        are_small: Whether the elements are known only where the integers of arguments are small.
    """

    position: int
    is_argument: bool
    sizes: tuple[NamedSizes, ...]
    is_special: bool
    is_approximated: bool = False
    has_signs: bool = True
    are_small: bool = False


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
        if sides[0].is_unpredictable_for_small_integers or any(each.is_lowered_otherwise for each in sides):
            return None
        keeps_special = all(each.keeps_special_values for each in sides)
        is_special = keeps_special and _tells(term, source, is_ieee_function)
        is_approximated = keeps_special and not is_special and _nearly_tells(term, source)
        if not (is_followed or is_special or is_approximated or is_determined_throughout(source, is_function)):
            return None
    asked = list(extents or _extents_of_arguments(source))
    sizes = _sizes_with_elements(asked, _integers_of_arguments(source), prover)
    are_small = sides[0].is_unpredictable
    if not are_small:
        sizes += _sizes_with_other_integers(sizes, source, prover)
    has_signs = not is_approximated and all(each.keeps_signs_of_zeros for each in sides)
    return Candidate(position, is_argument, sizes, is_special or is_approximated, is_approximated, has_signs, are_small)


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


def _sizes_with_other_integers(
    sizes: Sequence[NamedSizes], source: ElementContext, prover: Prover
) -> tuple[NamedSizes, ...]:
    """Return the first of the sizes with integers some of which are negative, or at the ends of their type."""
    data = list(_integers_that_are_data(source))
    if not sizes or not data:
        return ()
    chosen = {atom for each, _ in data for atom in each.variables}
    others = ((atom, number) for atom, number in sizes[0].items() if atom not in chosen)
    same = [equal(of_atom(atom), number) for atom, number in others if isinstance(number, int)]
    found: list[NamedSizes] = []
    for seed in range(_MOST_OTHER_INTEGERS):
        numbers = [
            equal(each, tried[(place + seed * min(len(data), _SHIFT)) % len(tried)])
            for place, (each, width) in enumerate(data)
            for tried in [_signed_integers(width)]
        ]
        verdict = prover.verdict_on(negation(conjunction([*same, *numbers])), name="other integers")
        if isinstance(verdict, Refuted) and verdict.sizes not in sizes:
            found.append(verdict.sizes)
    return tuple(found)


def _signed_integers(width: int) -> list[int]:
    half = 2 ** (width - 1)
    return [-half, half - 1, -1, half - 2, 1 - half, 0, 2]


def _integers_that_are_data(source: ElementContext) -> Iterator[tuple[Dim, int]]:
    """Yield the integers of fixed width among the arguments, with their bits, but those that decide how loops run."""
    deciding = _operands_of_loops(source)
    for argument in source.arguments:
        width = width_of(element_type(argument))
        if argument in deciding or width is None or element_type(argument) == "index" or width == 1:
            continue
        number = source.integer(argument)
        if number is not None:
            yield number, width
        elif isinstance(argument.type, ShapedType):
            with suppress(NotFollowedError):
                yield from ((each, width) for each in source.elements(argument))


def _operands_of_loops(source: ElementContext) -> set[Value]:
    """Return the values that decide how often loops run, as far as the definitions of scalars show."""
    loops = (op for op in source.places if op.name in _COUNTING)
    waiting = [each for op in loops for each in op.operands if isinstance(each.type, ScalarType)]
    found: set[Value] = set()
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            maker = source.definitions.get(each)
            waiting += maker[0].operands if maker is not None else ()
    return found


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
