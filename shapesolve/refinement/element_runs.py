"""Runs of both programs on the same numbers, which show that elements of their results, or scalar results, differ.

Floats are small integers, so that sums and products are exact: a difference is none of rounding. Integers are small,
or at the ends of their type.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shapesolve.execution.execution import Execution, Input, Outcome, ResultSize, ScalarInput, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ScalarType, ShapedType, Type
from shapesolve.refinement.concrete import Concrete
from shapesolve.refinement.outcome import LIMITS, Behavior, Ending, Executed, Finding, Side
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.named_sizes import NamedSizes

_MOST_SEEDS = 4
"""Numbers of calls for each size, with other integers."""

_FORMATS = {"f32": ("f", "I"), "f64": ("d", "Q")}


def element_finding(
    sides: tuple[Side, Side],
    candidates: Mapping[int, Sequence[NamedSizes]],
    compared: Callable[[NamedSizes], Concrete | None],
) -> Finding | None:
    """Return a refuted finding if runs return different elements.

    Args:
        sides: The programs.
        candidates: Sizes to run at, for each result whose elements are determined by the source.
        compared: Returns how both programs end at sizes, None if that is not known.
    """
    for position, tried in candidates.items():
        for sizes in tried:
            found = compared(sizes)
            # Where it is not known, the runs with runtime checks tell whether the programs are defined.
            if found is not None and (
                found.difference or {found.source.ending, found.target.ending} != {Ending.RETURNS}
            ):
                continue
            difference = _difference(sides, position, sizes)
            if difference is not None:
                return difference
    return None


def _difference(sides: tuple[Side, Side], position: int, sizes: NamedSizes) -> Finding | None:
    type = sides[0].trace.function.result_types[position]
    runs: list[list[Execution]] = []
    for side in sides:
        call = arguments(side.trace, sizes)
        if isinstance(call, str):
            return None
        types = [each.type for each in side.trace.function.arguments]
        filled = [
            [_filled(type, given, number, seed) for number, (type, given) in enumerate(zip(types, call, strict=True))]
            for seed in range(1 if _width(type) is None else _MOST_SEEDS)
        ]
        for checks in (True, False):
            name = side.trace.function.name
            runs.append(execute_many(side.program.executable, name, filled, runtime_checks=checks, limits=LIMITS))
    for each in zip(*runs, strict=True):
        source, target = each[1], each[3]
        comparable = len(source.result_extents) == len(target.result_extents)  # out-parameters are no results
        if comparable and all(run.outcome is Outcome.RETURNED for run in each):
            words = _difference_in_results(type, position, source, target)
            if words:
                return _finding(type, position, sizes, source, target, words)
    return None


def _finding(type: Type, position: int, sizes: NamedSizes, source: Execution, target: Execution, words: str) -> Finding:
    is_scalar = isinstance(type, ScalarType)
    what = "another value" if is_scalar else "other elements"
    ending = Behavior(Ending.RETURNS, detail=f"{what} of result {position}")
    return Finding(
        f"the value of result {position} is the same"
        if is_scalar
        else f"the elements of result {position} are the same",
        Refuted("execution", sizes),
        Behavior(Ending.RETURNS),
        ending,
        Executed(source, target, words, confirms=True),
        of_elements=True,
        result=position,
    )


def _filled(type: Type, given: Input, number: int, seed: int) -> Input:
    """Return an argument with numbers: others in each argument, positive and negative."""
    if isinstance(given, ScalarInput):
        is_float = isinstance(type, ScalarType) and type.kind == "float"
        return ScalarInput(number + 2) if is_float else given
    element = type.element if isinstance(type, ShapedType) else None
    if given.values is not None or not isinstance(element, ScalarType) or element.kind == "index":
        return given
    places, width = range(math.prod(given.extents)), _width(type)
    if width is not None:
        tried, step = _integers(width), 1 + number
        values = tuple(tried[(step * (place + 3 * seed) + number) % len(tried)] for place in places)
        return replace(given, values=values)
    return replace(given, floats=tuple((7 * place + 5 * number) % 13 - 6 for place in places))


def _width(type: Type) -> int | None:
    """Return the number of bits of a tensor's integers, or None if it has none."""
    element = type.element if isinstance(type, ShapedType) else None
    return element.width if isinstance(element, ScalarType) and element.kind == "integer" else None


def _integers(width: int) -> list[int]:
    """Return integers of a width, without their sign, some of them at the ends of its range."""
    half, end = 2 ** (width - 1), 2**width
    return [each % end for each in (-1, 1, half, 2, half - 1, 0, -2, 5, half + 1, -7, 3)]


def _difference_in_results(type: Type, position: int, source: Execution, target: Execution) -> str:
    """Return the first element of a result, or a scalar result, that clearly differs, in words; "" if there is none."""
    sizes = source.result_extents[position], target.result_extents[position]
    ours, theirs = source.result_values[position], target.result_values[position]
    if isinstance(type, ScalarType):
        if isinstance(sizes[0], int) and isinstance(sizes[1], int) and sizes[0] != sizes[1]:
            return _difference_in_words(f"result {position}", *map(str, sizes))
        element = type.text
    elif isinstance(type, ShapedType) and isinstance(sizes[0], tuple) and sizes[0] == sizes[1]:
        element = str(type.element) if _width(type) is None else ""
    else:
        return ""
    if ours is None or theirs is None or (element and element not in _FORMATS):
        return ""
    for place, pair in enumerate(zip(ours, theirs, strict=True)):
        words = _differing_floats(element, *pair) if element else tuple(map(str, pair)) if pair[0] != pair[1] else None
        if words is not None:
            return _difference_in_words(_element_in_words(place, sizes[0], position), *words)
    return ""


def _differing_floats(type: str, ours: int, theirs: int) -> tuple[str, str] | None:
    """Return two floats as text if they are finite and differ by more than rounding."""
    first, second = (_float(type, each) for each in (ours, theirs))
    are_finite = math.isfinite(first) and math.isfinite(second)
    if not are_finite or math.isclose(first, second, rel_tol=1e-3, abs_tol=1e-3):
        return None
    return f"{first:g}", f"{second:g}"


def _element_in_words(place: int, extents: ResultSize, position: int) -> str:
    if not isinstance(extents, tuple):
        return f"result {position}"
    return f"element [{', '.join(map(str, _indices(place, extents)))}] of result {position}"


def _difference_in_words(what: str, first: str, second: str) -> str:
    return f"{what} is {first} in the source and {second} in the target"


def _float(type: str, bits: int) -> float:
    as_float, as_integer = _FORMATS[type]
    found: float = struct.unpack(f"={as_float}", struct.pack(f"={as_integer}", bits))[0]
    return found


def _indices(place: int, extents: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    for extent in reversed(extents):
        found.insert(0, place % extent)
        place //= extent
    return found
