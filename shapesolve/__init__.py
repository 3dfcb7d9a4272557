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

if TYPE_CHECKING:
    from shapesolve.api import check, contract, explain, facts, prune, refine, refine_types, shape_of, verify
    from shapesolve.errors import InputError
    from shapesolve.judging.report import Report
    from shapesolve.language.dims import Dim, ceildiv, dim, dims, variable
    from shapesolve.language.extremes import choose, maximum, minimum
    from shapesolve.language.formulas import Formula, compatible, conjunction, disjunction, divides, implies, negation
    from shapesolve.language.shapes import Shape, broadcast, broadcastable, same_shape, shape, unranked
    from shapesolve.libraries.querying import library, shapes_of
    from shapesolve.options import Options
    from shapesolve.proving.verdicts import Proved, Refuted, Undecided, Unreachable
    from shapesolve.solving import counterexample, evaluate, evaluate_shape, holds, prove
    from shapesolve.walking.rulebook import Claim, Meaning, rule

_HOMES = {
    "shapesolve.api": (
        "check",
        "contract",
        "explain",
        "facts",
        "prune",
        "refine",
        "refine_types",
        "shape_of",
        "verify",
    ),
    "shapesolve.errors": ("InputError",),
    "shapesolve.language.dims": ("Dim", "ceildiv", "dim", "dims", "variable"),
    "shapesolve.language.extremes": ("choose", "maximum", "minimum"),
    "shapesolve.language.formulas": (
        "Formula",
        "compatible",
        "conjunction",
        "disjunction",
        "divides",
        "implies",
        "negation",
    ),
    "shapesolve.language.shapes": ("Shape", "broadcast", "broadcastable", "same_shape", "shape", "unranked"),
    "shapesolve.libraries.querying": ("library", "shapes_of"),
    "shapesolve.options": ("Options",),
    "shapesolve.proving.verdicts": ("Proved", "Refuted", "Undecided", "Unreachable"),
    "shapesolve.judging.report": ("Report",),
    "shapesolve.solving": ("counterexample", "evaluate", "evaluate_shape", "holds", "prove"),
    "shapesolve.walking.rulebook": ("Claim", "Meaning", "rule"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"

__all__ = [
    "Claim",
    "Dim",
    "Formula",
    "InputError",
    "Meaning",
    "Options",
    "Proved",
    "Refuted",
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
    "maximum",
    "minimum",
    "negation",
    "prove",
    "prune",
    "refine",
    "refine_types",
    "rule",
    "same_shape",
    "shape",
    "shape_of",
    "shapes_of",
    "unranked",
    "variable",
    "verify",
]


_OF_MODELS = frozenset(("jax", "onnx", "torch"))
"""Modules of the package that are loaded when somebody names them."""


def __getattr__(name: str) -> Any:
    if name in _OF_MODELS:
        return import_module(f"shapesolve.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'shapesolve' has no attribute '{name}'")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
