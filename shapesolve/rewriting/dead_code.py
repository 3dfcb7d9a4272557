"""Erasing what only fed the checks that are gone.

Only what does nothing but give results, by what is said at its rule, and was proved not to be undefined: whether an
operation may be undefined is something that later proofs may lean on, and so it stays.
"""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.ir.program import Operation
from shapesolve.rewriting.rewriter import Rewriter


def erase_dead_code(surgery: Rewriter, may_go: Callable[[Operation], bool]) -> set[int]:
    """Erase what fed the operations that are gone and is of no use any more; the numbers of what was erased.

    ``may_go`` tells of an operation of the program whether nobody notices that it does not run. What the surgeon made
    himself may go in any case.
    """
    erased: set[int] = set()
    while surgery.feeding:
        number = surgery.feeding.pop()
        live = surgery.live.get(number)
        if live is None or len(live.regions):
            continue
        if any(True for result in live.results for _ in result.uses):
            continue
        if number >= 0 and not may_go(surgery.pictures[number]):
            continue
        erased.add(number)
        surgery.erase_unused(number)
    return erased
