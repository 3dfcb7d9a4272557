"""Small sizes for runs that may show the failure of a claim that the solver leaves undecided.

What is not followed, such as a value that a loop changes from iteration to iteration, has a definite value in a run.
The sizes at which the solver would let it be anything are one guess; a few others are as good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

from shapesolve.solver.models import in_bounds
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import holds_if_determined
from shapesolve.symbolic.named_sizes import NamedSizes, Size
from shapesolve.trace.events import Trace

MOST_TRIED = 24
"""Largest number of further calls of one function."""

_EXTENTS = (1, 2, 3, 0, 4, 5)
_SCALARS = (1, 2, 3, 0, 4, 8)
_SHAPES = ((2,), (2, 2), (3, 2), (1,), (2, 3, 4), (0,), (3, 1), (1, 2, 0), ())
_MOST_DRAWN = 400
_SEED = 0


def trial_sizes(trace: Trace, known: Mapping[Variable, Size]) -> list[NamedSizes]:
    """Return small sizes that the assumptions on the inputs allow, in the order in which counterexamples are preferred.

    Args:
        trace: The trace of the function.
        known: Sizes that satisfy the assumptions, for what is not chosen here.
    """
    found: dict[str, NamedSizes] = {}
    for chosen in _chosen(trace):
        sizes = NamedSizes({**known, **chosen})
        if all(holds_if_determined(fact.formula, sizes) is True for fact in trace.assumptions):
            found[str(sizes)] = sizes
            if len(found) >= MOST_TRIED:
                break
    return sorted(found.values(), key=_order)


def _chosen(trace: Trace) -> Iterator[dict[Variable, Size]]:
    """Yield sizes for the inputs: all extents, all scalars and all shapes alike, then each of its own."""
    passed = variables_in(each for each in trace.inputs if isinstance(each, Dim))
    kinds: dict[Variable, tuple[Size, ...]] = {
        each: _SHAPES if isinstance(each, ShapeSymbol) else _SCALARS if each in passed else _EXTENTS
        for each in trace.input_variables
    }
    choices = {each: tuple(size for size in kind if _is_within(each, size)) for each, kind in kinds.items()}
    choices = {each: sizes for each, sizes in choices.items() if sizes}
    distinct = list(dict.fromkeys(kinds.values()))
    for alike in sorted(product(*(range(len(each)) for each in distinct)), key=lambda each: max(each, default=0)):
        number = dict(zip(distinct, alike, strict=True))
        yield {each: sizes[number[kinds[each]] % len(sizes)] for each, sizes in choices.items()}
    dice = Random(_SEED)
    for _ in range(_MOST_DRAWN if len(choices) > 1 else 0):
        yield {each: dice.choice(sizes) for each, sizes in choices.items()}


def _is_within(variable: Variable, size: Size) -> bool:
    return not isinstance(size, int) or in_bounds(variable, size)


def _order(sizes: Mapping[Variable, Size]) -> tuple[int, int, int, int]:
    """Return what makes sizes preferred: none below 2, or else below 1, then the least rank, maximum, and sum."""
    shapes = [each for each in sizes.values() if isinstance(each, tuple)]
    numbers = [abs(size) for each, size in sizes.items() if isinstance(size, int) and each.upper != 1]
    numbers += [each for one in shapes for each in one]
    return -min((2, *numbers)), sum(map(len, shapes)), max(numbers, default=0), sum(numbers)
