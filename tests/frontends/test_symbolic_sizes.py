"""Symbolic sizes of PyTorch and JAX become sizes, and sizes become theirs again."""

from __future__ import annotations

from typing import Any

import pytest

import shapesolve
from shapesolve import dims, maximum, minimum, prove, variable

pytestmark = pytest.mark.frontends


def test_sizes_of_jax_are_read_as_the_same_sizes() -> None:
    export: Any = pytest.importorskip("jax.export")
    texts = "a, b, 2*a + floordiv(b, 3), mod(a, 4), max(a, b), min(a, 3), a*b^2 - 1, floordiv(a, b)"
    dimensions = export.symbolic_shape(texts)
    a, b = variable("a", 1), variable("b", 1)
    sizes = [a, b, 2 * a + b // 3, a % 4, maximum(a, b), minimum(a, 3), a * b * b - 1, a // b]
    symbols = {"a": dimensions[0], "b": dimensions[1]}
    for dimension, size in zip(dimensions, sizes, strict=True):
        assert shapesolve.jax.from_jax(dimension) is size
        assert shapesolve.jax.from_jax(shapesolve.jax.to_jax(size, symbols)) is size
    assert prove(shapesolve.jax.from_jax(dimensions[2]) >= 2).is_proved
    assert shapesolve.jax.from_jax(7).value == 7
    with pytest.raises(TypeError, match="symbolic dimension of JAX"):
        shapesolve.jax.from_jax("a")
    with pytest.raises(KeyError, match="c"):
        shapesolve.jax.to_jax(variable("c", 1), symbols)
    with pytest.raises(TypeError, match="dividing by N"):
        shapesolve.jax.to_jax(4 // dims("N")[0], {"N": dimensions[0]})


def test_sizes_of_torch_export_are_read_as_the_same_sizes() -> None:
    torch: Any = pytest.importorskip("torch")

    class Flatten(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.reshape(-1)[: (x.shape[0] + 1) // 2]

    program = torch.export.export(
        Flatten(), (torch.zeros(4, 6),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
    )
    shapes = {
        node.name: node.meta["val"].shape for node in program.graph.nodes if hasattr(node.meta.get("val"), "shape")
    }
    b, t = shapes["x"]
    rows, columns = shapesolve.torch.from_torch(b), shapesolve.torch.from_torch(t)
    symbols = {str(b): b, str(t): t}
    (whole,) = next(shape for name, shape in shapes.items() if name.startswith(("view", "reshape")))
    assert shapesolve.torch.from_torch(whole) is rows * columns
    for size in ((rows + 1) // 2, rows % 4, maximum(rows, columns), minimum(rows, 3) * columns - 1):
        assert shapesolve.torch.from_torch(shapesolve.torch.to_torch(size, symbols)) is size
    claim = shapesolve.torch.from_torch(b * 2 > t)
    assert prove(2 * rows >= columns, assuming=claim).is_proved
    for formula in (rows <= columns, rows * columns >= 8):
        back = shapesolve.torch.from_torch(shapesolve.torch.to_torch(formula, symbols))
        assert prove(back, assuming=formula).is_proved
        assert prove(formula, assuming=back).is_proved
    assert shapesolve.torch.from_torch(3).value == 3
    with pytest.raises(TypeError, match="a SymInt or a SymBool"):
        shapesolve.torch.from_torch(3.5)
