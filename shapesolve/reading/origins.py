"""What the places that exporters leave on operations say of the model: its lines and the paths of its modules."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.reading.bindings import Bindings
from shapesolve.reading.program import Origin

_OF_LIBRARIES = ("/site-packages/torch/", "/site-packages/jax/", "/site-packages/flax/")
"""Frames inside of these are the framework's, and not the model's."""

_TEXT = "-"  # what MLIR calls the file when it is given a string


def origin(live: Bindings) -> Origin | None:
    """The innermost line of a live location that is the model's own, and the innermost name on it."""
    frames = [each for each in _frames(live) if each[0] != _TEXT]
    names = list(_names(live))
    module = names[-1] if names else ""
    if not frames:
        return Origin("", 0, 0, module) if module else None
    own = [each for each in frames if not any(part in each[0].replace("\\", "/") for part in _OF_LIBRARIES)]
    chosen = own or frames
    callers = tuple(dict.fromkeys((file, line) for file, line, _ in chosen[1:] if file and line))
    return Origin(*chosen[0], module, callers)


def _frames(live: Bindings) -> Iterator[tuple[str, int, int]]:
    """File, line and column, the innermost call first."""
    kind = type(live).__name__
    if kind == "FileLineColLoc":
        yield live.filename, live.start_line, live.start_col
    elif kind == "NameLoc":
        yield from _frames(live.child_loc)
    elif kind == "FusedLoc":
        for inner in live.locations:
            yield from _frames(inner)
    elif kind == "CallSiteLoc":
        yield from _frames(live.callee)
        yield from _frames(live.caller)


def _names(live: Bindings) -> Iterator[str]:
    """Names from the outside in, of the first location where several are fused."""
    kind = type(live).__name__
    if kind == "NameLoc":
        yield str(live.name_str)
        yield from _names(live.child_loc)
    elif kind == "FusedLoc":
        for inner in live.locations:
            names = list(_names(inner))
            if names:
                yield from names
                return
    elif kind == "CallSiteLoc":
        yield from _names(live.callee)
