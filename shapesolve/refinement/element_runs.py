"""Runs of both programs on the same numbers, which show that they return other values, or leave others in arguments.

Floats are small integers, so that sums and products are exact: a difference is none of rounding. Integers are small,
or at the ends of their type. Where IEEE 754 determines what the source computes, NaN, infinities, negative zero and a
negative fraction are tried as well, each by itself; also where a function comes last that is computed approximately,
and only large differences count.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from shapesolve.elements.candidates import Candidate
from shapesolve.elements.context import element_type
from shapesolve.elements.machine_integers import width_of
from shapesolve.elements.magnitudes import LARGEST_SMALL
from shapesolve.execution.execution import Execution, Input, Outcome, ResultSize, ScalarInput, TensorInput, arguments
from shapesolve.execution.runner import execute_many
from shapesolve.ir.program import ScalarType, ShapedType, Type
from shapesolve.records import record
from shapesolve.refinement.concrete import Concrete
from shapesolve.refinement.outcome import BY_RUN, LIMITS, Behavior, Ending, Executed, Finding, Side
from shapesolve.solver.verdicts import Refuted
from shapesolve.symbolic.named_sizes import NamedSizes

_INDEX_CASTS = {"arith.index_cast", "arith.index_castui"}
_INDEX_DATA_WIDTH = 32
"""Bits of integers that become indices, so that sums of these, and products of two, do not wrap."""

_WORD = 64
_SMALL_WIDTH = 4
"""Bits, with their sign, of integers for which sums of TOSA do not overflow."""

_MOST_SEEDS = 4
"""Numbers of calls for each size, with other integers."""

_SHIFT_OF_SEEDS = 3
"""Integers by which those of a call are others than those of the call before, at most; few elements skip none."""

_FORMATS = {"f16": ("e", "H"), "f32": ("f", "I"), "f64": ("d", "Q")}
_UPPER_HALVES = {"bf16": ("f32", 16)}
"""Floats that are others without their last bits."""


_SPECIAL = {
    "NaN": math.nan,
    "infinity": math.inf,
    "-infinity": -math.inf,
    "-0.0": -0.0,
    "0.0": 0.0,
    "-0.5": -0.5,
}
_ZEROS = ("-0.0", "0.0")
_SIGN_COUNTS = (*_ZEROS, "-0.5")
"""Special values with which the sign of zero is compared."""
_ROUNDING = {"f16": 8e-3, "bf16": 6e-2}
_USUAL_ROUNDING = 1e-3
_APPROXIMATION = 0.25
"""Differences that rounding, and the approximation of a function, may account for: of finite floats, relative to the
larger one, or to 1. Constants need not be small, so narrow floats, too, are rounded: 16 steps of them are none."""
_SPECIAL_SEEDS = 3


def element_finding(
    sides: tuple[Side, Side],
    candidates: Iterable[Candidate],
    compared: Callable[[NamedSizes], Concrete | None],
    result_arguments: Sequence[int | None],
) -> Finding | None:
    """Return a refuted finding if runs return different elements, or leave different ones in arguments.

    Args:
        sides: The programs.
        candidates: What the source determines, with sizes to run at.
        compared: Returns how both programs end at sizes, None if that is not known.
        result_arguments: For each result of the source, the argument of the target that takes it, as for an
            `Interpretation`.
    """
    for each in candidates:
        specials = list(_SPECIAL) if each.is_special else []
        for sizes in each.sizes:
            found = compared(sizes)
            # Where it is not known, the runs with runtime checks tell whether the programs are defined.
            if found is not None and not _may_differ_in_contents(found):
                continue
            difference = _difference(sides, each, sizes, specials, result_arguments)
            if difference is not None:
                return difference
            specials = []  # at other sizes they hardly ever show more
    return None


def _may_differ_in_contents(found: Concrete) -> bool:
    """Return whether both programs return, and nothing but contents differs as far as is known."""
    is_other = found.difference is not None and not found.difference.is_content
    return not is_other and {found.source.ending, found.target.ending} == {Ending.RETURNS}


@record
class _Observed:
    """The place where a run shows a value: a result, or an argument after the call.

    Attributes:
        position: The position among the results or arguments.
        argument: The argument; None for a result.
    """

    position: int
    argument: Input | None

    def seen(self, run: Execution) -> tuple[ResultSize, tuple[int, ...] | None] | None:
        """Return the size and the contents of the value, None for those of many elements; None if it is not known."""
        position = self.position
        values = run.result_values if self.argument is None else run.argument_values
        if position >= len(values):
            return None
        if self.argument is None:
            return run.result_extents[position], values[position]
        return self.argument.extents if isinstance(self.argument, TensorInput) else None, values[position]


def _arguments_of(candidate: Candidate, result_arguments: Sequence[int | None]) -> tuple[int | None, int | None]:
    """Return the arguments in which the source and the target leave a value; None where it is a result."""
    if candidate.is_argument:
        return candidate.position, candidate.position
    return None, result_arguments[candidate.position] if result_arguments else None


def _difference(
    sides: tuple[Side, Side],
    candidate: Candidate,
    sizes: NamedSizes,
    specials: Sequence[str],
    result_arguments: Sequence[int | None],
) -> Finding | None:
    function = sides[0].trace.function
    position = candidate.position
    type = function.arguments[position].type if candidate.is_argument else function.result_types[position]
    names = [""] * (1 if _width(type) is None else _MOST_SEEDS)
    names += [name for name in specials for _ in range(_SPECIAL_SEEDS)]
    largest_width = _INDEX_DATA_WIDTH if any(map(_makes_indices_of_data, sides)) else None
    if candidate.are_small:
        largest_width = _SMALL_WIDTH
    calls: list[list[list[Input]]] = []
    observed: list[_Observed] = []
    given = _same_arguments([arguments(side.trace, sizes) for side in sides])
    if given is None:
        return None
    for side, call, argument in zip(sides, given, _arguments_of(candidate, result_arguments), strict=True):
        if argument is None:
            behind = 0 if side is sides[0] else sum(each is not None for each in result_arguments[:position])
            observed.append(_Observed(position - behind, None))
        else:
            observed.append(_Observed(argument, call[argument]))
        types = [each.type for each in side.trace.function.arguments]
        filled = [
            [
                _filled(its, each, number, seed, _SPECIAL.get(name), largest_width)
                for number, (its, each) in enumerate(zip(types, call, strict=True))
            ]
            for seed, name in enumerate(names)
        ]
        calls.append(filled)
    if candidate.are_small and not all(
        _are_small([each.type for each in function.arguments], call) for call in calls[0]
    ):
        return None
    runs = _runs(sides, calls, runtime_checks=False)
    words = [
        _difference_of_runs(type, candidate, observed, pair, name, _among(call, name)) if _have_returned(pair) else ""
        for name, call, pair in zip(names, calls[0], runs, strict=True)
    ]
    if any(words):  # only then is it worth asking whether the programs are defined
        for text, pair, checked in zip(words, runs, _runs(sides, calls, runtime_checks=True), strict=True):
            if text and _have_returned(checked, may_be_unchecked=_has_vectors(sides[1])):
                return _finding(type, candidate, sizes, Executed(*pair, text, confirms=True))
    return None


def _runs(
    sides: tuple[Side, Side], calls: Sequence[Sequence[Sequence[Input]]], *, runtime_checks: bool
) -> list[tuple[Execution, Execution]]:
    """Return the runs of the source and of the target for each call."""
    source, target = (
        execute_many(
            side.program.executable,
            side.trace.function.name,
            its,
            runtime_checks=runtime_checks,
            limits=LIMITS,
            vectors=side is sides[1] and not runtime_checks,
        )
        for side, its in zip(sides, calls, strict=True)
    )
    return list(zip(source, target, strict=True))


def _have_returned(runs: tuple[Execution, Execution], *, may_be_unchecked: bool = False) -> bool:
    """Return whether both have returned; a target that may be unchecked, at least without checks."""
    source, target = (each.outcome for each in runs)
    accepted = {Outcome.RETURNED, *([Outcome.NOT_EXECUTABLE] if may_be_unchecked else ())}
    return source is Outcome.RETURNED and target in accepted


def _has_vectors(side: Side) -> bool:
    return any(op.name.startswith("vector.") for op in side.program.operation.walk())


def _finding(type: Type, candidate: Candidate, sizes: NamedSizes, shown: Executed) -> Finding:
    is_scalar = isinstance(type, ScalarType)
    where = f"argument {candidate.position}" if candidate.is_argument else f"result {candidate.position}"
    if candidate.is_argument:
        question, what = f"what is left in {where} is the same", f"other elements left in {where}"
    elif is_scalar:
        question, what = f"the value of {where} is the same", f"another value of {where}"
    else:
        question, what = f"the elements of {where} are the same", f"other elements of {where}"
    return Finding(
        question,
        Refuted(BY_RUN, sizes),
        Behavior(Ending.RETURNS),
        Behavior(Ending.RETURNS, detail=what),
        shown,
        of_elements=True,
        result=None if candidate.is_argument else candidate.position,
    )


def _same_arguments(calls: Sequence[Sequence[Input] | str]) -> list[list[Input]] | None:
    """Return the arguments of both programs, with the integers that either is given; None if one cannot be called."""
    found = [list(each) for each in calls if not isinstance(each, str)]
    if len(found) != len(calls):
        return None
    for position, pair in enumerate(zip(*found, strict=False)):
        known = [each.values for each in pair if isinstance(each, TensorInput) and each.values is not None]
        for call, each in zip(found, pair, strict=True):
            if known and isinstance(each, TensorInput) and len(known[0]) == math.prod(each.extents):
                call[position] = replace(each, values=known[0])
    return found


def _makes_indices_of_data(side: Side) -> bool:
    """Return whether a program casts integers to indices that may be as large as indices are."""
    return any(
        op.name in _INDEX_CASTS and element_type(op.results[0]) == "index" and not _is_narrow(element_type(each))
        for op in side.program.operation.walk()
        for each in op.operands
    )


def _is_narrow(element: str) -> bool:
    width = width_of(element)
    return width is not None and width <= _INDEX_DATA_WIDTH


def _filled(
    type: Type, given: Input, number: int, seed: int, special: float | None, largest_width: int | None
) -> Input:
    """Return an argument with numbers: others in each argument, positive and negative, some of them special.

    Args:
        largest_width: The bits, with their sign, in which integers have to fit; None if those of their type.
    """
    if isinstance(given, ScalarInput):
        is_float = isinstance(type, ScalarType) and type.kind == "float"
        if is_float and special is not None and _is_special(0, number, seed):
            return ScalarInput(special)
        return ScalarInput(float(number + 2)) if is_float else given
    element = type.element if isinstance(type, ShapedType) else None
    if given.values is not None or not isinstance(element, ScalarType) or element.kind == "index":
        return given
    places, width = range(math.prod(given.extents)), _width(type)
    if width is not None:
        tried, step = _integers(width, min(width, largest_width or width)), 1 + number
        shift = seed * min(len(places), _SHIFT_OF_SEEDS)
        values = tuple(tried[(step * (place + shift) + number) % len(tried)] for place in places)
        return replace(given, values=values)
    floats = [float((7 * place + 5 * number) % 13 - 6) for place in places]
    if special is not None:
        floats = [special if _is_special(each, number, seed) else value for each, value in enumerate(floats)]
    return replace(given, floats=tuple(floats))


def _are_small(types: Sequence[Type], call: Sequence[Input]) -> bool:
    """Return whether the integers among the arguments are small, as signed numbers."""
    for type, each in zip(types, call, strict=True):
        values = (each.values or ()) if isinstance(each, TensorInput) else (each.value,)
        end = 2 ** (_width(type) or _WORD)
        if any(not _is_float(value) and min(value % end, -value % end) > LARGEST_SMALL for value in values):
            return False
    return True


def _is_special(place: int, number: int, seed: int) -> bool:
    """Return whether an argument has the special value in a place: each of two has it alone, and both have it."""
    return bool((1 + (place + seed) % 3) >> (number % 2) & 1)


def _width(type: Type) -> int | None:
    """Return the number of bits of a tensor's integers, or None if it has none."""
    element = type.element if isinstance(type, ShapedType) else None
    return element.width if isinstance(element, ScalarType) and element.kind == "integer" else None


