"""What a file says of the machine that it is for, where that is not what is followed."""

from __future__ import annotations

import re
from functools import lru_cache

from shapesolve.reading.program import OpaqueAttribute, Program

FOLLOWED = 64
"""How many bits `index` has."""

_INDEX = re.compile(r"(?<![\w.])index(?: = |, )(\d+)")


@lru_cache(maxsize=2)
def other_widths(program: Program) -> tuple[str, ...]:
    """That `index` has 64 bits, where a data layout in the file says otherwise.

    Kept for the latest programs, for this is asked for every function of a program.
    """
    stated: dict[int, None] = {}
    for op in program.operation.walk():
        layout = op.attributes.get("dlti.dl_spec")
        if isinstance(layout, OpaqueAttribute):
            stated |= dict.fromkeys(int(width) for width in _INDEX.findall(layout.text))
    return tuple(
        f"index has {FOLLOWED} bits, though a data layout in the file says {width}"
        for width in stated
        if width != FOLLOWED
    )
