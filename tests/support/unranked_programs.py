"""Small programs over shapes of unknown rank, each beside what it does on plain tuples.

In the text ``{S}`` is the type of shapes, ``{Z}`` of sizes; ``<n>`` stands for the number n as an operand of type {Z}.
``open`` names the operations whose verdict stays open, with words of the reason: everything else must be decided. An
operation of ``open_with_errors`` is open where shapes and sizes may be errors, and decided where they cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

Step = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class ShapeProgram:
    """``arguments`` are the names of the shapes; ``returns`` what is returned, with its type."""

    name: str
    arguments: str
    body: str
    meaning: Step
    returns: Mapping[str, str] = field(default_factory=dict[str, str])
    open: Mapping[str, str] = field(default_factory=dict[str, str])
    open_with_errors: Mapping[str, str] = field(default_factory=dict[str, str])
    approximated: bool = False
    only: str = ""
    """ "errors" or "no errors": the forms that the program is written for; both where it is empty."""


_registered: list[ShapeProgram] = []


def programs_of(*modules: ModuleType) -> list[ShapeProgram]:
    """The programs that stand in some modules."""
    return [each for each in _registered if each.meaning.__module__ in {module.__name__ for module in modules}]


def program(
    arguments: str,
    body: str,
    *,
    returns: Mapping[str, str] | None = None,
    open: Mapping[str, str] | None = None,
    open_with_errors: Mapping[str, str] | None = None,
    approximated: bool = False,
    only: str = "",
) -> Callable[[Step], Step]:
    """The decorated function is what the program does on tuples."""

    def register(meaning: Step) -> Step:
        _registered.append(
            ShapeProgram(
                meaning.__name__,
                arguments,
                body.strip("\n"),
                meaning,
                returns or {},
                open or {},
                open_with_errors or {},
                approximated or bool(open or open_with_errors),
                only,
            )
        )
        return meaning

    return register
