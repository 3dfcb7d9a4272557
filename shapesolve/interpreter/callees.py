"""Reuse of interpreted callees for calls on the same arguments, where the facts of the first call hold.

A second interpretation would raise the same claims, which are facts by then, and yield the same values. A result is
kept if it consists of what was known before the call: a variable introduced by the callee stands for another value in
every run. A callee with external effects is interpreted each time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from shapesolve.domain.fresh_variables import variables_of
from shapesolve.domain.values import (
    Abstract,
    Float,
    ListValue,
    NoneValue,
    Size,
    StringValue,
    Tensor,
    UnknownValue,
    Witness,
)
from shapesolve.interpreter.state import InterpreterState
from shapesolve.ir.control_flow import called_function, reachable_functions
from shapesolve.ir.program import Function, Operation, Program, Region, Value
from shapesolve.records import record
from shapesolve.semantics.regions import AtMostOnce, Pass
from shapesolve.semantics.registry import RuleRegistry
from shapesolve.symbolic.derivations import current
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import conjunction, conjuncts
from shapesolve.trace.events import Enter, Event, Leave

MAX_KEPT_CALLS = 4
"""The most interpretations of a callee on the same arguments that are kept, each under other conditions."""


@record
class InterpretedCall:
    """A call whose callee was interpreted.

    Attributes:
        arguments: What the callee was given, kept so that the identities in the key stay those of these values.
        yielded: What it returned; None if unknown.
        guards: The guarding assertions of the operands of its terminators.
        scope: The innermost region around the call.
        leave: The event that ends the interpretation of the callee.
        position: The position of that event.
    """

    arguments: tuple[Abstract, ...]
    yielded: tuple[Abstract, ...] | None
    guards: Mapping[Value, Formula]
    scope: _OpenScope | None
    leave: Event
    position: int


@record
class PendingCall:
    """A call whose callee is about to be interpreted.

    Attributes:
        key: The key of calls with the same results.
        op: The call.
        run: The execution of the callee's body.
        names: The number of names given before.
    """

    key: Hashable
    op: Operation
    run: AtMostOnce
    names: int


@record
class UndecidedObligation:
    """An obligation that cannot be decided, of an operation with the ``given`` guarding assertions, and its place."""

    guard: Formula
    scope: _OpenScope | None
    event: Event
    position: int


class CalleeCache:
    """The interpreted callees of one function, by their arguments."""

    def __init__(self, state: InterpreterState) -> None:
        self._state = state
        self._scopes = _ScopeTracking(state.events)
        self._interpreted: dict[Hashable, list[InterpretedCall]] = {}
        self._reinterpretations: dict[Operation, int] = {}
        self._undecided: dict[tuple[Operation, int], UndecidedObligation] = {}
        self._effectful: set[Function] | None = None

    def pending(self, op: Operation, function: Function, run: Pass) -> PendingCall | None:
        """Return a call that another one may stand for, or None if its callee must be interpreted anew."""
        is_plain = run.condition is TRUE and run.runs is TRUE
        is_noted = current() is not None or self._state.poison.is_used
        if not isinstance(run, AtMostOnce) or not is_plain or is_noted or self._has_effects(function):
            self._count_reinterpretation(op)
            return None
        values = tuple(map(identity_key, run.arguments))
        iteration = self._state.iteration
        where = None if iteration is None else tuple(map(id, iteration))
        return PendingCall(
            (id(run.region), values, where, id(self._state.guards.here)), op, run, self._state.unknowns.count
        )

    def earlier(self, call: PendingCall) -> InterpretedCall | None:
        """Return the call that stands for another: on the same arguments, with obligations that hold here; or None."""
        known = self._interpreted.get(call.key, [])
        for found in reversed(known):
            if self._is_there(found.leave, found.position) and self._scopes.still_holds(found.scope):
                for value, guard in found.guards.items():
                    self._state.guards.set_guard(value, guard)
                return found
        if known:
            self._count_reinterpretation(call.op)
        return None

    def keep(self, call: PendingCall, yielded: tuple[Abstract, ...] | None) -> None:
        """Keep a call that has just been interpreted, if all parts of what it yields were known before it."""
        made = self._state.unknowns.names_after(call.names)
        if self._state.poison.is_used or (made and yielded is not None and _mentions(yielded, made)):
            self._count_reinterpretation(call.op)
            return
        known = self._interpreted.setdefault(call.key, [])
        del known[: 1 - MAX_KEPT_CALLS]
        known.append(
            InterpretedCall(
                arguments=call.run.arguments,
                yielded=yielded,
                guards={each: self._state.guards.guard_of(each) for each in _returned(call.run.region)},
                scope=self._scopes.innermost(),
                leave=self._state.events[-1],
                position=len(self._state.events) - 1,
            )
        )

    def times_reinterpreted(self, op: Operation) -> int:
        """Return how often the callee of a call was interpreted without use of, or for, another call."""
        return self._reinterpretations.get(op, 0)

    def _count_reinterpretation(self, op: Operation) -> None:
        self._reinterpretations[op] = self._reinterpretations.get(op, 0) + 1

    def is_known_undecided(self, op: Operation, given: Formula) -> bool:
        """Return whether the safety of what an operation runs was left undecided before, which still applies here."""
        reported = self._undecided.get((op, id(given)))
        return (
            reported is not None
            and self._is_there(reported.event, reported.position)
            and self._scopes.still_holds(reported.scope)
        )

    def mark_undecided(self, op: Operation, given: Formula) -> None:
        """Note that the last event leaves the safety of what an operation runs undecided."""
        last = len(self._state.events) - 1
        self._undecided[op, id(given)] = UndecidedObligation(
            given, self._scopes.innermost(), self._state.events[last], last
        )

    def _is_there(self, event: Event, position: int) -> bool:
        events = self._state.events
        return position < len(events) and events[position] is event

    def _has_effects(self, function: Function) -> bool:
        """Return whether the callee, or a function that it calls, has external effects."""
        if self._effectful is None:
            self._effectful = _effectful(self._state.program, self._state.registry)
        return function in self._effectful


def _effectful(program: Program, registry: RuleRegistry) -> set[Function]:
    """Return the functions with external effects, of their own or of what they call."""
    callers: dict[Function, list[Function]] = {}
    found: list[Function] = []
    for function in program.functions.values():
        for op in program.symbols.operations(function):
            called = called_function(program, op)
            if called is not None and called.body is not None:
                callers.setdefault(called, []).append(function)
            elif op is not function.operation and not op.successors and registry.effects(op).writes:
                found.append(function)
    return reachable_functions(set(found), callers)


def _mentions(values: Sequence[Abstract], names: frozenset[str]) -> bool:
    return any(each.name in names for value in values for each in variables_of(value))


def _returned(region: Region) -> Iterator[Value]:
    """Yield the operands of the terminators of a region."""
    for block in region.blocks:
        if block.operations:
            yield from block.operations[-1].operands


def identity_key(value: Abstract) -> Hashable:
    """Return a key that is equal for identical abstract values: expressions that are equal are one object."""
    match value:
        case Tensor(shape, elements, spells, fits, between, signs):
            held = None if elements is None else tuple(map(identity_key, elements))
            ends = between and tuple(map(id, (between.low, between.high, between.where)))
            bounds = between and (ends, between.step, between.denominator)
            return "tensor", id(shape), held, id(spells), id(fits), bounds, id(signs)
        case Size(number, valid):
            return "size", id(number), id(valid)
        case Witness(passing, asserted):
            return "witness", id(passing), asserted
        case Float():
            parts = (value.numerator, value.denominator, value.exact, value.whole, value.defined)
            return "float", *map(id, parts), value.error, value.infinite
        case ListValue(items, types, names):
            return "list", tuple(map(identity_key, items)), types, names
        case UnknownValue() | NoneValue():
            return type(value)
        case StringValue():
            return value
        case _:
            return id(value)


class _OpenScope:
    """A region that was entered, inside another one.

    Attributes:
        enter: The event that enters it.
        around: The region around it.
        is_open: Whether its end is not read yet.
        holds_where: After the end: the condition under which what was raised inside holds; None if there is none.
    """

    __slots__ = ("around", "enter", "holds_where", "is_open")

    def __init__(self, enter: Enter, around: _OpenScope | None) -> None:
        self.enter = enter
        self.around = around
        self.is_open = True
        self.holds_where: Formula | None = None

    @property
    def condition(self) -> Formula:
        """The formula that holds inside."""
        return self.enter.formula

    def close(self, leave: Leave) -> None:
        """Note the end of the region."""
        self.is_open = False
        is_one_run = not self.enter.approximate and not self.enter.repeats
        self.holds_where = conjunction((self.condition, leave.runs)) if is_one_run and leave.runs is not None else None

    def reopen(self) -> None:
        """Undo `close`: the end of the region is rolled back."""
        self.is_open = True
        self.holds_where = None


@record
class _Boundary:
    """Beginning or end of a region: the event, its position, and the innermost region before and behind it."""

    event: Event
    position: int
    before: _OpenScope | None
    after: _OpenScope | None


class _ScopeTracking:
    """Incremental reader of the events of an interpreter, which forgets events that are rolled back."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._boundaries: list[_Boundary] = []
        self._read = 0
        self._last: Event | None = None

    def innermost(self) -> _OpenScope | None:
        """Return the innermost region around the current place."""
        events, boundaries = self._events, self._boundaries
        is_kept = self._read <= len(events) and (not self._read or events[self._read - 1] is self._last)
        while boundaries and not self._is_there(boundaries[-1]):
            gone = boundaries.pop()
            is_kept = False
            if isinstance(gone.event, Leave) and gone.before is not None:
                gone.before.reopen()
        start = self._read if is_kept else boundaries[-1].position + 1 if boundaries else 0
        here = boundaries[-1].after if boundaries else None
        for position in range(start, len(events)):
            event = events[position]
            if isinstance(event, Enter):
                boundaries.append(_Boundary(event, position, here, _OpenScope(event, here)))
            elif isinstance(event, Leave):
                assert here is not None
                here.close(event)
                boundaries.append(_Boundary(event, position, here, here.around))
            else:
                continue
            here = boundaries[-1].after
        self._read = len(events)
        self._last = events[-1] if events else None
        return here

    def still_holds(self, scope: _OpenScope | None) -> bool:
        """Return whether what was raised in a region holds at the current place, for all sizes.

        It does if the region is not left, if it ran under no condition, or under conditions that hold here too.
        """
        here = self.innermost()
        needed: set[int] = set()
        while scope is not None and not scope.is_open:
            if scope.holds_where is None:
                return False
            needed.update(id(part) for part in conjuncts(scope.holds_where) if part is not TRUE)
            scope = scope.around
        while needed and here is not None:
            needed.difference_update(map(id, conjuncts(here.condition)))
            here = here.around
        return not needed

    def _is_there(self, boundary: _Boundary) -> bool:
        return boundary.position < len(self._events) and self._events[boundary.position] is boundary.event
