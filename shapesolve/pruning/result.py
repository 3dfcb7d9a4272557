"""Result of pruning: the new text, and the outcome of every check with its reason.

`Prepared` is a program with inserted checks, ready to be pruned, and its relation to the original.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from shapesolve.errors import plural
from shapesolve.ir.program import Location, Operation, Program
from shapesolve.options import Options
from shapesolve.pruning.assumption_notes import PruningNote, merged_notes
from shapesolve.records import value_record
from shapesolve.rewriting.checks import WITNESS_USERS


class CheckStatus(enum.StrEnum):
    """Status that decided about a check. As text it is the word that reports print."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    UNREACHABLE = "unreachable"
    NOT_REACHED = "not reached"
    """Some run of the check was not covered."""
    STATED = "stated"
    """It checks facts that an exporter states and that everything else assumes."""
    OPEN = "open"
    """It is no check itself and stays: a guard that may go either way, a region around a check that stays."""


@value_record
class CheckOutcome:
    """Outcome of one check of the original program.

    Attributes:
        op: The name of its operation.
        location: Where it stands.
        path: The function and the operation by name: ``f/cf.assert``.
        number: The number of the operation.
        message: The message of its failure.
        removed: Whether it was removed.
        verdict: The status that decided it.
        reason: Why, as a phrase.
        always_fails: Whether the check fails for all sizes that reach it.
        remedies: What may decide the check, if it is undecided: options, and statements to add.
    """

    op: str
    location: Location
    path: str
    number: int
    message: str
    removed: bool
    verdict: CheckStatus
    reason: str
    always_fails: bool = False
    remedies: tuple[str, ...] = ()

    @property
    def is_counted(self) -> bool:
        """Return whether it counts as a check: regions that wait for witnesses, and joined ones, do not."""
        return self.op not in WITNESS_USERS

    @property
    def identity(self) -> str:
        """A stable name: ``f/cf.assert#12``."""
        return f"{self.path}#{self.number}"

    def at(self, location: Location, number: int) -> CheckOutcome:
        """Return the same outcome for an operation of another number at another location."""
        return replace(self, location=location, number=number)

    def removed_as(self, later: CheckOutcome) -> CheckOutcome:
        """Return the same check, removed later for the reason found then."""
        return replace(
            self, removed=True, verdict=later.verdict, reason=later.reason, always_fails=later.always_fails, remedies=()
        )


@value_record
class InsertedCheck:
    """A check that was inserted into a function.

    Attributes:
        function: The name of the function.
        condition: The required condition, as text.
        message: The message of its failure.
        needed_by: Operations that fail or are undefined without the condition, by name and location in the original.
        op, location, number: Those of the check in the output.
        shown: The condition as reports say it, with the case of empty tensors told apart; "" if it is the same.
    """

    function: str
    condition: str
    message: str
    needed_by: tuple[tuple[str, Location], ...]
    op: str = ""
    location: Location | None = None
    number: int = -1
    shown: str = ""

    @property
    def words(self) -> str:
        """The condition as reports say it."""
        return self.shown or self.condition

    @property
    def phrase(self) -> str:
        """The phrase that names the check as a reason for removing others."""
        return f"the check of `{self.words}`"

    def standing(self, op: Operation) -> InsertedCheck:
        """Return the check with the place of its operation in the output."""
        return replace(self, op=op.name, location=op.location, number=op.number)


@value_record
class CertainFailure:
    """Claim that fails for all sizes that reach it, and that every call of a function reaches unless it fails before.

    Attributes:
        function: The name of the function.
        op: The name of the operation.
        location: The location in the original.
        message: Words for what it needs.
        is_first: Whether nothing before it fails.
    """

    function: str
    op: str
    location: Location
    message: str
    is_first: bool


