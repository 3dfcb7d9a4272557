"""Header of MLIR bytecode: who wrote it in which version, and how to write it so that it can be read here."""

from __future__ import annotations

from shapesolve.ir.input_files import BYTECODE

LONGEST_PRODUCER = 60
OLDER_VERSION = 3
"""A version that MLIR 19 to 22 write on demand and that other versions of MLIR read."""


def producer(data: bytes) -> tuple[str, int] | None:
    """Return the producer and the version of bytecode, None if the header is damaged.

    The version is a number of variable length whose lowest set bit tells the length; all that exist take one byte.
    """
    if not data.startswith(BYTECODE) or len(data) <= len(BYTECODE):
        return None
    number = data[len(BYTECODE)]
    name, end, _ = data[len(BYTECODE) + 1 : len(BYTECODE) + 2 + LONGEST_PRODUCER].partition(b"\0")
    if not number & 1 or not end or not name.isascii():
        return None
    return name.decode("ascii", "replace"), number >> 1


def rewriting_hint(data: bytes) -> str:
    """Return how to write a program again whose bytecode cannot be read."""
    found = producer(data)
    written = f"it was written by {found[0]} in version {found[1]}; " if found and found[0].isprintable() else ""
    return (
        f"hint: {written}bytecode of another MLIR may not be readable here: write it with "
        f"mlir-opt -emit-bytecode -emit-bytecode-version={OLDER_VERSION}, or as text"
    )
