"""What a process has found, said before it begins what may never end, or end it: MLIR's passes."""

from __future__ import annotations

import faulthandler
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from shapesolve.doors.exported import Exported, encoded_error
from shapesolve.errors import InputError

GIVEN_UP = 1
"""The exit code of a process that was watched for too long."""

UNFINISHED = "unfinished"
"""Where an answer has this, more was to come: the name of the level that was begun, and the seconds it may take."""


def encoded(found: Sequence[Exported | InputError]) -> list[dict[str, Any]]:
    """As JSON can hold it."""
    return [each.encoded() if isinstance(each, Exported) else encoded_error(each) for each in found]


def write(descriptor: int, answer: Mapping[str, Any]) -> None:
    """One answer, which is one line."""
    left = memoryview(json.dumps(answer).encode() + b"\n")
    while left:
        left = left[os.write(descriptor, left) :]


class Watch:
    """Writes what was found before the next level begins, and ends this process where that does not end.

    No handler of signals would run while MLIR's passes do.
    """

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 (as long as the process)

    def begin(self, found: Sequence[Exported | InputError], levels: Sequence[str], operations: int) -> None:
        """The next of the levels begins, for a program of so many operations."""
        seconds = 30 + operations // 5
        write(self._answers, {"levels": encoded(found), UNFINISHED: [levels[len(found)], seconds]})
        faulthandler.dump_traceback_later(seconds, exit=True, file=self._nowhere)


def unfinished(answer: Mapping[str, Any], wanted: int, exit_code: int, where: str) -> dict[str, Any]:
    """An answer that says of the level that was begun, and of those behind it, that there is nothing and why."""
    level, seconds = answer[UNFINISHED]
    how = f"had not done so after {seconds} seconds" if exit_code == GIVEN_UP else _ended(exit_code)
    error = InputError(f"torch-mlir was lowering this model to {level}, and {how}", where=where)
    levels = [*answer["levels"]]
    return {"levels": levels + [encoded_error(error)] * (wanted - len(levels))}


def _ended(exit_code: int) -> str:
    return f"ended by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"
