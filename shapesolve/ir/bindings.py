"""The one door to MLIR's Python bindings.

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

# The bindings ship no usable type stubs for the calls made here, so this door hands out `Any`.
Bindings = Any

_TO_TM_TENSOR = "builtin.module(func.func(convert-torch-to-tmtensor,convert-torch-to-stablehlo))"

_nobody_else = False


def used_by_nobody_else() -> None:
    """Say that this process is ours: numpy is not imported for the bindings, unless it is there."""
    global _nobody_else
    _nobody_else = True


@contextmanager
def without_numpy() -> Generator[None]:
    """Meanwhile there is no numpy, unless it is there.

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
    """MLIR's ``ir`` module."""
    with without_numpy() if _nobody_else else nullcontext():
        return importlib.import_module("torch_mlir.ir")


def passmanager() -> Bindings:
    """MLIR's ``passmanager`` module."""
    return importlib.import_module("torch_mlir.passmanager")


def execution_engine() -> Bindings:
    """MLIR's ``execution_engine`` module."""
    return importlib.import_module("torch_mlir.execution_engine")


@cache
def linalg() -> Bindings:
    """The native half of MLIR's ``linalg`` module: ``get_indexing_maps``, without its slow op-definition language."""
    return importlib.import_module("torch_mlir._mlir_libs._mlirDialectsLinalg")


def stablehlo() -> Bindings:
    """StableHLO's native module: ``deserialize_portable_artifact``."""
    return importlib.import_module("torch_mlir._mlir_libs._stablehlo")


def register_stablehlo_passes() -> None:
    """Make StableHLO's passes known to the pass manager."""
    importlib.import_module("torch_mlir._mlir_libs._stablehlo").register_stablehlo_passes()


def new_context(*, allow_unregistered: bool = True, threads: bool = True) -> Bindings:
    """A context that knows every upstream dialect, StableHLO, torch and tm_tensor, into which torch is lowered.

    One without ``threads`` lives through a fork, as those of a context do not.
    """
    context = ir().Context()
    if not threads:
        context.enable_multithreading(False)
    context.allow_unregistered_dialects = allow_unregistered
    importlib.import_module("torch_mlir._mlir_libs._stablehlo").register_dialect(context)
    importlib.import_module("torch_mlir._mlir_libs._torchMlir").register_dialect(context)
    _load_dialects_of(_TO_TM_TENSOR, context)
    return context


def verifies(live: Bindings) -> bool:
    """Whether MLIR's verifier accepts an operation and what is in it."""
    try:
        return bool(live.verify())
    except ir().MLIRError:
        return False


def _load_dialects_of(pipeline: str, context: Bindings) -> None:
    """Load what passes say that they need: for dialects that the bindings can load in no other way. It takes 0.5 ms."""
    with context, ir().Location.unknown(context):
        passmanager().PassManager.parse(pipeline, context).run(ir().Module.create().operation)


@contextmanager
def without_dialect_classes() -> Generator[None]:
    """Operations that are met are no instances of classes of their dialects. Also for decorating functions.

    Else the bindings import a module for each dialect that they meet, which costs 0.1 to 0.3 s, and nothing here uses.
    Afterwards it is as before, for the sake of programs that use the bindings themselves.
    """
    known = importlib.import_module("torch_mlir._mlir_libs._mlir").globals
    before = known.dialect_search_modules
    known.dialect_search_modules = []
    try:
        yield
    finally:
        known.dialect_search_modules = before
