"""Functions in a Python file that make a model, found without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from shapesolve.errors import InputError


def model_makers(file: str) -> tuple[str, ...]:
    """Return names of top-level functions without required parameters that return a tuple or an export, in order.

    Raises InputError for a file that cannot be read, or is no Python.
    """
    try:
        tree = ast.parse(Path(file).read_bytes())
    except OSError as error:
        raise InputError(error.strerror or str(error), where=file) from None
    except (SyntaxError, ValueError) as error:
        place = f"{file}:{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else file
        raise InputError(f"this is no valid Python: {error}", where=place) from None
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    return tuple(each.name for each in functions if not each.name.startswith("_") and _makes_a_model(each))


def _makes_a_model(function: ast.FunctionDef) -> bool:
    given = function.args
    required = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    if required or any(default is None for default in given.kw_defaults):
        return False
    return any(_is_model(each) for each in _returned(function))


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield what the function itself returns, without functions and classes inside of it."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop(0)
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            left += ast.iter_child_nodes(node)


def _is_model(value: ast.expr) -> bool:
    """Return whether an expression has the form of ``(module, inputs)``, or calls something named ``export``."""
    if isinstance(value, ast.Tuple):
        return len(value.elts) >= 2
    called = value
    while isinstance(called, ast.Call):
        called = called.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        if name == "export":
            return True
    return False
