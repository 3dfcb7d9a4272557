"""Descriptions and options of operations, read from MLIR's Python classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from shapesolve.ir import bindings

DIALECTS = (
    *("affine", "arith", "bufferization", "builtin", "cf", "func", "index", "linalg", "math", "memref"),
    *("ml_program", "scf", "shape", "tensor", "tosa", "ub", "vector"),
)
"""Dialects with rules in the registry. Classes of StableHLO's operations are not installed."""


@cache
def options() -> dict[str, tuple[str, ...]]:
    """The options of each operation: attributes and operands that need not be given."""
    return {name: tuple(_options(each)) for name, each in _classes()}


def _options(of: Any) -> Iterator[str]:
    made = vars(of).get("__init__")
    for one in inspect.signature(made).parameters.values() if inspect.isfunction(made) else ():
        if one.kind is one.KEYWORD_ONLY and one.name not in ("loc", "ip", "results"):
            yield one.name


@cache
def sentences() -> dict[str, tuple[str, ...]]:
    """Return the description of each operation without its examples."""
    found: dict[str, tuple[str, ...]] = {}
    for name, each in _classes():
        prose = re.sub(r"```.*?```", "", inspect.getdoc(each) or "", flags=re.DOTALL)
        found[name] = tuple(re.split(r"(?<=[.:;])\s", re.sub(r"\s+", " ", prose)))
    return found


def _classes() -> Iterator[tuple[str, Any]]:
    package = bindings.ir().__name__.rpartition(".")[0]
    for dialect in DIALECTS:
        for each in vars(import_module(f"{package}.dialects._{dialect}_ops_gen")).values():
            name = vars(each).get("OPERATION_NAME") if inspect.isclass(each) else None
            if isinstance(name, str) and not each.__name__.endswith("Adaptor"):
                yield name, each
