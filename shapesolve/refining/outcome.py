"""What a comparison found: behaviours of runs, and the verdict on the refinement."""

from __future__ import annotations

import enum
from dataclasses import field

from shapesolve.executing.execution import Execution
from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula
from shapesolve.proving.verdicts import Refuted, Undecided, Verdict, VerdictKind
from shapesolve.reading.program import Location, Program
from shapesolve.records import record
from shapesolve.walking.obligations import Fact, Kind, Obligation, Source, Trace

_EXIT_CODES = {
    VerdictKind.PROVED: 0,
    VerdictKind.UNREACHABLE: 0,
    VerdictKind.REFUTED: 1,
    VerdictKind.UNDECIDED: 3,
}


class Ending(enum.Enum):
    """How a run ends."""

    RETURNS = "returns"
    ABORTS = "aborts"
    UNDEFINED = "is undefined"


@record
class Behaviour:
    """How a run of one program ends, and at which obligation, where it does not return."""

    ending: Ending
    obligation: Obligation | None = None
    detail: str = ""

    @staticmethod
    def of(obligation: Obligation) -> Behaviour:
        """The behaviour of a run that the obligation fails first."""
        ending = Ending.ABORTS if obligation.kind is Kind.CHECK else Ending.UNDEFINED
        return Behaviour(ending, obligation)

    @property
    def words(self) -> str:
        """In a phrase: ``aborts at line 4: cf.assert (C1), the shapes differ``."""
        if self.obligation is None:
            return f"{self.ending.value} {self.detail}".rstrip()
        place = _place(self.obligation.location)
        return f"{self.ending.value}{place}: {self.obligation.op.name} ({self.obligation.clause}), {self._message}"

    @property
    def _message(self) -> str:
        return self.obligation.message if self.obligation is not None else ""


def _place(location: Location) -> str:
    return f" at line {location.line}" if location.line else ""


@record
class Executed:
    """Both programs, run for real on the counterexample. ``words`` says what that shows.

    ``contradicts``: the runs are not what was predicted. ``confirms``: they differ, and as was predicted.
    """

    source: Execution
    target: Execution
    words: str
    contradicts: bool = False
    confirms: bool = False


@record
class Compared:
    """A number that both programs return, such as extent 0 of result 0."""

    what: str
    source: Dim
    target: Dim


@record
class Finding:
    """One thing that was asked, and its verdict. The behaviours say what happens where it is refuted.

    ``compared``: the number that is not the same there, where it is one.
    """

    question: str
    verdict: Verdict
    source: Behaviour
    target: Behaviour
    executed: Executed | None = None
    compared: Compared | None = None


@record
class Side:
    """One program of a comparison."""

    program: Program
    trace: Trace


class Part(enum.Enum):
    """A part of what two programs do that may be left out of their comparison."""

    CONTENTS = "contents"
    EFFECTS = "effects"
    MESSAGES = "messages"


@record
class Omission:
    """Something that was not compared, in a phrase."""

    part: Part
    words: str


@record
class Refinement:
    """Whether the target refines the source.

    ``findings`` holds a verdict for every behaviour that was asked about. ``source_returns`` is False where no sizes
    are known for which the source returns. ``from_size``: where it is refuted, the least size from which on it is
    proved, if that is 1 or 2. ``identical``: both are the same program. ``omissions``:
    what of the two was not compared. ``without_arguments``: what is assumed contradicts itself, and so nothing was
    asked.
    """

    source: Side
    target: Side
    findings: tuple[Finding, ...]
    source_returns: bool
    allow_lost_checks: bool
    min_size: int
    max_size: int
    identical: bool = False
    without_arguments: bool = False
    from_size: int | None = None
    omissions: tuple[Omission, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was not compared, in phrases."""
        return tuple(each.words for each in self.omissions)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """The parts that were not compared and that a reader would take for compared: ``contents``, ``effects``."""
        parts = {each.part for each in self.omissions}
        return tuple(each.value for each in (Part.CONTENTS, Part.EFFECTS) if each in parts)

    @property
    def assumptions(self) -> tuple[Fact, ...]:
        """What is assumed of the arguments: by the source, and by the target where that says something else.

        The bounds that types give are not listed.
        """
        found: dict[Formula, Fact] = {}
        for fact in (*self.source.trace.assumptions, *self.target.trace.assumptions):
            if fact.source is not Source.TYPE:
                found.setdefault(fact.formula, fact)
        return tuple(found.values())

    @property
    def refuted(self) -> tuple[Finding, ...]:
        """The findings with sizes for which the behaviours differ, the most believable first."""
        return tuple(each for each in self.findings if isinstance(each.verdict, Refuted))

    @property
    def undecided(self) -> tuple[Finding, ...]:
        """The findings that are neither proved nor refuted."""
        return tuple(each for each in self.findings if isinstance(each.verdict, Undecided))

    @property
    def word(self) -> VerdictKind:
        """The verdict on the whole; ``UNREACHABLE`` where there are no arguments."""
        if self.without_arguments:
            return VerdictKind.UNREACHABLE
        if self.refuted:
            return VerdictKind.REFUTED
        return VerdictKind.UNDECIDED if self.undecided else VerdictKind.PROVED

    @property
    def exit_code(self) -> int:
        """0 proved or unreachable, 1 refuted, 3 undecided."""
        return _EXIT_CODES[self.word]
