"""Range of MLIR's `index` on machines of 64 bits."""

from __future__ import annotations

from typing import Final

MAX_SIZE: Final = 2**63 - 1
"""The largest number that an `index` holds, and so the largest size."""

MAX_BYTES: Final = 2**47
"""What an address of today's machines reaches: no tensor takes more."""

MIN_INDEX: Final = -(2**63)
"""The smallest number that an `index` holds."""

DYNAMIC: Final = MIN_INDEX
"""What stands in a list of sizes, offsets or strides for one that is not a constant: `ShapedType::kDynamic`."""
