"""Causes: sightings of what is believed to be one mistake of a pass."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from shapesolve.errors import InputError
from shapesolve.ir.reader import read_text
from shapesolve.records import value_record
from shapesolve.validation.outcome import StepResult
from shapesolve.validation.reduction import Symptom

MOST_REDUCED = 4
"""Sightings of one symptom of one pass that are reduced: several causes may have it."""

_VARYING = re.compile(r"(?<![\w.])-?\d+(?!\w)|0x[0-9a-f]+|<[^<>]*>|%\w+|#\d+")
_SPACES = re.compile(r"\s+")
_SILENT = frozenset({"builtin.module", "func.func", "func.return", "arith.constant"})


@value_record
class Complaint:
    """The way in which a pass goes wrong, as text.

    Attributes:
        pass_name: The pass, without options.
        standing: The standing, such as ``refuted``.
        differences: For each refuted query, how both programs end.
        message: The error of the pass or the verifier, without numbers and types.
    """

    pass_name: str
    standing: str
    differences: tuple[tuple[str, ...], ...]
    message: str

    @staticmethod
    def of(result: StepResult) -> Complaint:
        """Return the complaint of a finding."""
        differences = tuple(sorted(Symptom.of(result).differences))
        message = _SPACES.sub(" ", _VARYING.sub("", result.reason)).strip()
        return Complaint(result.step.name, result.standing.value, differences, message)

    def agrees_with(self, other: Complaint) -> bool:
        """Return whether both may be one complaint, perhaps of two passes: some difference is the same."""
        mine, others = set(self.differences), set(other.differences)
        same = (self.standing, self.message) == (other.standing, other.message)
        return same and (mine == others or bool(mine & others))


@value_record
class Sighting:
    """One finding of a hunt.

    Attributes:
        complaint: The way in which the pass goes wrong.
        pipeline: The pipeline that runs the pass alone.
        sample: The name of the program.
        program: The program on which the pass goes wrong, reduced if ``is_reduced``.
        output: The output of the pass, if there is one.
        operations: The operations of that program.
        is_reduced: Whether the program was reduced.
        is_executed: Whether running both programs showed the difference.
        evidence: The evidence, as it is printed.
    """

    complaint: Complaint
    pipeline: str
    sample: str
    program: str
    output: str
    operations: tuple[str, ...]
    is_reduced: bool
    is_executed: bool
    evidence: str = ""


@value_record
class Cause:
    """Sightings with one cause.

    Attributes:
        number: The number, from 1.
        shown: The sighting with the smallest program.
        seen: The number of sightings, by pass: passes share folders and patterns.
        reduced: The number of those that were reduced, by pass.
    """

    number: int
    shown: Sighting
    seen: Mapping[str, int]
    reduced: Mapping[str, int]

    @property
    def count(self) -> int:
        """The number of sightings."""
        return sum(self.seen.values())

    def explains(self, sighting: Sighting) -> bool:
        """Return whether a sighting has this cause.

        Reduced programs of one pass agree if the operations of one are among those of the other; of two passes, if they
        are the same. A program that was not reduced may contain several causes, so its operations tell nothing.
        """
        if not self.shown.complaint.agrees_with(sighting.complaint):
            return False
        mine, others = set(self.shown.operations), set(sighting.operations)
        if sighting.complaint.pass_name not in self.seen:
            return mine == others
        return not (sighting.is_reduced and self.shown.is_reduced) or mine <= others or others <= mine

    def with_sighting(self, sighting: Sighting) -> Cause:
        """Return the cause with one more sighting, shown by the smaller program."""
        name = sighting.complaint.pass_name
        return replace(
            self,
            shown=min(self.shown, sighting, key=_rank),
            seen={**self.seen, name: self.seen.get(name, 0) + 1},
            reduced={**self.reduced, name: self.reduced.get(name, 0) + sighting.is_reduced},
        )


def _rank(sighting: Sighting) -> tuple[bool, bool, int]:
    return not sighting.is_reduced, not sighting.is_executed, len(sighting.program)


def sighting_of(result: StepResult, sample: str, *, is_reduced: bool, evidence: str) -> Sighting:
    """Return a finding as a sighting."""
    program, output = _text(result.before), _text(result.after)
    runs = [each.executed for refinement in result.refinements for each in refinement.refuted]
    is_executed = any(each is not None and each.confirms for each in runs)
    complaint, operations = Complaint.of(result), _operations(program)
    return Sighting(
        complaint, result.step.pipeline, sample, program, output, operations, is_reduced, is_executed, evidence
    )


def added(causes: Sequence[Cause], sighting: Sighting) -> tuple[tuple[Cause, ...], Cause]:
    """Return the causes with one more sighting, and the cause of it."""
    for place, each in enumerate(causes):
        if each.explains(sighting):
            found = each.with_sighting(sighting)
            return (*causes[:place], found, *causes[place + 1 :]), found
    name = sighting.complaint.pass_name
    found = Cause(len(causes) + 1, sighting, {name: 1}, {name: int(sighting.is_reduced)})
    return (*causes, found), found


def is_worth_reducing(causes: Sequence[Cause], complaint: Complaint) -> bool:
    """Return whether a finding may have a cause that is not known yet."""
    known = (each for each in causes if each.shown.complaint.agrees_with(complaint))
    return sum(each.reduced.get(complaint.pass_name, 0) for each in known) < MOST_REDUCED


def _text(module: str | bytes | None) -> str:
    return module if isinstance(module, str) else "" if module is None else module.decode("utf-8", "replace")


def _operations(program: str) -> tuple[str, ...]:
    try:
        read = read_text(program)
    except InputError:
        return ()
    names = {op.name for function in read.functions.values() for op in function.operation.walk()}
    return tuple(sorted(names - _SILENT))
