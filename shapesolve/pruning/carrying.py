"""What was found of a program, carried over to what is left of it.

Where a program says the same after checks went as it said before (`alignment`), nothing more follows there: what was
found of the rest stands. So it need not be walked and judged once more to see that nothing else may go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from shapesolve.pruning.rejudging import Rejudged
from shapesolve.reading.program import Operation
from shapesolve.walking.defending import Doubts
from shapesolve.walking.obligations import Trace

Found = TypeVar("Found")


def carried_over(found: Rejudged, left: Trace, left_of: Mapping[Operation, Operation]) -> Rejudged:
    """What was found, by the operations that are left. ``left_of`` gives what is left of an operation."""

    def there(by_operation: Mapping[Operation, Found]) -> dict[Operation, Found]:
        return {left_of[op]: each for op, each in by_operation.items() if op in left_of}

    def these(ops: Iterable[Operation]) -> frozenset[Operation]:
        return frozenset(left_of[op] for op in ops if op in left_of)

    return replace(
        found,
        trace=left,
        judgements=there(found.judgements),
        answers=there(found.answers),
        doubts=Doubts(these(found.doubts.ops), found.doubts.misfits),
        ways=there(found.ways),
        not_asked=these(found.not_asked),
    )
