"""Environment of a command: standard streams that may be closed, limits of the system, and text of errors.

This module runs before every command, ``--help`` included, so it must be cheap. A traceback is printed on request only.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

from shapesolve.errors import InputError

LEAST_FILES = 16
"""Files that may have to be open at once: three streams, two ends of three pipes, and one that is being read."""

LEAST_MEMORY = 400 << 20
"""Bytes of address space: MLIR, z3 and Python were measured to need 340 MB before they do anything."""


class ClosedOutput(io.TextIOBase):
    """Replacement of a standard output that was closed before the command began. Writing to it raises."""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def prepare_streams() -> None:
    """Make the standard streams safe to use, whatever state they are in.

    Descriptors of closed streams are occupied, since the next opened file would get one of them. Characters that an
    encoding lacks are escaped.
    """
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _take_descriptors()
    if sys.stdout is None:  # as Python leaves it where it was closed
        sys.stdout = ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    _print_anything(sys.stdout)
    _print_anything(sys.stderr)


def _take_descriptors() -> None:
    try:
        while (taken := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(taken)
    except OSError:  # none is free; then none will be taken by mistake either
        return


def _print_anything(stream: object) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def print_error(text: str) -> None:
    """Print a sentence on standard error, if it can be written."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def insufficient_limits() -> str:
    """Return a description of a system limit that is too low for any program; empty if all suffice."""
    if sys.platform == "win32":
        return ""
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < LEAST_FILES:
        return f"only {files} files may be open at once (ulimit -n); {LEAST_FILES} are needed"
    memory = memory_limit()
    if memory is not None and memory < LEAST_MEMORY:
        return f"the memory is limited to {memory >> 20} MB (ulimit -v); {LEAST_MEMORY >> 20} MB are needed"
    return ""


def memory_limit() -> int | None:
    """Return the limit of this process's address space in bytes, or None without a limit."""
    if sys.platform == "win32":
        return None
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if allowed == resource.RLIM_INFINITY else allowed


_WRITING = {errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_OUT_OF_MEMORY = ("out of memory", "bad_alloc", "failed to map segment", "cannot allocate memory")


def _whole_program_hint(error: InputError) -> str:
    """Return a line that says what to do where one function that MLIR refuses stops a command; "" for other errors."""
    if type(error) is InputError:
        return ""
    from shapesolve.ir.reader import RefusedText, accepted_or_none

    accepted = accepted_or_none(error) if isinstance(error, RefusedText) else None
    if accepted is None or accepted.program is None:
        return ""
    if all(each.body is None for each in accepted.program.functions.values()):
        return ""
    names = accepted.program.refused
    them, refused = "it" if len(names) == 1 else "them", ", ".join(f"@{each}" for each in names)
    way_out = f"this command needs the whole program, so correct or remove {them}; shapesolve check answers the others"
    return f"\nhint: MLIR refuses only {refused}: {way_out}"


def error_text(error: Exception, *, with_traceback: bool = False) -> str:
    """Return the text of an error for standard error."""
    import traceback

    from shapesolve.semantics.registry import RuleError

    if with_traceback:
        return "".join(traceback.format_exception(error))
    if isinstance(error, InputError):
        return f"error: {error}{_whole_program_hint(error)}"
    if isinstance(error, RuleError):
        return f"error: a rule is at fault: {error}"
    if isinstance(error, MemoryError) or any(words in str(error).lower() for words in _OUT_OF_MEMORY):
        return "error: there is not enough memory for this program"
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        if not place and error.errno == errno.ENOENT and not _has_current_directory():
            return "error: the current directory does not exist any more; change to another one"
        if not place and error.errno in _WRITING:
            place = "the output could not be written: "
        return f"error: {place}{error.strerror or error}"
    if isinstance(error, RecursionError):
        return f"error: this program is nested too deep to be followed{_saved_traceback(error)}"
    return f"internal error, please report: {type(error).__name__}: {_one_line(str(error))}{_saved_traceback(error)}"


def _has_current_directory() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]


def _saved_traceback(error: Exception) -> str:
    """Write the traceback into a file, and return where it is or how to print it."""
    import tempfile
    import traceback

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="shapesolve-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write("".join(traceback.format_exception(error)))
        return f" (the traceback is in {Path(file.name)}; --traceback prints it)"
    except OSError:
        return " (--traceback prints the traceback)"
