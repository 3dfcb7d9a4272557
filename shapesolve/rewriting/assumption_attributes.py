"""Assumptions on the inputs, written into the output so that checking it again means the same."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.errors import InputError
from shapesolve.interpreter.inputs import shape_names
from shapesolve.ir.assumptions import ShapeName
from shapesolve.ir.bindings import Bindings, ir
from shapesolve.ir.own_attributes import ASSUME, SHAPE
from shapesolve.ir.program import Function, ShapedType
from shapesolve.options import Options
from shapesolve.preconditions.attributes import stated_preconditions
from shapesolve.preconditions.functions import argument_name, texts_about

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
    texts = [*texts_about(function, options.assumptions), *_least_sizes(function, names, options.min_size)]
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
