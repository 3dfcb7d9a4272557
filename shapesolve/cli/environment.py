"""What a command finds around it: streams that may be closed, and limits of the system that may be too low.

Nothing here may cost time: it runs before every command, ``--help`` included.

What is said when a command cannot go on: the place, what is wrong, and never a traceback that nobody asked for.
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
    """Stands for a standard output that was closed before we began: whoever writes is told."""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def prepare_streams() -> None:
    """Make the standard streams safe to use, whatever state they are in.

    The descriptors of closed streams are taken, or the next file to be opened would become one of them. Characters that
    an encoding lacks are escaped.
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


def complain(text: str) -> None:
    """A sentence on standard error, if anybody can be told anything."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def shortage() -> str:
    """What the system allows too little of for any program to be read; empty where it allows enough."""
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
    """The bytes of address space that the system allows this process; None where it sets no limit."""
    if sys.platform == "win32":
        return None
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if allowed == resource.RLIM_INFINITY else allowed


_WRITING = {errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_OUT_OF_MEMORY = ("out of memory", "bad_alloc", "failed to map segment", "cannot allocate memory")


def described(error: Exception, *, with_traceback: bool = False) -> str:
    """The error in words."""
    import traceback

    from shapesolve.semantics.rulebook import RuleError

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
