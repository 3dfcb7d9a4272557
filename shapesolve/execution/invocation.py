"""Calls of compiled functions: argument descriptors, guarded buffers, and the results read back.

Buffers end where readable memory ends, so that an access out of bounds crashes instead of passing unnoticed.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from shapesolve.execution.entry_point import Port, Signature
from shapesolve.execution.execution import (
    Input,
    NotExecutableError,
    ResultSize,
    ScalarInput,
    TensorInput,
    bytes_of,
    too_many_bytes,
)
from shapesolve.int64 import MAX_SIZE

_Protect = Callable[[int, int, int], int]
"""The signature of ``mprotect``: address, number of bytes, protection; returns 0 on success."""


class OutOfBudgetError(Exception):
    """An allocation exceeded the memory limit."""


class NegativeSizeError(Exception):
    """An allocation had a negative size."""


class NoMemoryError(Exception):
    """The system has no more memory for this process."""


#: Each guarded buffer takes two mappings, of which Linux allows a process about 65 000.
_MOST_GUARDED = 10_000

#: Pages between two buffers: what runs a little past the end of one must not arrive in the next.
_UNREADABLE_PAGES = 4

_RESERVED = 4 << 20
"""Bytes reserved at a time: a mapping for each buffer took most of the time of small programs."""


class GuardedMemory:
    """Allocates zeroed buffers up to ``limit_bytes`` in all and never frees one.

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
        """Return the address of a new buffer of ``size`` bytes. Raises the errors of this module."""
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
    """Raise OSError if the system did not change the protection of pages: reading a buffer would crash, too."""
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


#: Contents of larger results are not read back.
_MOST_VALUES_READ = 4096
_READ_FLOATS = frozenset(["f16", "bf16", "f32", "f64"])

#: Bytes of an element, and the bytes that stand for 0.5, or for 0 where no half can be written down.
_FLOATS: dict[str, bytes] = {
    "f16": struct.pack("<e", 0.5),
    "bf16": b"\x00\x3f",
    "f32": struct.pack("<f", 0.5),
    "f64": struct.pack("<d", 0.5),
    "f8E4M3": b"\x30",
    "f8E4M3FN": b"\x30",
    "f8E5M2": b"\x38",
    "f8E3M4": b"\x20",
    "f8E4M3FNUZ": b"\x38",
    "f8E5M2FNUZ": b"\x3c",
    "f8E4M3B11FNUZ": b"\x50",
}


@dataclass(frozen=True)
class Element:
    """Memory layout of one element, little-endian."""

    size: int
    alignment: int
    integer_bits: int  # 0 for what is not an integer
    fill: bytes

    def integer(self, value: int) -> bytes:
        """Return the bytes of an integer, wrapped to the element's width."""
        width = self.integer_bits
        return (value % (1 << width)).to_bytes(self.size, "little")

    def read_integer(self, raw: bytes) -> int:
        """Return the signed value of an integer element; i1 is 0 or 1."""
        width = self.integer_bits
        value = int.from_bytes(raw, "little") % (1 << width)
        return value - (1 << width) if width > 1 and value >> (width - 1) else value


def element_of(spelled: str, integer_fill: int) -> Element:
    """Return the layout of an element type; refuse types whose layout LLVM does not fix on all targets."""
    if spelled in _FLOATS:
        fill = _FLOATS[spelled]
        return Element(len(fill), len(fill), 0, fill)
    if spelled.startswith("complex<"):
        part = element_of(spelled.removeprefix("complex<").removesuffix(">"), integer_fill)
        return Element(2 * part.size, part.alignment, 0, 2 * part.fill)
    digits = "64" if spelled == "index" else spelled.removeprefix("i")
    if digits.isdecimal() and 0 < int(digits) <= 64:
        bits = int(digits)
        size = bytes_of(bits)
        return Element(size, size, bits, (integer_fill % (1 << bits)).to_bytes(size, "little"))
    raise NotExecutableError(f"elements of type {spelled} cannot be passed")


def descriptor_words(rank: int) -> int:
    """Return the eight-byte words of a ranked descriptor: two pointers, the offset, extents and strides."""
    return 3 + 2 * rank


