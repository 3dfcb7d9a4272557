"""Assumptions on the inputs, written into the output so that checking it again means the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import MIN_SIZE
from shapesolve.interpreter.named_extents import shape_names
from shapesolve.ir.assumptions import ShapeName
from shapesolve.ir.bindings import Bindings, ir
from shapesolve.ir.own_attributes import ASSUME, SHAPE
from shapesolve.ir.program import Function, ShapedType
from shapesolve.options import Options
from shapesolve.preconditions.attributes import stated_preconditions
from shapesolve.preconditions.functions import SourcedText, argument_name, source_of, texts_about

RECORDED = "what was assumed is written down in the output (shapesolve.assume, shapesolve.shape)"
"""The note for the reader of a report."""


def check_recordable(functions: Sequence[Function], options: Options) -> None:
    """Require that the options name sizes as the file does: only one name can be written.

    Raises:
        InputError: The options give sizes other names than the file.
    """
    for function in functions:
        names = {name.argument: name.names for name in stated_preconditions(function).shapes}
        for given in shape_names(function, options.shapes):
            assert given.argument is not None
            if names.setdefault(given.argument, given.names) != given.names:
                shown = argument_name(function, given.argument)
                raise InputError(f"the sizes of `{shown}` in {function.name} have names already", where="--shape")


def record(live: Bindings, function: Function, options: Options) -> bool:
    """Write the options' assumptions on a function as attributes; return whether there were any."""
    names = shape_names(function, options.shapes)
    texts = _claims(function, names, options)
    if texts:
        there = function.operation.attributes.get(ASSUME, ())
        before = [str(each) for each in (there if isinstance(there, tuple) else (there,))]
        strings = [ir().StringAttr.get(text, live.context) for text in dict.fromkeys([*before, *texts])]
        live.attributes[ASSUME] = ir().ArrayAttr.get(strings, live.context)
    if names:
        listed = list(live.attributes["arg_attrs"]) if "arg_attrs" in live.attributes else []
        listed += [ir().DictAttr.get({}, live.context)] * (len(function.arguments) - len(listed))
        for name in names:
            assert name.argument is not None
            entries = {each.name: each.attr for each in listed[name.argument]}
            entries[SHAPE] = ir().StringAttr.get(name.text, live.context)
            listed[name.argument] = ir().DictAttr.get(entries, live.context)
        live.attributes["arg_attrs"] = ir().ArrayAttr.get(listed, live.context)
    return bool(texts or names)


def options_for_recorded(functions: Sequence[Function], options: Options) -> Options:
    """Return the options that assume of a program with recorded assumptions what these assume of the original.

    Attributes state them, unless the program is not trusted to state any (`--distrust`). Then options still give them,
    each to its function alone: of other functions that become entry points, nothing is assumed.
    """
    bare = options.without_assumptions()
    if not options.distrust:
        return bare
    claims: list[str] = []
    shapes: list[str] = []
    for each in functions:
        claims += [
            _addressed(each, text, "--assume") for text in _claims(each, shape_names(each, options.shapes), options)
        ]
        shapes += [_addressed(each, text, "--shape") for text in texts_about(each, options.shapes)]
    return replace(bare, assumptions=tuple(claims), shapes=tuple(shapes))


def _addressed(function: Function, text: str, option: str) -> str:
    return SourcedText.of(f"@{function.name}: {text}", source_of(text, option))


def _claims(function: Function, names: Sequence[ShapeName], options: Options) -> list[str]:
    least = [SourcedText.of(text, MIN_SIZE) for text in _least_sizes(function, names, options.min_size)]
    return [*texts_about(function, options.assumptions), *least]


def _least_sizes(function: Function, names: Sequence[ShapeName], least: int) -> list[str]:
    if least <= 0:
        return []
    ranks = {each.argument: len(each.names) for each in names}
    found: list[str] = []
    for position, argument in enumerate(function.arguments):
        name = argument_name(function, position)
        if not name.isidentifier():
            name = f"arg{position}"
        if isinstance(argument.type, ShapedType):
            extents = enumerate(argument.type.extents or [None] * ranks.get(position, 0))
            found += [f"{name}[{dimension}] >= {least}" for dimension, extent in extents if extent is None]
    return found
