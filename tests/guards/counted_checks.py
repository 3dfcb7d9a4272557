"""Table of docs/contracts.md: numbers of checks of programs, before and after. Run this module to print it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from guards.changed_programs import changed
from support.small_programs import PROGRAMS

from shapesolve.pruning.result import PruneResult
from shapesolve.rewriting.checks import STRUCTURE

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGE = Path(__file__).parents[2] / "docs" / "contracts.md"
BEGIN, END = "<!-- counted checks: begin -->", "<!-- counted checks: end -->"
RANDOM = sorted((Path(__file__).parent / "random_functions").glob("*.mlir"))


@dataclass(frozen=True)
class Counts:
    """Checks of a program: those it has, those that ``prune`` leaves, and what the other two leave and put in."""

    before: int = 0
    pruned: int = 0
    left_at_entry: int = 0
    conditions: int = 0
    left_hardened: int = 0
    put_in: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


def counts_of(text: str) -> Counts:
    """Return the number of checks before and after; operations that only enclose checks do not count."""
    plain, entry, hardened = changed(text, "plain"), changed(text, "at_entry"), changed(text, "harden")
    return Counts(
        _number(plain, 0),
        _number(plain, 1),
        _number(entry, 1),
        len(entry.written),
        _number(hardened, 1),
        len(hardened.written),
    )


def _number(result: PruneResult, when: int) -> int:
    return sum(counts[when] for name, counts in result.counts.items() if name not in STRUCTURE)


def rows() -> Iterator[tuple[str, Counts]]:
    """Return the rows of every example, and of the small and the random programs together."""
    for path in sorted(EXAMPLES.glob("*.mlir")):
        yield f"`{path.stem}`", counts_of(path.read_text())
    yield f"{len(PROGRAMS)} small programs", _together(each.text for each in PROGRAMS.values())
    texts = [path.read_text() for path in RANDOM]
    count = sum(text.count("func.func ") for text in texts)
    yield f"{count} random functions", _together(texts)


def _together(texts: Iterable[str]) -> Counts:
    return sum((counts_of(text) for text in texts), Counts())


def table() -> str:
    """The table, as Markdown."""
    lines = [
        "| | checks | after `prune` | after `--at-entry` | conditions at the entry | after `--harden` | put in |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, found in rows():
        numbers = " | ".join(str(getattr(found, each.name)) for each in fields(found))
        lines.append(f"| {name} | {numbers} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
