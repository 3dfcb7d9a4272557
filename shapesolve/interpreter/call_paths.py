"""Call paths of one function, and the limit on interpreting what a call runs on several of them.

Functions that call the next one twice have exponentially many call paths. The first path to each call is followed
always, so every body is interpreted; iterations of loops follow the same path again, and do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapesolve.ir.program import Operation
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import CallSite

MAX_REPEATED_PATHS = 2_000
"""The most paths that are followed to calls that another path led to before."""
MAX_REPEATED_CLAIMS = 200
"""The most different claims on such paths; deciding them takes far longer than raising them."""


class CallPaths:
    """The call paths that were followed in one function, each the calls from the function inward."""

    def __init__(self) -> None:
        self._first: dict[Operation, tuple[Operation, ...]] = {}
        self._repeated: set[tuple[Operation, ...]] = set()
        self._claims: set[Formula] = set()

    def follow(self, sites: Sequence[CallSite], op: Operation) -> str:
        """Note that a call inside others is followed and return "", or return the reason not to follow it."""
        path = (*(each.op for each in sites), op)
        if self._first.setdefault(op, path) == path:
            return ""
        if len(self._claims) >= MAX_REPEATED_CLAIMS:
            return _reason(f"{MAX_REPEATED_CLAIMS:,} repeated claims")
        if path not in self._repeated and len(self._repeated) >= MAX_REPEATED_PATHS:
            return _reason(f"{MAX_REPEATED_PATHS:,} repeated calls")
        self._repeated.add(path)
        return ""

    def add_claim(self, sites: Sequence[CallSite], claim: Formula) -> None:
        """Note a claim that is raised inside calls."""
        if claim is not TRUE and tuple(each.op for each in sites) in self._repeated:
            self._claims.add(claim)


def _reason(limit: str) -> str:
    return f"after {limit} no function is followed again (--function F checks one alone)"
