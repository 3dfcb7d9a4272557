"""Reduction of a finding: a smaller program on which the same pass goes wrong in the same way."""

from __future__ import annotations

from dataclasses import replace

from shapesolve.deadline import Deadline
from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.records import record
from shapesolve.reducer import reduce
from shapesolve.refinement.outcome import Behavior, Finding
from shapesolve.validation.outcome import Standing, StepResult
from shapesolve.validation.validate import Request, validate_program

_PATH = "reduced.mlir"


@record
class Symptom:
    """The way in which a pass goes wrong, without names, places and sizes.

    Attributes:
        standing: The standing of the pass.
        differences: For each refuted query, how both programs end.
    """

    standing: Standing
    differences: frozenset[tuple[str, ...]]

    @staticmethod
    def of(result: StepResult) -> Symptom:
        """Return the symptom of the result of one pass."""
        found = (each for refinement in result.refinements for each in refinement.refuted)
        return Symptom(result.standing, frozenset(map(_difference, found)))

    def recurs_in(self, result: StepResult) -> bool:
        """Return whether a result shows some of the differences."""
        other = Symptom.of(result)
        return self.standing is other.standing and (not self.differences or bool(self.differences & other.differences))


def _difference(finding: Finding) -> tuple[str, ...]:
    compared = "" if finding.compared is None else finding.compared.what.removeprefix("the ").partition(" ")[0]
    return (*_ending(finding.source), *_ending(finding.target), compared)


def _ending(behavior: Behavior) -> tuple[str, str]:
    failing = behavior.obligation
    return behavior.ending.value, "" if failing is None else f"{failing.op.name} {failing.clause}"


def reduce_step(result: StepResult, request: Request, options: Options, *, seconds: float) -> StepResult | None:
    """Return the pass at fault on the smallest program found for which it goes wrong in the same way.

    The assumptions of the options name arguments of the file, so with assumptions nothing is reduced.

    Returns:
        The result on that program, with the counterexample executed; None if the program did not become smaller.
    """
    if not result.standing.is_finding or not isinstance(result.before, str):
        return None
    if options.assumptions or options.shapes:
        return None
    symptom = Symptom.of(result)
    alone = replace(request, steps=(replace(result.step, number=1),), end_to_end=False)
    quick = replace(options, execute=False, functions=())

    def still_fails(text: str) -> bool:
        return symptom.recurs_in(_validated(text, alone, quick))

    small = reduce(result.before, still_fails, deadline=Deadline.after(seconds))
    if small == result.before:
        return None
    try:
        shown = _validated(small, alone, replace(options, functions=()))
    except InputError:
        return None
    return shown if symptom.recurs_in(shown) else None


def _validated(text: str, request: Request, options: Options) -> StepResult:
    return validate_program(read_text(text, _PATH), request, options).steps[0]
