"""Coverage of calls: whether the traces saw everything that may run an operation.

Only then may what was proved of the operation be acted on. A function that is called from two places must have been
followed from both. What was not followed (a recursive call, a function passed as a value, an entry point that was not
asked for) may run its checks with any sizes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from shapesolve.ir.control_flow import called_function
from shapesolve.ir.program import Function, Operation, Program
from shapesolve.preconditions.functions import entry_points
from shapesolve.preconditions.jax_assertions import ORIGIN, guards_of
from shapesolve.trace.events import Trace


class CallCoverage:
    """The entry points that reach each function, and the traces in which every path into it was followed."""

    def __init__(self, program: Program, traces: Sequence[Trace], left_alone: frozenset[str] = frozenset()) -> None:
        self._left_alone = left_alone
        self._traces = {trace.function.name: trace for trace in traces}
        self._owner = program.owners()
        self._mentions = _mentions(program, self._owner)
        self._named: dict[Operation, list[Function]] = {}
        for callees in self._mentions.values():
            for callee, ops in callees.items():
                for op in ops:
                    self._named.setdefault(op, []).append(program.functions[callee])
        self._firsts = dict(_firsts(program))
        self._starts = {each.name for each in entry_points(program)}
        self._entries = _reached_from(self._starts, self._mentions)
        self._cut = {name: _inside(trace.not_interpreted) for name, trace in self._traces.items()}
        self._missed = {name: self._not_followed(trace) for name, trace in self._traces.items()}
        self._guards = frozenset(guards_of(program))

    def function_of(self, op: Operation) -> Function | None:
        """Return the function that contains an operation."""
        return self._owner.get(op)

    def is_guard(self, op: Operation) -> bool:
        """Return whether an operation checks what is believed elsewhere because an exporter states it."""
        return op in self._guards

    def missing(self, op: Operation) -> str | None:
        """Return why the traces do not cover every run of an operation, as a phrase; None if they do."""
        function = self._owner.get(op)
        if function is None:
            return "it stands outside of every function"
        entries = self._entries.get(function.name, set())
        if not entries:
            return f"nothing that is checked calls @{function.name}"
        if self.is_guard(op):
            return f"it checks what {ORIGIN} states, which all else is judged with"
        for entry in sorted(entries):
            if entry in self._left_alone:
                return f"the precondition of @{entry} admits no input"
            if entry not in self._traces:
                return f"@{entry}, which was not checked, reaches it too"
            if function.name in self._missed[entry]:
                return f"a way from @{entry} into @{function.name} was not followed"
            if not self._traces[entry].reached.get(op):
                return f"it was not reached from @{entry}"
            if op in self._cut[entry]:
                return f"a way from @{entry} to it was not followed"
        return None

    def entries(self, op: Operation) -> list[Trace]:
        """Return the traces of the entry points that reach an operation: all, if it has no `obstacle`."""
        function = self._owner.get(op)
        names = self._entries.get(function.name, set()) if function is not None else set[str]()
        return [self._traces[name] for name in sorted(names) if name in self._traces]

    def mentioned(self, op: Operation) -> list[Function]:
        """Return the functions that an operation names and may call."""
        return self._named.get(op, [])

    def unreachable_without(self, dropped: Container[int]) -> set[str]:
        """Return the functions that no entry point reaches without these operations, given by number."""
        left: dict[str, dict[str, Sequence[Operation]]] = {}
        for name, callees in self._mentions.items():
            for callee, ops in callees.items():
                if any(op.number not in dropped for op in ops):
                    left.setdefault(name, {})[callee] = ops
        return self._entries.keys() - _closure(self._starts, left)

    def callers(self) -> Mapping[str, Sequence[Operation]]:
        """Return for each function the operations that name it."""
        found: dict[str, list[Operation]] = {}
        for op, functions in self._named.items():
            for function in functions:
                found.setdefault(function.name, []).append(op)
        return found

    def _not_followed(self, trace: Trace) -> set[str]:
        """Return the functions that this trace entered less often than they are mentioned, transitively.

        Where an earlier interpretation of a callee stands for a call, that one covers this run too.
        """
        mentioned: dict[str, int] = {trace.function.name: 1}
        reachable = _closure({trace.function.name}, self._mentions)
        missed: set[str] = set()
        for name in reachable:
            for callee, ops in self._mentions.get(name, {}).items():
                for op in ops:
                    times = trace.reached.get(op, 0)
                    mentioned[callee] = mentioned.get(callee, 0) + times - trace.reused.get(op, 0)
                    if not times:
                        missed.add(callee)
        for function in reachable & self._firsts.keys():
            if trace.reached.get(self._firsts[function], 0) != mentioned.get(function, 0):
                missed.add(function)
        return _closure(missed, self._mentions)


def _firsts(program: Program) -> Iterator[tuple[str, Operation]]:
    """Yield the first operation of every function that has one."""
    for function in program.functions.values():
        if function.body is not None and function.body.blocks and function.body.blocks[0].operations:
            yield function.name, function.body.blocks[0].operations[0]


Mentions = Mapping[str, Mapping[str, Sequence[Operation]]]
"""For each function, the functions that its operations name, and those operations."""


def _inside(operations: Iterable[Operation]) -> set[Operation]:
    return {inner for op in operations for inner in op.walk() if inner is not op}


def _mentions(program: Program, owner: Mapping[Operation, Function]) -> Mentions:
    found: dict[str, dict[str, list[Operation]]] = {}
    for op, functions in program.symbols.mentions().items():
        called = called_function(program, op)
        if op in owner:
            for callee in (called,) if called is not None else functions:
                found.setdefault(owner[op].name, {}).setdefault(callee.name, []).append(op)
    return found


def _reached_from(entries: Iterable[str], mentions: Mentions) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entry in entries:
        for name in _closure({entry}, mentions):
            found.setdefault(name, set()).add(entry)
    return found


def _closure(names: set[str], mentions: Mentions) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += mentions.get(name, {})
    return found
