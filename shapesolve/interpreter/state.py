"""Where a walk stood before an operation, for when what the operation computes turns out to be too large to be kept.

Which assertions a value waits for: those that guard it, and those that guard what it is computed from.

Names of claims that stay the same when the file is edited elsewhere.

How far a walk goes, so that no program keeps it for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shapesolve.ir.control_flow import MAX_DEPTH
from shapesolve.ir.program import Operation, Program, Region, Value
from shapesolve.semantics.rulebook import OpSemantics
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction
from shapesolve.symbolic.limits import make_room
from shapesolve.trace.events import Approximation, Event


class InterpreterState(Protocol):
    """What of a walk an operation changes."""

    events: list[Event]
    approximations: list[Approximation]
    reached: dict[Operation, int]
    reused: dict[Operation, int]
    calls: list[Region]
    iteration: tuple[Dim, ...] | None
    waiting: Waiting


class Checkpoint:
    """A point of a walk. Names of variables that were given since stay given."""

    def __init__(self, walk: InterpreterState, op: Operation) -> None:
        self._events = len(walk.events)
        self._approximations = len(walk.approximations)
        self._calls = len(walk.calls)
        self._surroundings = walk.iteration, walk.waiting.here
        self._inside = [each for each in op.walk() if each is not op] if op.regions else []
        self._reached = {each: walk.reached.get(each, 0) for each in self._inside}
        self._reused = {each: walk.reused.get(each, 0) for each in self._inside}
        self._results = op.results

    def restore(self, walk: InterpreterState) -> None:
        """Forget what was said since, about the operation and about those inside it."""
        del walk.events[self._events :]
        del walk.approximations[self._approximations :]
        del walk.calls[self._calls :]
        walk.iteration, walk.waiting.here = self._surroundings
        walk.reached.update(self._reached)
        walk.reused.update(self._reused)
        for value in (*self._results, *(value for each in self._inside for value in each.results)):
            walk.waiting.forget(value)


class Waiting:
    """The assertions that the values of one walk wait for; ``here`` are those that everything at this place does."""

    def __init__(self) -> None:
        self.here: Formula = TRUE
        self._guards: dict[Value, Formula] = {}

    def given(self, op: Operation) -> Formula:
        """The assertions that an operation waits for: those that its operands wait for."""
        if not self._guards:
            return self.here
        guards = [self._guards[operand] for operand in op.operands if operand in self._guards]
        return conjunction((self.here, *guards)) if guards else self.here

    def guard(self, op: Operation, meaning: OpSemantics) -> None:
        """Where the results of an operation exist, its guard and all that it waits for has held."""
        guard = self.given(op)
        if meaning.guard is not TRUE:
            guard = conjunction((meaning.guard, guard))
        if self._guards:
            ends = (block.operations[-1] for run in meaning.regions for block in run.region.blocks if block.operations)
            guard = conjunction((guard, *map(self.given, ends)))
        if guard is not TRUE:
            self._guards.update(dict.fromkeys(op.results, guard))

    def guard_of(self, value: Value) -> Formula:
        """The assertions that a value waits for."""
        return self._guards.get(value, TRUE)

    def set_guard(self, value: Value, guard: Formula) -> None:
        """The value waits for these assertions."""
        if guard is TRUE:
            self.forget(value)
        else:
            self._guards[value] = guard

    def forget(self, value: Value) -> None:
        """The value waits for nothing, as far as is known."""
        self._guards.pop(value, None)


class Identities:
    """Hands out the names of the claims of one function's walk."""

    def __init__(self, function: str) -> None:
        self._function = function
        self._ordinals: dict[Operation, int] = {}
        self._counts: dict[str, int] = {}
        self._claimed: dict[Operation, dict[str, int]] = {}  # how many claims of each clause this visit has raised

    def visit(self, op: Operation) -> None:
        """The operation is visited, perhaps again."""
        self._claimed[op] = {}

    def of(self, op: Operation, clause: str, visit: int) -> str:
        """Function, operation, its ordinal among those of its name, clause; then which visit and which claim."""
        ordinal = self._ordinals.get(op)
        if ordinal is None:
            ordinal = self._ordinals[op] = self._counts[op.name] = self._counts.get(op.name, 0) + 1
        base = f"{self._function}/{op.name}.{ordinal}/{clause}" + (f"@{visit}" if visit > 1 else "")
        here = self._claimed[op]
        claims = here[clause] = here.get(clause, 0) + 1
        return base if claims == 1 else f"{base}.{claims}"


MAX_LOOP_TRIALS = 8
MAX_LOOP_GUESSES = 5
"""So many trials are made of how the numbers that a loop carries change; after them, only what stays is kept."""
MAX_LOOP_FORMS = 3
"""So often a loop is walked anew because more was found of what it carries."""
MAX_REPEATS = 32
"""So often a call is followed whose callee must be walked each time, where what is around it is walked again."""
MAX_VISITS = 30_000
"""So many operations are walked again, at most: in functions called twice, in iterations, in a loop walked anew."""


class Limits:
    """What one walk has done, and what it still may."""

    def __init__(self, program: Program) -> None:
        self.visits = 0
        self._most = MAX_VISITS + program.size

    @property
    def is_over(self) -> bool:
        """Whether so many operations were walked that nothing more is followed."""
        return self.visits > self._most

    def reason(self, region: Region, around: Sequence[Region], times: int = 0) -> str:
        """Why a region is not followed inside others; "" where it is. It had to be walked so many ``times`` already."""
        make_room(len(around))
        if region in around:
            return "a recursive call is not followed"
        if len(around) > MAX_DEPTH:
            return f"what is called or nested more than {MAX_DEPTH} deep is not followed"
        if times > MAX_REPEATS:
            return f"a call is not followed more than {MAX_REPEATS} times"
        if self.is_over:
            return f"after {self._most:,} operations nothing more is followed"
        return ""
