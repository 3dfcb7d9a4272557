"""Analyses of a program: each is computed when it is first asked for, and kept as long as the program."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from shapesolve.ir.program import Program

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ProgramAnalyses:
    """Results of analyses of one program, as an analysis manager of MLIR keeps them."""

    def __init__(self) -> None:
        self._results: dict[tuple[object, ...], Any] = {}

    def get(self, key: tuple[object, ...], compute: Callable[[], T]) -> T:
        """Return the result under a key, computed where there is none yet."""
        if key not in self._results:
            self._results[key] = compute()
        return self._results[key]


def program_analysis(analyze: Callable[[Program, Unpack[Ts]], T]) -> Callable[[Program, Unpack[Ts]], T]:
    """Keep the results of an analysis with the program, for each of its other arguments."""

    @wraps(analyze)
    def kept(program: Program, *rest: *Ts) -> T:
        return program.analyses.get((analyze, *rest), lambda: analyze(program, *rest))

    return kept
