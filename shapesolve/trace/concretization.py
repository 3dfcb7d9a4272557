"""Concretization for printing: loop variables under their source names, and values at given sizes.

A loop variable is `%j` in the program, where the normal form has `4*%j.round + lo`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeGuard

from shapesolve.domain.values import MAX_ELEMENTS, Abstract, Element, Size, Tensor, Witness
from shapesolve.ir.program import ShapedType, Type, Value
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, variable
from shapesolve.symbolic.evaluation import Sizes, evaluate, evaluate_extents, holds
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.shape_kinds import RankedShape, Shape
from shapesolve.symbolic.visitors import Instantiation
from shapesolve.trace.events import Trace

_ROUND = ".round"
_NUMBERED = re.compile(r"'\d+")


def with_source_names(claim: Formula, trace: Trace) -> Formula:
    """Return the claim in terms of the program's loop variables and names, for people.

    It keeps iteration numbers that it needs, and the numbers behind names that are several values in it.
    """
    return _with_plain_names(_with_loop_variables(claim, trace))


def with_sigils(size: Dim, named: Iterable[Variable]) -> Dim:
    """Return the size with `%a[0]` for a caller's `a[0]`, which is told apart from the `a[0]` of a called function."""
    plain = [each for each in named if not isinstance(each, ShapeSymbol) and not each.name.startswith("%")]
    return Instantiation({each: of_atom(each.renamed(f"%{each.name}")) for each in plain}).size(size)


def _with_plain_names(claim: Formula) -> Formula:
    """Return the claim with `%x` for the second value of that name, `%x'2`, where no other `%x` is in the claim."""
    plain = {each: _NUMBERED.sub("", each.name) for each in claim.variables}
    count = Counter(plain.values())
    renamed = {
        each: of_atom(each.renamed(name))
        for each, name in plain.items()
        if name != each.name and count[name] == 1 and not isinstance(each, ShapeSymbol)
    }
    try:
        return Instantiation(renamed).formula(claim) if renamed else claim
    except ValueError:  # shapes of unknown rank
        return claim


def _with_loop_variables(claim: Formula, trace: Trace) -> Formula:
    """Return the claim in terms of the program's loop variables; unchanged if it needs the iteration numbers."""
    rounds = {each for each in claim.variables if _ROUND in each.name}
    counted = {round: found for round in rounds if (found := _counted_by(round, trace)) is not None}
    if not counted:
        return claim
    try:
        named = _Named(counted).formula(claim)
    except ValueError:  # shapes of unknown rank
        return claim
    return claim if named.variables & rounds else named


def mentions_iteration_number(variables: Iterable[Variable]) -> bool:
    """Return whether one of the variables is a loop's iteration number, which has no name in the program."""
    return any(_ROUND in each.name for each in variables)


def _counted_by(round: Variable, trace: Trace) -> tuple[Dim, Dim] | None:
    """Return the loop variable that an iteration number determines, as a size, and its value in that iteration."""
    name = round.name.partition(_ROUND)[0]
    for value, held in trace.values.items():
        if value.name == name and isinstance(held, Dim) and _times(held, round):
            return variable(name, None), held
    return None


def _times(size: Dim, variable: Variable) -> int:
    return next((times for monomial, times in size.terms if monomial.factors == ((variable, 1),)), 0)


