"""Analyses of a program, computed on demand and cached as long as the program lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from shapesolve.ir.program import Program

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ProgramAnalyses:
    """Cache of analysis results of one program, as MLIR's analysis manager keeps them."""

    def __init__(self) -> None:
        self._results: dict[tuple[object, ...], Any] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return ProgramAnalyses, ()  # the keys are operations of this very program, and functions

    def get(self, key: tuple[object, ...], compute: Callable[[], T]) -> T:
        """Return the result under a key, computed if there is none yet."""
        if key not in self._results:
            self._results[key] = compute()
        return self._results[key]


def program_analysis(analyze: Callable[[Program, Unpack[Ts]], T]) -> Callable[[Program, Unpack[Ts]], T]:
    """Decorate an analysis so that its results are cached with the program, by its other arguments."""

    @wraps(analyze)
    def kept(program: Program, *rest: *Ts) -> T:
        return program.analyses.get((analyze, *rest), lambda: analyze(program, *rest))

    return kept
