"""The sizes of what JAX writes as custom calls, against those that JAX itself computes."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from shapesolve.checker.check import check_function
from shapesolve.domain.values import Tensor
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.shape_kinds import RankedShape

pytest.importorskip("jax")

pytestmark = pytest.mark.frontends

EXPORTED = """
import json
import jax, jax.numpy as jnp
from jax import export, lax

def pooled(x):
    padding = [(0, 0), (1, x.shape[1] // 3)]
    window = (1, x.shape[1] // 2)
    return lax.reduce_window(x, 0.0, lax.add, window, (1, 3), padding, base_dilation=(1, 2), window_dilation=(1, 3))

functions = {
    "pooled": pooled,
    "same": lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 3), (2, 2), "SAME"),
    "running": lambda x: lax.cummax(x, 1) + jnp.cumsum(x, 1),
    "greatest": lambda x: lax.top_k(x, x.shape[1] - 2),
    "nearly greatest": lambda x: lax.approx_max_k(x, x.shape[1] - 2),
    "random": lambda x: lax.rng_bit_generator(jnp.zeros(4, "uint32"), x.shape, "uint32"),
}
b, n = export.symbolic_shape("b, n", constraints=["n >= 4"])
found = {}
for name, function in functions.items():
    text = export.export(jax.jit(function))(jax.ShapeDtypeStruct((b, n), "float32")).mlir_module()
    shapes = []
    for sizes in ((1, 4), (2, 5), (3, 6), (1, 7), (5, 17), (4, 64)):
        results = jax.tree.leaves(jax.eval_shape(function, jax.ShapeDtypeStruct(sizes, "float32")))
        shapes.append((sizes, [each.shape for each in results]))
    found[name] = text, shapes
print(json.dumps(found))
"""


def _extents(value: object) -> tuple[Dim, ...]:
    assert isinstance(value, Tensor) and isinstance(value.shape, RankedShape)
    return value.shape.dims


@pytest.mark.slow
def test_sizes_are_those_of_jax() -> None:
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-W", "ignore", "-c", EXPORTED]
    output = subprocess.run(command, check=True, capture_output=True, env=environment, text=True).stdout
    for name, (text, shapes) in json.loads(output).items():
        program = read_text(text)
        (function,) = (each for each in program.functions.values() if each.name == "main")
        trace = check_function(program, function, Options(execute=False, max_size=2**24)).trace
        assert not trace.approximations, name
        results = [_extents(value) for value in trace.results or ()]
        (entered,) = trace.inputs
        variables = [variable for extent in _extents(entered) for variable in extent.variables]
        for sizes, expected in shapes:
            numbers = dict(zip(variables, sizes, strict=True))
            found = [[evaluate(extent, numbers) for extent in extents] for extents in results]
            assert found == expected, (name, sizes)
