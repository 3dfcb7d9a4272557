"""Shape safety in a test suite: an assertion, a pytest plugin, and hypothesis strategies for sizes.

The plugin is loaded in every run of pytest, so that the assertion is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shapesolve.testing.assertions import assert_shape_safe

__all__ = ["assert_shape_safe"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'shapesolve.testing' has no attribute '{name}'")
    return getattr(import_module("shapesolve.testing.assertions"), name)
