"""shapesolve: a symbolic shape-constraint solver for MLIR.

    from shapesolve import broadcast, check, dims, prove

    N, M = dims("N M")
    prove(broadcast([N, 1], [M]) == [N, M])      # Proved
    prove("2*(H//2) == H")                       # Refuted: H = 3
    check("model.mlir")                          # a Report

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from shapesolve.api import (
        check,
        contract,
        explain,
        facts,
        lower,
        prune,
        reduce,
        refine,
        refine_types,
        shape_of,
        sizes,
        validate,
        verify,
        watching,
    )
    from shapesolve.checker.report import Report
    from shapesolve.errors import InputError, RefutedError
    from shapesolve.options import Options
    from shapesolve.semantics.op_semantics import Claim, OpSemantics
    from shapesolve.semantics.registry import rule
    from shapesolve.shape_functions.queries import library, shapes_of
    from shapesolve.solver.entailment import counterexample, evaluate, evaluate_shape, holds, prove
    from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable
    from shapesolve.symbolic.dims import Dim, ceildiv, dim, dims, variable
    from shapesolve.symbolic.formula_kinds import Formula
    from shapesolve.symbolic.formulas import compatible, conjunction, disjunction, divides, implies, negation
    from shapesolve.symbolic.normal_forms import choose, maximum, minimum
    from shapesolve.symbolic.shape_kinds import Shape
    from shapesolve.symbolic.shapes import broadcast, broadcastable, concat, numel, product, same_shape, shape, unranked

_HOMES = {
    "shapesolve.api": "check contract explain facts lower prune reduce refine refine_types shape_of sizes "
    "validate verify watching",
    "shapesolve.errors": "InputError RefutedError",
    "shapesolve.symbolic.dims": "Dim ceildiv dim dims variable",
    "shapesolve.symbolic.normal_forms": "choose maximum minimum",
    "shapesolve.symbolic.formula_kinds": "Formula",
    "shapesolve.symbolic.formulas": "compatible conjunction disjunction divides implies negation",
    "shapesolve.symbolic.shape_kinds": "Shape",
    "shapesolve.symbolic.shapes": "broadcast broadcastable concat numel product same_shape shape unranked",
    "shapesolve.shape_functions.queries": "library shapes_of",
    "shapesolve.options": "Options",
    "shapesolve.solver.verdicts": "Proved Refuted Undecided Unreachable",
    "shapesolve.checker.report": "Report",
    "shapesolve.solver.entailment": "counterexample evaluate evaluate_shape holds prove",
    "shapesolve.semantics.op_semantics": "Claim OpSemantics",
    "shapesolve.semantics.registry": "rule",
}
_RENAMED = {"Meaning": "OpSemantics"}
"""Public names of the version before: they work with a warning."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__version__ = "0.1.0"

__all__ = [
    "Claim",
    "Dim",
    "Formula",
    "InputError",
    "OpSemantics",
    "Options",
    "Proved",
    "Refuted",
    "RefutedError",
    "Report",
    "Shape",
    "Undecided",
    "Unreachable",
    "broadcast",
    "broadcastable",
    "ceildiv",
    "check",
    "choose",
    "compatible",
    "concat",
    "conjunction",
    "contract",
    "counterexample",
    "dim",
    "dims",
    "disjunction",
    "divides",
    "evaluate",
    "evaluate_shape",
    "explain",
    "facts",
    "holds",
    "implies",
    "library",
    "lower",
    "maximum",
    "minimum",
    "negation",
    "numel",
    "product",
    "prove",
    "prune",
    "reduce",
    "refine",
    "refine_types",
    "rule",
    "same_shape",
    "shape",
    "shape_of",
    "shapes_of",
    "sizes",
    "unranked",
    "validate",
    "variable",
    "verify",
    "watching",
]


_OF_MODELS = frozenset(("jax", "onnx", "torch"))
"""Modules of the package that are loaded when they are first named."""


def __getattr__(name: str) -> Any:
    if name in _OF_MODELS:
        return import_module(f"shapesolve.{name}")
    if name in _RENAMED:
        warn(f"shapesolve.{name} is now shapesolve.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'shapesolve' has no attribute '{name}'")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
