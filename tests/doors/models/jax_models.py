"""Functions of JAX that the tests export."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import Array


def joined(x: Array, y: Array) -> Array:
    """Some columns of the first, and all of them."""
    return jnp.concatenate([x[:, : y.shape[0]], x], 1) + 1


def model() -> Any:
    """The function, and the shapes of its arguments."""
    return joined, "b, n", "n"
