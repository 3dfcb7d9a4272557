"""Summary of a command over several files: how many had which outcome, their obligations, verdicts and seconds."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import field

from shapesolve.checker.report import Report
from shapesolve.errors import plural
from shapesolve.records import record, value_record
from shapesolve.solver.verdicts import Proved, Refuted, Undecided, Unreachable

VERDICTS = {"proved": Proved, "refuted": Refuted, "undecided": Undecided, "unreachable": Unreachable}


class Outcome(enum.Enum):
    """Outcome of a file, in the order of the table."""

    REFUTED = "refuted"
    UNDECIDED = "undecided"
    LEFT_OUT = "findings left out"
    HUGE_SIZES = "only at huge sizes"
    PROVED = "proved"
    EMPTY = "nothing to check"
    NO_FUNCTION = "without a function"
    FAILED = "could not be checked"


@value_record
class Tally:
    """Outcome of one report with its numbers of obligations, by verdict in the order of `VERDICTS`."""

    outcome: Outcome
    verdicts: tuple[int, ...] = (0, 0, 0, 0)


NO_FUNCTION = Tally(Outcome.NO_FUNCTION)
FAILED = Tally(Outcome.FAILED)


def tally_of(report: Report, exit_code: int, *, is_huge: bool = False) -> Tally:
    """Return the tally of a report, with the outcome of the findings that count.

    It ``is_huge`` if findings are shown that do not count, since only huge sizes show them.
    """
    verdicts = tuple(report.count(each) for each in VERDICTS.values())
    outcome = {1: Outcome.REFUTED, 3: Outcome.UNDECIDED}.get(exit_code)
    if outcome is None and report.exit_code:
        outcome = Outcome.HUGE_SIZES if is_huge else Outcome.LEFT_OUT
    return Tally(outcome or (Outcome.PROVED if any(verdicts) else Outcome.EMPTY), verdicts)


@record
class _Row:
    """Sums over the files of one outcome."""

    files: int = 0
    verdicts: list[int] = field(default_factory=lambda: [0] * len(VERDICTS))
    seconds: float = 0.0


class Summary:
    """Sums over the reports of several files. A file may have several reports; the first decides its outcome."""

    def __init__(self) -> None:
        self._rows: dict[Outcome, _Row] = {each: _Row() for each in Outcome}
        self._outcomes: dict[int, Outcome] = {}
        self._reused = 0

    def add(self, number: int, tally: Tally, seconds: float, *, reused: bool = False) -> None:
        """Add a report on a file by its number; ``reused`` if it comes from a cache."""
        is_first = number not in self._outcomes
        row = self._rows[self._outcomes.setdefault(number, tally.outcome)]
        sums = [one + other for one, other in zip(row.verdicts, tally.verdicts, strict=True)]
        self._rows[self._outcomes[number]] = _Row(row.files + is_first, sums, row.seconds + seconds)
        self._reused += is_first and reused

    @property
    def files(self) -> int:
        """The number of files with a report."""
        return len(self._outcomes)

    def counts_text(self) -> str:
        """Return the numbers of files with each outcome in a few words."""
        some = [f"{row.files:,} {outcome.value}" for outcome, row in self._rows.items() if row.files]
        return ", ".join(some) or "none yet"

    def text(self, total: int, seconds: float, *, quiet: bool) -> str:
        """Return the table, or one line if it should be ``quiet``.

        Args:
            quiet: Whether to leave out the table.
            total: The number of files to check; those without a report are named as not checked.
            seconds: The time of the whole command, which may have worked on several files at a time.
        """
        head = ("", "files", "checks", *VERDICTS, "seconds")
        rows = [_cells(outcome.value, row) for outcome, row in self._rows.items() if row.files]
        whole = _Row(
            self.files,
            [sum(each.verdicts[place] for each in self._rows.values()) for place in range(len(VERDICTS))],
            sum(each.seconds for each in self._rows.values()),
        )
        cells = [head, *rows, _cells("in all", whole)]
        widths = [max(len(each[place]) for each in cells) for place in range(len(head))]
        parts = [f"{plural(self.files, 'file')} in {seconds:.1f} s"]
        if self._reused:
            parts.append(f"{self._reused:,} from the cache")
        if self.files < total:
            parts.append(f"{total - self.files:,} not checked: interrupted")
        if quiet:
            return f"{'; '.join(parts)}: {self.counts_text()}"
        return "\n".join(["", "; ".join(parts), *(_line(each, widths) for each in cells)])


def _cells(name: str, row: _Row) -> tuple[str, ...]:
    return (name, *(f"{each:,}" for each in (row.files, sum(row.verdicts), *row.verdicts)), f"{row.seconds:.1f}")


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.rjust(width) if place else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return f"  {first}  {'  '.join(others)}".rstrip()
