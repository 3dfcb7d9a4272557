"""Comments that ignore findings: ``// shapesolve: ignore[tosa-add-broadcast] reason``.

A comment is about its own line or, alone on a line, about the next line that is more than a comment. It names the codes
that it ignores, or beginnings of them, and may give a reason. One that ignores nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shapesolve.records import value_record
from shapesolve.semantics.codes import current_code

_COMMENT = re.compile(r"//[ \t]*shapesolve:[ \t]*ignore\b(?:\[(?P<codes>[^\]\n]*)\])?(?P<reason>.*)")
_PREFIX = "shapesolve:"


@value_record
class IgnoreComment:
    """Comment that ignores findings.

    Attributes:
        line, column: Its own place.
        target: The line whose findings it ignores.
        codes: The codes that it names, or beginnings of codes.
        reason: Its reason.
    """

    line: int
    column: int
    target: int
    codes: tuple[str, ...]
    reason: str


def ignore_comments(text: str) -> tuple[IgnoreComment, ...]:
    """Return the comments of a program that ignore findings."""
    if _PREFIX not in text:
        return ()
    lines = text.split("\n")
    found: list[IgnoreComment] = []
    for number, line in enumerate(lines, 1):
        match = _COMMENT.search(line)
        if match is None:
            continue
        codes = tuple(filter(None, (each.strip() for each in (match["codes"] or "").split(","))))
        target = number if line[: match.start()].strip() else _next_line(lines, number)
        found.append(IgnoreComment(number, match.start() + 1, target, codes, match["reason"].strip()))
    return tuple(found)


def _next_line(lines: Sequence[str], number: int) -> int:
    """Return the number of the next line that is more than a comment."""
    for following, line in enumerate(lines[number:], number + 1):
        if line.strip() and not line.strip().startswith("//"):
            return following
    return number


def covers(pattern: str, code: str) -> bool:
    """Return whether a code is a given one, or begins with it and a hyphen: ``tosa-add`` covers ``tosa-add-rank``.

    A clause that has a word may be given by its number all the same: ``tosa-pad-c2`` covers ``tosa-pad-value``.
    """
    wanted = current_code(pattern)
    return code == wanted or code.startswith(f"{pattern}-")


class IgnoredLines:
    """The comments of one program, and which of their codes ignored something."""

    def __init__(self, comments: Sequence[IgnoreComment]) -> None:
        self.comments = comments
        self._by_line: dict[int, list[IgnoreComment]] = {}
        self._used: set[tuple[int, str]] = set()
        for each in comments:
            self._by_line.setdefault(each.target, []).append(each)

    def ignores(self, line: int, code: str) -> bool:
        """Return whether a comment ignores a code on a line, and remember that it does."""
        found = [
            (each.line, pattern)
            for each in self._by_line.get(line, ())
            for pattern in each.codes
            if covers(pattern, code)
        ]
        self._used.update(found)
        return bool(found)

    def unused(self) -> Mapping[IgnoreComment, tuple[str, ...]]:
        """Return the comments that ignore less than they name, with the codes that ignore nothing."""
        unused = {
            each: tuple(code for code in each.codes if (each.line, code) not in self._used) for each in self.comments
        }
        return {each: codes for each, codes in unused.items() if codes or not each.codes}
