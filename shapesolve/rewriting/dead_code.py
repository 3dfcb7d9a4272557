"""Elimination of code that only fed removed checks.

Only operations that do nothing but give results, by their rules, and were proved defined: later proofs may rely on the
definedness of an operation that stays.
"""

from __future__ import annotations

from collections.abc import Callable

from shapesolve.ir.program import Operation
from shapesolve.rewriting.rewriter import Rewriter


def erase_dead_code(rewriter: Rewriter, may_go: Callable[[Operation], bool]) -> set[int]:
    """Erase unused operations that fed removed ones; return their numbers.

    Args:
        may_go: Returns whether no run can tell that an operation of the program is erased. New operations always may
            be.
    """
    erased: set[int] = set()
    while rewriter.maybe_dead:
        number = rewriter.maybe_dead.pop()
        live = rewriter.live.get(number)
        if live is None or len(live.regions):
            continue
        if any(True for result in live.results for _ in result.uses):
            continue
        if number >= 0 and not may_go(rewriter.source_ops[number]):
            continue
        erased.add(number)
        rewriter.erase_unused(number)
    return erased
