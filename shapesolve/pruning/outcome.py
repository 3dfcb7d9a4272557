"""What pruning did: the new text, and for every check whether it went, with the reason in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shapesolve.reading.program import Location


class PruneError(Exception):
    """The pruned program was not proved to be as good as the original: a fault of shapesolve. Nothing is written."""


@dataclass(frozen=True, slots=True)
class CheckFate:
    """One check of the original program.

    ``op`` is its operation, ``message`` what it says when it fails. ``verdict`` is the word of the verdict that decided
    ("proved", "refuted", "undecided", "unreachable"), "not reached", or "open" for what is no check itself and stays: a
    guard that may go either way, a region around a check that stays. ``reason`` is a phrase for people.
    """

    op: str
    location: Location
    identity: str
    message: str
    removed: bool
    verdict: str
    reason: str

    @property
    def always_fails(self) -> bool:
        """Whether the check fails for all sizes that reach it."""
        return self.verdict == "refuted" and self.reason.startswith(ALWAYS_FAILS)


ALWAYS_FAILS = "it always fails"


@dataclass(frozen=True, slots=True)
class PruneResult:
    """The pruned program.

    ``counts`` gives the number of operations before and after by name, for every kind of check that the original has.
    ``text`` is the original text itself where nothing was removed.
    """

    text: str
    checks: tuple[CheckFate, ...]
    counts: Mapping[str, tuple[int, int]]
    notes: tuple[str, ...]

    @property
    def removed(self) -> tuple[CheckFate, ...]:
        """The checks that are gone."""
        return tuple(check for check in self.checks if check.removed)

    @property
    def kept(self) -> tuple[CheckFate, ...]:
        """The checks that still stand."""
        return tuple(check for check in self.checks if not check.removed)