def _integers(width: int, inside: int) -> list[int]:
    """Return integers of a width, without their sign, some of them at the ends of the range of ``inside`` bits."""
    half, end = 2 ** (inside - 1), 2**width
    if inside < width:
        half -= 2  # that and the next number fit, too
    return [each % end for each in (-1, 1, half, 2, half - 1, 0, -2, 5, half + 1, -7, 3)]


def _difference_of_runs(
    type: Type,
    candidate: Candidate,
    observed: Sequence[_Observed],
    runs: Sequence[Execution],
    special: str,
    among: str,
) -> str:
    """Return the first element, or scalar result, that clearly differs, in words; "" if there is none.

    Args:
        observed: The places where the source and the target show it.
        special: The special value that is tried; "" if there is none.
        among: Arguments to name, in words.
    """
    where = f"argument {candidate.position}" if candidate.is_argument else f"result {candidate.position}"
    first, second = (each.seen(run) for each, run in zip(observed, runs, strict=True))
    if first is None or second is None:
        return ""
    (sizes, ours), (others, theirs) = first, second
    if isinstance(type, ScalarType):
        if isinstance(sizes, int) and isinstance(others, int) and sizes != others:
            return _difference_in_words(where, str(sizes), str(others), among)
        element = type.text
    elif isinstance(type, ShapedType) and isinstance(sizes, tuple) and sizes == others:
        element = str(type.element) if _width(type) is None else ""
    else:
        return ""
    if ours is None or theirs is None or (element and element not in _FORMATS | _UPPER_HALVES):
        return ""
    for place, pair in enumerate(zip(ours, theirs, strict=True)):
        if element:
            words = _differing_floats(element, *pair, special, candidate)
        else:
            words = (str(pair[0]), str(pair[1])) if pair[0] != pair[1] else None
        if words is not None:
            return _difference_in_words(_element_in_words(place, sizes, where), *words, among)
    return ""


