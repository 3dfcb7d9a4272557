"""Execution of programs of any result types, by the JIT compiler of the installed MLIR and its own lowerings."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from shapesolve.ir import bindings

from .other_executions import numpy_type
from .upstream_passes import TOSA_TO_LINALG

_LOWERING = (
    TOSA_TO_LINALG,
    "one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}",
    "func.func(convert-linalg-to-loops,scf-forall-to-for,convert-vector-to-scf)",
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "func.func(llvm-request-c-wrappers,arith-expand)",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-index-to-llvm",
    "convert-arith-to-llvm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)


def executed(text: str, arguments: Sequence[Any], *, optimized: bool = False) -> list[Any]:
    """Return the results of ``@f``; where it has none, the last argument after the call.

    Args:
        text: The program, with one function ``@f``.
        arguments: Scalars and arrays of numpy, which are copied.
        optimized: Whether LLVM optimizes the program, which may use what overflow flags promise.
    """
    ir, runtime = _module("ir"), _module("runtime")
    with bindings.new_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        types = list(module.body.operations[0].type.results)
        _module("passmanager").PassManager.parse(f"builtin.module({','.join(_LOWERING)})").run(module.operation)
        engine = _module("execution_engine").ExecutionEngine(module, opt_level=2 if optimized else 0)
        given = [np.array(each) for each in arguments]
        passed = [_pointer(runtime, each) for each in given]
        results = [_space_for(ir, runtime, each) for each in types]
        if any(isinstance(each, ctypes.Structure) for each in results):
            fields = [(f"result{number}", type(each)) for number, each in enumerate(results)]
            record = type("Results", (ctypes.Structure,), {"_fields_": fields})()
            engine.invoke("f", ctypes.pointer(ctypes.pointer(record)), *passed)
            results = [getattr(record, name) for name, _ in fields]
            return [runtime.ranked_memref_to_numpy(ctypes.pointer(each)).copy() for each in results]
        engine.invoke("f", *passed, *(ctypes.pointer(each) for each in results))
        return [each.value for each in results] or given[-1:]


def _pointer(runtime: Any, given: Any) -> Any:
    if given.ndim:
        return ctypes.pointer(ctypes.pointer(runtime.get_ranked_memref_descriptor(given)))
    return ctypes.pointer(np.ctypeslib.as_ctypes_type(given.dtype)(given.item()))


def _space_for(ir: Any, runtime: Any, type: Any) -> Any:
    if isinstance(type, ir.RankedTensorType):
        return runtime.make_nd_memref_descriptor(type.rank, runtime.as_ctype(numpy_type(type.element_type)))()
    return np.ctypeslib.as_ctypes_type(numpy_type(type))()


def _module(name: str) -> Any:
    return importlib.import_module(f"torch_mlir.{name}")
