"""Check of JAX functions from Python: ``shapesolve.jax.check(f, "b, n", "n")``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shapesolve.api import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.report import Report
    from shapesolve.symbolic.dims import Dim


def check(
    function: Any,
    *shapes: Any,
    constraints: Sequence[str] = (),
    dtype: str = "float32",
    options: Options | None = None,
    name: str = "<function>",
) -> Report:
    """Decide every obligation of a JAX function, in the StableHLO program that jax.export makes.

    Args:
        function: A function, or what ``jax.export.export(...)(...)`` returned, which is taken as it is.
        shapes: One text an argument, as JAX writes symbolic shapes: ``"b, 2*n"``; or anything with a shape and a dtype.
        constraints: Constraints of JAX: ``"n >= 4"``.
        dtype: The element type of arguments that a text gives.
        options: How to check.
        name: What reports call the function.

    Raises:
        InputError: JAX refuses the function.
    """
    from shapesolve.frontends.jax_export import export, exported_program, is_export
    from shapesolve.frontends.open import needs

    needs("jax")
    given, declared = (function, None) if is_export(function) else export(function, shapes, constraints, name, dtype)
    return checked(exported_program(given, name, declared), name, options)


def from_jax(value: Any) -> Dim:
    """Convert a symbolic dimension of JAX to a size. Its variables become variables of their names, at least 1.

    Raises:
        TypeError: The value is no dimension, or has no counterpart.
    """
    from shapesolve.preconditions.python_guards import expression_text, parsed
    from shapesolve.symbolic.dims import dim
    from shapesolve.symbolic.parser import parse_size
    from shapesolve.symbolic.scope import Scope

    if isinstance(value, int) and not isinstance(value, bool):
        return dim(value)
    if type(value).__name__ != "_DimExpr":
        raise TypeError(f"a symbolic dimension of JAX is needed here, not {type(value).__name__} {value!r}")
    tree = parsed(str(value).replace("^", "**"))
    text = None if tree is None else expression_text(tree, _name)
    if text is None:
        raise TypeError(f"a size has no counterpart of {value}")
    return parse_size(text, Scope.free(1))


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def to_jax(value: Dim, symbols: Mapping[str, Any]) -> Any:
    """Compute a size with symbolic dimensions of JAX.

    Args:
        value: A size.
        symbols: A dimension or an integer for every variable, by name.

    Raises:
        KeyError: A variable has no dimension.
        TypeError: JAX has no counterpart, as for a division by what may be 0.
    """
    from importlib import import_module
    from operator import not_

    from shapesolve.symbolic.operators import ByOperators

    core: Any = import_module("jax.core")
    return ByOperators(symbols, core.min_dim, core.max_dim, not_).size(value)
