"""Attributes in which two functions differ, which tell their callers, or a lowering, what no comparison reads."""

from __future__ import annotations

from collections.abc import Mapping

from shapesolve.ir.own_attributes import OURS
from shapesolve.ir.program import Attribute, Function

_READ = ("function_type", "sym_name", "sym_visibility", "arg_attrs", "res_attrs")
"""Attributes of functions that are compared, or are no promise."""


def changed_attributes(source: Function, target: Function) -> list[str]:
    """Return the names of the attributes of functions and of their arguments in which the target differs."""
    pairs: list[tuple[Mapping[str, Attribute], Mapping[str, Attribute]]] = [
        (source.operation.attributes, target.operation.attributes),
        *zip(source.argument_attributes, target.argument_attributes, strict=False),
    ]
    found: dict[str, None] = {}
    for ours, theirs in pairs:
        for name in sorted({*ours, *theirs}):
            if name not in _READ and not name.startswith(OURS) and ours.get(name) != theirs.get(name):
                found[name] = None
    return list(found)
