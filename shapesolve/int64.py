"""Range of MLIR's `index` on machines of 64 bits."""

from __future__ import annotations

from typing import Final

MAX_SIZE: Final = 2**63 - 1
"""Largest value of `index`, and so the largest size."""

MAX_BYTES: Final = 2**47
"""Address space of current machines, in bytes: no tensor takes more."""

MIN_INDEX: Final = -(2**63)
"""Smallest value of `index`."""

DYNAMIC: Final = MIN_INDEX
"""Marker of a dynamic entry in lists of static sizes, offsets and strides: `ShapedType::kDynamic`."""


def as_power(number: int) -> str:
    """Return a number for people, as a power of two if it is a large one."""
    exponent = number.bit_length() - 1
    return f"2^{exponent}" if number == 2**exponent and exponent > 10 else f"{number:,}"