class _Named(Instantiation):
    def __init__(self, counted: Mapping[Variable, tuple[Dim, Dim]]) -> None:
        super().__init__({})
        self._counted = counted

    def read_size(self, size: Dim) -> Dim:
        found = super().read_size(size)
        for round, (name, value) in self._counted.items():
            times, step = _times(found, round), _times(value, round)
            if times and not times % step and round not in (value - of_atom(round) * step).variables:
                found += (name - value) * (times // step)
        return found


# Values at sizes -------------------------------------------------------------------------------------------------


def number_at(size: Dim, sizes: Sizes) -> int | None:
    """Return the value of an expression, or None if it depends on more than the sizes."""
    return evaluate(size, sizes) if size.variables <= sizes.keys() else None


def extents_at(shape: Shape, sizes: Sizes) -> tuple[int, ...] | None:
    """Return the extents of a shape, or None if they depend on more than the sizes."""
    return evaluate_extents(shape, sizes) if shape.variables <= sizes.keys() else None


def truth_at(formula: Formula, sizes: Sizes) -> bool | None:
    """Return whether a formula holds, or None if that depends on more than the sizes."""
    return holds(formula, sizes) if formula.variables <= sizes.keys() else None


def value_at(type: Type, value: Abstract, sizes: Sizes) -> str | None:
    """Return a value at given sizes as text: ``tensor<2x3xf32>``, ``5``, ``true``; None if nothing is known."""
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
    held = _held_at(value, extents, sizes)
    return f"{shown} = {held}" if held else shown


def _held_at(value: Tensor, extents: tuple[int, ...], sizes: Sizes) -> str:
    """Return the elements of a tensor of these extents; "" unless all are known."""
    elements = [_element_at(each, sizes) for each in value.elements or _spelled_elements(value, extents)]
    known = [each for each in elements if each is not None]
    if not known or len(known) < len(elements):
        return ""
    return known[0] if extents == () else f"[{', '.join(known)}]"


def _numbers(elements: Iterable[Element]) -> list[Dim]:
    return [each for each in elements if isinstance(each, Dim)]


def _spelled_elements(value: Tensor, extents: tuple[int, ...]) -> tuple[Element, ...]:
    """Return the elements of an index tensor of unknown length at these extents; none if they are too many."""
    if value.spells is None or len(extents) != 1 or extents[0] > MAX_ELEMENTS:
        return ()
    return tuple(value.spelled_element(dim(extents[0] - 1 - number)) for number in range(extents[0]))


def _element_at(element: Element, sizes: Sizes) -> str | None:
    if isinstance(element, Formula):
        truth = truth_at(element, sizes)
        return None if truth is None else str(truth).lower()
    number = number_at(element, sizes) if isinstance(element, Dim) else None
    return None if number is None else str(number)


def arguments_at(trace: Trace, sizes: Sizes, unknown: str = "any") -> list[tuple[str, str]]:
    """Return the name of every argument, and its value at these sizes as text; ``unknown`` says what others may be."""
    shown: list[tuple[str, str]] = []
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        there = value_at(argument.type, value, sizes)
        if there is None:
            shown.append((argument.name, f"{unknown} {argument.type}"))
        elif isinstance(argument.type, ShapedType):
            shown.append((argument.name, there))
        else:
            shown.append((argument.name, f"{there} : {argument.type}"))
    return shown


def argument_texts(trace: Trace, sizes: Sizes) -> list[str]:
    """Return the arguments at some sizes, in the syntax of MLIR: ``%x: tensor<2xf32>``, ``%n = 1 : index``."""
    texts: list[str] = []
    for argument, value, (name, text) in zip(
        trace.function.arguments, trace.inputs, arguments_at(trace, sizes), strict=True
    ):
        is_type = isinstance(argument.type, ShapedType) or value_at(argument.type, value, sizes) is None
        texts.append(f"{name}: {text}" if is_type else f"{name} = {text}")
    return texts


def in_short(argument: Value, value: Abstract, sizes: Sizes) -> str | None:
    """Return an argument at given sizes as people write it: ``x: 2x3``, ``n = 5``; None if nothing is known of it."""
    there = value_at(argument.type, value, sizes)
    if there is None:
        return None
    name = argument.name.removeprefix("%")
    if isinstance(value, Witness):  # a number in conditions
        return f"{name} = {1 if there == 'passing' else 0} ({there})"
    if not isinstance(argument.type, ShapedType):
        return f"{name} = {there}"
    extents = extents_at(value.shape, sizes) if isinstance(value, Tensor) else None
    held = _held_at(value, extents, sizes) if isinstance(value, Tensor) and extents is not None else ""
    return f"{name}: {'x'.join(map(str, extents or ())) or 'a scalar'}{held and f' = {held}'}"


def arguments_in_short(trace: Trace, sizes: Sizes, unknown: str = "") -> str:
    """Return the arguments at some sizes, as people write them: ``x: 2x3, n = 1``.

    Those of which nothing is known are left out, but ``unknown`` says what they may be: ``t: any tensor<*xf32>``.
    """
    texts: list[str] = []
    for argument, value in zip(trace.function.arguments, trace.inputs, strict=True):
        text = in_short(argument, value, sizes)
        if text is None and unknown:
            text = f"{argument.name.removeprefix('%')}: {unknown} {argument.type}"
        texts += [] if text is None else [text]
    return ", ".join(texts)


class ShortArguments:
    """The arguments of a trace as people write them, for many sizes; each text is made once for its own sizes."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._arguments = [
            (argument, value, tuple(value.shape.variables) if _is_shape_alone(value) else None)
            for argument, value in zip(trace.function.arguments, trace.inputs, strict=True)
        ]
        self._known: list[dict[tuple[object, ...], str | None]] = [{} for _ in self._arguments]

    def at(self, sizes: Sizes) -> str:
        """Return what `arguments_in_short` returns for the sizes."""
        there, texts = dict(sizes).get, list[str]()
        for (argument, value, variables), known in zip(self._arguments, self._known, strict=True):
            if variables is None:
                text = in_short(argument, value, sizes)
            else:
                key = tuple(map(there, variables))
                if key not in known:
                    known[key] = in_short(argument, value, sizes)
                text = known[key]
            if text is not None:
                texts.append(text)
        return ", ".join(texts)


def _is_shape_alone(value: Abstract) -> TypeGuard[Tensor]:
    """Return whether nothing but extents is known of a value."""
    return isinstance(value, Tensor) and value.elements is None and value.spells is None
