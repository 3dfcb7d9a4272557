"""Static analysis of a Python file: the functions that make a model, and the lines of what they return."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shapesolve.errors import InputError, unreadable


def model_makers(file: str) -> tuple[str, ...]:
    """Return names of top-level functions without required parameters that return a tuple or an export, in order.

    What another function of the file returns counts as well.

    Raises InputError for a file that cannot be read, or is no Python.
    """
    functions = {each.name: each for each in _parsed(file).body if isinstance(each, ast.FunctionDef)}
    makers = _makers_among(functions)
    return tuple(name for name in makers if not name.startswith("_") and not _required(functions[name]))


def module_classes(file: str) -> dict[str, tuple[str, ...]]:
    """Return the top-level ``nn.Module`` classes that take no arguments, each with the inputs of its ``forward``.

    Raises InputError as `model_makers` does.
    """
    found: dict[str, tuple[str, ...]] = {}
    for each in _parsed(file).body:
        if isinstance(each, ast.ClassDef) and any(ast.unparse(base).endswith("Module") for base in each.bases):
            methods = {method.name: method for method in each.body if isinstance(method, ast.FunctionDef)}
            start, forward = methods.get("__init__"), methods.get("forward")
            if forward is not None and (start is None or _required(start) == 1):
                parameters = [*forward.args.posonlyargs, *forward.args.args][1 : _required(forward)]
                found[each.name] = tuple(parameter.arg for parameter in parameters)
    return found


def models_in(file: str, inputs: Sequence[str] = ()) -> list[str]:
    """Return a source as given or, for a Python file without a function, its functions that make a model.

    With inputs, these are its modules whose ``forward`` takes them.

    Raises InputError as `model_makers` does.
    """
    if not file.endswith(".py"):
        return [file]
    if not inputs:
        return [f"{file}:{name}" for name in model_makers(file)] or [file]
    named = {each.partition("=")[0].strip() for each in inputs if "=" in each}
    takers = [name for name, parameters in module_classes(file).items() if named <= set(parameters)]
    return [f"{file}:{name}" for name in takers] or [file]


def _required(function: ast.FunctionDef) -> int:
    """Return the number of parameters without a default, keyword-only ones included."""
    given = function.args
    missing = sum(default is None for default in given.kw_defaults)
    return len(given.posonlyargs) + len(given.args) - len(given.defaults) + missing


def _parsed(file: str) -> ast.Module:
    try:
        return ast.parse(Path(file).read_bytes())
    except OSError as error:
        raise InputError(unreadable(error), where=file) from None
    except SyntaxError as error:
        place = f"{file}:{error.lineno}" if error.lineno else file
        raise InputError(f"this is no valid Python: {error.msg}", where=place) from None
    except ValueError as error:
        raise InputError(f"this is no valid Python: {error}", where=file) from None


def returned_line(file: str, name: str, position: int) -> str:
    """Return ``FILE:LINE`` where a function gives one part of the model that it returns, "" where that is not known.

    Args:
        file: The Python file.
        name: The name of a top-level function in it.
        position: 1 for the example inputs of a model of PyTorch, 2 for its dynamic shapes.
    """
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
    function = next((each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name), None)
    returned = [] if function is None else list(_returned(function))
    if function is None or not returned:
        return ""
    part = returned[-1]
    if isinstance(part, ast.Tuple) and position < len(part.elts):
        part = part.elts[position]
    if isinstance(part, ast.Name):
        part = _last_assigned(function, part.id) or part
    return f"{file}:{part.lineno}"


def _last_assigned(function: ast.FunctionDef, name: str) -> ast.stmt | None:
    """Return the last assignment to a local variable."""
    found: ast.stmt | None = None
    for each in ast.walk(function):
        targets = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
        named = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if named and isinstance(each, ast.stmt) and (found is None or each.lineno > found.lineno):
            found = each
    return found


def _makers_among(functions: Mapping[str, ast.FunctionDef]) -> list[str]:
    """Return the functions that return a model themselves, or what another of them returns."""
    returned = {name: list(_returned(each)) for name, each in functions.items()}
    found = {name for name, values in returned.items() if any(map(_is_model, values))}
    while True:
        more = {name for name, values in returned.items() if not found.isdisjoint(map(_called_name, values))} - found
        if not more:
            return [name for name in functions if name in found]
        found |= more


def _called_name(value: ast.expr) -> str:
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


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
