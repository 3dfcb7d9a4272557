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


def add_pixels(images: Array) -> Array:
    """A convolution of stride 2, and a skip that takes each second pixel but the first."""
    kernel = jnp.ones((3, 3, 3, 3))
    down = lax.conv_general_dilated(images, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return down + images[:, 1::2, ::2]  # bug


def skipped() -> Any:
    scope = export.SymbolicScope(["b <= 64", "h <= 4096", "w <= 4096"])
    return add_pixels, jax.ShapeDtypeStruct(export.symbolic_shape("b, h, w, 3", scope=scope), jnp.float32)


def attend_in_chunks(x: Array) -> Array:
    """Attention inside of chunks of 8."""
    b, t, d = x.shape
    chunks = jnp.reshape(x, (b, t // 8, 8, d))  # bug
    scores = jnp.einsum("bcqd,bckd->bcqk", chunks, chunks)
    return jnp.einsum("bcqk,bckd->bcqd", jax.nn.softmax(scores, axis=-1), chunks)


def chunked() -> Any:
    return attend_in_chunks, "b, t, 16"


def smooth_changes(x: Array) -> Array:
    """Each step and its change; the change is one shorter."""
    change = x[:, 1:] - x[:, :-1]
    smooth = lax.reduce_window(change, 0.0, lax.add, (1, 2, 1), (1, 2, 1), "VALID")
    return smooth + change[:, ::2]  # bug


def smoothed() -> Any:
    return smooth_changes, "b, t, 4"


def attend_nearby(query: Array, memory: Array) -> Array:
    """Attention to a memory with a bias made from distances of the query alone."""
    t = query.shape[1]
    distance = jnp.arange(t)[:, None] - jnp.arange(t)[None, :]
    scores = query @ memory.transpose(0, 2, 1)
    return jax.nn.softmax(scores - jnp.abs(distance), axis=-1) @ memory  # bug


def biased() -> Any:
    return attend_nearby, "b, t, 8", "b, s, 8"


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


def stack_frames(signal: Array) -> Array:
    """Frames of 4 with a hop of 2, by gathering."""
    count = (signal.shape[1] - 4) // 2 + 1
    places = jnp.arange(count)[:, None] * 2 + jnp.arange(4)[None, :]
    return signal[:, places].mean(-1)


def right_frames() -> Any:
    scope = export.SymbolicScope(["n >= 4", "n <= 100000"])
    b, n = export.symbolic_shape("b, n", scope=scope)
    return stack_frames, jax.ShapeDtypeStruct((b, n), jnp.float32)


def recur(x: Array) -> Array:
    """A recurrence over time by scan."""

    def step(state: Array, now: Array) -> tuple[Array, Array]:
        new = jnp.tanh(state * 0.5 + now)
        return new, new

    last, states = lax.scan(step, jnp.zeros(x.shape[1:]), x)
    return states + last


def right_recurrent() -> Any:
    return recur, "t, b, 8"


def grouped(x: Array, w: Array) -> Array:
    """Grouped queries: eight heads share two heads of keys."""
    b, t, d = x.shape
    q = (x @ w).reshape(b, t, 8, d // 8)
    k = jnp.repeat(x.reshape(b, t, 8, d // 8)[:, :, :2], 4, axis=2)
    weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, k).reshape(b, t, d)


def right_grouped() -> Any:
    return grouped, "b, t, 32", "32, 32"


def upsample(x: Array) -> Array:
    """Doubles an image, and crops what was padded."""
    h, w = x.shape[1], x.shape[2]
    padded = jnp.pad(x, ((0, 0), (0, h % 2), (0, w % 2), (0, 0)))
    small = lax.reduce_window(padded, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    big = jnp.repeat(jnp.repeat(small, 2, axis=1), 2, axis=2)
    return big[:, :h, :w] + x


def right_upsampled() -> Any:
    scope = export.SymbolicScope(["h <= 4096", "w <= 4096", "b <= 64"])
    return upsample, jax.ShapeDtypeStruct(export.symbolic_shape("b, h, w, 3", scope=scope), jnp.float32)


def doubled(x: Array) -> Array:
    """Puts an image beside every other row and column of it, doubled: right if neither side is odd."""
    small = x[:, ::2, ::2]
    big = jnp.repeat(jnp.repeat(small, 2, axis=1), 2, axis=2)
    return jnp.concatenate([x, big], axis=-1)  # bug


def beside() -> Any:
    return doubled, "b, h, w, 3"


def flattened(x: Array) -> Array:
    """A perceptron on the tokens of all sequences at once."""
    b, t, d = x.shape
    hidden = jax.nn.gelu(x.reshape(b * t, d) @ jnp.ones((24, 48)))
    return x + (hidden @ jnp.ones((48, 24))).reshape(b, t, d)


def right_flattened() -> Any:
    return flattened, "b, t, 24"


BUGS = (
    "strided", "interleaved", "halved", "window", "positions", "patches", "skipped", "chunked", "smoothed", "biased",
    "beside",
)  # fmt: skip
RIGHT = (
    "right_attention", "right_shifted", "right_halved", "right_padded", "right_frames", "right_recurrent",
    "right_grouped", "right_upsampled", "right_flattened",
)  # fmt: skip
