"""Access to MLIR's Python bindings, for all packages.

Everything is imported late: loading the bindings costs about 0.1 s, which commands such as ``--help`` must not pay.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from functools import cache
from types import ModuleType
from typing import Any, cast

# The bindings ship no usable type stubs for the calls made here.
Bindings = Any

_TO_TM_TENSOR = "builtin.module(func.func(convert-torch-to-tmtensor,convert-torch-to-stablehlo))"

_is_exclusive = False


def assume_exclusive_process() -> None:
    """Declare that no other code uses this process: the bindings are then loaded without numpy."""
    global _is_exclusive
    _is_exclusive = True


@contextmanager
def without_numpy() -> Generator[None]:
    """Hide numpy inside the block, unless it is imported already.

    MLIR's bindings import it for builders of attributes that nothing here uses, which is a quarter of the time of a
    short command.
    """
    if "numpy" in sys.modules:
        yield
        return
    sys.modules["numpy"] = cast("ModuleType", None)  # whoever imports it is told that there is none
    try:
        yield
    finally:
        del sys.modules["numpy"]


@cache  # asked for by the operation
def ir() -> Bindings:
    """Return MLIR's ``ir`` module."""
    with without_numpy() if _is_exclusive else nullcontext():
        return importlib.import_module("torch_mlir.ir")


def passmanager() -> Bindings:
    """Return MLIR's ``passmanager`` module."""
    return importlib.import_module("torch_mlir.passmanager")


def execution_engine() -> Bindings:
    """Return MLIR's ``execution_engine`` module."""
    return importlib.import_module("torch_mlir.execution_engine")


@cache
def linalg() -> Bindings:
    """Return the native half of MLIR's ``linalg`` module, without its slow op-definition language."""
    return importlib.import_module("torch_mlir._mlir_libs._mlirDialectsLinalg")


def stablehlo() -> Bindings:
    """Return StableHLO's native module: ``deserialize_portable_artifact``."""
    return importlib.import_module("torch_mlir._mlir_libs._stablehlo")


def register_stablehlo_passes() -> None:
    """Make StableHLO's passes known to the pass manager."""
    importlib.import_module("torch_mlir._mlir_libs._stablehlo").register_stablehlo_passes()


def new_context(*, threads: bool = True) -> Bindings:
    """Return a context with every upstream dialect, StableHLO, torch and tm_tensor, into which torch is lowered.

    Args:
        threads: Whether the context may use threads; only one without them survives a fork.
    """
    context = ir().Context()
    if not threads:
        context.enable_multithreading(False)
    context.allow_unregistered_dialects = True
    importlib.import_module("torch_mlir._mlir_libs._stablehlo").register_dialect(context)
    importlib.import_module("torch_mlir._mlir_libs._torchMlir").register_dialect(context)
    _load_dialects_of(_TO_TM_TENSOR, context)
    return context


def verifies(live: Bindings) -> bool:
    """Return whether MLIR's verifier accepts an operation and its body."""
    try:
        return bool(live.verify())
    except ir().MLIRError:
        return False


def _load_dialects_of(pipeline: str, context: Bindings) -> None:
    """Load the dialects that passes depend on, which the bindings can load in no other way. It takes 0.5 ms."""
    with context, ir().Location.unknown(context):
        passmanager().PassManager.parse(pipeline, context).run(ir().Module.create().operation)


@contextmanager
def without_dialect_classes() -> Generator[None]:
    """Keep operations generic inside the block or the decorated function: no classes of their dialects are imported.

    Otherwise the bindings import a module for each dialect that they meet, which costs 0.1 to 0.3 s, and nothing here
    uses it. The previous state is restored, for programs that use the bindings themselves.
    """
    known = importlib.import_module("torch_mlir._mlir_libs._mlir").globals
    before = known.dialect_search_modules
    known.dialect_search_modules = []
    try:
        yield
    finally:
        known.dialect_search_modules = before