_CALLED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@dataclass
class Call:
    """The packed arguments of one call, and the space for its results.

    Arguments are written as bytes: ctypes would make a type for every size, in each process that calls.
    """

    signature: Signature
    memory: GuardedMemory
    integer_fill: int
    zero_floats: bool = False
    kept: list[Any] = field(default_factory=list[Any])
    reads_floats: bool = False
    _descriptors: list[int | None] = field(default_factory=list[int | None])

    def run(self, address: int, inputs: Sequence[Input]) -> None:
        """Call the packed function at ``address``. The results can be read afterwards."""
        pointers = [self._argument(*pair) for pair in zip(self.signature.arguments, inputs, strict=True)]
        self._results = where = self._placed(bytes(max(self._layout()[1], 16)))
        if self.signature.results:
            scalar_alone = len(self.signature.results) == 1 and self.signature.results[0].is_scalar
            # A lone scalar is returned, anything else is written through a pointer that comes first.
            pointers = [*pointers, where] if scalar_alone else [self._placed(_words(where)), *pointers]
        _CALLED(address)(self._placed(_words(*pointers, 0)))

    def result_sizes(self) -> tuple[ResultSize, ...]:
        """Return extents of tensors, values of integers, None for the rest."""
        return tuple(self._size(port, offset) for port, offset in self._placed_results())

    def result_values(self) -> tuple[tuple[int, ...] | None, ...]:
        """Return the contents of small integer tensors, and floats if they are read.

        Reads through the descriptors without checking them.
        """
        return tuple(self._values(port, offset) for port, offset in self._placed_results())

    def argument_values(self) -> tuple[tuple[int, ...] | None, ...]:
        """Return what the arguments that were given with contents hold now, if any were."""
        if not any(self._descriptors):
            return ()
        pairs = zip(self.signature.arguments, self._descriptors, strict=True)
        return tuple(None if address is None else self._values(port, address) for port, address in pairs)

    def _placed(self, content: bytes) -> int:
        """Return the address of a copy that stays."""
        buffer = bytearray(content)
        first = ctypes.c_char.from_buffer(buffer)
        self.kept.append(first)
        return ctypes.addressof(first)

    def _argument(self, port: Port, given: Input) -> int:
        element = element_of(port.element, self.integer_fill)
        self._descriptors.append(None)
        if isinstance(given, ScalarInput):
            is_integer = element.integer_bits
            self.reads_floats |= isinstance(given.value, float)
            raw = element.integer(int(given.value)) if is_integer else _float_bytes(port.element, given.value)
            return self._placed(raw.ljust(8, b"\0"))
        data = self._fill(element, given, port.element)
        strides = [math.prod(given.extents[position + 1 :]) for position in range(len(given.extents))]
        descriptor = self._placed(_words(data, data, 0, *given.extents, *strides))
        if not port.ranked:
            # What stands for ``memref<*x>``: the rank, and where the ranked descriptor lies.
            descriptor = self._placed(_words(len(given.extents), descriptor))
        if given.values is not None or given.floats is not None:
            self._descriptors[-1] = descriptor
        return self._placed(_words(descriptor))

    def _fill(self, element: Element, given: TensorInput, type: str) -> int:
        count = math.prod(given.extents)
        data = self.memory.allocate(count * element.size)
        if given.floats is not None:
            self.reads_floats = True
            content = b"".join(_float_bytes(type, value) for value in given.floats)
        elif given.values is None:
            zero = self.zero_floats and not element.integer_bits
            content = (bytes(element.size) if zero else element.fill) * count
        else:
            content = b"".join(element.integer(value) for value in given.values)
        ctypes.memmove(data, content, len(content))
        return data

    def _layout(self) -> tuple[list[int], int]:
        """Return the offsets of the results in the structure they are returned in, and its size."""
        offsets: list[int] = []
        end = 0
        for port in self.signature.results:
            size, alignment = _result_size(port)
            end = -(-end // alignment) * alignment
            offsets.append(end)
            end += size
        return offsets, end

    def _placed_results(self) -> list[tuple[Port, int]]:
        return [
            (port, self._results + offset)
            for port, offset in zip(self.signature.results, self._layout()[0], strict=True)
        ]

    def _size(self, port: Port, address: int) -> ResultSize:
        if port.is_scalar:
            element = element_of(port.element, 0)
            return element.read_integer(ctypes.string_at(address, element.size)) if element.integer_bits else None
        return _descriptor(port, address)[1]

    def _values(self, port: Port, address: int) -> tuple[int, ...] | None:
        element = element_of(port.element, 0)
        is_float = self.reads_floats and port.element in _READ_FLOATS
        if port.is_scalar:
            return (int.from_bytes(ctypes.string_at(address, element.size), sys.byteorder),) if is_float else None
        start, extents, strides = _descriptor(port, address)
        if (
            not (element.integer_bits or is_float)
            or math.prod(extents) > _MOST_VALUES_READ
            or min(extents, default=0) < 0
        ):
            return None
        offsets = [0]
        for extent, stride in zip(extents, strides, strict=True):
            offsets = [offset + position * stride for offset in offsets for position in range(extent)]
        size = element.size
        contents = (ctypes.string_at(start(size) + each * size, size) for each in offsets)
        if is_float:
            return tuple(int.from_bytes(each, sys.byteorder) for each in contents)
        return tuple(map(element.read_integer, contents))


def _descriptor(port: Port, address: int) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    if port.extents is not None:
        rank = len(port.extents)
    else:
        rank, address = _read_words(address, 2)
    words = _read_words(address, descriptor_words(rank))
    aligned, offset = words[1], words[2]

    def start(size: int) -> int:
        return aligned + offset * size

    return start, words[3 : 3 + rank], words[3 + rank :]


def _words(*values: int) -> bytes:
    """Return addresses and numbers as eight bytes each in machine order; larger numbers wrap."""
    return struct.pack(f"={len(values)}Q", *(value % (1 << 64) for value in values))


def _read_words(address: int, count: int) -> tuple[int, ...]:
    return struct.unpack(f"={count}q", ctypes.string_at(address, 8 * count))


def _result_size(port: Port) -> tuple[int, int]:
    if port.is_scalar:
        element = element_of(port.element, 0)
        return element.size, element.alignment
    if port.extents is None:
        return 16, 8
    return 8 * descriptor_words(len(port.extents)), 8


def _float_bytes(spelled: str, value: float) -> bytes:
    if spelled == "bf16":
        return struct.pack("<f", value)[2:]
    formats = {"f16": "<e", "f32": "<f", "f64": "<d"}
    if spelled not in formats:
        raise NotExecutableError(f"scalars of type {spelled} cannot be passed")
    return struct.pack(formats[spelled], value)


def input_mismatch(signature: Signature, inputs: Sequence[Input], memory_limit_bytes: int) -> str | None:
    """Return the reason why these inputs cannot be passed to a function of this signature, or None."""
    if len(inputs) != len(signature.arguments):
        return f"{len(inputs)} arguments given where the function takes {len(signature.arguments)}"
    total = 0
    for position, (port, given) in enumerate(zip(signature.arguments, inputs, strict=True)):
        problem = _argument_mismatch(port, given)
        if problem:
            return f"argument {position}: {problem}"
        if isinstance(given, TensorInput):
            total += math.prod(given.extents) * element_of(port.element, 0).size
    if total > memory_limit_bytes:
        return too_many_bytes(total, memory_limit_bytes)
    return None


def _argument_mismatch(port: Port, given: Input) -> str | None:
    element = element_of(port.element, 0)
    if isinstance(given, ScalarInput):
        return None if port.is_scalar else "a scalar given where the type is a tensor"
    if port.is_scalar:
        return f"a tensor given where the type is {port.element}"
    if given.values is not None:
        if not element.integer_bits:
            return f"integer contents given for elements of type {port.element}"
        if len(given.values) != math.prod(given.extents):
            return f"{len(given.values)} values given for {math.prod(given.extents)} elements"
    if given.floats is not None and (element.integer_bits or len(given.floats) != math.prod(given.extents)):
        return f"{len(given.floats)} floats given for {math.prod(given.extents)} elements of type {port.element}"
    if port.extents is None:
        return None
    if len(port.extents) != len(given.extents):
        return f"rank {len(given.extents)} given where the type says {len(port.extents)}"
    for dimension, (declared, extent) in enumerate(zip(port.extents, given.extents, strict=True)):
        if declared is not None and declared != extent:
            return f"extent {extent} given where the type says {declared}, in dimension {dimension}"
    if not port.is_row_major(given.extents):
        return "its layout is not row-major, and no other is passed"
    return None
