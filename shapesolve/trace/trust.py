"""Modeling assumptions: unproved statements and limits that the verdicts of a function rest on."""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.ir.declarations import LEFT_OPEN, RAISED_BY_MODEL
from shapesolve.records import value_record

_UNCHECKED = "is trusted, which nothing checks"
_RAISED = "is trusted: the model itself raises outside, wherever that was tried, but its lowering need not"
_LEFT_OPEN = (
    "is trusted: nothing checks the former at run time, and where the latter was tried, the model itself raises"
)
_ASSERTED = "states, as do the assertions at the entry of"


@value_record
class TrustedStatements:
    """Statements that are believed without a proof.

    Attributes:
        by: Their author: an exporter, or a function without a body that is inlined by its contract.
        texts: The statements.
        at_run_time: Whether a runtime check is what is missing; a contract without a body has no check at all.
        asserted_by: The function whose assertions at its entry check the same, if any.
    """

    by: str
    texts: tuple[str, ...]
    at_run_time: bool = True
    asserted_by: str = ""

    @property
    def is_unchecked(self) -> bool:
        """Return whether nothing in the program checks them."""
        return not self.asserted_by

    def __str__(self) -> str:
        unchecked = f"{_UNCHECKED}{' at run time' if self.at_run_time else ''}"
        unchecked = {RAISED_BY_MODEL: _RAISED, LEFT_OPEN: _LEFT_OPEN}.get(self.by, unchecked)
        how = unchecked if self.is_unchecked else f"{_ASSERTED} @{self.asserted_by}"
        return f"{self.by} {how} (--distrust): {', '.join(self.texts)}"


NO_WRAP = "index and i64 arithmetic does not wrap"
NO_SIZE_WRAPS = "the export's 32-bit arithmetic on sizes, which JAX does without a limit, does not wrap (--check-wraps)"
HOLDS_SIZES = "f64 holds the sizes that are turned into it exactly (up to 2^53)"
I32_HOLDS_SIZES = "i32 holds the sizes that are computed in it (up to 2^31)"
OVERFLOW_TEXTS = (NO_WRAP, NO_SIZE_WRAPS, I32_HOLDS_SIZES, HOLDS_SIZES)
"""Texts that rules give to results that hold under an overflow assumption."""

_MOST_PLACES = 8


@value_record
class AssumedNoOverflow:
    """Operations that are assumed not to overflow, because no proof was found that they do not.

    Attributes:
        words: The assumption.
        operations: The names of the operations, each with its line; 0 for an unknown one.
        of_empty: Whether it is proved where no argument is empty.
    """

    words: str
    operations: tuple[tuple[str, int], ...]
    of_empty: bool = False

    def __str__(self) -> str:
        kept = self.operations[:_MOST_PLACES]
        more = len(self.operations) - len(kept)
        return f"{self._subject}: {_places(kept)}{f', and {more} more operations' if more else ''}"

    @property
    def in_full(self) -> str:
        """The phrase with all operations."""
        return f"{self._subject}: {_places(self.operations)}"

    @property
    def _subject(self) -> str:
        return f"{self.words} where an argument is empty" if self.of_empty else self.words


def kind_of(assumption: ModelingAssumption) -> object:
    """Return what the assumptions have in common that become one."""
    return (assumption.words, assumption.of_empty) if isinstance(assumption, AssumedNoOverflow) else assumption


def merged_assumptions(assumptions: Iterable[ModelingAssumption]) -> list[ModelingAssumption]:
    """Return the assumptions of several functions, each once, and those about overflow as one for all functions."""
    found: dict[object, ModelingAssumption] = {}
    for each in assumptions:
        key = kind_of(each)
        before = found.get(key)
        if isinstance(each, AssumedNoOverflow) and isinstance(before, AssumedNoOverflow):
            operations = dict.fromkeys((*before.operations, *each.operations))
            each = AssumedNoOverflow(each.words, tuple(operations), each.of_empty)
        found[key] = each
    return list(found.values())


def _places(operations: tuple[tuple[str, int], ...]) -> str:
    lines: dict[str, list[int]] = {}
    for name, line in operations:
        lines.setdefault(name, []).append(line)
    return ", ".join(f"{name}{_lines(sorted(filter(None, found)))}" for name, found in lines.items())


def _lines(found: list[int]) -> str:
    return f" (line{'s' if len(found) > 1 else ''} {', '.join(map(str, found))})" if found else ""


ModelingAssumption = str | TrustedStatements | AssumedNoOverflow
"""An assumption that verdicts rest on; `str` makes the phrase for people."""
