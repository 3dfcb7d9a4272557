"""Record of a hunt: what was tried and found so far, from which it is continued."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, field, replace
from typing import Any

from shapesolve.errors import InputError
from shapesolve.hunting.causes import Cause, Complaint, Sighting
from shapesolve.records import record
from shapesolve.validation.outcome import Standing

FORMAT = "shapesolve-hunt"
VERSION = 1


@record
class HuntRecord:
    """Record of a hunt.

    Attributes:
        seed: The seed.
        passes: The list of passes; None for the default ones.
        tool: The program that runs the passes; None for the installed MLIR.
        files: The user's files.
        generated: Whether programs are generated.
        runner: The program that ran the passes, with its version.
        tried: The number of programs that were tried.
        refused: The number of them that could not be used.
        seconds: The seconds spent.
        counts: For each pass, the number of programs by standing.
        causes: The causes.
    """

    seed: int = 0
    passes: str | None = None
    tool: str | None = None
    files: tuple[str, ...] = ()
    generated: bool = True
    runner: str = ""
    tried: int = 0
    refused: int = 0
    seconds: float = 0.0
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    causes: tuple[Cause, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 every output refines its program, 1 a pass is at fault, 3 something is not settled or nothing was tried."""
        if self.causes:
            return 1
        shown = {each.value for each in Standing if each.is_shown}
        is_settled = all(name in shown for counts in self.counts.values() for name in counts)
        return 0 if self.tried > self.refused and is_settled else 3

    def total(self) -> Iterator[tuple[Standing, int]]:
        """Yield the number of trials of each standing that occurs."""
        for standing in Standing:
            number = sum(counts.get(standing.value, 0) for counts in self.counts.values())
            if number:
                yield standing, number


def counted(
    counts: Mapping[str, Mapping[str, int]], trials: Mapping[str, Mapping[str, int]]
) -> Mapping[str, Mapping[str, int]]:
    """Return counts with those of one more program."""
    found = {name: dict(each) for name, each in counts.items()}
    for name, each in trials.items():
        mine = found.setdefault(name, {})
        for standing, number in each.items():
            mine[standing] = mine.get(standing, 0) + number
    return found


def document_of(state: HuntRecord) -> dict[str, object]:
    """Return the JSON document of a hunt."""
    return {"format": FORMAT, "version": VERSION, "exit_code": state.exit_code, **asdict(state)}


def record_in(document: object, where: str) -> HuntRecord:
    """Return the record of a hunt from its JSON document.

    Raises:
        InputError: It is not the document of a hunt, or of another version.
    """
    if not isinstance(document, dict):
        raise InputError("this is not the record of a hunt", where=where)
    fields: dict[str, Any] = {str(key): value for key, value in document.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if fields.pop("format", None) != FORMAT:
        raise InputError("this is not the record of a hunt", where=where)
    if fields.pop("version", None) != VERSION:
        raise InputError("this record is of another version of shapesolve", where=where)
    fields.pop("exit_code", None)
    try:
        causes = tuple(map(_cause, fields.pop("causes")))
        return replace(HuntRecord(**fields), files=tuple(fields["files"]), causes=causes)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError("this record of a hunt is damaged", where=where) from None


def _cause(fields: dict[str, Any]) -> Cause:
    shown: dict[str, Any] = fields["shown"]
    complaint: dict[str, Any] = shown["complaint"]
    differences = tuple(map(tuple, complaint["differences"]))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    its: dict[str, Any] = {**complaint, "differences": differences}
    seen: dict[str, Any] = {**shown, "complaint": Complaint(**its), "operations": tuple(shown["operations"])}
    its_fields: dict[str, Any] = {**fields, "shown": Sighting(**seen)}
    return Cause(**its_fields)
