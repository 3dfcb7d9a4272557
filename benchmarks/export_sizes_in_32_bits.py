"""Exporter of `benchmarks/sizes_in_32_bits/*.mlir`: functions of JAX with symbolic sizes, which JAX computes in i32.

Needs JAX: ``python benchmarks/export_sizes_in_32_bits.py``. The files are the output of `jax.export` without locations.
"""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import export
from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir

FOLDER = Path(__file__).parent / "sizes_in_32_bits"
WINDOW = 8
PATCH = 4


def windowed_attention(query: Any, key: Any, value: Any) -> Any:
    """Attention within windows of 8 positions; the rest of the sequence is padded with zeros. Each is [b, n, d]."""
    b, n, d = query.shape
    whole = n // WINDOW * WINDOW
    q, k, v = (each[:, :whole].reshape(b, whole // WINDOW, WINDOW, d) for each in (query, key, value))
    scores = jax.nn.softmax(jnp.einsum("bgqd,bgkd->bgqk", q, k), -1)
    result = jnp.einsum("bgqk,bgkd->bgqd", scores, v).reshape(b, whole, d)
    return jnp.pad(result, ((0, 0), (0, n % WINDOW), (0, 0)))


def patches(image: Any) -> Any:
    """An image [b, h, w] padded to multiples of 4, cut into patches, put together and cut to its size again."""
    b, h, w = image.shape
    padded = jnp.pad(image, ((0, 0), (0, (PATCH - h % PATCH) % PATCH), (0, (PATCH - w % PATCH) % PATCH)))
    high, wide = (each // PATCH for each in padded.shape[1:])
    cut = padded.reshape(b, high, PATCH, wide, PATCH).transpose(0, 1, 3, 2, 4)
    cut = jnp.tanh(cut.reshape(b, high * wide, PATCH * PATCH))
    whole = cut.reshape(b, high, wide, PATCH, PATCH).transpose(0, 1, 3, 2, 4).reshape(padded.shape)
    return whole[:, :h, :w]


def interpolation(image: Any, other: Any) -> Any:
    """An image [b, h, w] made twice as large and small again, beside another one [b, 2*h, w], with positions added."""
    b, h, w = image.shape
    large = jax.image.resize(image, (b, 2 * h, 2 * w), method="nearest")
    both = jnp.concatenate([large[:, ::2, ::2], other[:, :h, :w]], 0)
    return both.reshape(2 * b, h * w) + (jnp.arange(h * w) // w).astype(jnp.float32)


def strided_convolutions(image: Any, first: Any, second: Any) -> Any:
    """Two convolutions with stride 2, one padded and one not, beside pooling of the image [b, 3, h, w]."""
    once = jax.nn.relu(jax.lax.conv_general_dilated(image, first, (2, 2), "SAME"))
    twice = jax.lax.conv_general_dilated(once, second, (2, 2), "VALID")
    b, c, h, w = twice.shape
    pooled = jax.lax.reduce_window(image, -jnp.inf, jax.lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME")
    return twice.reshape(b, c, h * w).sum(-1) + pooled.reshape(*pooled.shape[:2], -1).mean(-1)


def save(function: Any, shapes: Sequence[str], constraints: Sequence[str] = ()) -> None:
    """Export a function of tensors of floats with these symbolic shapes."""
    scope = export.SymbolicScope(constraints)
    given = [jax.ShapeDtypeStruct(export.symbolic_shape(each, scope=scope), jnp.float32) for each in shapes]
    with make_ir_context():
        module = ir.Module.parse(export.export(jax.jit(function))(*given).mlir_module())
        text = module.operation.get_asm(enable_debug_info=False)
    (FOLDER / f"{function.__name__}.mlir").write_text(text.strip() + "\n", encoding="utf-8")


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    save(windowed_attention, ["b, n, 16"] * 3, ["n >= 8"])
    save(patches, ["b, h, w"])
    save(interpolation, ["b, h, w", "b, 2*h, w"])
    save(strided_convolutions, ["b, 3, h, w", "3, 3, 3, 3", "3, 3, 3, 3"], ["h >= 8", "w >= 8"])


if __name__ == "__main__":
    main()
