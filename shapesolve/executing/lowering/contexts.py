"""The context that a program is lowered in, made before anything is known of the program.

Making one takes longer than lowering a small program. So who waits for programs makes it beforehand, before it forks
and before the process gives up its rights; what is loaded late otherwise is loaded then, too. It has no threads, for
they would not live through a fork.
"""

from __future__ import annotations

from typing import Any

from shapesolve.reading import bindings

_made: list[Any] = []


def prepare() -> None:
    """Make a context, where none is there, for the next :func:`take`."""
    if not _made:
        _made.append(_new())


def take() -> Any:
    """A context that no program has been in."""
    return _made.pop() if _made else _new()


def _new() -> Any:
    context = bindings.new_context(threads=False)
    bindings.passmanager()
    bindings.execution_engine()
    bindings.register_stablehlo_passes()
    return context
