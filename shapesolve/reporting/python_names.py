"""Names of a program as names of Python."""

from __future__ import annotations

import re
from collections.abc import Container
from keyword import iskeyword

from shapesolve.reading.program import Function
from shapesolve.walking.inputs import argument_name


def python_name(text: str, taken: Container[str] = ()) -> str:
    """The text as a name that is not ``taken``: ``arg0_2`` for ``arg0[2]``."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).rstrip("_") or "_"
    name = f"_{name}" if name[0].isdigit() else name
    while iskeyword(name) or name in taken:
        name += "_"
    return name


def argument_names(function: Function) -> list[str]:
    """The arguments' names, each of them another."""
    found: list[str] = []
    for index, _ in enumerate(function.arguments):
        found.append(python_name(argument_name(function, index), (*found, "torch", "jax", "Dim")))
    return found
