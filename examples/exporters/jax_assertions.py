"""A JAX function exported with symbolic sizes -> ../jax_assertions.mlir"""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, export

HERE = Path(__file__).resolve().parent


def interleave_and_score(frames: Array, weights: Array) -> Array:
    """Pairs up consecutive frames ([batch, 2 * steps, 4] -> [batch, steps, 8]) and scores each pair."""
    batch, steps = frames.shape[0], weights.shape[0]
    pairs = jnp.reshape(frames, (batch, steps, 8))
    return jnp.max(pairs, axis=2) * weights


def main() -> None:
    batch, steps = export.symbolic_shape("b, s", constraints=["s >= 4"])
    frames = jax.ShapeDtypeStruct((batch, 2 * steps, 4), np.float32)
    weights = jax.ShapeDtypeStruct((steps,), np.float32)
    exported = export.export(jax.jit(interleave_and_score), platforms=["cpu"])(frames, weights)
    path = HERE.parent / "jax_assertions.mlir"
    title = "// Pairs of frames, [b, 2*s, 4] with s >= 4: exporters/jax_assertions.py, jax.export\n"
    # JAX names source files by their absolute path; the example should read the same wherever it was exported.
    text = exported.mlir_module().replace(f"{HERE.parent.parent}/", "").rstrip()
    path.write_text(f"{title}{text}\n")
    print(f"wrote {path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
