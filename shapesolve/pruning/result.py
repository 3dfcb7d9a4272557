"""What pruning did: the new text, and for every check whether it went, with the reason in words.

A program with checks put in, ready to be pruned, and how it came from the original.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from shapesolve.ir.program import Location, Operation, Program
from shapesolve.records import value_record


class CheckStatus(enum.StrEnum):
    """What decided about a check. As text it is the word that reports print."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    UNREACHABLE = "unreachable"
    NOT_REACHED = "not reached"
    """Some run of the check was not looked at."""
    STATED = "stated"
    """It checks facts that an exporter states, with which everything else is judged."""
    OPEN = "open"
    """It is no check itself and stays: a guard that may go either way, a region around a check that stays."""


@value_record
class CheckOutcome:
    """One check of the original program.

    ``op`` is its operation, ``message`` what it says when it fails. ``reason`` is a phrase for people.
    ``always_fails``: the check fails for all sizes that reach it.
    """

    op: str
    location: Location
    identity: str
    message: str
    removed: bool
    verdict: CheckStatus
    reason: str
    always_fails: bool = False

    @property
    def number(self) -> int:
        """The number of its operation."""
        return int(self.identity.rpartition("#")[2])

    def at(self, location: Location, number: int) -> CheckOutcome:
        """The same fate, of the operation of another number at another place."""
        return replace(self, location=location, identity=f"{self.identity.rpartition('#')[0]}#{number}")

    def removed_as(self, later: CheckOutcome) -> CheckOutcome:
        """The same check, removed later for the reason that was found then."""
        return replace(self, removed=True, verdict=later.verdict, reason=later.reason, always_fails=later.always_fails)


@value_record
class InsertedCheck:
    """A check that was put in, of the function ``function``.

    ``condition`` is what it requires, as text; ``message`` what it says when it fails. ``needed_by`` are the operations
    that fail or are undefined where it does not hold, by name and place in the original. ``op``, ``location`` and
    ``number`` are those of the check in the output.
    """

    function: str
    condition: str
    message: str
    needed_by: tuple[tuple[str, Location], ...]
    op: str = ""
    location: Location | None = None
    number: int = -1

    @property
    def phrase(self) -> str:
        """The check as a reason why others go."""
        return f"the check of `{self.condition}`"

    def standing(self, op: Operation) -> InsertedCheck:
        """The same check, as it stands in the output."""
        return replace(self, op=op.name, location=op.location, number=op.number)


@value_record
class PruneResult:
    """The pruned program.

    ``counts`` gives the number of operations before and after by name, for every kind of check that the original has.
    ``text`` is the original text itself where nothing was changed. ``written`` are the checks that were put in; they
    are not among ``checks`` and not counted. ``still_open`` names what is not proved in the output besides them, where
    that was looked at. ``simplified`` are operations that were no checks and came down to one of their alternatives:
    choices of one value, loops of one run or none. ``may_be_undefined`` are the places in the original of operations
    that stay and whose demands are not proved.
    """

    text: str
    checks: tuple[CheckOutcome, ...]
    counts: Mapping[str, tuple[int, int]]
    notes: tuple[str, ...]
    written: tuple[InsertedCheck, ...] = ()
    still_open: tuple[str, ...] = ()
    simplified: tuple[CheckOutcome, ...] = ()
    may_be_undefined: tuple[Location, ...] = ()

    @property
    def removed(self) -> tuple[CheckOutcome, ...]:
        """The checks that are gone."""
        return tuple(check for check in self.checks if check.removed)

    @property
    def kept(self) -> tuple[CheckOutcome, ...]:
        """The checks that still stand."""
        return tuple(check for check in self.checks if not check.removed)

    def after(self, before: PruneResult) -> PruneResult:
        """What became of the original, where this became of what was left of it ``before``."""
        return replace(
            self,
            checks=_latest(self.checks, before.removed),
            notes=tuple(dict.fromkeys((*self.notes, *before.notes))),
            simplified=_latest(self.simplified, before.simplified),
        )


def _latest(fates: Iterable[CheckOutcome], before: Iterable[CheckOutcome]) -> tuple[CheckOutcome, ...]:
    found = {each.number: each for each in (*before, *fates)}
    return tuple(found[number] for number in sorted(found))


@value_record
class Prepared:
    """The program that is pruned in the place of the original.

    ``origins`` holds the number in the original of each operation of the program, negative for what was put in;
    ``written`` the checks among these, by that number. Nothing is pruned of what the entry points in ``left_alone``
    reach.
    """

    original: Program
    program: Program
    origins: tuple[int, ...]
    written: Mapping[int, InsertedCheck] = field(default_factory=dict[int, InsertedCheck])
    left_alone: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    @staticmethod
    def untouched(program: Program) -> Prepared:
        """A program as it is."""
        return Prepared(program, program, tuple(range(program.size)))

    def after(self, left: Program, origins: Sequence[int], left_alone: frozenset[str]) -> Prepared:
        """What is ``left`` of the program, with the numbers of its operations in the original."""
        return replace(self, program=left, origins=tuple(origins), left_alone=left_alone)

    def fates(self, found: Mapping[int, CheckOutcome]) -> dict[int, CheckOutcome]:
        """The fates of the original's checks, by their numbers there, from those of the program's."""
        if self.program is self.original:
            return dict(found)
        pictures = list(self.original.operation.walk())
        fates: dict[int, CheckOutcome] = {}
        for number, fate in found.items():
            origin = self.origins[number]
            if origin >= 0:
                fates[origin] = fate.at(pictures[origin].location, origin)
        return fates

    def places(self, program: Program, origins: Sequence[int]) -> Places:
        """Where the operations of a program stand in the original that was made of this one."""
        pictures = list(self.original.operation.walk())
        there: dict[Location, Location] = {}
        added: dict[Location, str] = {}
        for op, number in zip(program.operation.walk(), origins, strict=True):
            if number >= 0:
                there[op.location] = pictures[number].location
            elif number in self.written:
                added[op.location] = self.written[number].phrase
        return Places(there, added)


@value_record
class Places:
    """The places in the original by those in a program; ``added`` is what the original does not have, as phrases."""

    there: Mapping[Location, Location]
    added: Mapping[Location, str]

    def original(self, place: Location) -> Location:
        """The place in the original."""
        return self.there.get(place, place)


MOST_NAMED = 6
