"""Functions of JAX, some with one shape bug each that shows for some sizes only.

The line with the bug ends with ``# bug``. Each function without arguments makes a model.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, export, lax


def add_back(x: Array) -> Array:
    """Every second step, twice."""
    return x + jnp.repeat(x[:, ::2], 2, axis=1)  # bug


def strided() -> Any:
    return add_back, "b, t, 4"


def join_turns(x: Array) -> Array:
    """Steps at even and at odd places beside each other."""
    even, odd = x[:, ::2], x[:, 1::2]
    return jnp.concatenate([even, odd], axis=2)  # bug


def interleaved() -> Any:
    return join_turns, "b, t, 4"


def add_halves(x: Array) -> Array:
    """The first half of a sequence, and the second."""
    middle = x.shape[0] // 2
    return x[:middle] + x[middle:]  # bug


def halved() -> Any:
    return add_halves, "t, 8"


def frame(x: Array) -> Array:
    """The last five steps."""
    start = x.shape[0] - 5
    return lax.slice_in_dim(x, start, start + 5) * 2  # bug


def window() -> Any:
    return frame, "t"


TABLE = jnp.arange(64.0).reshape(16, 4)


def add_positions(x: Array) -> Array:
    """A table of 16 positions."""
    return x + TABLE[: x.shape[1]]  # bug


def positions() -> Any:
    return add_positions, "b, t, 4"


def cut_patches(image: Array) -> Array:
    """Patches of 4."""
    h, w, c = image.shape
    return image.reshape(h // 4, 4, w, c).sum(1)  # bug


def patches() -> Any:
    return cut_patches, "h, w, 3"


# Without a bug ---------------------------------------------------------------------------------------------------


def attend(x: Array) -> Array:
    """Self-attention in heads."""
    b, t, _ = x.shape
    heads = x.reshape(b, t, 2, 4).transpose(0, 2, 1, 3)
    weights = jax.nn.softmax(heads @ heads.transpose(0, 1, 3, 2), axis=-1)
    return (weights @ heads).transpose(0, 2, 1, 3).reshape(b, t, 8)


def right_attention() -> Any:
    return attend, "b, t, 8"


def shift(x: Array) -> Array:
    """Each step, and the one before it."""
    before = jnp.concatenate([jnp.zeros_like(x[:, :1]), x[:, :-1]], axis=1)
    return jnp.concatenate([x, before], axis=2)


def right_shifted() -> Any:
    return shift, "b, t, 4"


def add_even_halves(x: Array) -> Array:
    """The first half of an even number of steps, and the second."""
    middle = x.shape[0] // 2
    return x[:middle] + x[middle:]


def right_halved() -> Any:
    scope = export.SymbolicScope(["mod(t, 2) == 0"])
    (t,) = export.symbolic_shape("t", scope=scope)
    return add_even_halves, jax.ShapeDtypeStruct((t, 8), jnp.float32)


def pad(x: Array) -> Array:
    """Pads to an even length, and adds neighbors."""
    t = x.shape[0]
    even = jnp.pad(x, (0, t % 2))
    return even.reshape((t + 1) // 2, 2).sum(1)


def right_padded() -> Any:
    scope = export.SymbolicScope(["t <= 65536"])
    return pad, jax.ShapeDtypeStruct(export.symbolic_shape("t", scope=scope), jnp.float32)


BUGS = ("strided", "interleaved", "halved", "window", "positions", "patches")
RIGHT = ("right_attention", "right_shifted", "right_halved", "right_padded")
