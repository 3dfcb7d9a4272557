"""Traces of functions, interpreted once for the same possibly undefined operations.

With others, the effects of all operations that do the same as the last time are repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from shapesolve.interpreter.operation_effects import KeptEffects
from shapesolve.interpreter.undefined_behavior import UndefinedOps
from shapesolve.ir.program import Function, Program
from shapesolve.records import record
from shapesolve.trace.events import Trace

Interpretation: TypeAlias = tuple[str, Program, bool]
"""A function of a program, and whether extents of the same name are kept apart."""


class TraceCache:
    """Traces of functions, and the effects of their operations when they were last interpreted."""

    def __init__(self, interpret: Callable[[Interpretation, UndefinedOps, KeptEffects], Trace]) -> None:
        self._interpret = interpret
        self._traces: dict[tuple[Interpretation, UndefinedOps], Trace] = {}
        self._kept: dict[Interpretation, KeptEffects] = {}

    def trace(self, key: Interpretation, undefined_ops: UndefinedOps) -> Trace:
        """Return the trace with these possibly undefined operations."""
        found = self._traces.get((key, undefined_ops))
        if found is None:
            found = self._traces[key, undefined_ops] = self._interpret(key, undefined_ops, self.effects(key))
            if undefined_ops.assumes_undefined:  # Interpreted with these from the start, nothing is added.
                every = with_assumed_undefined(undefined_ops, found)
                given = replace(found, assumed_undefined={}) if found.assumed_undefined else found
                self._traces.setdefault((key, every), given)
                self._traces.setdefault((key, replace(every, assumes_undefined=True)), given)
        return found

    def effects(self, key: Interpretation) -> KeptEffects:
        """Return the effects of the last interpretation; nothing if there was none."""
        return self._kept.setdefault(key, KeptEffects())

    def carry(self, key: Interpretation, effects: Callable[[], KeptEffects]) -> None:
        """Have effects known elsewhere repeated in the first interpretation."""
        if key not in self._kept:
            self._kept[key] = effects()


@record
class ProgramTraces:
    """Traces of the functions of one program."""

    cache: TraceCache
    program: Program

    def __call__(self, function: Function, undefined_ops: UndefinedOps) -> Trace:
        """Return the trace of a function with these possibly undefined operations."""
        return self.cache.trace((function.name, self.program, False), undefined_ops)

    def effects(self, name: str) -> KeptEffects:
        """Return the effects of a function's operations in its last interpretation."""
        return self.cache.effects((name, self.program, False))


def with_assumed_undefined(undefined_ops: UndefinedOps, trace: Trace) -> UndefinedOps:
    """Return the possibly undefined operations that a trace was interpreted with."""
    return UndefinedOps(frozenset((*undefined_ops.ops, *trace.assumed_undefined)), undefined_ops.misfits)