@value_record
class PruneResult:
    """The pruned program.

    Attributes:
        text: The new text; the original text itself if nothing was changed.
        checks: The outcome of every check of the original, and of the regions and joined witnesses that go with checks.
        counts: Number of operations before and after, for every kind of check that the original has, by name.
        noted: Notes for the report.
        written: The inserted checks; they are not among ``checks`` and not counted.
        still_open: What is not proved in the output besides, if that was looked at.
        simplified: Folded operations that were no checks: selects of one value, loops of one iteration or none.
        may_be_undefined: Locations in the original of remaining operations with unproved requirements.
        certain_failures: The first of each function that fails in every call.
        is_checked: Whether a function of the program has a body.
        admits_no_input: Whether the assumptions exclude all inputs of a function, so that nothing of it is pruned.
        not_shrunk: Numbers of the checks whose failing sizes, if any, were not made small.
    """

    text: str
    checks: tuple[CheckOutcome, ...]
    counts: Mapping[str, tuple[int, int]]
    noted: tuple[PruningNote, ...]
    written: tuple[InsertedCheck, ...] = ()
    still_open: tuple[str, ...] = ()
    simplified: tuple[CheckOutcome, ...] = ()
    may_be_undefined: tuple[Location, ...] = ()
    certain_failures: tuple[CertainFailure, ...] = ()
    is_checked: bool = True
    admits_no_input: bool = False
    not_shrunk: frozenset[int] = frozenset()

    def __repr__(self) -> str:
        counted = [each.removed for each in self.checks if each.is_counted]
        numbers = f"{sum(counted)} removed, {len(counted) - sum(counted)} kept, {len(self.written)} inserted"
        return f"<PruneResult {plural(len(counted), 'check')}: {numbers}>"

    @property
    def removed(self) -> tuple[CheckOutcome, ...]:
        """The checks that were removed."""
        return tuple(check for check in self.checks if check.removed)

    @property
    def kept(self) -> tuple[CheckOutcome, ...]:
        """The checks that still stand."""
        return tuple(check for check in self.checks if not check.removed)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes for the report, as sentences."""
        return tuple(map(str, self.noted))

    def after(self, before: PruneResult) -> PruneResult:
        """Return the result for the original, where this is the result for the output of ``before``."""
        return replace(
            self,
            checks=_latest(self.checks, before.removed),
            noted=merged_notes((*self.noted, *before.noted)),
            simplified=_latest(self.simplified, before.simplified),
        )


def _latest(outcomes: Iterable[CheckOutcome], before: Iterable[CheckOutcome]) -> tuple[CheckOutcome, ...]:
    found = {each.number: each for each in (*before, *outcomes)}
    return tuple(found[number] for number in sorted(found))


Note = Callable[[Callable[[Operation], Location]], str]
"""Returns a note for the report, given the location of each operation in the original."""


@value_record
class Prepared:
    """The program that is pruned in the place of the original.

    Attributes:
        original: The original program.
        program: The program to prune.
        originals: For each operation of the program its number in the original; negative for inserted ones.
        written: The inserted checks, by that number.
        left_alone: Entry points; nothing that they reach is pruned.
        notes: Notes for the report.
    """

    original: Program
    program: Program
    originals: tuple[int, ...]
    written: Mapping[int, InsertedCheck] = field(default_factory=dict[int, InsertedCheck])
    left_alone: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    @staticmethod
    def untouched(program: Program) -> Prepared:
        """Return the preparation of an unchanged program."""
        return Prepared(program, program, tuple(range(program.size)))

    def after(self, left: Program, origins: Sequence[int], left_alone: frozenset[str]) -> Prepared:
        """Return the preparation of the pruned program, with the numbers of its operations in the original."""
        return replace(self, program=left, originals=tuple(origins), left_alone=left_alone)

    def edited(self, program: Program, order: Sequence[int], notes: Iterable[Note]) -> Prepared:
        """Return the preparation of an edited form of the program, with notes about what was edited.

        Args:
            program: The edited form.
            order: For each of its operations the number in the program.
            notes: The notes, given the location of an operation of the program in the original.
        """
        source_ops = list(self.original.operation.walk())
        words = [note(lambda op: source_ops[self.originals[op.number]].location) for note in notes]
        originals = tuple(self.originals[number] for number in order)
        return replace(self, program=program, originals=originals, notes=(*self.notes, *words))

    def outcomes(self, found: Mapping[int, CheckOutcome]) -> dict[int, CheckOutcome]:
        """Return the outcomes of the original's checks, by number, from those of the program's."""
        if self.program is self.original:
            return dict(found)
        source_ops = list(self.original.operation.walk())
        outcomes: dict[int, CheckOutcome] = {}
        for number, outcome in found.items():
            origin = self.originals[number]
            if origin >= 0:
                outcomes[origin] = outcome.at(source_ops[origin].location, origin)
        return outcomes

    def places(self, program: Program, origins: Sequence[int]) -> Places:
        """Return the locations in the original of the operations of a program derived from this one."""
        if program is self.original:
            return Places({}, {})
        source_ops = list(self.original.operation.walk())
        there: dict[Location, Location] = {}
        added: dict[Location, str] = {}
        for op, number in zip(program.operation.walk(), origins, strict=True):
            if number >= 0:
                there[op.location] = source_ops[number].location
            elif number in self.written:
                added[op.location] = self.written[number].phrase
        return Places(there, added)


@value_record
class Places:
    """Locations in the original, by those in a program.

    Attributes:
        there: The location in the original.
        added: Phrases for the checks that the original does not have.
    """

    there: Mapping[Location, Location]
    added: Mapping[Location, str]

    def original(self, place: Location) -> Location:
        """Return the location in the original."""
        return self.there.get(place, place)


Prune = Callable[[Prepared, Options], PruneResult]
"""Removes the redundant checks of a program into which others were inserted."""