def _differing_floats(type: str, ours: int, theirs: int, special: str, candidate: Candidate) -> tuple[str, str] | None:
    """Return two floats as text if they differ by more than rounding, finite or by a special value."""
    first, second = (_float(type, each) for each in (ours, theirs))
    if math.isfinite(first) and math.isfinite(second):
        is_zero = first == second == 0
        sign_counts = special in _SIGN_COUNTS and candidate.has_signs
        if sign_counts and is_zero and math.copysign(1, first) != math.copysign(1, second):
            return _number(first), _number(second)
        tolerance = _APPROXIMATION if candidate.is_approximated else _ROUNDING.get(type, _USUAL_ROUNDING)
        is_close = math.isclose(first, second, rel_tol=tolerance, abs_tol=tolerance)
        return None if is_close else (_number(first), _number(second))
    are_same = first == second or (math.isnan(first) and math.isnan(second))
    may_differ = special not in ("", *_ZEROS) and (special != "NaN" or math.isnan(first) or math.isnan(second))
    return (_number(first), _number(second)) if may_differ and not are_same else None


def _number(value: float) -> str:
    return "NaN" if math.isnan(value) else "-0.0" if value == 0 and math.copysign(1, value) < 0 else f"{value:g}"


def _element_in_words(place: int, extents: ResultSize, where: str) -> str:
    if not isinstance(extents, tuple):
        return where
    return f"element [{', '.join(map(str, _indices(place, extents)))}] of {where}"


