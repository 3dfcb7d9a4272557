"""Texts that wait on disk, compressed, until the document that they belong to can be put together."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from zlib import compress, decompress

from shapesolve.errors import InputError

IN_MEMORY_BYTES = 8 << 20
"""Size from which on they are on disk."""
_LENGTH_BYTES = 8


class Spool:
    """Texts in the order in which they were added.

    Args:
        option: The option that the document is for, named by errors.
    """

    def __init__(self, option: str) -> None:
        self._option = option
        self._file = SpooledTemporaryFile[bytes](max_size=IN_MEMORY_BYTES)

    def add(self, text: str) -> None:
        """Add a text.

        Raises:
            InputError: There is no place for it.
        """
        packed = compress(text.encode("utf-8", "surrogatepass"), 1)
        try:
            self._file.write(len(packed).to_bytes(_LENGTH_BYTES, "big"))
            self._file.write(packed)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(f"no temporary file can be written: {reason}", where=self._option) from None

    def texts(self) -> Iterator[str]:
        """Yield the texts. None can be added after that."""
        self._file.seek(0)
        while length := self._file.read(_LENGTH_BYTES):
            yield decompress(self._file.read(int.from_bytes(length, "big"))).decode("utf-8", "surrogatepass")

    def close(self) -> None:
        """Give the texts up."""
        self._file.close()
