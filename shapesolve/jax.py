"""Check of JAX functions from Python: ``shapesolve.jax.check(f, "b, n", "n")``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shapesolve.api import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.report import Report


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
    given, excluded = (function, ()) if is_export(function) else export(function, shapes, constraints, name, dtype)
    return checked(exported_program(given, name, excluded), name, options)
