"""Requirements of rules, against MLIR's runtime verification of programs, which the interpreter runs.

Where MLIR inserts no check the interpreter says itself that an operation is undefined: of a size below 0, for one.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from fuzz import buffer_ops, control_ops, integer_ops, linalg_ops, shape_ops, slice_ops
from fuzz.machine import Array, Ending, compiled
from fuzz.vectors import fresh
from support.claims_at_sizes import broken, trace_of

from shapesolve.ir import bindings

pytestmark = pytest.mark.slow

assert all((buffer_ops, control_ops, integer_ops, linalg_ops, shape_ops, slice_ops))  # what the interpreter knows

VECTORS = 150
EXTENTS = (0, 1, 2, 3, 4, 6)
NUMBERS = (-2, -1, 0, 0, 1, 1, 2, 3, 4, 5)

BODY = """{
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }"""


def _loops(read: str, of: str) -> str:
    """A loop over `%b` that reads `%a` somewhere."""
    maps = f"[affine_map<(d0) -> ({read})>, affine_map<(d0) -> (d0)>]"
    head = f'linalg.generic {{indexing_maps = {maps}, iterator_types = ["parallel"]}}'
    return f"%0 = {head} ins(%a : {of}) outs(%b : tensor<?xf32>) {BODY} -> tensor<?xf32>"


T1, T2, M1, M2 = "tensor<?xf32>", "tensor<?x?xf32>", "memref<?xf32>", "memref<?x?xf32>"
PLACE = {"i": "index", "j": "index"}
SLICE = {"i": "index", "n": "index", "s": "index"}
PROGRAMS: dict[str, tuple[dict[str, str], str]] = {
    "tensor.cast": ({"a": T2}, f"%0 = tensor.cast %a : {T2} to tensor<2x?xf32>"),
    "tensor.dim": ({"a": T2, "i": "index"}, f"%0 = tensor.dim %a, %i : {T2}"),
    "memref.dim": ({"a": M2, "i": "index"}, f"%0 = memref.dim %a, %i : {M2}"),
    "tensor.extract": ({"a": T2, **PLACE}, f"%0 = tensor.extract %a[%i, %j] : {T2}"),
    "tensor.insert": ({"x": "f32", "a": T2, **PLACE}, f"%0 = tensor.insert %x into %a[%i, %j] : {T2}"),
    "memref.load": ({"a": M2, **PLACE}, f"%0 = memref.load %a[%i, %j] : {M2}"),
    "memref.store": ({"x": "f32", "a": M2, **PLACE}, f"memref.store %x, %a[%i, %j] : {M2}"),
    "memref.copy": ({"a": M2, "b": M2}, f"memref.copy %a, %b : {M2} to {M2}"),
    "tensor.extract_slice": ({"a": T1, **SLICE}, f"%0 = tensor.extract_slice %a[%i] [%n] [%s] : {T1} to {T1}"),
    "tensor.extract_slice of one": (
        {"a": T1, "i": "index", "s": "index"},
        f"%0 = tensor.extract_slice %a[%i] [1] [%s] : {T1} to tensor<f32>",
    ),
    "tensor.extract_slice backwards": (
        {"a": T1, "i": "index", "n": "index"},
        f"%0 = tensor.extract_slice %a[%i] [%n] [-1] : {T1} to {T1}",
    ),
    "memref.expand_shape": (
        {"a": M1, "n": "index"},
        f"%0 = memref.expand_shape %a [[0, 1]] output_shape [%n, 2] : {M1} into memref<?x2xf32>",
    ),
    "linalg.add": ({"a": T2, "b": T2}, f"%0 = linalg.add ins(%a, %b : {T2}, {T2}) outs(%a : {T2}) -> {T2}"),
    "linalg.matmul": (
        {"a": T2, "b": T2, "c": T2},
        f"%0 = linalg.matmul ins(%a, %b : {T2}, {T2}) outs(%c : {T2}) -> {T2}",
    ),
    "linalg.conv_1d": (
        {"a": T1, "b": T1, "c": T1},
        f"%0 = linalg.conv_1d ins(%a, %b : {T1}, {T1}) outs(%c : {T1}) -> {T1}",
    ),
    "linalg.generic backwards": ({"a": T1, "b": T1}, _loops("3 - d0", T1)),
    "linalg.generic at a constant": ({"a": T2, "b": T1}, _loops("0, d0", T2)),
    "linalg.generic in steps": ({"a": T1, "b": T1}, _loops("d0 * 2 + 1", T1)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_rules_demand_what_mlir_checks(name: str) -> None:
    arguments, operation = PROGRAMS[name]
    given = ", ".join(f"%{argument}: {type}" for argument, type in arguments.items())
    text = f"func.func @f({given}) {{\n  {operation}\n  return\n}}"
    trace, machine = trace_of(text), compiled(_with_checks(text))
    chance, endings = random.Random(name), set[bool]()
    for _ in range(VECTORS):
        vector = [_drawn(type, chance) for type in arguments.values()]
        sizes = {size: value for each in zip(arguments, vector, strict=True) for size, value in _sizes(*each)}
        ending = machine.run("f", fresh(vector)).ending
        assert (ending is Ending.RETURNED) == (not (claims := broken(trace, sizes))), (sizes, ending, claims)
        endings.add(ending is Ending.RETURNED)
    assert endings == {True, False}


def _with_checks(text: str) -> str:
    with bindings.new_context() as context:
        module = bindings.ir().Module.parse(text)
        pipeline = "builtin.module(generate-runtime-verification)"
        bindings.passmanager().PassManager.parse(pipeline, context).run(module.operation)
        checked = str(module.operation.get_asm(use_local_scope=True))
    assert "cf.assert" in checked
    return checked


def _drawn(type: str, chance: random.Random) -> Any:
    if type == "index":
        return chance.choice(NUMBERS)
    return 0.0 if type == "f32" else Array(tuple(chance.choice(EXTENTS) for _ in range(type.count("?"))))


def _sizes(name: str, value: Any) -> list[tuple[str, int]]:
    """Return the name and the value of a size or of the extents of a tensor."""
    if isinstance(value, Array):
        return [(f"{name}[{axis}]", extent) for axis, extent in enumerate(value.shape)]
    return [(name, value)] if isinstance(value, int) else []
