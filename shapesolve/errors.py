"""Errors in the user's input. Each ends a command with exit code 2 and no traceback."""

from __future__ import annotations

import errno
import re
from collections.abc import Generator
from contextlib import contextmanager

_POSITION = re.compile(r":(\d+)(?::(\d+))?$")


class InputError(Exception):
    """Input that cannot be used: ``where`` is its place (``file:line:column``, an option), if one is known."""

    def __init__(self, message: str, *, where: str = "", excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.excerpt = excerpt  # the offending source line with a caret below, ready to print

    @property
    def position(self) -> tuple[int, int] | None:
        """The line and the column (0: not known) of its place; None if that has no line."""
        found = _POSITION.search(self.where)
        return (int(found[1]), int(found[2] or 0)) if found else None

    def at(self, where: str) -> InputError:
        """Return the error with a place if it has none."""
        return self if self.where else InputError(self.message, where=where, excerpt=self.excerpt)

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\n{self.excerpt}" if self.excerpt else head


class RefutedError(AssertionError):
    """Program that fails for some sizes; the text is the report."""


class TimeLimitError(InputError):
    """Code of the user's that runs on after the time limit of the command."""


class NoFunctionError(InputError):
    """Module without a function, so that there is nothing to check."""


@contextmanager
def placed(where: str) -> Generator[None]:
    """Add a place to errors without one that are raised inside the block."""
    try:
        yield
    except InputError as error:
        raise error.at(where) from None


_UNREADABLE = {
    errno.ENOENT: "there is no such file",
    errno.EISDIR: "this is a directory; give a file in it",
    errno.EACCES: "permission to read it is denied",
}


def unreadable(error: OSError) -> str:
    """Return why a file cannot be read, in the same words wherever a file is read."""
    return _UNREADABLE.get(error.errno or 0, error.strerror or str(error))


def plural(count: int, word: str) -> str:
    """Return a number with its noun: ``1 cause``, ``2 causes``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
