"""Servers that the command line starts, each of which needs an extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from shapesolve.errors import InputError


def started(extra: str, module: str) -> Any:
    """Return the server that a module makes.

    Raises:
        InputError: A package that it needs is not installed.
    """
    try:
        return import_module(module).make_server()
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("shapesolve"):
            raise
        raise InputError(f'{error.name} is not installed: pip install "shapesolve[{extra}]"', where=extra) from None
