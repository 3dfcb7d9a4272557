"""What was found of a program, carried over to what is left of it.

Where a program says the same after checks went as it said before (`alignment`), nothing more follows there: what was
found of the rest stands. So it need not be walked and judged once more to see that nothing else may go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Operation
from shapesolve.walking.defending import Doubts
from shapesolve.walking.obligations import Trace

Found = TypeVar("Found")


def carried_over(found: Rejudged, left: Trace, origins: Mapping[Operation, Operation]) -> Rejudged:
    """What was found, by the operations that are left. ``origins`` gives for each of them what it was before."""

    def there(by_operation: Mapping[Operation, Found]) -> dict[Operation, Found]:
        return {op: by_operation[origin] for op, origin in origins.items() if origin in by_operation}

    return replace(
        found,
        trace=left,
        judgements=there(found.judgements),
        answers=there(found.answers),
        doubts=Doubts({op for op, origin in origins.items() if origin in found.doubts.ops}, found.doubts.misfits),
        ways=there(found.ways),
        not_asked=frozenset(op for op, origin in origins.items() if origin in found.not_asked),
    )
