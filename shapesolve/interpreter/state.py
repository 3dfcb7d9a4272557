"""State of a function interpreter: checkpoints, guarding assertions, and limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from shapesolve.domain.fresh_variables import FreshVariables
from shapesolve.domain.values import Abstract
from shapesolve.interpreter.poison import PoisonTracking
from shapesolve.interpreter.undefined_behavior import UbWeakening
from shapesolve.ir.control_flow import MAX_DEPTH
from shapesolve.ir.program import Block, Operation, Program, Region, Value
from shapesolve.reasons import Reason
from shapesolve.semantics.op_semantics import Branch, Claim, OpSemantics
from shapesolve.semantics.regions import Pass
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.semantics.rule_errors import RuleFailure
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction
from shapesolve.symbolic.limits import make_room
from shapesolve.trace.events import Approximation, CallSite, Event


class InterpreterState(Protocol):
    """State of a function interpreter that its parts read and change."""

    program: Program
    registry: RuleRegistry
    values: dict[Value, Abstract]
    unknowns: FreshVariables
    events: list[Event]
    approximations: list[Approximation]
    reached: dict[Operation, int]
    reused: dict[Operation, int]
    calls: list[Region]
    sites: tuple[CallSite, ...]
    iteration: tuple[Dim, ...] | None
    branches: dict[Operation, tuple[Branch, ...]]
    guards: GuardingAssertions
    limits: Limits
    poison: PoisonTracking
    ub_weakening: UbWeakening

    def block(self, block: Block) -> tuple[Abstract, ...] | None: ...

    def run_region(self, op: Operation, run: Pass) -> tuple[Abstract, ...] | None: ...

    def havoc(self, value: Value, op: Operation, reason: Reason) -> Abstract: ...

    def approximate(
        self, op: Operation, reason: Reason, free: frozenset[Variable], *, demands_known: bool = False
    ) -> None: ...

    def add_rule_failure(self, op: Operation, failure: RuleFailure) -> None: ...

    def add_obligation(self, op: Operation, claim: Claim) -> None: ...

    def add_unknown_requirement(self, op: Operation, reason: Reason, clause: str = "T3", message: str = "") -> None: ...


class Checkpoint:
    """State before an operation, to return to when what the operation computes is too large to be kept.

    Names of variables that were given since stay given.
    """

    def __init__(self, state: InterpreterState, op: Operation) -> None:
        self._events = len(state.events)
        self._approximations = len(state.approximations)
        self._calls = len(state.calls)
        self._surroundings = state.iteration, state.guards.here, state.sites
        self._inside = [each for each in op.walk() if each is not op] if op.regions else []
        self._reached = {each: state.reached.get(each, 0) for each in self._inside}
        self._reused = {each: state.reused.get(each, 0) for each in self._inside}
        self._results = op.results

    def roll_back(self, state: InterpreterState) -> None:
        """Restore the state: undo what was recorded since about the operation and about those inside it."""
        del state.events[self._events :]
        del state.approximations[self._approximations :]
        del state.calls[self._calls :]
        state.iteration, state.guards.here, state.sites = self._surroundings
        state.reached.update(self._reached)
        state.reused.update(self._reused)
        for value in (*self._results, *(value for each in self._inside for value in each.results)):
            state.guards.forget(value)


class GuardingAssertions:
    """Guarding assertions of the values of one function; ``here`` are those of everything at the current place."""

    def __init__(self) -> None:
        self.here: Formula = TRUE
        self._guards: dict[Value, Formula] = {}

    def guard_at(self, op: Operation) -> Formula:
        """Return the guarding assertions of an operation: those of its operands, and those of the place."""
        if not self._guards:
            return self.here
        guards = [self._guards[operand] for operand in op.operands if operand in self._guards]
        return conjunction((self.here, *guards)) if guards else self.here

    def guard(self, op: Operation, semantics: OpSemantics) -> None:
        """Record the guarding assertions of the results of an operation: its own guard, and those that protect it."""
        guard = self.guard_at(op)
        if semantics.results.guard is not TRUE:
            guard = conjunction((semantics.results.guard, guard))
        if self._guards:
            ends = (
                block.operations[-1] for run in semantics.regions for block in run.region.blocks if block.operations
            )
            guard = conjunction((guard, *map(self.guard_at, ends)))
        if guard is not TRUE:
            self._guards.update(dict.fromkeys(op.results, guard))

    def guard_of(self, value: Value) -> Formula:
        """Return the guarding assertions of a value."""
        return self._guards.get(value, TRUE)

    def guards_of(self, values: Iterable[Value]) -> dict[Value, Formula]:
        """Return the guarding assertions of those values that have any."""
        return {value: self._guards[value] for value in values if value in self._guards} if self._guards else {}

    def set_guard(self, value: Value, guard: Formula) -> None:
        """Set the guarding assertions of a value."""
        if guard is TRUE:
            self.forget(value)
        else:
            self._guards[value] = guard

    def forget(self, value: Value) -> None:
        """Remove the guarding assertions of a value."""
        self._guards.pop(value, None)


MAX_LOOP_TRIALS = 8
MAX_LOOP_GUESSES = 5
"""The most candidates for how carried numbers change; after them, only what stays the same is kept."""
MAX_LOOP_FORMS = 3
"""The most times that a loop is interpreted anew because more closed forms were found."""
MAX_REPEATS = 32
"""The most times that one call is interpreted whose callee must be interpreted each time."""
MAX_VISITS = 30_000
"""The most operations interpreted again: in functions called twice, in iterations, in loops interpreted anew."""


class Limits:
    """Work of one function's interpretation, and its limits."""

    def __init__(self, program: Program) -> None:
        self.visits = 0
        self._most = MAX_VISITS + program.size

    @property
    def is_over(self) -> bool:
        """Return whether so many operations were interpreted that no more regions are entered."""
        return self.visits > self._most

    def stop_reason(self, region: Region, around: Sequence[Region], times: int = 0) -> str:
        """Return the reason not to interpret a region inside others, or "" if it may be.

        ``times`` is how often the region had to be interpreted already.
        """
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
