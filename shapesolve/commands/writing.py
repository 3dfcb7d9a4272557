"""Writing files so that nothing of the user's is ever lost: whole or not at all, and over nothing that is not ours."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from shapesolve.doors.kinds import file_of
from shapesolve.errors import InputError

STDOUT = "-"


def check_target(path: str, option: str, *, inputs: Iterable[str], ours: bytes = b"", force: bool = False) -> None:
    """Refuse to write where it would cost the user a file. Raises InputError.

    The inputs are never overwritten. Another file that exists is only with ``force``, or where it is empty or begins as
    a report of ours does (``ours``).
    """
    if path == STDOUT:
        return
    target = Path(path)
    try:
        if target.is_dir():
            raise InputError(f"{path} is a directory; give a file in it", where=option)
        if not target.parent.is_dir():
            raise InputError(f"there is no directory {target.parent}", where=option)
        exists = target.exists()
        for each in inputs:
            file = Path(file_of(each))
            if each != STDOUT and exists and file.exists() and target.samefile(file):
                raise InputError(f"{path} is the input; it is never overwritten", where=option)
        if exists and not target.is_file():
            if not force:
                raise InputError(f"{path} is not a regular file; --force writes to it", where=option)
            return
        if exists and not force and not _begins_as_ours(target, ours):
            raise InputError(f"{path} exists already; --force replaces it", where=option)
        if not os.access(target.parent, os.W_OK):
            raise InputError(f"permission to write into {target.parent} is denied", where=option)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", where=option) from None
    except ValueError as error:  # a path with a null byte
        raise InputError(f"{path!r}: {error}", where=option) from None


def _begins_as_ours(target: Path, ours: bytes) -> bool:
    if not ours:
        return False
    with target.open("rb") as stream:
        head = stream.read(400)
    return not head or ours in head


def write(path: str, content: str | bytes, option: str) -> None:
    """Write a file, or standard output for ``-``: complete, or not at all. Raises InputError where it cannot be."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path == STDOUT:
        _print(data)
        return
    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # /dev/stderr, a named pipe
            target.write_bytes(data)
            return
        _write_atomically(Path(os.path.realpath(target)), data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}", where=option) from None


def _print(data: bytes) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
        return
    sys.stdout.flush()
    buffer.write(data)
    buffer.flush()


def _write_atomically(target: Path, data: bytes) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
