"""What is said when a command cannot go on: the place, what is wrong, and never a traceback that nobody asked for."""

from __future__ import annotations

import errno
import tempfile
import traceback
from pathlib import Path

from shapesolve.errors import InputError

_WRITING = {errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_OUT_OF_MEMORY = ("out of memory", "bad_alloc", "failed to map segment", "cannot allocate memory")


def described(error: Exception, *, with_traceback: bool = False) -> str:
    """The error in words."""
    from shapesolve.walking.rulebook import RuleError

    if with_traceback:
        return "".join(traceback.format_exception(error))
    if isinstance(error, InputError):
        return f"error: {error}"
    if isinstance(error, RuleError):
        return f"error: a rule is at fault: {error}"
    if isinstance(error, MemoryError) or any(words in str(error).lower() for words in _OUT_OF_MEMORY):
        return "error: there is not enough memory for this program"
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        if not place and error.errno in _WRITING:
            place = "the output could not be written: "
        return f"error: {place}{error.strerror or error}"
    if isinstance(error, RecursionError):
        return f"error: this program is nested too deep to be followed{_kept(error)}"
    return f"internal error, please report: {type(error).__name__}: {_one_line(str(error))}{_kept(error)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]


def _kept(error: Exception) -> str:
    """Writes the traceback where it can be sent from; says so, or how to get it where it cannot be written."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="shapesolve-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write("".join(traceback.format_exception(error)))
        return f" (the traceback is in {Path(file.name)}; --traceback prints it)"
    except OSError:
        return " (--traceback prints the traceback)"
