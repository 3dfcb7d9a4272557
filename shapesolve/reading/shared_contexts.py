"""Contexts of MLIR's that many short texts are read in, one after another.

Making a context takes 6 ms, longer than reading most programs. It keeps types, attributes and places that it has met,
which nothing in another module can see; only the names of resources are given once in a context, so that a second
module would find its own changed.
"""

from __future__ import annotations

from threading import local

from shapesolve.reading import bindings
from shapesolve.reading.bindings import Bindings

_MOST_CHARACTERS = 1 << 16
"""Longer texts have a context of their own: it may verify their functions in several threads, and ends with them."""

_MOST_IN_ALL = 1 << 21
"""Characters that one context meets, since it forgets nothing."""


class _Shared(local):
    """The context of a thread, and how much it may still meet."""

    context: Bindings = None
    left = 0


_shared = _Shared()


def context_for(text: str) -> Bindings:
    """A context to parse a text in, as good as a new one.

    One that is shared starts no threads, for it is still there after a fork.
    """
    if len(text) > _MOST_CHARACTERS or "resource" in text:
        return bindings.new_context()
    if _shared.left < len(text):
        _shared.context = bindings.new_context(threads=False)
        _shared.left = _MOST_IN_ALL
    _shared.left -= len(text)
    return _shared.context
