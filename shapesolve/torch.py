"""Check of PyTorch models from Python: ``shapesolve.torch.check(module, args, dynamic_shapes)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shapesolve.api import checked
from shapesolve.options import Options

if TYPE_CHECKING:
    from shapesolve.checker.reference_runs import Call
    from shapesolve.checker.report import Report
    from shapesolve.frontends.model_run import ModelRun
    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.formula_kinds import Formula


def check(
    model: Any,
    args: Sequence[Any] | Mapping[str, Any] = (),
    dynamic_shapes: Any = None,
    *,
    level: str = "torch",
    decompose: bool = True,
    options: Options | None = None,
    name: str = "<model>",
    trust_exporter: bool = False,
) -> Report:
    """Decide every obligation of a PyTorch model, at the level of its own operators, in this process.

    What `dynamic_shapes` declares is believed. What torch.export finds besides, such as guards and specialized sizes,
    is decided by running the module at the sizes that it excludes: `Report.exporter` and `Report.fails_outside`.

    Args:
        model: A module, an ``ExportedProgram``, or a tuple of a module, example inputs and optionally dynamic shapes.
            Of an ``ExportedProgram`` only what torch.export knows is at hand, which is believed.
        args: The example inputs of a module; a mapping gives them by name.
        dynamic_shapes: As torch.export.export takes them; None makes every extent dynamic but those that the model
            itself freezes, such as the features of a linear layer.
        level: "torch", or "linalg", "stablehlo" or "tosa" for the program that torch-mlir lowers the model to.
        decompose: Whether PyTorch rewrites the operations first, as torch-mlir does by default.
        options: How to check; with ``execute=False`` the module is not run at other sizes than its example's.
        name: What reports call the model.
        trust_exporter: Believe what torch.export finds like what is declared, as ``options.trust_exporter`` does.

    Raises:
        InputError: The module fails on its example inputs, PyTorch refuses to export it, or torch-mlir cannot import
            or lower it.
    """
    from shapesolve.frontends.open import needs
    from shapesolve.frontends.torch_export import example_of, is_program, is_torch, torch_model
    from shapesolve.frontends.torch_import import exported_program
    from shapesolve.frontends.torch_runs import run_module

    needs("torch")
    given = model if is_torch(model) else (model, args, dynamic_shapes)
    chosen = options or Options()
    chosen = replace(chosen, trust_exporter=chosen.trust_exporter or trust_exporter)
    found = torch_model(given, name)
    declared = None if chosen.trust_exporter else found
    exported = exported_program(found.program, level=level, decompose=decompose, where=name, model=declared)
    if is_program(given) or exported.declarations is None:
        return checked(exported, name, chosen)
    module, inputs = example_of(given)
    places = exported.declarations.places

    def run(calls: Sequence[Call]) -> list[ModelRun]:
        return run_module(module, inputs, places, calls, believes_checks=True)

    return checked(exported, name, chosen, run if chosen.execute else None)


def from_torch(value: Any) -> Dim | Formula:
    """Convert a ``torch.SymInt`` to a size, a ``torch.SymBool`` to a formula; nothing is specialized by that.

    PyTorch's symbols become variables of their names, at least 1 where PyTorch takes them for positive.

    Raises:
        TypeError: The value is neither, or has no counterpart.
    """
    from shapesolve.symbolic.dims import Dim, dim
    from shapesolve.symbolic.formula_kinds import Formula
    from shapesolve.sympy import from_sympy

    if isinstance(value, int) and not isinstance(value, bool):
        return dim(value)
    expression = getattr(getattr(value, "node", None), "expr", None)
    if expression is None:
        raise TypeError(f"a SymInt or a SymBool is needed here, not {type(value).__name__} {value!r}")
    found = from_sympy(expression)
    if not isinstance(found, Dim | Formula):
        raise TypeError(f"{value} is neither a size nor a claim")
    return found


def to_torch(value: Dim | Formula, symbols: Mapping[str, Any]) -> Any:
    """Compute a size or a formula with PyTorch's symbolic sizes: a ``SymInt`` or a ``SymBool``.

    Args:
        value: A size, or a formula, which ``torch._check`` takes.
        symbols: A ``SymInt`` or an integer for every variable, by name.

    Raises:
        KeyError: A variable has no symbol.
        TypeError: PyTorch has no counterpart, as for a division by what may be 0.
    """
    from importlib import import_module

    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.operators import ByOperators

    torch: Any = import_module("torch")
    by = ByOperators(symbols, torch.sym_min, torch.sym_max, torch.sym_not)
    return by.size(value) if isinstance(value, Dim) else by.formula(value)
