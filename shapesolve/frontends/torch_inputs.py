"""Inputs of a PyTorch module as text: ``x=f32[B,3,H,W]`` gives an example input and its dynamic sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from shapesolve.errors import InputError
from shapesolve.frontends.torch_annotations import declared_size
from shapesolve.frontends.torch_examples import run_example
from shapesolve.records import value_record

OPTION = "--inputs"
_TEXT = re.compile(r"\s*(?:(?P<name>[A-Za-z_]\w*)\s*=)?\s*(?P<kind>\w+)\s*\[(?P<sizes>[^\[\]]*)\]\s*")
_KINDS = {
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    "bf16": "bfloat16",
    "u8": "uint8",
    "bool": "bool",
}
_SIZES = ((4, 2), (16, 8), (32, 32), (64, 0), (224, 0))
"""Example sizes that are tried: the first name's, and what each further name has more."""


@value_record
class TextInput:
    """One input.

    Attributes:
        name: The parameter of ``forward``, "" for the next one.
        kind: The element type, as PyTorch calls it.
        sizes: A number, a name, or ``?`` for each dimension.
    """

    name: str
    kind: str
    sizes: tuple[str, ...]


def text_input(text: str) -> TextInput:
    """Return one input from its text. Raises InputError for another form."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise InputError(f"`{text}` is no input: write NAME=DTYPE[SIZES], as in x=f32[B,3,H,W]", where=OPTION)
    kind = _KINDS.get(match["kind"])
    if kind is None:
        raise InputError(f"`{match['kind']}` is no element type; these are: {', '.join(_KINDS)}", where=OPTION)
    sizes = tuple(each.strip() for each in match["sizes"].split(",")) if match["sizes"].strip() else ()
    for each in sizes:
        if not (each.isdecimal() or each == "?" or (each.isidentifier() and not each.startswith("_"))):
            raise InputError(f"`{each}` in `{text}` is no size: write a number, a name, or ?", where=OPTION)
    return TextInput(match["name"] or "", kind, sizes)


def with_inputs(module: Any, texts: Sequence[str], where: str) -> tuple[Any, Any, Any]:
    """Return a module with example inputs and dynamic shapes from texts.

    The first example sizes at which the module returns are taken, or the smallest where it never does.

    Raises:
        InputError: A text is no input, or inputs with and without a name are mixed.
    """
    given = [text_input(each) for each in texts]
    named = [bool(each.name) for each in given]
    if any(named) and not all(named):
        raise InputError("either all inputs have a name, or none has one", where=OPTION)
    if len({each.name for each in given}) < len(given) and all(named):
        raise InputError("an input is given twice", where=OPTION)
    _check_names(module, given)
    dims: Any = import_module("torch.export").Dim
    names: dict[str, Any] = {}
    shapes: list[Mapping[int, Any]] = []
    for each in given:
        sizes = {at: declared_size(text, names, dims) for at, text in enumerate(each.sizes)}
        shapes.append({at: size for at, size in sizes.items() if size is not None})
    examples = [_tensors(given, *sizes) for sizes in _SIZES]
    chosen = next((each for each in examples if _returns(module, each, given, where)), examples[0])
    if all(named):
        keys = [each.name for each in given]
        return module, dict(zip(keys, chosen, strict=True)), dict(zip(keys, shapes, strict=True))
    return module, chosen, tuple(shapes)


def _check_names(module: Any, given: Sequence[TextInput]) -> None:
    """Raise InputError where an input has the name of no parameter of ``forward``."""
    try:
        parameters = signature(module.forward).parameters.values()
    except (TypeError, ValueError):  # not of Python
        return
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters):
        return
    known = [each.name for each in parameters if each.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)]
    for each in given:
        if each.name and each.name not in known:
            own = f"it has: {', '.join(known)}" if known else "it has none with a name"
            raise InputError(
                f"`forward` of {type(module).__name__} has no parameter `{each.name}`; {own}", where=OPTION
            )


def _tensors(given: Sequence[TextInput], first: int, more: int) -> tuple[Any, ...]:
    torch = import_module("torch")
    numbers: dict[str, int] = {}

    def size(text: str, place: tuple[int, int]) -> int:
        if text.isdecimal():
            return int(text)
        return numbers.setdefault(text if text != "?" else str(place), first + more * len(numbers))

    found: list[Any] = []
    for number, each in enumerate(given):
        kind = getattr(torch, each.kind)
        make = torch.ones if kind.is_floating_point or kind is torch.bool else torch.zeros
        found.append(make([size(text, (number, at)) for at, text in enumerate(each.sizes)], dtype=kind))
    return tuple(found)


def _returns(module: Any, tensors: tuple[Any, ...], given: Sequence[TextInput], where: str) -> bool:
    keywords = {each.name: value for each, value in zip(given, tensors, strict=True) if each.name}
    try:
        run_example(module, () if keywords else tensors, keywords, where)
    except InputError:
        return False
    return True
