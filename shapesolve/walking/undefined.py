"""Values that hold whatever a compiler likes: poison, and contents that nobody wrote.

What one compilation puts there says nothing of the next, so that what depends on it is not decided by executing it
either. Such values are followed by the operations that use them, and the variables that these operations make of them
are handed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import Dim
from shapesolve.reading.program import Operation, Value
from shapesolve.records import record
from shapesolve.walking.equations import equations
from shapesolve.walking.obligations import Event, Fact, Obligation, Source
from shapesolve.walking.region_runs import Pass, RegionRun
from shapesolve.walking.unknowns import Unknowns, variables_of
from shapesolve.walking.values import Abstract, Opaque, Tensor, Text

UNDEFINED = "it may be anything, and differ from one compilation to the next"


@record
class Since:
    """What the walk has done since so many names were given and so many events met."""

    unknowns: Unknowns
    count: int
    events: Sequence[Event]
    first: int


class Undefined:
    """The undefined values of one walk."""

    def __init__(self) -> None:
        self._values: set[Value] = set()
        self._names: set[str] = set()
        self._sources: set[Operation] = set()

    @property
    def is_used(self) -> bool:
        """Whether an operation has given such values so far."""
        return bool(self._sources)

    def begin(self, op: Operation) -> None:
        """An operation says that its results are undefined."""
        self._sources.add(op)

    def enter(self, op: Operation, run: Pass) -> None:
        """A region is given what its operation uses: position by position where there are as many."""
        if not self._values or not run.region.blocks:
            return
        arguments = run.region.blocks[0].arguments
        if len(arguments) == len(op.operands):
            self._values |= {a for a, operand in zip(arguments, op.operands, strict=True) if operand in self._values}
        elif self._has(op.operands):
            self._values |= set(arguments)

    def passed(self, argument: Value, given: Iterable[Value]) -> None:
        """A block is given one of these values."""
        if self._has(given):
            self._values.add(argument)

    def leave(
        self, op: Operation, runs: Sequence[RegionRun], values: Mapping[Value, Abstract], since: Since
    ) -> frozenset[Variable]:
        """An operation was walked; the variables made of undefined values, in its results and in what it demands."""
        if not self._sources or not self._is_touched(op, runs):
            return frozenset()
        made = since.unknowns.made_after(since.count) - self._settled(since)
        used = [variables_of(values[result]) for result in op.results]
        used += [event.claim.variables for event in since.events[since.first :] if isinstance(event, Obligation)]
        fresh = frozenset(variable for variables in used for variable in variables if variable.name in made)
        self._names |= {variable.name for variable in fresh}
        self._values |= {result for result in op.results if self._is_undefined(values[result])}
        return fresh

    def _settled(self, since: Since) -> frozenset[str]:
        """Names of what is a number for all that: the numbers of iterations, and extents that are said to equal one."""
        ranges = since.unknowns.ranges
        counted = {
            name
            for name in since.unknowns.made_after(since.count)
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
        """Whether a result of an operation on undefined values is undefined: not if it is made of known sizes."""
        if isinstance(value, Tensor | Opaque | Text):
            return True
        return any(variable.name in self._names for variable in variables_of(value))
