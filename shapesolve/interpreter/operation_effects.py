"""Effects of the operations of one function, kept from one interpretation to the next.

A function is interpreted again with other operations taken as possibly undefined. Nearly all operations are given the
same values then, and do the same: what they did is done again without asking their rules. An operation does the same if
everything that was read for it is the same as in the interpretation that its effects are from, if it takes the same
names for its variables, and if nothing in it may be undefined. What another operation may read of one are its values,
their guarding assertions, copies and computations, and whether they are poison; so one that was interpreted anew, and
left these as they were, changes nothing for what follows.

Operations in the only block of a function are kept, with all that is nested in them; not calls, nor what is not
modeled.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from shapesolve.domain.fresh_variables import FreshNames, FreshVariables
from shapesolve.domain.values import Abstract, Tensor
from shapesolve.interpreter.callees import identity_key
from shapesolve.interpreter.fold_queries import FoldQueries, FoldState
from shapesolve.interpreter.obligations import ObligationBuilder
from shapesolve.interpreter.poison import NO_POISON, PoisonState, PoisonTracking
from shapesolve.interpreter.state import GuardingAssertions, Limits
from shapesolve.interpreter.undefined_behavior import UbWeakening
from shapesolve.ir.program import Operation, Value
from shapesolve.records import record
from shapesolve.semantics.op_semantics import Branch
from shapesolve.symbolic.atoms import Variable, variables_in
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Approximation, Event, Kind, Obligation
from shapesolve.trace.trust import ModelingAssumption


class InterpretedState(Protocol):
    """State of a function interpreter that an operation changes."""

    values: dict[Value, Abstract]
    unknowns: FreshVariables
    events: list[Event]
    approximations: list[Approximation]
    modeling: dict[ModelingAssumption, None]
    reached: dict[Operation, int]
    positions: dict[Operation, int]
    branches: dict[Operation, tuple[Branch, ...]]
    guards: GuardingAssertions
    obligations: ObligationBuilder
    poison: PoisonTracking
    limits: Limits
    ub_weakening: UbWeakening
    fold_queries: FoldQueries

    def interpret_operation(self, op: Operation) -> None: ...


class ReadValues(dict[Value, Abstract]):
    """Abstract values that note which of them are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: set[Value] = set()

    def __getitem__(self, value: Value) -> Abstract:
        self.read.add(value)
        return super().__getitem__(value)

    def get(self, value: Value, default: Abstract | None = None) -> Abstract | None:  # type: ignore[override]
        """Return the abstract value of a value, if it has one."""
        self.read.add(value)
        return super().get(value, default)


@record
class OperationEffects:
    """Effects of an operation and of those nested in it.

    Attributes:
        inside: The operation and those nested in it.
        read: The values that were read.
        may_recur: Whether the effects are those of any interpretation that reads the same.
        asked_program: Whether the program was asked for more than values: what makes one, or where its data is from.
        values: The abstract values that were set.
        guards: The guarding assertions of these values.
        folds: The copies and computations of each operation inside.
        poison: The poison that came of it.
        names: The names that were given.
        ordinals: The ordinals that operations inside got for their obligations.
        events: The events.
        approximations: The approximations.
        modeling: The modeling assumptions.
        reached: How often each operation inside was interpreted.
        positions: The number of these events before the end of each operation inside.
        branches: The branches of terminators inside.
        visits: The number of operations that were interpreted.
        differs: Whether these are effects of an operation that was another one: of them, only the poison is meant.
    """

    inside: Sequence[Operation]
    read: AbstractSet[Value]
    may_recur: bool
    asked_program: bool
    values: Mapping[Value, Abstract]
    guards: Mapping[Value, Formula]
    folds: tuple[FoldState, ...]
    poison: PoisonState
    names: FreshNames
    ordinals: tuple[tuple[Operation, int], ...]
    events: tuple[Event, ...]
    approximations: tuple[Approximation, ...]
    modeling: tuple[ModelingAssumption, ...]
    reached: Mapping[Operation, int]
    positions: Mapping[Operation, int]
    branches: Mapping[Operation, tuple[Branch, ...]]
    visits: int
    differs: bool = False

    def required(self) -> frozenset[Variable]:
        """The variables of requirements."""
        claims = (each.claim for each in self.events if isinstance(each, Obligation) and each.kind is not Kind.CHECK)
        return variables_in(claims)

    def same_for_others(self, other: OperationEffects) -> bool:
        """Return whether other operations read the same of this one, except for poison."""
        if self.guards != other.guards or self.folds != other.folds or self.values.keys() != other.values.keys():
            return False
        pairs = ((value, other.values[key]) for key, value in self.values.items())
        return all(one is another or identity_key(one) == identity_key(another) for one, another in pairs)


class KeptEffects:
    """Effects of the operations of one function in its last interpretation."""

    def __init__(self) -> None:
        self.arguments: tuple[Hashable, ...] = ()
        self.by_operation: dict[Operation, OperationEffects] = {}
        self._alive: tuple[Abstract, ...] = ()

    def begin(self, arguments: tuple[Abstract, ...], largest: int) -> Mapping[Operation, OperationEffects]:
        """Return the effects that may recur in an interpretation on these arguments, with this largest extent."""
        key = largest, *map(identity_key, arguments)
        known = self.by_operation if key == self.arguments else {}
        self.arguments, self._alive, self.by_operation = key, arguments, {}
        return known

    def of_others(self, by_operation: dict[Operation, OperationEffects]) -> KeptEffects:
        """Return effects of other operations on the same arguments."""
        found = KeptEffects()
        found.arguments, found._alive, found.by_operation = self.arguments, self._alive, by_operation
        return found


