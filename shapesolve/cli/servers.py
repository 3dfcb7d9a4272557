"""Servers that the command line starts, each of which needs an extra."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from shapesolve.cli.environment import ClosedOutput
from shapesolve.errors import InputError


def started(extra: str, module: str, *given: Any) -> Any:
    """Return the server that a module makes of what is given to it.

    Raises:
        InputError: A package that it needs is not installed.
    """
    try:
        return import_module(module).make_server(*given)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("shapesolve"):
            raise
        raise InputError(f'{error.name} is not installed: pip install "shapesolve[{extra}]"', where=extra) from None


def require_standard_streams(command: str) -> None:
    """Refuse to start a server for a client that cannot talk to it.

    Raises:
        InputError: Standard input or output is closed.
    """
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if stream is None or isinstance(stream, ClosedOutput):
            raise InputError(f"standard {name} is closed; the client talks over it", where=command)
