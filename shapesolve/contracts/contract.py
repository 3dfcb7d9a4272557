"""A function's contract, as data. Nothing here prints."""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.checker.checked_obligation import CheckedObligation
from shapesolve.checker.report import FunctionReport
from shapesolve.contracts.weakest_preconditions import Precondition
from shapesolve.ir.declarations import ExcludedSizes
from shapesolve.ir.program import Program
from shapesolve.printable import Printable
from shapesolve.records import record
from shapesolve.solver.verdicts import Undecided, UndecidedReason
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.evaluation import Sizes
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.trace.events import Obligation


@record
class Condition:
    """One condition on a function's inputs.

    Attributes:
        formula: The condition.
        text: The text that it parses from, by ``--assume`` too.
        needed_by: The obligations that do not hold by the other conditions alone.
        witness: Sizes that satisfy all other conditions and break this one.
        failing: The obligations that fail at the witness.
        necessary: Whether it is proved that something fails wherever the condition does not hold.
        holds_below: The condition holds wherever no size exceeds this number, so that it matters for huge sizes only;
            None where it matters for others.
        sufficient: Short texts that imply a condition too long to be read, if there are such.
        is_in_time: Whether all of this was decided before the deadline; otherwise more obligations may need it.
    """

    formula: Formula
    text: str
    needed_by: tuple[Obligation, ...]
    witness: Sizes | None = None
    failing: tuple[Obligation, ...] = ()
    necessary: bool = False
    holds_below: int | None = None
    sufficient: tuple[str, ...] = ()
    is_in_time: bool = True

    @property
    def readable(self) -> tuple[str, ...]:
        """Texts for ``--assume`` that imply the condition, and equal it if it is short enough to read."""
        return self.sufficient or (self.text,)


@record
class ExportCondition:
    """Condition that an exporter found, without which the exported program is not the model.

    Attributes:
        formula: The condition.
        text: Its text in the size language.
        needed_by: Obligations that may fail where it does not hold.
        is_needed: Whether it follows from what the operations require.
        excluded: Sizes that only this condition excludes: no operation fails there, but the export did not consider
            them; None if there are none, or they are not known.
        model: The line of the model that brought it in, with its text, "" if that is not known.
        is_branch: Whether that line is a branch, which takes another way where it does not hold.
        not_traced: The sizes that are neither 0 nor 1 by it, if it says no more, by the exporter's choice.
    """

    formula: Formula
    text: str
    needed_by: tuple[Obligation, ...] = ()
    is_needed: bool = False
    excluded: Sizes | None = None
    model: str = ""
    is_branch: bool = False
    not_traced: tuple[str, ...] = ()

    @property
    def is_zero_or_one(self) -> bool:
        """Return whether it says no more than that sizes are neither 0 nor 1, by the exporter's choice."""
        return bool(self.not_traced)


@record
class FunctionContract:
    """The requirements of a function on its inputs.

    Attributes:
        report: The check without the conditions.
        verified: The check under all of them.
        conditions: The conditions.
        hopeless: Whether it is proved that something fails for all sizes; then there are no conditions.
        open: Obligations that are not proved under the conditions.
        preconditions: The preconditions that the conditions cover.
        admits: The conditions that the exporter found, and which nothing else states.
        frozen: The extents of a saved program's arguments that are numbers: argument, dimension, number.
        undeclared: The conditions on undeclared sizes that a model itself needs, and for what it raises.
    """

    report: FunctionReport
    verified: FunctionReport
    conditions: tuple[Condition, ...]
    hopeless: bool
    open: tuple[CheckedObligation, ...]
    preconditions: tuple[Precondition, ...] = ()
    admits: tuple[ExportCondition, ...] = ()
    frozen: tuple[tuple[str, int, int], ...] = ()
    undeclared: tuple[ExcludedSizes, ...] = ()

    @property
    def name(self) -> str:
        return self.report.name

    @property
    def texts(self) -> tuple[str, ...]:
        """The conditions as texts for ``--assume``."""
        return tuple(each.text for each in self.conditions)

    @property
    def complete(self) -> tuple[str, ...]:
        """The conditions as texts for ``--assume``, with those on undeclared sizes."""
        return tuple(dict.fromkeys((*self.texts, *(each.guard.shown for each in self.undeclared))))

    @property
    def sufficient(self) -> bool:
        """True if nothing fails under the conditions: every obligation is proved then, or not reached.

        That holds as well where the assumptions already exclude all calls: ``report.contradiction`` says so.
        """
        return not (self.hopeless or self.open or self.verified.unchecked)

    @property
    def exact(self) -> bool:
        """True if the function is safe exactly under the conditions, none of which is redundant."""
        return self.sufficient and all(each.necessary and each.witness is not None for each in self.conditions)

    @property
    def in_time(self) -> bool:
        """True if every obligation was judged under the conditions before the deadline."""
        verdicts = [each.verdict for each in self.verified.checked_obligations]
        return not any(isinstance(each, Undecided) and each.reason_kind is UndecidedReason.COMMAND for each in verdicts)

    @property
    def exit_code(self) -> int:
        """0: exact; 1: no sizes are safe, or some result is an error at all that are; 3: open, or without any input."""
        if self.hopeless or self.verified.errors:
            return 1
        return 0 if self.exact and not self.report.contradiction else 3


@record
class ContractReport(Printable):
    """The contracts of a file's functions."""

    program: Program
    functions: tuple[FunctionContract, ...]
    min_size: int
    max_size: int

    @property
    def exit_code(self) -> int:
        """1 if some function is safe for no sizes, or returns an error in every safe call, else 3 or 0.

        3 if something is open, no function has a body, or the assumptions exclude all inputs of one.
        """
        codes = {each.exit_code for each in self.functions} or {3}
        return next((code for code in (1, 3) if code in codes), 0)


def with_every_input(sizes: Sizes, inputs: Sequence[Variable]) -> Sizes:
    """Return the sizes with a value for every input that they leave open."""
    whole: dict[Variable, int | tuple[int, ...]] = dict(sizes)
    for variable in inputs:
        if variable not in whole:
            whole[variable] = (2,) if isinstance(variable, ShapeSymbol) else _any(variable)
    return whole


def _any(variable: Variable) -> int:
    least = 2 if variable.lower is None else max(2, variable.lower)
    return least if variable.upper is None else min(least, variable.upper)
