"""Sizes, values, claims and facts in words, the same in every output."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from shapesolve.language.atoms import MAX_SIZE
from shapesolve.language.dims import Dim, dim
from shapesolve.language.evaluation import evaluate, evaluate_extents, holds
from shapesolve.language.formulas import FALSE, Formula
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.proving.verdicts import Refuted, Sizes, Verdict
from shapesolve.reading.program import Function, Program, ShapedType, Type
from shapesolve.walking.entry import entry_points
from shapesolve.walking.obligations import Fact, Kind, Obligation, Trace
from shapesolve.walking.reasons import listed
from shapesolve.walking.values import MAX_ELEMENTS, Abstract, Element, Size, Tensor, Witness
from shapesolve.wording.loop_variables import by_their_names, counts_rounds

KINDS = {
    Kind.TYPE: "the types contradict the operation",
    Kind.UB: "undefined behaviour",
    Kind.CHECK: "a runtime check fails",
}

OF_EVERY_OPERATION = {
    "T1": "The rank of the result is the one that its type declares.",
    "T2": "The extents of the result are those that its type declares.",
    "T4": "What the operation demands is known.",
}

MOST_NAMED = 6
ORDER = "preferring sizes of 2 and more to 1, and 1 to 0"

LONGEST_REWRITTEN = 600
"""Claims longer than this are printed as they are: nobody reads them, and taking them apart takes long."""


def clause_words(obligation: Obligation) -> str:
    """The words of the clause that an obligation comes from; "" where there are none."""
    return obligation.words or OF_EVERY_OPERATION.get(obligation.clause, "")


def readable_claim(claim: Formula) -> str:
    """The claim in the form that is easiest to read."""
    text = str(claim)
    if len(text) > LONGEST_REWRITTEN:
        return text
    from shapesolve.proving.readable_claims import readable

    return readable(claim)


def required(obligation: Obligation, verdict: Verdict, trace: Trace) -> str:
    """What the sizes have to satisfy: where the claim fails, what it comes to under the facts, if that is shorter."""
    claim = obligation.claim
    if isinstance(verdict, Refuted) and verdict.condition is not None and verdict.condition is not FALSE:
        claim = min(claim, verdict.condition, key=lambda each: len(str(each)))
    return readable_claim(by_their_names(claim, trace))


def check_with(function: Function, program: Program, texts: Iterable[str]) -> str:
    """What to type to assume something of a function, in one line so that it can be copied."""
    flags = [flag("--assume", text) for text in texts]
    if len(entry_points(program)) > 1:
        flags.insert(0, flag("--function", function.name))
    return f"check with {' '.join(flags)}"


def flag(option: str, value: str) -> str:
    """An option with a value, as it is typed in a shell."""
    return f"{option}={shlex.quote(value)}" if value.startswith("-") else f"{option} {shlex.quote(value)}"


def shortened(text: str, limit: int) -> str:
    """The text, cut in the middle where it is longer than the limit."""
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def domain_words(min_size: int, max_size: int = MAX_SIZE) -> str:
    """The sizes that verdicts speak about: ``sizes from 0 to 2^63-1; `?` may be 0 or 1``."""
    exponent = (max_size + 1).bit_length() - 1
    largest = f"2^{exponent}-1" if max_size + 1 == 2**exponent and exponent > 10 else str(max_size)
    rest = "; `?` may be 0 or 1" if min_size == 0 and max_size > 0 else ""
    return f"sizes from {min_size} to {largest}{rest}"


def largest_size(trace: Trace, max_size: int) -> int:
    """The largest size that a function was checked for: operations may allow for less than was asked."""
    bounds = [
        variable.upper
        for value in trace.inputs
        if isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
        for variable in value.shape.variables
        if variable.upper is not None
    ]
    return min([max_size, *bounds])


def because(fact: Fact) -> str:
    """Where a fact comes from: ``line 12: tosa.add (C1)``."""
    return f"line {fact.location.line}: {fact.because}" if fact.location is not None and fact.has_line else fact.because


# Values at sizes -------------------------------------------------------------------------------------------------


def number_at(size: Dim, sizes: Sizes) -> int | None:
    """The number that an expression is; None where it depends on more than the sizes."""
    return evaluate(size, sizes) if size.variables <= sizes.keys() else None


def extents_at(shape: Shape, sizes: Sizes) -> tuple[int, ...] | None:
    """The extents that a shape has; None where they depend on more than the sizes."""
    return evaluate_extents(shape, sizes) if shape.variables <= sizes.keys() else None


def truth_at(formula: Formula, sizes: Sizes) -> bool | None:
    """Whether a formula holds; None where that depends on more than the sizes."""
    return holds(formula, sizes) if formula.variables <= sizes.keys() else None


def value_at(type: Type, value: Abstract, sizes: Sizes) -> str | None:
    """A value at given sizes: ``tensor<2x3xf32>``, ``5``, ``true``; None where nothing is known."""
    match value:
        case Tensor():
            return _tensor_at(type, value, sizes)
        case Dim():
            number = number_at(value, sizes)
            return None if number is None else str(number)
        case Formula():
            truth = truth_at(value, sizes)
            return None if truth is None else str(truth).lower()
        case Shape():
            return _shape_at(value, sizes)
        case Size():
            number = number_at(value.value, sizes)
            return None if number is None else str(number) if truth_at(value.valid, sizes) else "invalid"
        case Witness():
            passing = truth_at(value.passing, sizes)
            return None if passing is None else "passing" if passing else "not passing"
        case _:
            return None


def _shape_at(shape: Shape, sizes: Sizes) -> str | None:
    extents = extents_at(shape, sizes)
    if extents is None:
        return None
    return f"[{', '.join(map(str, extents))}]" if truth_at(shape.valid, sizes) else "an invalid shape"


def _tensor_at(type: Type, value: Tensor, sizes: Sizes) -> str | None:
    if not isinstance(type, ShapedType):  # `!shape.value_shape`; or `!tosa.shape<2>`, which is its contents
        return _shape_at(value.shape if value.elements is None else RankedShape.of(_numbers(value.elements)), sizes)
    extents = extents_at(value.shape, sizes)
    if extents is None:
        return None
    shown = str(ShapedType(type.container, extents, type.element))
    elements = [_element_at(each, sizes) for each in value.elements or _negative(value, extents, sizes)]
    known = [each for each in elements if each is not None]
    if not known or len(known) < len(elements):
        return shown
    held = known[0] if extents == () else f"[{', '.join(known)}]"
    return f"{shown} = {held}"


def _numbers(elements: Iterable[Element]) -> list[Dim]:
    return [each for each in elements if isinstance(each, Dim)]


def _negative(value: Tensor, extents: tuple[int, ...], sizes: Sizes) -> tuple[Element, ...]:
    """The elements of a tensor that could spell a shape, and does not, for one of them is negative."""
    if value.signs is None or len(extents) != 1 or extents[0] > MAX_ELEMENTS:
        return ()
    elements = tuple(value.spelled_element(dim(extents[0] - 1 - number)) for number in range(extents[0]))
    numbers = [number_at(each, sizes) for each in elements]
    return elements if any(each is not None and each < 0 for each in numbers) else ()


def _element_at(element: Element, sizes: Sizes) -> str | None:
    if isinstance(element, Formula):
        truth = truth_at(element, sizes)
        return None if truth is None else str(truth).lower()
    number = number_at(element, sizes) if isinstance(element, Dim) else None
    return None if number is None else str(number)


def arguments_at(trace: Trace, sizes: Sizes) -> list[tuple[str, str]]:
    """Every argument's name, and what it is at these sizes."""
    shown: list[tuple[str, str]] = []
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        there = value_at(argument.type, value, sizes)
        if there is None:
            shown.append((argument.name, f"any {argument.type}"))
        elif isinstance(argument.type, ShapedType):
            shown.append((argument.name, there))
        else:
            shown.append((argument.name, f"{there} : {argument.type}"))
    return shown


