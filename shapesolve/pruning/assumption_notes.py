"""Notes about the modeling assumptions of functions, and how those of several rewrites become one."""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.records import value_record
from shapesolve.trace.trust import ModelingAssumption, kind_of, merged_assumptions

_MOST_NAMED = 6
"""Most functions that a note names."""


@value_record
class AssumptionNote:
    """An assumption that what was removed rests on.

    Attributes:
        assumption: The assumption.
        functions: The names of the functions that need it.
    """

    assumption: ModelingAssumption
    functions: tuple[str, ...]

    def __str__(self) -> str:
        names = ", ".join(f"@{name}" for name in self.functions[:_MOST_NAMED])
        more = f" and {len(self.functions) - _MOST_NAMED} more" if len(self.functions) > _MOST_NAMED else ""
        return f"assumes, in {names}{more}: {self.assumption}"


PruningNote = str | AssumptionNote
"""A note for the report; `str` makes the sentence for people."""


def merged_notes(notes: Iterable[PruningNote]) -> tuple[PruningNote, ...]:
    """Return each note once, and those about one kind of assumption as one at the place of the first."""
    found: dict[object, PruningNote] = {}
    for each in notes:
        key = each if isinstance(each, str) else (AssumptionNote, kind_of(each.assumption))
        before = found.get(key)
        if isinstance(each, AssumptionNote) and isinstance(before, AssumptionNote):
            (assumption,) = merged_assumptions((before.assumption, each.assumption))
            each = AssumptionNote(assumption, tuple(dict.fromkeys((*before.functions, *each.functions))))
        found[key] = each
    return tuple(found.values())
