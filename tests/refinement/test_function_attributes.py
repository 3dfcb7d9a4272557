"""Attributes of functions that no comparison reads are named in a report."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.refine import refine_programs

STORE = """func.func @f(%m: memref<?xf32>, %n: memref<?xf32>, %i: index) {
  %c = arith.constant 1.0 : f32
  memref.store %c, %m[%i] : memref<?xf32>
  return
}
"""
NOALIAS = STORE.replace("%m: memref<?xf32>,", "%m: memref<?xf32> {llvm.noalias},")
KERNEL = "gpu.module @k {\n  gpu.func @f(%i: index) kernel ATTRIBUTES{\n    gpu.return\n  }\n}\n"
SIZED = KERNEL.replace("ATTRIBUTES", "attributes {known_block_size = array<i32: 1, 1, 1>} ")


def notes(source: str, target: str) -> list[str]:
    (found,) = refine_programs(read_text(source), read_text(target), Options(execute=False))
    assert not found.refuted
    return [each for each in found.notes if "attributes" in each]


@pytest.mark.parametrize(
    "source, target, names",
    [
        (STORE, NOALIAS, "llvm.noalias"),
        (NOALIAS, STORE, "llvm.noalias"),
        (KERNEL.replace("ATTRIBUTES", ""), SIZED, "known_block_size"),
        (SIZED.replace("kernel ", ""), KERNEL.replace("ATTRIBUTES", ""), "kernel and known_block_size"),
    ],
)
def test_attributes_that_differ_are_named(source: str, target: str, names: str) -> None:
    assert notes(source, target) == [f"attributes of functions are not compared: {names}"]


@pytest.mark.parametrize(
    "source, target",
    [
        (NOALIAS, NOALIAS),
        (STORE, STORE.replace("(%m: memref<?xf32>,", '(%m: memref<?xf32> {shapesolve.shape = "[N]"},')),
        (STORE, STORE.replace("func.func @f", "func.func public @f")),
    ],
    ids=["the same", "facts of shapesolve", "visibility"],
)
def test_others_are_not(source: str, target: str) -> None:
    assert notes(source, target) == []
