"""What a file says of the machine that it is for, where that is not what is followed."""

from __future__ import annotations

import re

from shapesolve.reading.analyses import program_analysis
from shapesolve.reading.program import OpaqueAttribute, Program

FOLLOWED = 64
"""How many bits `index` has."""

_INDEX = re.compile(r"(?<![\w.])index(?: = |, )(\d+)")


@program_analysis
def other_widths(program: Program) -> tuple[str, ...]:
    """State that `index` has 64 bits, where a data layout in the file says otherwise."""
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
