"""Calls that need no walk of their own: the callee was walked before on the same arguments, and its facts hold here.

The second walk would raise the same claims, which are facts by then, and yield the same values. A walk is kept where
what it yields is made of what was known before it: a variable that it brought in stands for another value in every
run. A callee that changes what others see is walked each time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Protocol

from shapesolve.domain.fresh_variables import Unknowns, variables_of
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
from shapesolve.interpreter.scope_tracking import OpenScope, ScopeTracking
from shapesolve.interpreter.state import Waiting
from shapesolve.interpreter.undefined_behavior import Undefined
from shapesolve.ir.control_flow import called_function, reached
from shapesolve.ir.program import Function, Operation, Program, Region, Value
from shapesolve.records import record
from shapesolve.semantics.regions import AtMostOnce, Pass
from shapesolve.semantics.rulebook import RuleRegistry
from shapesolve.symbolic.derivations import current
from shapesolve.symbolic.dims import Dim
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.trace.events import Event


class Walking(Protocol):
    """What of a walk its calls need."""

    program: Program
    rulebook: RuleRegistry
    events: list[Event]
    unknowns: Unknowns
    iteration: tuple[Dim, ...] | None
    waiting: Waiting
    undefined: Undefined


MOST_WALKS = 4
"""So many walks of a callee on the same arguments are kept, each under other conditions."""


@record
class WalkedCall:
    """A call whose callee was walked.

    Attributes:
        arguments: what the callee was given, kept so that the identities in the key stay those of these values
        yielded: what it returned; None where nobody knows
        guards: the assertions that the operands of its terminators wait for
        scope: the innermost region around the call
        leave: the event that ends the walk of the callee, and ``position``, where that stands
    """

    arguments: tuple[Abstract, ...]
    yielded: tuple[Abstract, ...] | None
    guards: Mapping[Value, Formula]
    scope: OpenScope | None
    leave: Event
    position: int


@record
class PendingCall:
    """A call whose callee is about to be walked: its key, and how many names were given before."""

    key: Hashable
    op: Operation
    run: AtMostOnce
    names: int


@record
class LeftOpen:
    """An obligation that nobody can decide, of an operation that waits for the ``given`` assertions, and its place."""

    given: Formula
    scope: OpenScope | None
    event: Event
    position: int


class Callees:
    """The callees that one walk has walked, by what they were given."""

    def __init__(self, walk: Walking) -> None:
        self._walk = walk
        self._scopes = ScopeTracking(walk.events)
        self._walked: dict[Hashable, list[WalkedCall]] = {}
        self._anew: dict[Operation, int] = {}
        self._left_open: dict[tuple[Operation, int], LeftOpen] = {}
        self._effectful: set[Function] | None = None

    def pending(self, op: Operation, function: Function, run: Pass) -> PendingCall | None:
        """A call that another one may stand for; None where each is walked anew."""
        is_plain = run.condition is TRUE and run.runs is TRUE
        is_noted = current() is not None or self._walk.undefined.is_used
        if not isinstance(run, AtMostOnce) or not is_plain or is_noted or self._has_effects(function):
            self._walk_anew(op)
            return None
        values = tuple(map(identity_key, run.arguments))
        iteration = self._walk.iteration
        where = None if iteration is None else tuple(map(id, iteration))
        return PendingCall(
            (id(run.region), values, where, id(self._walk.waiting.here)), op, run, self._walk.unknowns.count
        )

    def earlier(self, call: PendingCall) -> WalkedCall | None:
        """The walk that stands for a call: it was on the same arguments, and what it raised holds here."""
        known = self._walked.get(call.key, [])
        for found in reversed(known):
            if self._is_there(found.leave, found.position) and self._scopes.still_holds(found.scope):
                for value, guard in found.guards.items():
                    self._walk.waiting.set_guard(value, guard)
                return found
        if known:
            self._walk_anew(call.op)
        return None

    def keep(self, call: PendingCall, yielded: tuple[Abstract, ...] | None) -> None:
        """Keep a walk that has just ended, where what it yields was known before it in all its parts."""
        made = self._walk.unknowns.made_after(call.names)
        if self._walk.undefined.is_used or (made and yielded is not None and _mentions(yielded, made)):
            self._walk_anew(call.op)
            return
        known = self._walked.setdefault(call.key, [])
        del known[: 1 - MOST_WALKS]
        known.append(
            WalkedCall(
                arguments=call.run.arguments,
                yielded=yielded,
                guards={each: self._walk.waiting.guard_of(each) for each in _returned(call.run.region)},
                scope=self._scopes.innermost(),
                leave=self._walk.events[-1],
                position=len(self._walk.events) - 1,
            )
        )

    def times_anew(self, op: Operation) -> int:
        """How often a call was followed that no earlier walk could stand for, or whose walk can stand for no other."""
        return self._anew.get(op, 0)

    def _walk_anew(self, op: Operation) -> None:
        self._anew[op] = self._anew.get(op, 0) + 1

    def is_left_open(self, op: Operation, given: Formula) -> bool:
        """Whether it was said before, and holds here, that nobody knows whether what an operation runs is safe."""
        said = self._left_open.get((op, id(given)))
        return said is not None and self._is_there(said.event, said.position) and self._scopes.still_holds(said.scope)

    def leave_open(self, op: Operation, given: Formula) -> None:
        """It was said just now that nobody knows whether what an operation runs is safe."""
        last = len(self._walk.events) - 1
        self._left_open[op, id(given)] = LeftOpen(given, self._scopes.innermost(), self._walk.events[last], last)

    def _is_there(self, event: Event, position: int) -> bool:
        events = self._walk.events
        return position < len(events) and events[position] is event

    def _has_effects(self, function: Function) -> bool:
        """Whether the callee, or a function that it calls, does what others see."""
        if self._effectful is None:
            self._effectful = _effectful(self._walk.program, self._walk.rulebook)
        return function in self._effectful


def _effectful(program: Program, rulebook: RuleRegistry) -> set[Function]:
    """The functions that do what others see, themselves or through what they call."""
    callers: dict[Function, list[Function]] = {}
    found: list[Function] = []
    for function in program.functions.values():
        for op in program.symbols.operations(function):
            called = called_function(program, op)
            if called is not None and called.body is not None:
                callers.setdefault(called, []).append(function)
            elif op is not function.operation and not op.successors and rulebook.effects(op).writes:
                found.append(function)
    return reached(set(found), callers)


def _mentions(values: Sequence[Abstract], names: frozenset[str]) -> bool:
    return any(each.name in names for value in values for each in variables_of(value))


def _returned(region: Region) -> Iterator[Value]:
    """The operands of the terminators of a region."""
    for block in region.blocks:
        if block.operations:
            yield from block.operations[-1].operands


def identity_key(value: Abstract) -> Hashable:
    """A key that is equal for values that are the same expression. Expressions that are equal are one object."""
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
