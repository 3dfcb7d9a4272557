"""Execution of what shapesolve has no lowering for: StableHLO by its interpreter, vectors by MLIR's own passes."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from shapesolve.ir import bindings

NUMPY_TYPES = {"f32": "float32", "index": "int64", "i1": "bool", "ui8": "uint8", "ui32": "uint32"}
_VECTORS = (
    "convert-elementwise-to-linalg",
    "one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}",
    "convert-linalg-to-loops",
    "func.func(lower-vector-multi-reduction,convert-vector-to-scf)",
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm",
    "func.func(llvm-request-c-wrappers)",
    "convert-func-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)


def numpy_type(element: object) -> Any:
    """Return the type of elements in numpy."""
    text = str(element)
    return np.dtype(NUMPY_TYPES.get(text, text.replace("i", "int")))


def interpreted(text: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the result of a function of StableHLO for the arguments of each call."""
    ir, evaluator = _module("ir"), _module("_mlir_libs._stablehlo")
    with bindings.new_context(), ir.Location.unknown():
        module = ir.Module.parse(text.replace("@f(", "@main("))
        (function,) = module.body.operations
        types = function.type.inputs

        def attribute(array: Any, type: Any) -> Any:
            return ir.DenseElementsAttr.get(np.ascontiguousarray(array), type=type.element_type, shape=array.shape)

        return [
            np.array(evaluator.eval_module(module, [attribute(*each) for each in zip(call, types, strict=True)])[0])
            for call in calls
        ]


def run_with_vectors(text: str, calls: Sequence[Sequence[Any]], rank: int, element: object) -> list[Any]:
    """Return the result of a function of tensors or buffers for the arguments of each call."""
    ir, runtime = _module("ir"), _module("runtime")
    with bindings.new_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        passes = _module("passmanager").PassManager.parse(f"builtin.module({','.join(_VECTORS)})")
        passes.run(module.operation)
        engine = _module("execution_engine").ExecutionEngine(module)
        found: list[Any] = []
        for call in calls:
            result = runtime.make_nd_memref_descriptor(rank, runtime.as_ctype(numpy_type(element)))()
            given = [each.copy() for each in call]
            descriptors = [
                runtime.get_ranked_memref_descriptor(each) if each.ndim else ctypes.c_int64(int(each)) for each in given
            ]
            passed = [ctypes.pointer(ctypes.pointer(result))]
            passed += [
                ctypes.pointer(ctypes.pointer(descriptor)) if each.ndim else ctypes.pointer(descriptor)
                for each, descriptor in zip(given, descriptors, strict=True)
            ]
            engine.invoke("f", *passed)
            found.append(runtime.ranked_memref_to_numpy(ctypes.pointer(result)).copy())
        return found


def _module(name: str) -> Any:
    return importlib.import_module(f"torch_mlir.{name}")