class EffectsRecorder:
    """Interpreter of the operations of a block whose effects are kept.

    Attributes:
        is_inside: Whether an operation is being interpreted, so that others are nested in it.
        may_recur: Whether nothing was met in it that must be interpreted each time.
        asked_program: Whether the program was asked for more than values.
    """

    def __init__(self, state: InterpretedState, values: ReadValues, kept: KeptEffects) -> None:
        self.is_inside = False
        self.may_recur = True
        self.asked_program = False
        self._state = state
        self._values = values
        self._kept = kept
        self._before: Mapping[Operation, OperationEffects] = {}
        self._changed: set[Value] = set()

    def begin(self, arguments: tuple[Abstract, ...]) -> None:
        """Begin an interpretation on these arguments."""
        self._before = self._kept.begin(arguments, self._state.unknowns.largest)

    def interpret(self, op: Operation) -> None:
        """Interpret an operation, or repeat its effects."""
        before = self._before.get(op)
        if before is not None and self._recurs(before) and self._state.unknowns.reuse_names(before.names):
            self._repeat(before)
            self._kept.by_operation[op] = before
            return
        found = self._interpreted(op)
        self._kept.by_operation[op] = found
        if before is None or before.differs or not found.same_for_others(before):
            self._changed.update(found.values)
        if found.poison != (NO_POISON if before is None else before.poison):
            self._before = {}  # what is made of poison is told by names of variables, wherever these get to

    def _recurs(self, before: OperationEffects) -> bool:
        if not before.may_recur or not before.read.isdisjoint(self._changed):
            return False
        return self._state.obligations.are_next(before.ordinals) and self._state.ub_weakening.has_no_effect_on(
            before.inside, before.required
        )

    def _repeat(self, before: OperationEffects) -> None:
        state = self._state
        done = len(state.events)
        state.events.extend(before.events)
        state.approximations.extend(before.approximations)
        state.modeling.update(dict.fromkeys(before.modeling))
        state.values.update(before.values)
        state.reached.update(before.reached)
        state.positions.update({op: done + position for op, position in before.positions.items()})
        state.branches.update(before.branches)
        state.limits.visits += before.visits
        for value, guard in before.guards.items():
            state.guards.set_guard(value, guard)
        state.obligations.repeat(before.ordinals)
        state.fold_queries.repeat(before.folds)
        state.poison.repeat(before.poison)
        state.ub_weakening.note_defined(before.inside)

    def _interpreted(self, op: Operation) -> OperationEffects:
        """Interpret an operation and return its effects."""
        state = self._state
        events, approximations, visits = len(state.events), len(state.approximations), state.limits.visits
        names = state.unknowns.count
        modeling, state.modeling = state.modeling, {}
        read = self._values.read = set[Value]()
        state.ub_weakening.has_effect = False
        self.may_recur = self.is_inside = True
        self.asked_program = False
        state.interpret_operation(op)
        self.is_inside = False
        added, state.modeling = state.modeling, modeling
        modeling.update(added)
        self._values.read = set()
        may_recur = self.may_recur and not state.ub_weakening.has_effect
        inside, own = self._contents(op)
        for each in inside:
            read.update(each.operands)
        find = super(ReadValues, self._values).get
        for value in read:
            known = find(value)
            if isinstance(known, Tensor) and known.fits is not TRUE:
                may_recur = False
        values = {value: known for value in own if (known := find(value)) is not None}
        visited = [each for each in inside if each in state.reached]
        given = state.unknowns.fresh_since(names)
        return OperationEffects(
            inside=inside,
            read=read,
            may_recur=may_recur and self.may_recur,
            asked_program=self.asked_program,
            values=values,
            guards=state.guards.guards_of(values),
            folds=state.fold_queries.states_of(visited),
            poison=state.poison.state_of(visited, values, given.names),
            names=given,
            ordinals=state.obligations.ordinals_of(visited),
            events=tuple(state.events[events:]),
            approximations=tuple(state.approximations[approximations:]),
            modeling=tuple(added),
            reached={each: state.reached[each] for each in visited},
            positions={each: state.positions[each] - events for each in visited if each in state.positions},
            branches={each: state.branches[each] for each in visited if each in state.branches},
            visits=state.limits.visits - visits,
        )

    def _contents(self, op: Operation) -> tuple[Sequence[Operation], Sequence[Value]]:
        """Return an operation with those nested in it, and the values that these define."""
        if not op.regions:
            return (op,), op.results
        inside = tuple(op.walk())
        own: list[Value] = []
        for each in inside:
            own += each.results
            for region in each.regions:
                if len(region.blocks) > 1:  # the order in which these are interpreted is not that of the text
                    self.may_recur = False
                for block in region.blocks:
                    own += block.arguments
        return inside, own