def _difference_in_words(what: str, first: str, second: str, among: str) -> str:
    with_arguments = f", with {among} among the arguments" if among else ""
    return f"{what} is {first} in the source and {second} in the target{with_arguments}"


def _among(call: Sequence[Input], special: str) -> str:
    """Return the special value if it is among the arguments, else the floats that are arguments; "" if all are usual.

    Not every argument has it in every call, and one alone may have it in none.
    """
    floats = [each.floats or () if isinstance(each, TensorInput) else (each.value,) for each in call]
    if not special or any(_is_same_float(each, _SPECIAL[special]) for numbers in floats for each in numbers):
        return special
    return ", ".join(_number(each.value) for each in call if isinstance(each, ScalarInput) and _is_float(each.value))


def _is_float(value: float) -> bool:
    return isinstance(value, float)


def _is_same_float(first: float, second: float) -> bool:
    if math.isnan(second):
        return math.isnan(first)
    return _is_float(first) and first == second and math.copysign(1, first) == math.copysign(1, second)


def _float(type: str, bits: int) -> float:
    if type in _UPPER_HALVES:
        type, missing = _UPPER_HALVES[type]
        bits <<= missing
    as_float, as_integer = _FORMATS[type]
    found: float = struct.unpack(f"={as_float}", struct.pack(f"={as_integer}", bits))[0]
    return found


def _indices(place: int, extents: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    for extent in reversed(extents):
        found.insert(0, place % extent)
        place //= extent
    return found
