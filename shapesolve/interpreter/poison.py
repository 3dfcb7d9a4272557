"""Poison, and contents that were never written: which values of a function they reach.

They may differ from one compilation to the next, so that an execution decides nothing that depends on them. Such values
are tracked through the operations that use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from shapesolve.domain.fresh_variables import FreshVariables, variables_of
from shapesolve.domain.values import Abstract, StringValue, Tensor, UnknownValue
from shapesolve.ir.program import Operation, Value, is_buffer
from shapesolve.records import record
from shapesolve.semantics.regions import Pass, RegionRun
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.linear import equations
from shapesolve.trace.events import Event, Fact, Obligation, Source

POISON = "it may be anything, and differ from one compilation to the next"
BUFFER_CONTENTS = "what buffers hold is not followed: it may be anything"

PoisonState = tuple[AbstractSet[Value], AbstractSet[str], AbstractSet[Operation]]
"""Values that are poison, names of variables made from it, and operations that produce it."""


NO_POISON: PoisonState = frozenset(), frozenset(), frozenset()


@record
class OpStart:
    """Progress of the interpreter before an operation: the number of names given, and of events recorded."""

    unknowns: FreshVariables
    count: int
    events: Sequence[Event]
    first: int


class PoisonTracking:
    """The poison values of one function."""

    def __init__(self) -> None:
        self._values: set[Value] = set()
        self._names: set[str] = set()
        self._sources: set[Operation] = set()

    @property
    def is_used(self) -> bool:
        """Return whether an operation has produced poison so far."""
        return bool(self._sources)

    def state_of(self, ops: Iterable[Operation], values: Iterable[Value], names: Iterable[str]) -> PoisonState:
        """Return the values among these that are poison or computed from poison."""
        if not self._sources:
            return NO_POISON
        return self._values.intersection(values), self._names.intersection(names), self._sources.intersection(ops)

    def repeat(self, state: PoisonState) -> None:
        """Note what was poison after operations had run another time."""
        values, names, sources = state
        self._values |= values
        self._names |= names
        self._sources |= sources

    def begin(self, op: Operation) -> None:
        """Note that the results of an operation are poison."""
        self._sources.add(op)

    def enter(self, op: Operation, run: Pass) -> None:
        """Pass poison operands of an operation to the arguments of its region, by position if there are as many."""
        if not self._values or not run.region.blocks:
            return
        arguments = run.region.blocks[0].arguments
        if len(arguments) == len(op.operands):
            self._values |= {a for a, operand in zip(arguments, op.operands, strict=True) if operand in self._values}
        elif self._has(op.operands):
            self._values |= set(arguments)

    def passed(self, argument: Value, given: Iterable[Value]) -> None:
        """Pass poison to a block argument if one of these values is poison."""
        if self._has(given):
            self._values.add(argument)

    def leave(
        self, op: Operation, runs: Sequence[RegionRun], values: Mapping[Value, Abstract], since: OpStart
    ) -> frozenset[Variable]:
        """Propagate poison through an operation; return the variables made from it, in results and requirements."""
        if not self._sources or not self._is_touched(op, runs):
            return frozenset()
        made = since.unknowns.names_after(since.count) - self._settled(since)
        used = [variables_of(values[result]) for result in op.results]
        used += [event.claim.variables for event in since.events[since.first :] if isinstance(event, Obligation)]
        fresh = frozenset(variable for variables in used for variable in variables if variable.name in made)
        self._names |= {variable.name for variable in fresh}
        self._values |= {result for result in op.results if self._is_undefined(values[result])}
        return fresh

    def reason(self, op: Operation) -> str:
        """Return why what an operation makes from poison is unknown.

        Stores do not end the poison of memory: what is loaded from a buffer may be what was stored there.
        """
        reads_buffer = any(is_buffer(operand.type) for operand in op.operands if operand in self._values)
        only_buffers = all(is_buffer(result.type) for source in self._sources for result in source.results)
        return BUFFER_CONTENTS if reads_buffer or only_buffers else POISON

    def _settled(self, since: OpStart) -> frozenset[str]:
        """Return the names of variables that are known numbers: iteration numbers, and extents equal to one."""
        ranges = since.unknowns.ranges
        counted = {
            name
            for name in since.unknowns.names_after(since.count)
            if name in ranges and self._is_known(size for size in ranges[name])
        }
        for event in since.events[since.first :]:
            if isinstance(event, Fact) and event.source is Source.DEFINITION:
                for variable, size in equations(event.formula):
                    if variable.name not in self._names and self._is_known([size]):
                        counted.add(variable.name)
        return frozenset(counted)

    def _is_known(self, sizes: Iterable[Dim]) -> bool:
        return not any(variable.name in self._names for size in sizes for variable in size.variables)

    def _is_touched(self, op: Operation, runs: Sequence[RegionRun]) -> bool:
        if op in self._sources:
            return True
        if not runs and not op.regions:
            return self._has(op.operands)
        ends = (block.operations[-1] for run in runs for block in run.region.blocks if block.operations)
        return any(self._has(end.operands) for end in ends)

    def _has(self, values: Iterable[Value]) -> bool:
        return not self._values.isdisjoint(values)

    def _is_undefined(self, value: Abstract) -> bool:
        """Return whether a result of an operation on poison is poison: not if it consists of known sizes."""
        if isinstance(value, Tensor | UnknownValue | StringValue):
            return True
        return any(variable.name in self._names for variable in variables_of(value))
