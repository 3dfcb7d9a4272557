"""From a path to text or bytecode, refusing what is neither with a word on what it looks like."""

from __future__ import annotations

import errno
import sys
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from shapesolve.errors import InputError
from shapesolve.reading.foreign_formats import foreign_binary
from shapesolve.records import value_record

LARGEST_FILE = 200 * 2**20  # bytes
DEEPEST_NESTING = (
    500  # brackets; MLIR's recursive parser overflows its stack at about 6,000 and takes the process along
)
BYTECODE = b"ML\xefR"

_OPENING, _CLOSING = b"([{<", b")]}>"
_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(_OPENING + _CLOSING)))
_STEP = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}


@value_record
class FileContent:
    """What a file holds: ``text``, or None where ``data`` is MLIR bytecode."""

    file: str
    data: bytes
    text: str | None
    notes: tuple[str, ...] = ()


def load(path: str) -> FileContent:
    """The content of a file ("-": the standard input). Raises InputError for what cannot be MLIR."""
    file = "<stdin>" if path == "-" else path
    data = _bytes(path, file)
    if data.startswith(BYTECODE):
        return FileContent(file, data, None)
    text, notes = _decoded(data, file)
    return FileContent(file, data, text, notes)


def check_text(text: str, file: str) -> None:
    """Raises InputError for text with nothing in it, or nested so deep that MLIR's parser would overflow its stack."""
    if not text.strip():
        raise InputError("the file is empty", where=file)
    _check_nesting(text, file)


def _check_nesting(text: str, file: str) -> None:
    brackets = text.encode("utf-8", "replace").replace(b"->", b"").translate(None, _NOT_BRACKETS)
    for _ in range(8):  # peels the innermost pairs at the speed of C, which leaves next to nothing of honest text
        for pair in (b"()", b"[]", b"{}", b"<>"):
            brackets = brackets.replace(pair, b"")
    deepest = max(accumulate(map(_STEP.__getitem__, brackets)), default=0)
    if deepest > DEEPEST_NESTING:
        raise InputError(f"brackets are nested more than {DEEPEST_NESTING} deep", where=file)


def _bytes(path: str, file: str) -> bytes:
    try:
        if path == "-":
            if sys.stdin is None:  # as Python leaves it where it was closed
                raise InputError("standard input is closed", where=file)
            return _limited(sys.stdin.buffer, file)
        with Path(path).open("rb") as stream:
            return _limited(stream, file)
    except OSError as error:
        reason = {
            errno.ENOENT: "there is no such file",
            errno.EISDIR: "this is a directory; give a file in it",
            errno.EACCES: "permission to read it is denied",
        }.get(error.errno or 0, error.strerror or str(error))
        raise InputError(reason, where=file) from None
    except ValueError as error:  # a path with a null byte
        raise InputError(str(error), where=repr(file)) from None


def _limited(stream: BinaryIO, file: str) -> bytes:
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(
            f"the file is larger than {LARGEST_FILE // 2**20} MB; weights need not be in it: "
            "print with --mlir-elide-elementsattrs-if-larger=16 and --mlir-elide-resource-strings-if-larger=16",
            where=file,
        )
    return data


def _decoded(data: bytes, file: str) -> tuple[str, tuple[str, ...]]:
    foreign = foreign_binary(data)
    if foreign:
        raise InputError(foreign, where=file)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), ("the file is in UTF-16, as PowerShell writes it; read as that",)
        except UnicodeDecodeError:
            raise InputError("the file starts as UTF-16 text but is not", where=file) from None
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise InputError(
            f"byte {data[error.start]:#04x} is not UTF-8 text, nor is the file MLIR bytecode",
            where=f"{file}:{line}:{column}",
        ) from None