def said_arguments(trace: Trace, sizes: Sizes) -> list[str]:
    """The arguments at these sizes as people write them: ``%x: tensor<2xf32>``, ``%n = 1 : index``."""
    return [f"{name} = {text}" if " : " in text else f"{name}: {text}" for name, text in arguments_at(trace, sizes)]


def smallness(trace: Trace, refuted: Refuted, fails: str = "fails") -> list[str]:
    """In which sense the sizes of a counterexample are the smallest, and what else ``fails`` (or "may fail")."""
    notes: list[str] = []
    named = [each.name for each in refuted.sizes if each in refuted.free]
    if refuted.smallest and refuted.floor == 2:
        notes.append(f"the smallest with every size {'that matters ' if named else ''}at least 2")
    elif refuted.smallest and refuted.floor is not None and refuted.needs is None:
        notes.append(f"the smallest, {ORDER}")
    if refuted.also is not None:
        notes.append(f"{', '.join(_other(trace, refuted, refuted.also))} {fails} too")
    if refuted.needs is not None:
        notes.append(f"fails only when {refuted.needs}")
    if named:
        notes.append(f"{_listed(named)} may be anything else that is allowed")
    return notes


def _other(trace: Trace, refuted: Refuted, also: Sizes) -> list[str]:
    """The arguments that differ at other sizes, ``%x: tensor<1x2xf32>``."""
    here, there = said_arguments(trace, refuted.sizes), said_arguments(trace, {**refuted.sizes, **also})
    return [other for one, other in zip(here, there, strict=True) if one != other]


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return listed(names)


def clashing(obligation: Obligation, refuted: Refuted, verdict: Verdict) -> list[tuple[str, int, str]]:
    """What the claim is about at these sizes: a name, the number, and the expression where it is not just a number.

    Where the ``verdict`` leaves open whether these sizes fail, nothing is said of what is no input.
    """
    sizes = {**refuted.within, **refuted.sizes} if verdict is refuted else refuted.sizes
    found: list[tuple[str, int, str]] = []
    for name, size in obligation.shown:
        number = number_at(size, sizes)
        if number is not None:
            found.append((name, number, "" if size.is_constant or counts_rounds(size.variables) else str(size)))
    return found


def plural(count: int, word: str) -> str:
    """``1 cause``, ``2 causes``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
