"""Buffers that end where readable memory ends, so that an access out of bounds crashes instead of passing unseen."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Callable
from functools import cache

from shapesolve.index_type import MAX_SIZE

_Protect = Callable[[int, int, int], int]
"""From an address, so many bytes may be used so."""


class OutOfBudgetError(Exception):
    """More bytes were asked for than the limit allows."""


class NegativeSizeError(Exception):
    """A buffer of a negative number of bytes was asked for."""


class NoMemoryError(Exception):
    """The system has no more memory for this process."""


#: Each guarded buffer takes two mappings, of which Linux allows a process about 65 000.
_MOST_GUARDED = 10_000

#: Pages between two buffers: what runs a little past the end of one must not arrive in the next.
_UNREADABLE_PAGES = 4

_RESERVED = 4 << 20
"""Bytes that are reserved at a time: a mapping for each buffer took most of the time of small programs."""


class GuardedMemory:
    """Hands out zeroed buffers up to ``limit_bytes`` in all and never takes one back.

    Where pages can be protected, some pages after each buffer and before it are unreadable. The buffer ends where those
    after it begin, so that one element too many is noticed; before it some bytes of padding may remain.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._used = 0
        self._kept: list[object] = []
        self._guarded = 0
        self._unreadable, self._end = 0, 0  # what is reserved, and not handed out
        self._protect = _page_protection()

    def allocate(self, size: int) -> int:
        """The address of a new buffer of ``size`` bytes. Raises what is above."""
        if size < 0 or size > MAX_SIZE:
            raise NegativeSizeError(size)
        self._used += size
        if self._used > self._limit:
            raise OutOfBudgetError(self._used)
        try:
            if self._protect is None or self._guarded >= _MOST_GUARDED:
                plain = ctypes.create_string_buffer(max(size, 1))
                self._kept.append(plain)
                return ctypes.addressof(plain)
            return self._allocate_guarded(size, self._protect)
        except (OSError, MemoryError) as error:
            raise NoMemoryError from error

    def _allocate_guarded(self, size: int, protect: _Protect) -> int:
        page, between = mmap.PAGESIZE, _UNREADABLE_PAGES * mmap.PAGESIZE
        length = -(-size // page) * page
        if self._end - self._unreadable < length + 2 * between:
            self._reserve(max(length + 2 * between, _RESERVED), protect)
        start = self._unreadable + between
        if length:
            _require(protect(start, length, mmap.PROT_READ | mmap.PROT_WRITE))
        self._unreadable = start + length
        self._guarded += 1
        return self._unreadable - size

    def _reserve(self, length: int, protect: _Protect) -> None:
        region = mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        view = ctypes.c_char.from_buffer(region)
        self._kept.append((region, view))
        self._unreadable = ctypes.addressof(view)
        self._end = self._unreadable + length
        _require(protect(self._unreadable, length, 0))


def _require(refused: int) -> None:
    """Raise OSError where the system did not change what pages may be used for: reading a buffer would crash, too."""
    if refused:
        raise OSError


@cache
def _page_protection() -> _Protect | None:
    if sys.platform == "win32":
        return None
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    protect.restype = ctypes.c_int
    return protect
