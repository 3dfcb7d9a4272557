"""Buffers that end where readable memory ends, so that an access out of bounds crashes instead of passing unseen."""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache

from shapesolve.index_type import MAX_SIZE


class OutOfBudgetError(Exception):
    """More bytes were asked for than the limit allows."""


class NegativeSizeError(Exception):
    """A buffer of a negative number of bytes was asked for."""


#: Each guarded buffer takes three mappings, of which Linux allows a process about 65 000.
_MOST_GUARDED = 10_000


class GuardedMemory:
    """Hands out zeroed buffers up to ``limit_bytes`` in all and never takes one back.

    Where pages can be protected, the page after each buffer and the page before it are unreadable. The buffer ends at
    the page after it, so that one element too many is noticed; before it some bytes of padding may remain.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._used = 0
        self._kept: list[object] = []
        self._protect = _page_protection()

    def allocate(self, size: int) -> int:
        """The address of a new buffer of ``size`` bytes."""
        if size < 0 or size > MAX_SIZE:
            raise NegativeSizeError(size)
        self._used += size
        if self._used > self._limit:
            raise OutOfBudgetError(self._used)
        if self._protect is None or len(self._kept) >= _MOST_GUARDED:
            plain = ctypes.create_string_buffer(max(size, 1))
            self._kept.append(plain)
            return ctypes.addressof(plain)
        return self._allocate_guarded(size)

    def _allocate_guarded(self, size: int) -> int:
        page = mmap.PAGESIZE
        length = -(-size // page) * page
        region = mmap.mmap(-1, length + 2 * page)
        view = ctypes.c_char.from_buffer(region)
        start = ctypes.addressof(view)
        self._kept.append((region, view))
        assert self._protect is not None
        self._protect(start, page, 0)
        end = start + page + length
        self._protect(end, page, 0)
        return end - size


@cache
def _page_protection() -> ctypes._NamedFuncPointer | None:  # pyright: ignore[reportPrivateUsage]  # its only name
    if sys.platform == "win32":
        return None
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    protect.restype = ctypes.c_int
    return protect
