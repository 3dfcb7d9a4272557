"""Conditions that an exporter found beside the declared sizes, with the model's behavior outside of them."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import replace

from shapesolve.ir.declarations import Declarations, Guard
from shapesolve.records import value_record
from shapesolve.simplification.simplify import condition_text, shortest_and_inexpressible
from shapesolve.symbolic.formula_kinds import IsZero
from shapesolve.symbolic.parser import parse_formula
from shapesolve.symbolic.scope import Scope


class Outside(enum.Enum):
    """Behavior of the model at declared sizes that a condition of the exporter excludes."""

    FAILS = "fails"
    RETURNS = "returns"
    NOT_RUN = "not_run"
    NOT_DECLARED = "not_declared"
    """The size was not declared dynamic, so that its number is no restriction."""


class Undeclared(enum.Enum):
    """Requirement of the model on a size that was not declared dynamic."""

    NOT_EMPTY = "not_empty"
    FIXED = "fixed"
    EQUAL = "equal"
    """It is the size of another argument."""


@value_record
class ExporterFinding:
    """A condition that does not follow from what is declared.

    Attributes:
        guard: the condition, with the model's line that brought it in.
        outside: what the model does at sizes that it excludes.
        at: such sizes, in words; "" where there are none.
        message: what the framework said at these sizes.
        place: the line of the model that raised, "" where none did.
        reproducer: Python code that makes the model do so, "" where there is none of one line.
        is_confirmed: whether the run tells of this condition, not perhaps of another one that excludes these sizes too.
        returns_elsewhere: whether the model was seen to return at other sizes that the condition excludes.
        is_needed: whether a verdict rests on the condition.
        not_traced: the sizes that are neither 0 nor 1 by it, if it says no more.
        is_beside_claims: whether the sizes meet what all refuted claims of the program need.
        arguments: the extents, or the number, of each argument that the model was run with; empty if that is not known.
    """

    guard: Guard
    outside: Outside
    at: str = ""
    message: str = ""
    place: str = ""
    reproducer: str = ""
    is_confirmed: bool = True
    returns_elsewhere: bool = False
    is_needed: bool = False
    not_traced: tuple[str, ...] = ()
    is_beside_claims: bool = False
    arguments: tuple[tuple[int, ...] | int, ...] = ()

    @property
    def is_zero_or_one(self) -> bool:
        """Return whether it says no more than that sizes are neither 0 nor 1."""
        return bool(self.not_traced)

    @property
    def undeclared(self) -> Undeclared:
        """The requirement on a size that was not declared."""
        formula = parse_formula(self.guard.text, Scope.free())
        if not isinstance(formula, IsZero):
            return Undeclared.NOT_EMPTY
        return Undeclared.FIXED if len(formula.variables) == 1 else Undeclared.EQUAL

    @property
    def is_undecided(self) -> bool:
        """Return whether it is unknown what the model does at declared sizes that the condition excludes."""
        return self.outside is Outside.NOT_RUN and not self.is_zero_or_one


def findings_at_export(declared: Declarations) -> tuple[ExporterFinding, ...]:
    """Return the findings of sizes at which the model was run when it was exported, each in its shortest form."""
    return tuple(
        ExporterFinding(
            replace(each.guard, text=_shortest(each.guard.text, declared.claims)),
            Outside.FAILS if each.raised else Outside.RETURNS,
            each.inputs,
            each.message,
            each.place,
            is_needed=True,
        )
        for each in declared.excluded
    )


def _shortest(text: str, claims: Sequence[str]) -> str:
    """Return a condition in the shortest form that is the same where some claims hold."""
    scope = Scope.free()
    known = [parse_formula(each, scope) for each in claims]
    pieces, inexpressible = shortest_and_inexpressible([parse_formula(text, scope)], known, scope)
    return text if inexpressible or not pieces else " and ".join(condition_text(each, scope) for each in pieces)


def fixed_sizes(declared: Declarations) -> tuple[ExporterFinding, ...]:
    """Return what is not declared of sizes and the model needs, as findings that restrict nothing."""
    return tuple(
        ExporterFinding(each.guard, Outside.NOT_DECLARED, each.inputs, each.message) for each in declared.fixed
    )
