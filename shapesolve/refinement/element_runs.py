"""Runs of both programs on the same floats, which show that elements of their results differ.

Arguments hold small integers, so that sums and products are exact: a difference is none of rounding.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shapesolve.execution.execution import Execution, Input, Outcome, ScalarInput, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ScalarType, ShapedType, Type
from shapesolve.refinement.concrete import Concrete
from shapesolve.refinement.outcome import LIMITS, Behavior, Ending, Executed, Finding, Side
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.named_sizes import NamedSizes

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
    runs: list[Execution] = []
    for side in sides:
        call = arguments(side.trace, sizes)
        if isinstance(call, str):
            return None
        types = [each.type for each in side.trace.function.arguments]
        filled = [_filled(type, given, number) for number, (type, given) in enumerate(zip(types, call, strict=True))]
        name = side.trace.function.name
        for checks in (True, False):
            (run,) = execute_many(side.program.executable, name, [filled], runtime_checks=checks, limits=LIMITS)
            if run.outcome is not Outcome.RETURNED:
                return None
        runs.append(run)
    source, target = runs
    if source.result_extents != target.result_extents:
        return None
    words = _differing_element(sides[0].trace.function.result_types[position], position, source, target)
    if not words:
        return None
    ending = Behavior(Ending.RETURNS, detail=f"with a difference in the elements of result {position}")
    return Finding(
        f"the elements of result {position} are the same",
        Refuted("execution", sizes),
        Behavior(Ending.RETURNS),
        ending,
        Executed(source, target, words, confirms=True),
        of_elements=True,
    )


def _filled(type: Type, given: Input, number: int) -> Input:
    """Return an argument with small integers for its floats: others in each argument, positive and negative."""
    if isinstance(given, ScalarInput):
        is_float = isinstance(type, ScalarType) and type.kind == "float"
        return ScalarInput(number + 2) if is_float else given
    element = type.element if isinstance(type, ShapedType) else None
    if given.values is not None or not isinstance(element, ScalarType) or element.kind != "float":
        return given
    count = math.prod(given.extents)
    return replace(given, floats=tuple((7 * place + 5 * number) % 13 - 6 for place in range(count)))


def _differing_element(type: Type, position: int, source: Execution, target: Execution) -> str:
    """Return the first element that clearly differs, in words; "" if there is none."""
    if not isinstance(type, ShapedType) or str(type.element) not in _FORMATS:
        return ""
    extents = source.result_extents[position]
    ours, theirs = source.result_values[position], target.result_values[position]
    if ours is None or theirs is None or not isinstance(extents, tuple):
        return ""
    for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        first, second = (_float(str(type.element), each) for each in (a, b))
        if (
            math.isfinite(first)
            and math.isfinite(second)
            and not math.isclose(first, second, rel_tol=1e-3, abs_tol=1e-3)
        ):
            indices = ", ".join(map(str, _indices(place, extents)))
            element = f"element [{indices}] of result {position}"
            return f"{element} is {first:g} in the source and {second:g} in the target"
    return ""


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
