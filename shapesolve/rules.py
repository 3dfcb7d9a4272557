"""The door for whoever says what an operation means: everything that a rule needs, under names that stay.

    from shapesolve.rules import Claim, Meaning, rule

    @rule("acme.glue", example="acme/glue.mlir")
    def glue(op, see):
        ...

A rule takes an `Operation` and a `RuleContext`, through which it sees what is known of the operands, and returns a
`Meaning`. What it cannot see raises `CannotSee`; the walk then takes the results as unknown and lists the reason.
What the operation does besides giving results is said by ``effects`` (`PURE`: nothing), joined by ``|``.
"""

from __future__ import annotations

from shapesolve.language.shapes import RankedShape
from shapesolve.reading.program import Operation
from shapesolve.walking.effects import ANY_RESULT, PURE, READS, STOPS, WRITES, Effects
from shapesolve.walking.obligations import Kind
from shapesolve.walking.rule_context import CannotSee, RuleContext
from shapesolve.walking.rulebook import Claim, Meaning, RuleError, rule
from shapesolve.walking.values import Tensor, Unmodelled

__all__ = [
    "ANY_RESULT",
    "PURE",
    "READS",
    "STOPS",
    "WRITES",
    "CannotSee",
    "Claim",
    "Effects",
    "Kind",
    "Meaning",
    "Operation",
    "RankedShape",
    "RuleContext",
    "RuleError",
    "Tensor",
    "Unmodelled",
    "rule",
]
