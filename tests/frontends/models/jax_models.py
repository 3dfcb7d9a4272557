"""Functions of JAX that the tests export."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, export


def joined(x: Array, y: Array) -> Array:
    """Return some columns of the first argument, and all of them."""
    return jnp.concatenate([x[:, : y.shape[0]], x], 1) + 1


def model() -> Any:
    """The function, and the shapes of its arguments."""
    return joined, "b, n", "n"


def cut(x: Array, y: Array) -> Array:
    """Return as many elements of the first argument as the second one has."""
    return x[: y.shape[0]] + y


def settled() -> Any:
    """A constraint says what a size is, and another speaks of it."""
    scope = export.SymbolicScope(["c == 3", "a >= c"])
    (a,), (c,) = (export.symbolic_shape(name, scope=scope) for name in "ac")
    return export.export(jax.jit(cut))(*(jax.ShapeDtypeStruct((size,), jnp.float32) for size in (a, c)))


def largest() -> Any:
    """JAX wants to know whether there are three."""
    return (lambda x: jax.lax.top_k(x, 3)), "b, n"


def patched(image):
    """Patches of 4 by 4, of an image without its odd rows and columns: right for multiples of 4 only."""
    b, h, w, c = image.shape
    x = image[:, : h - h % 2, : w - w % 2]
    x = x.reshape(b, x.shape[1] // 4, 4, x.shape[2] // 4, 4, c)
    return x.transpose(0, 1, 3, 2, 4, 5).reshape(b, x.shape[1] * x.shape[3], 16 * c)


def patches():
    return patched, "b, h, w, 3"


def grouped(queries: Array, keys: Array) -> Array:
    """Divide heads of queries into those of the keys: right where there are so many times as many."""
    b, t, h, d = queries.shape
    g = keys.shape[2]
    return jnp.einsum("btgrd,bsgd->bgrts", queries.reshape(b, t, g, h // g, d), keys)


def heads() -> Any:
    """As many heads as the inputs have."""
    return grouped, "b, t, h, 8", "b, s, g, 8"
