"""Outcome of a validation: a standing for every pass, and the verdict on the whole."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from shapesolve.records import record
from shapesolve.refinement.outcome import Refinement
from shapesolve.validation.pipelines import PassStep


class Standing(enum.Enum):
    """The standing of one pass on one program."""

    UNCHANGED = "changed nothing"
    """The printed module is the same."""
    IDENTICAL = "nothing to prove"
    """Input and output are the same program up to the names of values and the order of symbols."""
    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    NOT_COMPARED = "not compared"
    """The output cannot be read, or its functions have nothing to compare; in a hunt also: contents are left out."""
    FAILED = "gave up"
    """The pass reported an error."""
    INVALID = "invalid output"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_RUN = "not run"

    @property
    def is_finding(self) -> bool:
        """Return whether the pass is at fault."""
        return self in (Standing.REFUTED, Standing.INVALID, Standing.CRASHED, Standing.TIMED_OUT)

    @property
    def is_shown(self) -> bool:
        """Return whether the output is known to refine the input."""
        return self in (Standing.UNCHANGED, Standing.IDENTICAL, Standing.PROVED)


@record
class StepResult:
    """Result of one pass.

    Attributes:
        step: The pass.
        standing: The standing.
        before: The module that the pass was given.
        after: The module that it returned; None if it returned none.
        refinements: The comparison of each function.
        reason: Why there is no comparison, or the error of the pass.
        notes: Functions that are left out.
    """

    step: PassStep
    standing: Standing
    before: str | bytes
    after: str | bytes | None = None
    refinements: tuple[Refinement, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def not_compared(self) -> tuple[str, ...]:
        """The parts of the behavior that were not compared: ``contents``, ``effects``."""
        return tuple(dict.fromkeys(part for each in self.refinements for part in each.not_compared))

    @property
    def is_partial(self) -> bool:
        """True if contents or effects were asked for, and not compared."""
        return any(each.is_partial for each in self.refinements)


@record
class Validation:
    """Result of validating a pipeline on one file.

    Attributes:
        file: The file.
        runner: The program that ran the passes.
        steps: The result of each pass, in order.
        end_to_end: Whether only the ends were compared, as one step.
        notes: Notes on the file.
    """

    file: str
    runner: str
    steps: tuple[StepResult, ...]
    end_to_end: bool = False
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = (f"{each.step.name}: {each.standing.value}" for each in self.steps)
        return f"<Validation {self.file}: {', '.join(shown) or 'no passes'}>"

    @property
    def findings(self) -> tuple[StepResult, ...]:
        """The passes at fault, in order."""
        return tuple(each for each in self.steps if each.standing.is_finding)

    @property
    def unsettled(self) -> tuple[StepResult, ...]:
        """The passes that are neither at fault nor shown to be right."""
        return tuple(each for each in self.steps if not each.standing.is_finding and not each.standing.is_shown)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """The parts of the behavior that were not compared in some step."""
        return tuple(dict.fromkeys(part for each in self.steps for part in each.not_compared))

    @property
    def compares_elements(self) -> bool:
        """True if elements were compared in some step."""
        return any(each.compares_elements for step in self.steps for each in step.refinements)

    @property
    def exit_code(self) -> int:
        """0 every pass refines in all that was asked, 1 a pass is at fault, 3 something is not settled or compared."""
        return 1 if self.findings else 3 if self.unsettled or self.is_partial else 0

    @property
    def is_partial(self) -> bool:
        """True if contents or effects were asked for, and not compared in some step."""
        return any(each.is_partial for each in self.steps)

    def count(self) -> Iterator[tuple[Standing, int]]:
        """Yield the number of passes of each standing that occurs."""
        for standing in Standing:
            number = sum(each.standing is standing for each in self.steps)
            if number:
                yield standing, number
