"""Public interface of rules: everything that a rule needs, under stable names.

    from shapesolve.rules import Claim, OpSemantics, rule

    @rule("acme.glue", example="acme/glue.mlir")
    def glue(op, ctx):
        ...

A rule takes an `Operation` and a `RuleContext`, which knows what is known of the operands, and returns its
`OpSemantics`: the results, and groups of what it requires, ensures and assumes. A method of the context without an
answer raises `UnknownValueError`; the results are then unknown, and the report gives the reason. ``effects`` says what
the operation does besides returning results (`PURE`: nothing), joined by ``|``.
"""

from __future__ import annotations

from typing import Any
from warnings import warn

from shapesolve.domain.values import Tensor, Unmodeled
from shapesolve.ir.program import Operation
from shapesolve.semantics.context import RuleContext, UnknownValueError
from shapesolve.semantics.effects import ANY_RESULT, PURE, READS, STOPS, WRITES, Effects
from shapesolve.semantics.op_semantics import (
    Approximations,
    Assumes,
    Claim,
    Ensures,
    Folds,
    OpSemantics,
    Requires,
    Results,
    Successors,
)
from shapesolve.semantics.registry import RuleError, rule
from shapesolve.symbolic.shape_kinds import RankedShape
from shapesolve.trace.events import Kind

__all__ = [
    "ANY_RESULT",
    "PURE",
    "READS",
    "STOPS",
    "WRITES",
    "Approximations",
    "Assumes",
    "Claim",
    "Effects",
    "Ensures",
    "Folds",
    "Kind",
    "OpSemantics",
    "Operation",
    "RankedShape",
    "Requires",
    "Results",
    "RuleContext",
    "RuleError",
    "Successors",
    "Tensor",
    "UnknownValueError",
    "Unmodeled",
    "rule",
]

_RENAMED = {"CannotSee": "UnknownValueError", "Meaning": "OpSemantics", "Unmodelled": "Unmodeled"}


def __getattr__(name: str) -> Any:
    """Return a public name of the version before under its new name, with a warning."""
    if name not in _RENAMED:
        raise AttributeError(f"module 'shapesolve.rules' has no attribute '{name}'")
    warn(f"shapesolve.rules.{name} is now shapesolve.rules.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
    return globals()[_RENAMED[name]]
