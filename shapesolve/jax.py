"""Functions of JAX, from Python: ``shapesolve.jax.check(f, "b, n", "n")``."""

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
    """Decide every obligation of a function of JAX, in the StableHLO that jax.export makes of it.

    ``shapes`` has one text an argument in JAX's words, ``"b, 2*n"``, which is then of ``dtype``, or anything with a
    shape and a dtype. ``constraints`` are JAX's too: ``"n >= 4"``. What ``jax.export`` made already is taken as it is.
    Raises InputError where JAX refuses the function.
    """
    from shapesolve.frontends.jax_export import export, exported_program, is_export
    from shapesolve.frontends.open import needs

    needs("jax")
    given = function if is_export(function) else export(function, shapes, constraints, name, dtype)
    return checked(exported_program(given, name), name, options)
