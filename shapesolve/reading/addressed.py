"""Texts that are about one function of a program: ``@forward: T >= 2``; without a name they are about every one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shapesolve.errors import InputError
from shapesolve.reading.program import Function, Program

_OF_FUNCTION = re.compile(r"@(?P<name>.+?)(?<!:):(?!:)\s*(?P<text>.*)", re.DOTALL)


class GivenText(str):
    """A text that knows what gave it: ``by`` is said where it cannot be read."""

    by: str

    @classmethod
    def given(cls, text: str, by: str) -> GivenText:
        """The text, given by an option or a file."""
        found = cls(text)
        found.by = by
        return found


def giver(text: str, option: str) -> str:
    """What gave a text: the option of such texts, if nothing else is known."""
    return text.by if isinstance(text, GivenText) else option


def given_for(function: Function, texts: Sequence[str]) -> list[str]:
    """What is said of a function: texts without a name, and those that begin with its own, ``@f: T >= 2``.

    The name is its path, or what no other function is called.
    """
    found: list[str] = []
    for text in texts:
        match = _OF_FUNCTION.fullmatch(text)
        if match is None:
            found.append(text)
        elif match["name"] in (function.name, function.short_name):
            said = match["text"]
            found.append(GivenText.given(said, text.by) if isinstance(text, GivenText) else said)
    return found


def check_addressed(program: Program, texts: Sequence[str]) -> None:
    """Raises InputError for a text about a function that the program does not have."""
    bare = {function.short_name for function in program.functions.values()}
    for text in texts:
        match = _OF_FUNCTION.fullmatch(text)
        if match is not None and match["name"] not in program.functions and match["name"] not in bare:
            known = ", ".join(sorted(program.functions))
            message = f"facts are given of `{match['name']}`, and there is no such function; there are: {known}"
            raise InputError(message, where=giver(text, program.file))
