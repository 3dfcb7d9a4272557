"""A function's contract, as data. Nothing here prints."""

from __future__ import annotations

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.weakest_preconditions import Precondition
from shapesolve.ir.program import Program
from shapesolve.records import record
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Obligation


@record
class Condition:
    """One condition on a function's inputs. ``text`` is what it is read from, by ``--assume`` too.

    ``needed_by``: the obligations that do not hold by the other conditions alone. ``witness`` satisfies all the others
    and breaks this one; ``failing`` are the obligations that fail there. ``necessary``: it is proved that something
    fails wherever it does not hold. ``holds_below``: it holds wherever no size exceeds that number, so that it matters
    for huge sizes only; None where it matters for others. ``enough`` are short texts that imply a condition too long to
    be read, where there are such.
    """

    formula: Formula
    text: str
    needed_by: tuple[Obligation, ...]
    witness: Sizes | None = None
    failing: tuple[Obligation, ...] = ()
    necessary: bool = False
    holds_below: int | None = None
    enough: tuple[str, ...] = ()

    @property
    def readable(self) -> tuple[str, ...]:
        """Texts for ``--assume`` that imply it, and are it where that can be read."""
        return self.enough or (self.text,)


@record
class FunctionContract:
    """What a function needs of its inputs.

    ``report`` is the check without the conditions, ``verified`` the one under all of them. ``hopeless``: it is proved
    that something fails for all sizes; then there are no conditions. ``demands`` are those that the conditions say.
    """

    report: FunctionReport
    verified: FunctionReport
    conditions: tuple[Condition, ...]
    hopeless: bool
    open: tuple[CheckedObligation, ...]
    demands: tuple[Precondition, ...] = ()

    @property
    def name(self) -> str:
        return self.report.name

    @property
    def texts(self) -> tuple[str, ...]:
        """The conditions as texts for ``--assume``."""
        return tuple(each.text for each in self.conditions)

    @property
    def sufficient(self) -> bool:
        """Whether nothing fails under the conditions: all obligations are proved then, or are not reached.

        That is so as well where what is assumed already excludes all calls: ``report.contradiction`` says so.
        """
        return not (self.hopeless or self.open or self.verified.unchecked)

    @property
    def exact(self) -> bool:
        """Whether the function is safe exactly under the conditions, none of which follows from the others."""
        return self.sufficient and all(each.necessary and each.witness is not None for each in self.conditions)

    @property
    def exit_code(self) -> int:
        """0: exact; 1: no sizes are safe; 3: something is open."""
        return 1 if self.hopeless else 0 if self.exact else 3


@record
class ContractReport:
    """The contracts of a file's functions."""

    program: Program
    functions: tuple[FunctionContract, ...]
    min_size: int
    max_size: int

    @property
    def exit_code(self) -> int:
        """1 where some function is safe for no sizes, else 3 where something is open, else 0."""
        codes = {each.exit_code for each in self.functions}
        return next((code for code in (1, 3) if code in codes), 0)
